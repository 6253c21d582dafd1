#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/deletion.h"

namespace windrow {

/// A cell of a row that is held by itself; `sub_stream` and `row_number` name the write, hence its value.
struct KeyedCell {
  std::int16_t column = 0;  // as in ColumnWrite
  CellKind kind = CellKind::live;
  std::int32_t ttl_s = 0;
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = no_deletion_time;
  int sub_stream = 0;
  std::int64_t row_number = 0;
  friend bool operator==(const KeyedCell&, const KeyedCell&) = default;
};

struct KeyedLiveness {
  Micros timestamp_us = 0;
  std::int32_t ttl_s = 0;
  Seconds expiry_s = no_deletion_time;
  friend bool operator==(const KeyedLiveness&, const KeyedLiveness&) = default;
};

struct KeyedRow {
  std::int64_t clustering = 0;
  std::optional<KeyedLiveness> liveness{};
  std::optional<Deletion> deletion{};
  std::vector<KeyedCell> cells{};  // by column
  bool empty() const { return !liveness && !deletion && cells.empty(); }
  friend bool operator==(const KeyedRow&, const KeyedRow&) = default;
};

/// [from, to) of clustering values, deleted; stretches of a partition are disjoint, ascending, and neighbours that
/// touch differ.
struct KeyedRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
  Deletion deletion{};
  friend bool operator==(const KeyedRange&, const KeyedRange&) = default;
};

/// A partition that is held row by row.
struct KeyedPartition {
  Token token = 0;
  int writer = 0;  // any of the group: names the key
  std::int64_t bucket = 0;
  std::int64_t slot = 0;
  int key_bytes = 0;
  std::optional<Deletion> deletion{};
  KeyedRow statics{.clustering = INT64_MIN};  // the static row, before all others: cells alone
  std::vector<KeyedRange> ranges{};
  std::vector<KeyedRow> rows{};  // by clustering value
  bool empty() const { return !deletion && statics.empty() && ranges.empty() && rows.empty(); }
};

/// Partitions by token. A token names its partition: keys of one table that share a token are not told apart.
using KeyedContent = std::vector<KeyedPartition>;

}  // namespace windrow
