#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Rows with bodies of one size.
struct RowPiece {
  std::int64_t body = 0;
  Rows rows = 0;
};

/// Adds the rows of a whole cohort to `pieces`, by the size of their bodies (storage rule 1.4).
/// Deltas are monotone in the row number, so their vint sizes change at a few rows only; values repeat along row
/// numbers.
void add_row_pieces(const ContentSpace& space, const Cohort& cohort, const RowFormat& format,
                    std::pmr::vector<RowPiece>& pieces);

/// Calls `each(body bytes, rows)` for them, without touching the heap in the usual case.
template <typename Each>
void each_row_piece(const ContentSpace& space, const Cohort& cohort, const RowFormat& format, const Each& each) {
  std::array<std::byte, 1024> stack;
  std::pmr::monotonic_buffer_resource memory(stack.data(), stack.size());
  std::pmr::vector<RowPiece> pieces(&memory);
  add_row_pieces(space, cohort, format, pieces);
  for (const RowPiece& piece : pieces) each(piece.body, piece.rows);
}

}  // namespace windrow
