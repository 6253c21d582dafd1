#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "sim/base/units.h"
#include "sim/stats/murmur3.h"

// A row-exact engine: every row is held, nothing is clever. Slow; the second witness of what the simulator computes.
namespace windrow::witness {

/// A partition key with its hash; keys are interned, so that pointers are as good as values.
struct Key {
  std::string text{};
  Murmur3Hash hash{};
  Token token = 0;
};
struct KeyOrder {
  bool operator()(const Key* a, const Key* b) const {
    return std::tie(a->token, a->text) < std::tie(b->token, b->text);
  }
};

/// A deletion time. `a > b`: a supersedes b (DeletionTime.supersedes).
struct Deletion {
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = 0;
  friend auto operator<=>(const Deletion&, const Deletion&) = default;
};
/// The deletion that prevails; nullopt is none.
std::optional<Deletion> stronger(const std::optional<Deletion>& a, const std::optional<Deletion>& b);

/// Primary-key liveness of a row written by INSERT.
struct Liveness {
  Micros timestamp_us = 0;
  Seconds ttl_s = 0;
  Seconds expires_s = no_deletion_time;
  bool expiring() const { return ttl_s > 0; }
};

/// Value bytes by formula: column `column` of row `row` of a stream.
struct Value {
  const OracleStream* stream = nullptr;
  std::int64_t row = 0;
  int column = 0;
  std::int64_t size() const;
  std::uint8_t byte(std::int64_t i) const;
};

struct Cell {
  int place = 0;  // of the column among the table's columns in name order
  Micros timestamp_us = 0;
  Seconds ttl_s = 0;
  Seconds local_deletion_time_s = no_deletion_time;  // expiry, or when it was deleted
  bool tombstone = false;
  Value value{};
  bool expiring() const { return ttl_s > 0 && !tombstone; }
};

/// A collection: what replaces its old elements, and a cell for each of its own; their keys take five bytes.
struct Complex {
  static constexpr std::int64_t path_bytes = 5;
  int place = 0;
  std::optional<Deletion> deletion{};
  std::vector<Cell> cells{};
  bool empty() const { return !deletion && cells.empty(); }
};

struct Row {
  std::int64_t clustering = 0;
  std::optional<Liveness> liveness{};
  std::optional<Deletion> deletion{};
  std::vector<Cell> cells{};         // by place
  std::optional<Complex> complex{};  // a table has one collection, after its other columns
  bool empty() const { return !liveness && !deletion && cells.empty() && (!complex || complex->empty()); }
};

/// A range tombstone over clusterings [from, to).
struct Range {
  std::int64_t from = 0;
  std::int64_t to = 0;
  Deletion deletion{};
};

struct Partition {
  const Key* key = nullptr;
  std::optional<Deletion> deletion{};
  Row statics{};                // the static row: cells alone
  std::vector<Range> ranges{};  // in a file: disjoint, ascending, neighbours with different deletions
  std::vector<Row> rows{};      // by clustering
  bool empty() const { return !deletion && statics.empty() && ranges.empty() && rows.empty(); }
};

/// Rule 3.4 for two versions of one cell: the one that stays (Cells.resolveRegular, Cassandra 5.0.9).
const Cell& reconcile(const Cell& a, const Cell& b);
/// Rule 3.4 for liveness (LivenessInfo.supersedes, Cassandra 5.0.9).
bool supersedes(const Liveness& a, const Liveness& b);

/// Drops what a deletion covers: liveness and cells with a timestamp not above it.
void shadow(Row& row, const std::optional<Deletion>& deletion);
/// Merges another version of the row into `row`; its own deletion takes effect.
void merge_into(Row& row, const Row& other);

/// A row deletion inside a stronger or equal one is not written (RowAndDeletionMergeIterator,
/// RangeTombstoneMarker.Merger, BTreeRow.filter, Row.Merger): drops it, and what `enclosing` shadows.
void enclose(Row& row, const std::optional<Deletion>& enclosing);

/// Overlapping range tombstones as the engine keeps them: disjoint, the strongest at each place, only those that
/// supersede the partition deletion, equal neighbours joined.
std::vector<Range> resolved(const std::vector<Range>& ranges, const std::optional<Deletion>& partition_deletion);

}  // namespace windrow::witness
