#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/content/content.h"
#include "sim/content/row_format.h"

namespace windrow {

/// Static rows of a bucket's partitions, and the bytes of their deletions, evenly among them.
class StaticShare {
 public:
  void add(std::int64_t cells, Bytes bytes) {
    ++number_;
    cells_ += cells;
    bytes_ += bytes;
  }
  /// Calls `each(partitions, cells, bytes)` for those of so many that have one, and those without; all together are
  /// asked for in turn, and are `held`.
  template <typename Each>
  void divide(std::int64_t held, std::int64_t partitions, Bytes empty_bytes, const Each& each) {
    seen_ += partitions;
    const std::int64_t given = mul_div_floor(number_, seen_, held) - given_;
    given_ += given;
    if (given > 0) each(given, cells_ / number_, bytes_ / number_);
    if (partitions > given) each(partitions - given, std::int64_t{0}, empty_bytes);
  }

 private:
  std::int64_t number_ = 0;
  std::int64_t cells_ = 0;
  Bytes bytes_ = 0;
  std::int64_t seen_ = 0;
  std::int64_t given_ = 0;
};

/// By writer and bucket. Partitions of which no rows are left are shown at once.
using StaticShares = std::map<std::pair<int, std::int64_t>, StaticShare>;
StaticShares static_shares(const ContentSpace& space, const Content& content, const RowFormat& format,
                           const std::function<void(std::int64_t cells, Bytes bytes)>& without_rows);

/// True if nothing is held one by one but static rows and deletions of partitions.
bool no_rows_one_by_one(const Content& content);

}  // namespace windrow
