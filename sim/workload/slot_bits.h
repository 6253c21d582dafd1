#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace windrow {

/// Some of a bucket's slots: a bit each, counted quickly.
class SlotBits {
 public:
  SlotBits() = default;
  /// Of slots 0 to slots.size() - 1 those that are not 0.
  explicit SlotBits(const std::vector<char>& slots);

  std::int64_t slots() const { return slots_; }
  std::int64_t count() const { return count_; }
  bool holds(std::int64_t slot) const {
    return (words_[static_cast<std::size_t>(slot) / word_bits] >> (static_cast<std::size_t>(slot) % word_bits) & 1) !=
           0;
  }
  /// Those below x; x from 0 to `slots`.
  std::int64_t rank(std::int64_t x) const;
  /// Number i of them, from 0.
  std::int64_t slot(std::int64_t i) const;

 private:
  static constexpr std::size_t word_bits = 64;

  std::int64_t slots_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::uint64_t> words_{};
  std::vector<std::int32_t> before_{};  // bits before each word
};

}  // namespace windrow
