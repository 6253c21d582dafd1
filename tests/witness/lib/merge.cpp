#include "tests/witness/lib/merge.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace windrow::witness {
namespace {

class Purger {
 public:
  Purger(const PurgeRule& rule, const Key& key) : rule_(rule), key_(key) {}

  bool purgeable(Micros timestamp_us, Seconds local_deletion_time_s) {
    if (rule_.never || local_deletion_time_s >= rule_.gc_before_s) return false;
    if (!oldest_elsewhere_us_) oldest_elsewhere_us_ = rule_.oldest_elsewhere(key_);
    return timestamp_us < *oldest_elsewhere_us_;
  }
  bool purgeable(const Deletion& deletion) { return purgeable(deletion.timestamp_us, deletion.local_deletion_time_s); }

  /// False: the cell goes.
  bool keep(Cell& cell) {
    if (cell.tombstone) return !purgeable(cell.timestamp_us, cell.local_deletion_time_s);
    if (!cell.expiring() || rule_.now_s < cell.local_deletion_time_s) return true;
    if (purgeable(cell.timestamp_us, cell.local_deletion_time_s)) return false;
    cell.local_deletion_time_s -= cell.ttl_s;
    cell.ttl_s = 0;
    cell.tombstone = true;
    return !purgeable(cell.timestamp_us, cell.local_deletion_time_s);
  }

  void purge(Row& row) {
    if (row.liveness && row.liveness->expiring() && rule_.now_s >= row.liveness->expires_s &&
        purgeable(row.liveness->timestamp_us, row.liveness->expires_s))
      row.liveness.reset();
    if (row.deletion && purgeable(*row.deletion)) row.deletion.reset();
    std::erase_if(row.cells, [&](Cell& cell) { return !keep(cell); });
    if (!row.complex) return;
    if (row.complex->deletion && purgeable(*row.complex->deletion)) row.complex->deletion.reset();
    std::erase_if(row.complex->cells, [&](Cell& cell) { return !keep(cell); });
    if (row.complex->empty()) row.complex.reset();
  }

  void purge(Partition& partition) {
    if (partition.deletion && purgeable(*partition.deletion)) partition.deletion.reset();
    std::erase_if(partition.ranges, [&](const Range& range) { return purgeable(range.deletion); });
    purge(partition.statics);
    for (Row& row : partition.rows) purge(row);
    std::erase_if(partition.rows, [](const Row& row) { return row.empty(); });
  }

 private:
  const PurgeRule& rule_;
  const Key& key_;
  std::optional<Micros> oldest_elsewhere_us_;
};

/// Rows of several versions of a partition; equal clusterings merged.
std::vector<Row> merged_rows(std::span<const Partition* const> versions) {
  std::vector<Row> rows;
  for (const Partition* version : versions) rows.insert(rows.end(), version->rows.begin(), version->rows.end());
  std::ranges::stable_sort(rows, {}, &Row::clustering);
  std::vector<Row> merged;
  for (Row& row : rows) {
    if (!merged.empty() && merged.back().clustering == row.clustering)
      merge_into(merged.back(), row);
    else
      merged.push_back(std::move(row));
  }
  return merged;
}

Partition merged(std::span<const Partition* const> versions) {
  if (versions.size() == 1) return *versions.front();
  Partition partition{.key = versions.front()->key};
  for (const Partition* version : versions) {
    partition.deletion = stronger(partition.deletion, version->deletion);
    merge_into(partition.statics, version->statics);
    partition.ranges.insert(partition.ranges.end(), version->ranges.begin(), version->ranges.end());
  }
  partition.ranges = resolved(partition.ranges, partition.deletion);
  partition.rows = merged_rows(versions);
  shadow(partition.statics, partition.deletion);
  auto range = partition.ranges.begin();
  for (Row& row : partition.rows) {
    while (range != partition.ranges.end() && range->to <= row.clustering) ++range;
    const bool covered = range != partition.ranges.end() && range->from <= row.clustering;
    enclose(row, covered ? range->deletion : partition.deletion);
  }
  std::erase_if(partition.rows, [](const Row& row) { return row.empty(); });
  return partition;
}

}  // namespace

std::vector<Partition> merge_and_purge(std::span<const std::shared_ptr<const SSTable>> inputs, const PurgeRule& rule) {
  std::vector<const Partition*> all;
  for (const auto& input : inputs)
    for (const Partition& partition : input->partitions()) all.push_back(&partition);
  std::ranges::stable_sort(all, KeyOrder(), &Partition::key);
  std::vector<Partition> result;
  for (auto first = all.begin(); first != all.end();) {
    const Key* key = (*first)->key;
    const auto last = std::find_if(first, all.end(), [key](const Partition* each) { return each->key != key; });
    Partition partition = merged({first, last});
    Purger(rule, *key).purge(partition);
    if (!partition.empty()) result.push_back(std::move(partition));
    first = last;
  }
  return result;
}

}  // namespace windrow::witness
