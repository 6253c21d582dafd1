#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace windrow {

/// Numbers 0, 1, … that each hold stretches of a line, found by a point of it: those of the cell around it.
class HeldByCell {
 public:
  HeldByCell() = default;
  /// Of a line of this length.
  explicit HeldByCell(std::int64_t length);

  static constexpr std::size_t cells = 64;
  static constexpr std::size_t fewest = 32;  // numbers that are worth the finding

  bool empty() const { return by_cell_.empty(); }
  /// [from, to), where that is not empty; numbers come in ascending order.
  void add(std::uint32_t number, std::int64_t from, std::int64_t to);
  /// How many are around a point, in the mean.
  std::size_t mean_around() const;
  /// Ascending numbers of all that may hold this point.
  std::span<const std::uint32_t> around(std::int64_t point) const;

 private:
  std::size_t cell_of(std::int64_t point) const { return static_cast<std::size_t>(point / length_of_a_cell_); }

  std::int64_t length_of_a_cell_ = 1;
  std::vector<std::vector<std::uint32_t>> by_cell_{};
};

}  // namespace windrow
