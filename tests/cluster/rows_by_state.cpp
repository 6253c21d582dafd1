#include "tests/cluster/rows_by_state.h"

#include <algorithm>
#include <utility>

#include "sim/stats/murmur3.h"
#include "tests/cluster/values_alike.h"

namespace windrow_test {

using namespace windrow;

NodeRows::NodeRows(const TableReplicas& table) : table_(table) {
  tokens_.resize(table.space().workload().sub_streams().size());
}

Token NodeRows::token_of(int sub_stream, std::int64_t member) {
  std::vector<std::optional<Token>>& known = tokens_[static_cast<std::size_t>(sub_stream)];
  const auto place = static_cast<std::size_t>(member);
  if (place >= known.size()) known.resize(place + 1);
  if (!known[place]) {
    const SubStream& sub = table_.space().sub_stream(sub_stream);
    known[place] = murmur3_token(sub.writer().key(sub.slot(member), sub.writer().bucket_of(sub.row(member))));
  }
  return *known[place];
}

/// The row that a member is, or its delete, in a partition of its own. Rows of a partition are told apart by their
/// sub-stream and member.
KeyedPartition NodeRows::one_row(int sub_stream, std::int64_t member, Seconds default_ttl_s) {
  const ContentSpace& space = table_.space();
  const SubStream& sub = space.sub_stream(sub_stream);
  const bool deletes = sub.brings() == Brings::row_tombstones;
  const int of = deletes ? space.workload().target_of(sub_stream) : sub_stream;
  KeyedPartition partition{.token = token_of(of, member)};
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

KeyedContent NodeRows::rows_of(int node, const Content& content) {
  const ContentSpace& space = table_.space();
  const Seconds default_ttl_s = table_.store(node).settings().default_ttl_s;
  std::map<Token, KeyedPartition> partitions;
  for (const Cohort& cohort : table_.to_cluster(node, content.cohorts)) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    for (std::int64_t j = cohort.from; j < cohort.to; ++j) {
      if (!cohort.whole() && !space.admits(cohort, sub.writer().bucket_of(sub.row(j)), sub.slot(j))) continue;
      const KeyedPartition row = one_row(cohort.sub_stream, j, default_ttl_s);
      const auto [place, added] = partitions.try_emplace(row.token, row);
      if (!added) merge_partition(place->second, row, values_alike);
    }
  }
  KeyedContent all;
  for (auto& [token, partition] : partitions) all.push_back(std::move(partition));
  return all;
}

const KeyedContent& NodeRows::rows_of(int node, const SSTablePtr& file) {
  if (static_cast<std::size_t>(node) >= files_.size()) files_.resize(static_cast<std::size_t>(node) + 1);
  FileRows& known = files_[static_cast<std::size_t>(node)][file->id()];
  const Seconds default_ttl_s = table_.store(node).settings().default_ttl_s;
  if (known.file != file || known.default_ttl_s != default_ttl_s)
    known = {.file = file, .default_ttl_s = default_ttl_s, .rows = rows_of(node, file->content())};
  return known.rows;
}

Replica NodeRows::replica(int node) {
  const TableStore& store = table_.store(node);
  Replica replica;
  for (const auto& [id, file] : store.sstables()) replica.add_file(rows_of(node, file), store.live().at(id).repair);
  for (const KeyedPartition& partition : rows_of(node, store.memtable().raw())) replica.write(partition, values_alike);
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
    for (const KeyedPartition& partition : merge_keyed(contents, values_alike)) {
      for (const KeyedRow& row : partition.rows) {
        if (row.liveness) all[state].emplace(partition.token, row.clustering, false);
        if (row.deletion) all[state].emplace(partition.token, row.clustering, true);
      }
    }
  }
  return all;
}

}  // namespace windrow_test
