#pragma once

#include <cstdint>
#include <span>

#include "sim/bytes/byte_sink.h"
#include "sim/bytes/serialization_header.h"

namespace windrow {

/// One cell as it lies in Data.db.
struct StoredCell {
  enum class Kind : std::uint8_t { live, expiring, tombstone };

  std::int32_t column = 0;  // place among the header's columns of its kind
  std::int32_t ttl_s = 0;
  Kind kind = Kind::live;
  bool fixed_length = false;  // the value's type has a fixed length: no length is stored
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = no_deletion_time;  // expiry, or time of deletion
  ByteRun value{};                                   // size 0: an empty value, which costs nothing
  ByteRun path{};  // of cells in a complex column: map key, set element, list's timeuuid, field index
};

/// A non-frozen collection or user type of one row. The cells' values carry their length whatever their type.
struct StoredComplexColumn {
  std::int32_t column = 0;
  DeletionTime deletion{};
  std::span<const StoredCell> cells{};
};

/// One row; `cells` and then `complex_columns` in the header's order of columns.
struct StoredRow {
  ByteRun clustering{};  // serialized, with its header: clustering_bytes(); none in a static row
  LivenessInfo liveness{};
  DeletionTime deletion{};
  std::span<const StoredCell> cells{};
  std::span<const StoredComplexColumn> complex_columns{};

  bool empty() const { return !liveness.present && deletion.live() && cells.empty() && complex_columns.empty(); }
};

/// ClusteringPrefix.Kind, the ordinals that are written.
enum class BoundKind : std::uint8_t {
  excl_end_bound = 0,
  incl_start_bound = 1,
  excl_end_incl_start_boundary = 2,
  clustering = 4,
  incl_end_excl_start_boundary = 5,
  incl_end_bound = 6,
  excl_start_bound = 7,
};

/// A range tombstone's bound, or the boundary where one ends and the next begins.
struct StoredMarker {
  BoundKind kind = BoundKind::incl_start_bound;
  std::uint16_t values = 0;  // clustering values of the bound
  ByteRun clustering{};      // serialized with its header if there are values
  bool closes = false;
  bool opens = false;
  DeletionTime closed{};
  DeletionTime opened{};
};

}  // namespace windrow
