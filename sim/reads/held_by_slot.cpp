#include "sim/reads/held_by_slot.h"

#include <algorithm>

#include "sim/base/arithmetic.h"

namespace windrow {

void HeldBySlot::add(const SubStream::Turn& turn, std::uint32_t number, std::int64_t first, std::int64_t last) {
  if (by_cell_.empty()) {
    by_cell_.resize(cells);
    slots_of_a_cell_ = ceil_div(turn.slots(), static_cast<std::int64_t>(cells));
  }
  if (first >= last) return;
  if (last - first >= turn.slots()) {
    add_slots(number, 0, turn.slots());
    return;
  }
  const std::int64_t from = turn.slot(first);
  const std::int64_t to = from + last - first;
  add_slots(number, from, std::min(to, turn.slots()));
  if (to > turn.slots()) add_slots(number, 0, to - turn.slots());
}

void HeldBySlot::add_slots(std::uint32_t number, std::int64_t from, std::int64_t to) {
  for (std::int64_t cell = from / slots_of_a_cell_; cell <= (to - 1) / slots_of_a_cell_; ++cell) {
    std::vector<std::uint32_t>& numbers = by_cell_[static_cast<std::size_t>(cell)];
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
}

std::size_t HeldBySlot::mean_around() const {
  std::size_t all = 0;
  for (const std::vector<std::uint32_t>& cell : by_cell_) all += cell.size();
  return all / cells;
}

std::span<const std::uint32_t> HeldBySlot::around(std::int64_t slot) const {
  return by_cell_[static_cast<std::size_t>(slot / slots_of_a_cell_)];
}

}  // namespace windrow
