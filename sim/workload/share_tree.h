#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/workload/row_share.h"

namespace windrow {

/// Counts several shares of the same rows at once: what they have in common is counted once.
class ShareTree {
 public:
  ShareTree() = default;
  explicit ShareTree(std::span<const RowShare* const> shares);

  /// RowShare::rank of each share, in their order.
  void ranks(std::int64_t g, std::span<std::int64_t> ranks) const { this->ranks({&g, 1}, ranks); }
  /// The same for several row numbers: those of one share follow each other.
  void ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const;

 private:
  /// Divides what `from` holds into two; -1: nobody asks for that part.
  struct Step {
    RowShare::Cut cut;
    int from = 0;
    int chosen = -1;
    int rest = -1;
  };
  int counted_by(const RowShare& share);
  void ranks_of_one(std::int64_t g, std::span<std::int64_t> ranks) const;

  std::vector<Step> steps_{};
  int counts_ = 1;               // the first is of all rows
  std::vector<int> of_share_{};  // -1: counted by itself
  std::vector<std::pair<std::size_t, RowShare>> by_themselves_{};
};

}  // namespace windrow
