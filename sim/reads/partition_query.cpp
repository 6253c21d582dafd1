#include "sim/reads/partition_query.h"

#include <algorithm>

#include "sim/content/undated.h"

namespace windrow {

void find_clusterings(const ContentSpace& space, const Content& content, ReadSource& source) {
  const auto see = [&](std::int64_t clustering) {
    source.min_clustering = std::min(source.min_clustering, clustering);
    source.max_clustering = std::max(source.max_clustering, clustering);
  };
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const auto [first, last] = space.outer_ends(cohort);
    see(sub.writer().clustering_of(sub.row(first)));
    see(sub.writer().clustering_of(sub.row(last)));
  }
  if (!content.keyed) return;
  for (const KeyedPartition& partition : *content.keyed) {
    for (const KeyedRange& range : partition.ranges) {
      see(range.from);
      see(range.to - 1);
    }
    if (partition.rows.empty()) continue;
    see(partition.rows.front().clustering);
    see(partition.rows.back().clustering);
  }
}

Seconds memtable_min_deletion(const ContentSpace& space, const Content& memtable) {
  const auto undated_row = [](const KeyedRow& row) {
    const bool dated = row.deletion || (row.liveness && row.liveness->ttl_s > 0);
    return !dated && std::ranges::all_of(row.cells, [](const KeyedCell& cell) { return cell.kind == CellKind::live; });
  };
  bool any = std::ranges::any_of(memtable.cohorts, [&](const Cohort& cohort) { return undated(space, cohort); });
  if (memtable.keyed) {
    for (const KeyedPartition& partition : *memtable.keyed)
      any = any || std::ranges::any_of(partition.rows, undated_row);
  }
  return (any ? HeaderBases{} : memtable.bases).get().min_local_deletion_time_s;
}

}  // namespace windrow
