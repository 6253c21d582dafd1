#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/bytes/serialization_header.h"
#include "sim/bytes/stored_row.h"
#include "sim/schema/table.h"

namespace windrow {

// A small storage engine that holds every value: it judges the byte rules of sim/bytes against recordings of a node.
// The simulator itself never lists cells.

/// A cell with its value.
struct CapturedCell {
  StoredCell::Kind kind = StoredCell::Kind::live;
  Micros timestamp_us = 0;
  std::int32_t ttl_s = 0;
  Seconds local_deletion_time_s = no_deletion_time;
  std::string value{};
};

/// Order of the cells in a complex column: by map key, set element, field, or a list's timeuuid.
struct PathOrder {
  CqlType type{};  // of map keys or set elements; blob elsewhere
  bool operator()(const std::string& a, const std::string& b) const;
};

struct CapturedComplex {
  DeletionTime deletion{};
  std::map<std::string, CapturedCell, PathOrder> cells{};
};

/// Columns by their place among the table's columns of their kind, which is the order of the file.
/// Where versions meet. They differ in one thing: a complex deletion as new as the deletion around it stays in a
/// memtable (ComplexColumnData.filter, ColumnData.Reconciler) and goes in a compaction (Row.Merger).
enum class Meeting { memtable, compaction };

struct CapturedRow {
  LivenessInfo liveness{};
  DeletionTime deletion{};
  std::map<int, CapturedCell> cells{};
  std::map<int, CapturedComplex> complex_columns{};

  bool empty() const { return !liveness.present && deletion.live() && cells.empty() && complex_columns.empty(); }
  /// Rows.merge, Row.Merger.
  void merge(const CapturedRow& other, Meeting meeting);
  /// Row.filter: drops what `active`, a deletion around the row, shadows.
  void shadow(const DeletionTime& active, Meeting meeting);

 private:
  void shadow_contents(const DeletionTime& active, Meeting meeting);
};

using Clustering = std::vector<std::string>;

/// A position between rows: at a full or partial clustering, before (-1), on (0) or after (1) all that start with it.
struct ClusteringPosition {
  Clustering values{};
  int side = 0;
};

/// ClusteringComparator.
struct ClusteringOrder {
  std::vector<Column> columns{};
  int compare(const ClusteringPosition& a, const ClusteringPosition& b) const;
  bool operator()(const Clustering& a, const Clustering& b) const { return compare({a, 0}, {b, 0}) < 0; }
};

struct CapturedRange {
  ClusteringPosition start{};
  ClusteringPosition end{};
  DeletionTime deletion{};
};

struct CapturedPartition {
  explicit CapturedPartition(const ClusteringOrder& order) : rows(order) {}

  DeletionTime deletion{};
  CapturedRow static_row{};
  std::map<Clustering, CapturedRow, ClusteringOrder> rows;
  std::vector<CapturedRange> ranges{};

  bool empty() const { return deletion.live() && static_row.empty() && rows.empty() && ranges.empty(); }
  void merge(const CapturedPartition& other, Meeting meeting);
  /// Makes ranges disjoint and drops what deletions shadow.
  void resolve(Meeting meeting);
  /// BTreeRow.purge and PurgeFunction where nothing overlaps (rules 3.5, 3.6).
  void purge(Seconds now_s, Seconds gc_before_s);

 private:
  void disjoin_ranges();
};

/// Partitions in token order.
using CapturedPartitions = std::map<std::pair<Token, std::string>, CapturedPartition>;

/// Columns ever named, by place.
struct NamedColumns {
  std::set<int> static_columns{};
  std::set<int> regular_columns{};
};

}  // namespace windrow
