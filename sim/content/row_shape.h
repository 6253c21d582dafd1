#pragma once

#include <array>
#include <cstdint>

#include "sim/content/cohort.h"
#include "sim/content/row_format.h"
#include "sim/workload/writer.h"

namespace windrow {

/// What a row of a writer has on disk in a state, but for sizes of values. Complex columns are collections and user
/// types that are not frozen (storage rule 1.8).
struct RowShape {
  std::uint64_t present = 0;     // columns that have anything
  std::int64_t live_cells = 0;   // with values, also expired ones
  std::int64_t dead_cells = 0;   // tombstones dated at the write
  std::int64_t columns_set = 0;  // columns with cells
  std::int64_t complex_deletions = 0;
  std::int64_t complex_without_deletion = 0;  // in a row that has some
  std::int64_t complex_bytes = 0;             // counts of cells, and paths

  std::int64_t cells() const { return live_cells + dead_cells; }
  bool dated_at_write() const { return dead_cells > 0 || complex_deletions > 0; }
};
RowShape row_shape(const Writer& writer, RowState state);
/// Of every state.
using RowShapes = std::array<RowShape, static_cast<std::size_t>(RowState::row_tombstone) + 1>;
RowShapes row_shapes(const Writer& writer);

/// True if rows of this writer have something dead from the start: nulls, and what whole collections replace.
bool born_with_dead(const Writer& writer);
/// True if some of that is dated a microsecond before the write.
bool deletes_elements(const Writer& writer);

/// Rows that are readable until they expire.
inline bool has_values(RowState state) { return state == RowState::live || state == RowState::settled; }

/// The constant part of a row's body: everything but values. `timestamp`, `expiry` and `death` are the bytes of its
/// write timestamp, of TTL and expiry, of the second of its write; `before` of the timestamp a microsecond earlier.
struct RowDeltas {
  std::int64_t timestamp = 0;
  std::int64_t before = 0;
  std::int64_t expiry = 0;
  std::int64_t death = 0;
};
std::int64_t body_without_values(const RowShape& shape, bool has_liveness, const RowDeltas& deltas,
                                 const RowFormat& format);

}  // namespace windrow
