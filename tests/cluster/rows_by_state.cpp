#include "tests/cluster/rows_by_state.h"

#include <algorithm>
#include <utility>

#include "sim/stats/murmur3.h"

namespace windrow_test {

using namespace windrow;

namespace {

constexpr auto alike = [](const KeyedCell&, const KeyedCell&) { return 0; };

/// The row that a member is, or its delete, in a partition of its own. Rows of a partition are told apart by their
/// sub-stream and member.
KeyedPartition one_row(const ContentSpace& space, int sub_stream, std::int64_t member, Seconds default_ttl_s) {
  const SubStream& sub = space.sub_stream(sub_stream);
  const bool deletes = sub.brings() == Brings::row_tombstones;
  const int of = deletes ? space.workload().target_of(sub_stream) : sub_stream;
  const SubStream& written = space.sub_stream(of);
  const Writer& writer = written.writer();
  const std::string key = writer.key(written.slot(member), writer.bucket_of(written.row(member)));
  KeyedPartition partition{.token = murmur3_token(key)};
  const Micros at_us = sub.arrival(member) * sub.writer().unit_us;
  KeyedRow& row = partition.rows.emplace_back(KeyedRow{.clustering = member * 64 + of});
  if (deletes) {
    row.deletion = Deletion{.timestamp_us = at_us, .local_deletion_time_s = at_us / us_per_s};
    return partition;
  }
  const Seconds ttl_s = sub.ttl_s() == SubStream::table_default_ttl ? default_ttl_s : sub.ttl_s();
  row.liveness = KeyedLiveness{.timestamp_us = at_us,
                               .ttl_s = static_cast<std::int32_t>(std::max<Seconds>(0, ttl_s)),
                               .expiry_s = ttl_s > 0 ? at_us / us_per_s + ttl_s : no_deletion_time};
  return partition;
}

KeyedContent rows_of(const TableReplicas& table, int node, const Content& content) {
  const ContentSpace& space = table.space();
  const Seconds default_ttl_s = table.store(node).settings().default_ttl_s;
  std::map<Token, KeyedPartition> partitions;
  for (const Cohort& cohort : table.to_cluster(node, content.cohorts)) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    for (std::int64_t j = cohort.from; j < cohort.to; ++j) {
      if (!cohort.whole() && !space.admits(cohort, sub.writer().bucket_of(sub.row(j)), sub.slot(j))) continue;
      const KeyedPartition row = one_row(space, cohort.sub_stream, j, default_ttl_s);
      const auto [place, added] = partitions.try_emplace(row.token, row);
      if (!added) merge_partition(place->second, row, alike);
    }
  }
  KeyedContent all;
  for (auto& [token, partition] : partitions) all.push_back(std::move(partition));
  return all;
}

}  // namespace

Replica replica_of(const TableReplicas& table, int node) {
  const TableStore& store = table.store(node);
  Replica replica;
  for (const auto& [id, file] : store.sstables())
    replica.add_file(rows_of(table, node, file->content()), store.live().at(id).repair);
  for (const KeyedPartition& partition : rows_of(table, node, store.memtable().raw())) replica.write(partition, alike);
  return replica;
}

RowsByState rows_by_state(const Replica& replica, const EndedSessions& ended) {
  std::map<std::tuple<Millis, std::int64_t>, std::vector<const KeyedContent*>> files;
  for (const ReplicaFile& file : replica.files()) {
    RepairStatus status = file.status;
    if (const auto session = ended.find(status.pending_session); session != ended.end())
      status = {.repaired_at_ms = session->second};
    files[{status.repaired_at_ms, status.pending_session}].push_back(file.content.get());
  }
  RowsByState all;
  for (const auto& [state, contents] : files) {
    for (const KeyedPartition& partition : merge_keyed(contents, alike)) {
      for (const KeyedRow& row : partition.rows) {
        if (row.liveness) all[state].emplace(partition.token, row.clustering, false);
        if (row.deletion) all[state].emplace(partition.token, row.clustering, true);
      }
    }
  }
  return all;
}

}  // namespace windrow_test
