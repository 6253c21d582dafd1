#include "sim/reads/held_by_cell.h"

#include "sim/base/arithmetic.h"

namespace windrow {

HeldByCell::HeldByCell(std::int64_t length)
    : length_of_a_cell_(ceil_div(length, static_cast<std::int64_t>(cells))), by_cell_(cells) {}

void HeldByCell::add(std::uint32_t number, std::int64_t from, std::int64_t to) {
  if (from >= to) return;
  for (std::size_t cell = cell_of(from); cell <= cell_of(to - 1); ++cell) {
    std::vector<std::uint32_t>& numbers = by_cell_[cell];
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
}

std::size_t HeldByCell::mean_around() const {
  std::size_t all = 0;
  for (const std::vector<std::uint32_t>& cell : by_cell_) all += cell.size();
  return all / cells;
}

std::span<const std::uint32_t> HeldByCell::around(std::int64_t point) const { return by_cell_[cell_of(point)]; }

}  // namespace windrow
