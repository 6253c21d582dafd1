#pragma once

#include <array>
#include <cstdint>

#include "sim/content/cohort.h"
#include "sim/schema/column_set.h"
#include "sim/workload/writer.h"

namespace windrow {

/// Bytes that the dates of a row take in a file: of its write timestamp, of one a microsecond before, of its TTL, of
/// the second it expires in and of that of its write.
struct DateBytes {
  std::int64_t timestamp = 0;
  std::int64_t before = 0;
  std::int64_t ttl = 0;
  std::int64_t expiry = 0;
  std::int64_t death = 0;
};

/// What RowLayout writes of a row behind its sizes, but for values and the subset of columns: how often each date, and
/// the bytes of all else.
struct RowBody {
  DateBytes times{};
  std::int64_t other_bytes = 0;

  std::int64_t bytes(const DateBytes& dates) const {
    return other_bytes + times.timestamp * dates.timestamp + times.before * dates.before + times.ttl * dates.ttl +
           times.expiry * dates.expiry + times.death * dates.death;
  }
};

/// What a row of a writer has on disk in a state, but for sizes of values. Complex columns are collections and user
/// types that are not frozen (storage rule 1.8).
struct RowShape {
  ColumnSet present{};           // columns that have anything
  std::int64_t live_cells = 0;   // with values, also expired ones
  std::int64_t dead_cells = 0;   // tombstones dated at the write
  std::int64_t columns_set = 0;  // columns with cells
  std::int64_t complex_deletions = 0;
  RowBody lasting{};   // without a TTL
  RowBody expiring{};  // with one

  std::int64_t cells() const { return live_cells + dead_cells; }
  bool dated_at_write() const { return dead_cells > 0 || complex_deletions > 0; }
  const RowBody& body(std::int32_t ttl_s) const { return ttl_s > 0 ? expiring : lasting; }
};
RowShape row_shape(const Writer& writer, RowState state);
/// Of every state.
using RowShapes = std::array<RowShape, static_cast<std::size_t>(RowState::row_tombstone) + 1>;
RowShapes row_shapes(const Writer& writer);

/// True if rows of this writer have something dead from the start: nulls, and what whole collections replace.
bool born_with_dead(const Writer& writer);
/// True if some of that is dated a microsecond before the write.
bool deletes_elements(const Writer& writer);
bool writes_nulls(const Writer& writer);

}  // namespace windrow
