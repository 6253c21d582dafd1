#include "sim/content/row_shape.h"

#include <algorithm>

#include "sim/stats/vint.h"

namespace windrow {

namespace {

void add_complex(const ColumnWrite& write, bool dead, bool settled, RowShape& shape) {
  const ElementsWrite& elements = *write.elements;
  const bool deletion = elements.whole && !settled;
  if (elements.count == 0 && !deletion) return;
  shape.present |= std::uint64_t{1} << write.column;
  (dead ? shape.dead_cells : shape.live_cells) += elements.count;
  shape.columns_set += elements.count > 0 ? 1 : 0;
  ++(deletion ? shape.complex_deletions : shape.complex_without_deletion);
  shape.complex_bytes += unsigned_vint_size(static_cast<std::uint64_t>(elements.count)) +
                         std::int64_t{elements.count} * elements.path_bytes;
}

}  // namespace

RowShape row_shape(const Writer& writer, RowState state) {
  RowShape shape;
  if (state == RowState::skeleton || state == RowState::row_tombstone) return shape;
  const bool dead = state == RowState::cells_dead || state == RowState::settled_dead;
  const bool settled = state == RowState::settled || state == RowState::settled_dead;
  for (const ColumnWrite& write : writer.columns) {
    if (write.elements) {
      add_complex(write, dead, settled, shape);
      continue;
    }
    if (write.null && settled) continue;
    shape.present |= std::uint64_t{1} << write.column;
    ++(dead || write.null ? shape.dead_cells : shape.live_cells);
    ++shape.columns_set;
  }
  if (shape.complex_deletions == 0) shape.complex_without_deletion = 0;
  return shape;
}

RowShapes row_shapes(const Writer& writer) {
  RowShapes shapes;
  for (std::size_t state = 0; state < shapes.size(); ++state)
    shapes[state] = row_shape(writer, static_cast<RowState>(state));
  return shapes;
}

bool born_with_dead(const Writer& writer) {
  return deletes_elements(writer) || std::ranges::any_of(writer.columns, &ColumnWrite::null);
}

bool deletes_elements(const Writer& writer) {
  return std::ranges::any_of(writer.columns,
                             [](const ColumnWrite& write) { return write.elements && write.elements->whole; });
}

std::int64_t body_without_values(const RowShape& shape, bool has_liveness, const RowDeltas& deltas,
                                 const RowFormat& format) {
  const std::int64_t cell = 1 + (has_liveness ? 0 : deltas.timestamp);
  std::int64_t body = format.subset_bytes(shape.present);
  if (has_liveness) body += deltas.timestamp + deltas.expiry;
  body += shape.live_cells * (cell + (has_liveness ? 0 : deltas.expiry));
  body += shape.dead_cells * (cell + deltas.death);
  body += shape.complex_bytes + shape.complex_deletions * (deltas.before + deltas.death);
  return body + shape.complex_without_deletion * RowFormat::live_complex_deletion_bytes;
}

}  // namespace windrow
