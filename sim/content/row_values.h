#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/sub_stream.h"

namespace windrow {

/// Bytes on disk of the values that row `g` of a writer brings, length prefixes included.
std::int64_t bytes_of_values(const Writer& writer, std::int64_t g);

/// Sizes of values, ascending, and how many rows have each.
struct SizeCounts {
  boost::container::small_vector<std::int64_t, 128> bytes{};
  boost::container::small_vector<Rows, 128> rows{};
};

/// Bytes that the values of a live row take on disk, length prefixes included: sizes repeat along row numbers.
class RowValues {
 public:
  explicit RowValues(const SubStream& sub);

  /// Different sizes, ascending.
  std::span<const std::int64_t> bytes() const { return bytes_; }
  double mean_bytes() const { return mean_bytes_; }
  /// Row numbers that differ by this have values of the same size.
  std::int64_t period() const { return row_period_; }
  /// Which of bytes() row number `g` has.
  std::size_t size_of(std::int64_t g) const {
    return static_cast<std::size_t>(size_of_[static_cast<std::size_t>(g % row_period_)]);
  }
  /// Adds to `counts`, which runs along bytes(), how many of the members [from, to) have each size. Where sizes repeat
  /// after very many members only, all that occur are taken to be as frequent as among the rows.
  void count(std::int64_t from, std::int64_t to, std::span<Rows> counts) const;
  /// The same of few members, with the sizes alone that they have: for work that goes with the members.
  void count_few(std::int64_t from, std::int64_t to, SizeCounts& sizes) const;
  /// The same of so many members of a sub-stream in turn: the first, and every `step`-th after it.
  void count_every(std::int64_t first, std::int64_t step, std::int64_t members, std::span<Rows> counts) const;

 private:
  template <typename Each>
  void each_size(std::int64_t from, std::int64_t to, const Each& each) const;

  const SubStream* sub_ = nullptr;
  std::int64_t row_period_ = 1;
  std::int64_t member_period_ = 1;
  double mean_bytes_ = 0;
  std::vector<std::int64_t> bytes_{};
  std::vector<Rows> in_rows_{};          // of a period of rows: how many have each size
  std::vector<Rows> in_members_{};       // of a period of members; empty where that is too long
  std::vector<std::int32_t> size_of_{};  // by row modulo the period: index into bytes_
};

}  // namespace windrow
