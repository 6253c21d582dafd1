#pragma once

#include <cstdint>
#include <string>

#include "sim/base/units.h"
#include "sim/stats/vint.h"

namespace windrow {

/// A run of bytes whose length always matters and whose content only when bytes are really written.
struct ByteRun {
  std::int64_t size = 0;
  const char* data = nullptr;

  static ByteRun of(const std::string& bytes) { return {static_cast<std::int64_t>(bytes.size()), bytes.data()}; }
};

/// A sink that wants the dates of a row themselves, not their distances from the header's bases.
template <typename Out>
concept TakesDates = requires(Out& out) {
  out.timestamp(Micros{});
  out.local_deletion_time(Seconds{});
  out.ttl(std::int64_t{});
};

/// Counts what ByteSink would write.
class SizeSink {
 public:
  static constexpr bool counts_only = true;

  void byte(std::uint8_t) { ++size_; }
  void big_endian16(std::uint16_t) { size_ += 2; }
  void big_endian32(std::uint32_t) { size_ += 4; }
  void big_endian64(std::uint64_t) { size_ += 8; }
  void unsigned_vint(std::uint64_t value) { size_ += unsigned_vint_size(value); }
  void run(const ByteRun& run) { size_ += run.size; }
  void add(std::int64_t bytes) { size_ += bytes; }
  std::int64_t size() const { return size_; }

 private:
  std::int64_t size_ = 0;
};

/// Appends to a string, as DataOutputPlus and VIntCoding do.
class ByteSink {
 public:
  static constexpr bool counts_only = false;

  explicit ByteSink(std::string& out) : out_(out) {}
  void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void big_endian16(std::uint16_t value) { big_endian(value, 2); }
  void big_endian32(std::uint32_t value) { big_endian(value, 4); }
  void big_endian64(std::uint64_t value) { big_endian(value, 8); }
  void unsigned_vint(std::uint64_t value) {
    const int size = unsigned_vint_size(value);
    if (size == 9) {
      byte(0xFF);
      big_endian(value, 8);
      return;
    }
    // As many leading ones as bytes follow.
    const auto marks = static_cast<std::uint64_t>(0xFF & ~(0xFF >> (size - 1)));
    big_endian(value | marks << (8 * (size - 1)), size);
  }
  void run(const ByteRun& run) { out_.append(run.data, static_cast<std::size_t>(run.size)); }

 private:
  void big_endian(std::uint64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) byte(static_cast<std::uint8_t>(value >> shift));
  }

  std::string& out_;
};

}  // namespace windrow
