#pragma once

#include <cstdint>
#include <span>

#include "sim/base/units.h"

namespace windrow {

enum class CellKind : std::uint8_t { live, expiring, tombstone };

/// A deletion time: largest markedForDeleteAt wins, ties go to the larger local deletion time.
struct Deletion {
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = 0;
  friend auto operator<=>(const Deletion&, const Deletion&) = default;
};

/// A cell as it lies on disk, simple or of an element.
struct CellView {
  int column = 0;  // position among the table's regular columns
  CellKind kind = CellKind::live;
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = no_deletion_time;  // expiry, or time of deletion
  std::int32_t ttl_s = 0;
  std::int32_t value_bytes = 0;
  bool fixed_length = false;
  std::int32_t path_bytes = 0;  // of an element, length included
};

/// A collection or user type that is not frozen.
struct ComplexView {
  int column = 0;
  bool has_deletion = false;
  Deletion deletion{};
  std::span<const CellView> cells{};
};

/// A row as it lies on disk.
struct RowView {
  std::int64_t clustering = 0;
  bool has_liveness = false;
  Micros liveness_us = 0;
  std::int32_t liveness_ttl_s = 0;  // 0: never expires
  Seconds liveness_expiry_s = no_deletion_time;
  bool has_deletion = false;
  Deletion deletion{};
  std::span<const CellView> cells{};         // simple ones
  std::span<const ComplexView> complexes{};  // after them, by column
};

/// A range tombstone bound; a boundary closes one range and opens the next.
struct MarkerView {
  std::int64_t clustering = 0;
  bool closes = false;
  Deletion closed{};
  bool opens = false;
  Deletion opened{};
};

}  // namespace windrow
