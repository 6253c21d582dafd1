#include "sim/reads/keyed_read.h"

#include <algorithm>

#include "sim/content/keyed_merge.h"

namespace windrow {

namespace {

/// A file is left out if its newest write is older than the partition's deletion, or if its clusterings lie beside the
/// slice and it has no deletion of the partition.
struct Version {
  const KeyedPartition* partition = nullptr;
  const ReadSource* source = nullptr;
  bool sliced = false;  // only its deletion is read
};

std::vector<Version> versions_of(std::span<const ReadSource> sources, Token token, const PartitionQuery& query) {
  std::vector<Version> versions;
  Micros deleted_us = std::numeric_limits<Micros>::min();
  for (const ReadSource& source : sources) {
    if (!source.content->keyed) continue;
    const KeyedPartition* partition = find_partition(*source.content->keyed, token);
    if (partition == nullptr) continue;
    const bool meets = source.memtable || source.meets(query);
    if (!meets && !partition->deletion) continue;
    versions.push_back({partition, &source, !meets});
    if (partition->deletion) deleted_us = std::max(deleted_us, partition->deletion->timestamp_us);
  }
  std::erase_if(versions,
                [&](const Version& v) { return !v.source->memtable && v.source->max_timestamp_us < deleted_us; });
  return versions;
}

struct Counted {
  bool live = false;
  std::int64_t tombstones = 0;
};

Counted count(const KeyedRow& row, Seconds now_s) {
  Counted counted;
  const bool liveness = row.liveness && row.liveness->expiry_s > now_s;
  counted.live = liveness;
  for (const KeyedCell& cell : row.cells) {
    const bool alive = cell.kind != CellKind::tombstone && cell.local_deletion_time_s > now_s;
    counted.live = counted.live || alive;
    counted.tombstones += alive ? 0 : 1;
  }
  const bool has_deletion = row.deletion || (row.liveness && row.liveness->expiry_s <= now_s);
  if (!counted.live && has_deletion && counted.tombstones == 0) counted.tombstones = 1;
  return counted;
}

/// Markers of range tombstones from `from` on, when reading backwards stops at `from`: an end is met first.
std::int64_t markers(const std::vector<KeyedRange>& ranges, std::int64_t from_ms, std::int64_t to_ms) {
  std::int64_t met = 0;
  std::int64_t last_end = std::numeric_limits<std::int64_t>::min();
  for (const KeyedRange& range : ranges) {
    const std::int64_t begin = std::max(range.from, from_ms);
    const std::int64_t end = std::min(range.to, to_ms);
    if (begin >= end) continue;
    met += begin == last_end ? 1 : 2;  // a boundary is one marker
    last_end = end;
  }
  return met;
}

/// The same of a read that stopped after the row at `at_ms`: what a range that covers it begins with is not met.
std::int64_t markers_until(const std::vector<KeyedRange>& ranges, std::int64_t at_ms, std::int64_t to_ms) {
  std::int64_t met = 0;
  std::int64_t begin_above = std::numeric_limits<std::int64_t>::max();
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    const std::int64_t end = std::min(range->to, to_ms);
    if (range->from >= to_ms || end <= at_ms) continue;
    met += end == begin_above ? 0 : 1;
    if (range->from > at_ms) ++met;
    begin_above = range->from;
  }
  return met;
}

/// What is dead and dated before this is gone, where what is not repaired is spared.
Seconds gc_before_of(std::span<const ReadSource> sources, std::span<const Version> versions, Token token,
                     const PartitionQuery& query) {
  Micros deleted_us = std::numeric_limits<Micros>::min();
  Seconds gc_before_s = query.gc_before_s;
  for (const Version& version : versions) {
    if (version.partition->deletion) deleted_us = std::max(deleted_us, version.partition->deletion->timestamp_us);
    if (!version.source->repaired) gc_before_s = std::min(gc_before_s, version.source->min_deletion_s);
  }
  for (const ReadSource& source : sources) {
    const bool asked = !source.memtable && source.covers(token) && source.meets(query);
    if (asked && !source.repaired && source.max_timestamp_us >= deleted_us)
      gc_before_s = std::min(gc_before_s, source.min_deletion_s);
  }
  return gc_before_s;
}

}  // namespace

PartitionCost read_keyed(const ContentSpace& space, std::span<const ReadSource> sources, Token token,
                         const PartitionQuery& query) {
  PartitionCost cost;
  KeyedPartition merged;
  double bytes_per_row = 0;
  const CompareValues values = values_of(space.workload());
  const std::vector<Version> versions = versions_of(sources, token, query);
  Seconds gc_before_s = query.gc_before_s;
  if (query.spares_unrepaired) gc_before_s = gc_before_of(sources, versions, token, query);
  for (const Version& version : versions) {
    cost.sstables += version.source->memtable ? 0 : 1;
    bytes_per_row = std::max(bytes_per_row, version.source->row_bytes);
    if (!version.sliced) {
      merge_partition(merged, *version.partition, values);
    } else if (!merged.deletion || *version.partition->deletion > *merged.deletion) {
      merged.deletion = version.partition->deletion;
    }
  }
  shadow(merged);
  std::erase_if(merged.rows,
                [&](const KeyedRow& row) { return row.clustering < query.from_ms || row.clustering >= query.to_ms; });
  // Which rows there are is told before what is old goes: they are read, too.
  std::vector<std::int64_t> walked;
  for (const KeyedRow& row : merged.rows) walked.push_back(row.clustering);
  purge_partition(merged, {.now_s = query.now_s, .gc_before_s = gc_before_s}, [] { return no_timestamp; });
  for (auto row = merged.rows.rbegin(); row != merged.rows.rend(); ++row) {
    const Counted counted = count(*row, query.now_s);
    cost.tombstones += counted.tombstones;
    cost.live += counted.live ? 1 : 0;
    if (query.limit == 0 || cost.live < query.limit || !counted.live) continue;
    cost.rows = walked.end() - std::ranges::lower_bound(walked, row->clustering);
    cost.tombstones += markers_until(merged.ranges, row->clustering, query.to_ms);
    cost.bytes = static_cast<double>(cost.rows) * bytes_per_row;
    return cost;
  }
  cost.rows = std::ssize(walked);
  cost.tombstones += markers(merged.ranges, query.from_ms, query.to_ms);
  cost.bytes = static_cast<double>(cost.rows) * bytes_per_row;
  return cost;
}

}  // namespace windrow
