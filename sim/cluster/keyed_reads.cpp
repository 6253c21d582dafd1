#include "sim/cluster/keyed_reads.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/cluster/read_repair.h"
#include "sim/cluster/stored_partitions.h"
#include "sim/content/keyed_write.h"
#include "sim/replica/read.h"

namespace windrow {

namespace {

using Slice = std::pair<std::int64_t, std::int64_t>;  // clustering values [first, second)

/// What a slice of the partition holds: its deletion, the rows, and the ranges as far as they lie in it.
KeyedPartition sliced(KeyedPartition partition, const Slice& slice) {
  const std::int64_t from = slice.first;
  const std::int64_t to = slice.second;
  std::erase_if(partition.rows, [&](const KeyedRow& row) { return row.clustering < from || row.clustering >= to; });
  for (KeyedRange& range : partition.ranges) {
    range.from = std::max(range.from, from);
    range.to = std::min(range.to, to);
  }
  std::erase_if(partition.ranges, [](const KeyedRange& range) { return range.from >= range.to; });
  return partition;
}

/// Before when a tombstone of the partition is left out of the node's answers (ReadCommand.withoutPurgeableTombstones,
/// Cassandra 5.0.9).
Seconds stripped_before_s(const TableStore& store, Token token, Seconds now_s) {
  Seconds before_s = store.gc_before(now_s);
  if (!store.strategy().common().only_purge_repaired_tombstones) return before_s;
  for (const auto& [id, file] : store.sstables()) {
    const auto [first, last] = file->token_span();
    const bool repaired = store.live().at(id).repair.repaired_at_ms != 0;
    if (!repaired && first <= token && token <= last)
      before_s = std::min(before_s, file->extremes().min_local_deletion_time_s);
  }
  const Content memtable = store.memtable().raw();
  if (!memtable.keyed || find_partition(*memtable.keyed, token) == nullptr) return before_s;
  KeyedExtremes extremes;
  for (const KeyedPartition& partition : *memtable.keyed) extremes.see(partition);
  return std::min(before_s, extremes.min_local_deletion_time_s);
}

/// One partition on all nodes while requests ask for it.
class AskedPartition {
 public:
  AskedPartition(const TableReplicas& replicas, Token token, Seconds now_s)
      : replicas_(&replicas),
        values_(values_of(replicas.space().workload())),
        token_(token),
        now_s_(now_s),
        held_(static_cast<std::size_t>(replicas.count())) {}

  void ask(const std::vector<int>& nodes, const Slice& slice, std::vector<std::optional<StoredPartitions>>& stored,
           KeyedReads::WritesByNode& writes) {
    std::vector<KeyedPartition> answers;
    for (const int node : nodes) {
      const TableStore& store = replicas_->store(node);
      std::optional<StoredPartitions>& all = stored[static_cast<std::size_t>(node)];
      std::optional<KeyedPartition>& held = held_[static_cast<std::size_t>(node)];
      if (!all) all.emplace(store);
      if (!held) held = all->partition(token_);
      KeyedPartition& answer = answers.emplace_back(sliced(*held, slice));
      purge_partition(answer, {.now_s = now_s_, .gc_before_s = stripped_before_s(store, token_, now_s_)},
                      [] { return no_timestamp; });
    }
    std::vector<KeyedPartition> lacked = lacking(answers, values_, [](std::int16_t) { return true; });
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (lacked[i].empty()) continue;
      const auto node = static_cast<std::size_t>(nodes[i]);
      merge_partition(*held_[node], lacked[i], values_);
      shadow(*held_[node]);
      writes[node].push_back(std::move(lacked[i]));
    }
  }

 private:
  const TableReplicas* replicas_;
  CompareValues values_;
  Token token_ = 0;
  Seconds now_s_ = 0;
  std::vector<std::optional<KeyedPartition>> held_{};  // by node, with what requests have written
};

/// Writers whose rows are held one by one.
std::vector<const Writer*> keyed_writers(const TableWorkload& workload) {
  std::vector<const Writer*> writers;
  for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
    const Writer& writer = workload.sub_streams()[static_cast<std::size_t>(s)].writer();
    if (workload.keyed(s) && std::ranges::find(writers, &writer) == writers.end()) writers.push_back(&writer);
  }
  return writers;
}

}  // namespace

std::pair<std::int64_t, std::int64_t> clusterings_asked(const Writer& writer, const ReadSpec& read, Micros now_us) {
  const auto [first, end] = rows_asked(writer, read, now_us);
  if (first >= end) return {0, 0};
  return {writer.clustering_of(first), writer.clustering_of(end - 1) + 1};
}

void KeyedReads::find_missed(Micros until_us) {
  const TableWorkload& workload = replicas_->space().workload();
  const auto& arrivals = workload.keyed_arrivals();
  const std::int64_t unit_us = workload.writers().front().unit_us;
  for (; arrivals_seen_ < arrivals.size(); ++arrivals_seen_) {
    const KeyedArrival& arrival = arrivals[arrivals_seen_];
    if (arrival.place.time * unit_us >= until_us) return;
    for (int node = 0; node < replicas_->count(); ++node) {
      if (replicas_->store(node).memtable().arrivals().reaches(arrival)) continue;
      may_differ_.insert(keyed_write(replicas_->space(), arrival, 0).token);
      break;
    }
  }
}

KeyedReads::WritesByNode KeyedReads::play(const ReadSpec& read, const std::vector<AskedEntities>& asked,
                                          const Contacts& contacts, Micros now_us) {
  WritesByNode writes(static_cast<std::size_t>(replicas_->count()));
  find_missed(now_us);
  if (may_differ_.empty()) return writes;
  const ContentSpace& space = replicas_->space();
  std::vector<std::optional<StoredPartitions>> stored(writes.size());
  for (const Writer* writer : keyed_writers(space.workload())) {
    const auto [first, end] = rows_asked(*writer, read, now_us);
    if (first >= end || std::ranges::find(asked, writer->spec, &AskedEntities::writer) == asked.end()) continue;
    const Slice slice = clusterings_asked(*writer, read, now_us);
    for (std::int64_t bucket = writer->bucket_of(first); bucket <= writer->bucket_of(end - 1); ++bucket) {
      for (std::int64_t slot = 0; slot < writer->slots(bucket); ++slot) {
        const Token token = space.tokens().of(*writer, bucket).by_slot()[static_cast<std::size_t>(slot)];
        if (!may_differ_.contains(token)) continue;
        const auto entity = static_cast<std::size_t>(writer->place_of(slot, bucket).entity);
        AskedPartition partition(*replicas_, token, now_us / us_per_s);
        for (const AskedEntities& each : asked) {
          if (each.writer != writer->spec || !each.entities[entity]) continue;
          const std::vector<int> nodes = contacts(each.coordinator, token);
          if (nodes.size() > 1) partition.ask(nodes, slice, stored, writes);
        }
      }
    }
  }
  return writes;
}

}  // namespace windrow
