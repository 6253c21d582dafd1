#include "sim/load/rank_table.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

RankTable::RankTable(std::vector<std::vector<int>> columns_of_set, std::size_t columns)
    : columns_of_set_(std::move(columns_of_set)), columns_(columns) {}

void RankTable::take(std::span<const int> set_of_slot) {
  SIM_CHECK(!set_of_slot.empty(), "a bucket has slots");
  set_of_slot_ = set_of_slot;
  remembered_.clear();
  std::vector<std::int64_t> now(columns_, 0);
  for (std::size_t slot = 0; slot < set_of_slot.size(); ++slot) {
    if (slot % stride == 0) remembered_.insert(remembered_.end(), now.begin(), now.end());
    for (const int column : columns_of_set_[static_cast<std::size_t>(set_of_slot[slot])])
      ++now[static_cast<std::size_t>(column)];
  }
  remembered_.insert(remembered_.end(), now.begin(), now.end());
}

void RankTable::add_rows_below(std::int64_t g, std::int64_t sign, std::span<std::int64_t> columns) const {
  const std::int64_t turns = g / slots();
  const auto rest = static_cast<std::size_t>(g % slots());
  const std::size_t begin = rest / stride;
  const auto all = remembered_.end() - static_cast<std::ptrdiff_t>(columns_);
  const auto before = remembered_.begin() + static_cast<std::ptrdiff_t>(begin * columns_);
  for (std::size_t column = 0; column < columns_; ++column) {
    const auto place = static_cast<std::ptrdiff_t>(column);
    columns[column] += sign * (turns * all[place] + before[place]);
  }
  for (std::size_t slot = begin * stride; slot < rest; ++slot) {
    for (const int column : columns_of_set_[static_cast<std::size_t>(set_of_slot_[slot])])
      columns[static_cast<std::size_t>(column)] += sign;
  }
}

}  // namespace windrow
