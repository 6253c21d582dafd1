#include "sim/cluster/read_repair.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "sim/replica/read.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/read_fan_out.h"
#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

std::vector<Cohort> joined(std::vector<Cohort> some, const std::vector<Cohort>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::vector<Cohort> existing(const ContentSpace& space, std::vector<Cohort> rows) {
  std::erase_if(rows, [&](const Cohort& part) { return !space.any(part); });
  return rows;
}

/// Rows of one kind on one node: what lay there, and what reads have brought since.
class GrowingRows {
 public:
  GrowingRows() = default;
  explicit GrowingRows(std::vector<Cohort> rows) : rows_(std::move(rows)) {}
  std::vector<Cohort> within(const std::vector<Cohort>& region) const {
    return joined(rows_.within(region), rows_within(region, more_));
  }
  std::vector<Cohort> missing_of(const ContentSpace& space, const std::vector<Cohort>& region) const {
    return existing(space, rows_without(space, rows_.missing_of(space, region), more_));
  }
  void add(const std::vector<Cohort>& rows) { more_.insert(more_.end(), rows.begin(), rows.end()); }

 private:
  SortedRows rows_{};
  std::vector<Cohort> more_{};
};

/// What of a node's replica an answer is made of.
struct ReadAnswer {
  GrowingRows held{};        // in whatever state
  GrowingRows rows{};        // that are answered: not deleted, nor expired for longer than gc_grace
  GrowingRows tombstones{};  // that are not stripped
  SortedRows deleted{};      // all of them, as they lay there
};

/// By node.
std::vector<ReadAnswer> answers_of(const TableReplicas& replicas, int sub_stream, int tombstones, Micros now_us) {
  const ContentSpace& space = replicas.space();
  const SubStream& sub = space.sub_stream(sub_stream);
  std::vector<ReadAnswer> answers;
  for (int node = 0; node < replicas.count(); ++node) {
    const TableStore& store = replicas.store(node);
    const Seconds gc_before_s = store.gc_before(now_us / us_per_s);
    const Seconds ttl_s = sub.ttl_s(store.settings().default_ttl_s);
    ReadAnswer& answer = answers.emplace_back();
    std::vector<Cohort> rows = replicas.members_on(node, sub_stream);
    answer.held = GrowingRows(rows);
    // Of a sub-stream what died before gc_before goes, but with only_purge_repaired_tombstones what is unrepaired.
    const auto stripped = [&](const std::vector<Cohort>& all, int s, std::int64_t first_young) {
      const Cohort young = rows_from(s, first_young);
      std::vector<Cohort> kept = rows_within(all, std::span(&young, 1));
      if (!store.strategy().common().only_purge_repaired_tombstones) return kept;
      const SortedRows unrepaired(replicas.unrepaired_on(node, s));
      const std::vector<Cohort> spared = unrepaired.within(rows_without(space, all, kept));
      return joined(std::move(kept), spared);
    };
    if (ttl_s > 0) rows = stripped(rows, sub_stream, sub.count_arrived_before_s(gc_before_s - ttl_s));
    if (tombstones >= 0) {
      answer.deleted = SortedRows(replicas.members_on(node, tombstones));
      rows = answer.deleted.missing_of(space, rows);
      const std::int64_t young = space.sub_stream(tombstones).count_arrived_before_s(gc_before_s);
      answer.tombstones = GrowingRows(stripped(answer.deleted.rows(), tombstones, young));
    }
    answer.rows = GrowingRows(std::move(rows));
  }
  return answers;
}

}  // namespace

ReadRepairs::ReadRepairs(const RepairedCluster& cluster) : at_(cluster), read_us_(cluster.scenario.start_us) {
  const Scenario& scenario = at_.scenario;
  for (const ReadSpec& read : scenario.reads) {
    const Table& table = scenario.tables[static_cast<std::size_t>(read.table)].schema;
    bool compares = false;
    for (std::size_t own = 0; own < scenario.data_centers.size(); ++own)
      compares = compares || replicas_waited_for(read.consistency, scenario.data_centers, own) > 1;
    if (compares && table.options.read_repair == "BLOCKING") reads_.push_back(&read);
  }
  for (const ReadSpec* read : reads_) {
    const TableReplicas& table = at_.tables[static_cast<std::size_t>(read->table)];
    if (holds_rows_one_by_one(table.store(0).space().workload())) keyed_.try_emplace(read->table, table);
  }
  if (scenario.ring && !reads_.empty())
    replica_map_.emplace(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
}

void ReadRepairs::read_until(Micros now_us) {
  if (now_us <= read_us_) return;
  for (const ReadSpec* read : reads_) play(*read, now_us);
  read_us_ = now_us;
}

std::vector<int> ReadRepairs::contacts(const ReadSpec& read, int coordinator, Token token) const {
  std::vector<int> order(at_.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  if (replica_map_) {
    const auto replicas = replica_map_->replicas(replica_map_->range_of(token));
    order.assign(replicas.begin(), replicas.end());
  }
  std::vector<bool> live;
  for (const bool away : at_.away) live.push_back(!away);
  const std::vector<DataCenter>& centers = at_.scenario.data_centers;
  const std::vector<int>& center_of = at_.ring.center_of();
  const auto own = static_cast<std::size_t>(center_of[static_cast<std::size_t>(coordinator)]);
  ReplicasAsked wanted{.all = replicas_waited_for(read.consistency, centers, own), .most_of_center = {}};
  for (std::size_t center = 0; center < centers.size(); ++center) {
    const int quorum = centers[center].replication_factor / 2 + 1;
    if (read.consistency == Consistency::each_quorum) wanted.most_of_center.push_back(quorum);
    if (read.consistency == Consistency::local_quorum) wanted.most_of_center.push_back(center == own ? quorum : 0);
  }
  std::vector<int> asked = contacted(order, live, center_of, coordinator, wanted);
  if (std::ssize(asked) < wanted.all) asked.clear();  // UnavailableException
  std::ranges::sort(asked);
  return asked;
}

ReadRepair& ReadRepairs::written(const ReadSpec& read, int node, Micros now_us) {
  const auto known = std::ranges::find_if(
      at_.record.read_repairs, [&](const ReadRepair& each) { return each.read == read.name && each.node == node; });
  ReadRepair& of_node = known != at_.record.read_repairs.end()
                            ? *known
                            : at_.record.read_repairs.emplace_back(
                                  ReadRepair{.read = read.name, .table = read.table, .node = node, .first_us = now_us});
  of_node.last_us = now_us;
  return of_node;
}

void ReadRepairs::play_keyed(const ReadSpec& read, const std::vector<AskedEntities>& asked, Micros now_us) {
  const auto keyed = keyed_.find(read.table);
  if (keyed == keyed_.end()) return;
  const KeyedReads::WritesByNode writes = keyed->second.play(
      read, asked, [&](int coordinator, Token token) { return contacts(read, coordinator, token); }, now_us);
  bool any = false;
  for (int node = 0; node < std::ssize(writes); ++node) {
    const std::vector<KeyedPartition>& own = writes[static_cast<std::size_t>(node)];
    if (own.empty()) continue;
    any = true;
    at_.nodes[static_cast<std::size_t>(node)]->repaired_by_reads(read.table, own);
    ReadRepair& of_node = written(read, node, now_us);
    for (const KeyedPartition& write : own)
      of_node.rows += std::ssize(write.rows) + std::ssize(write.ranges) + (write.deletion ? 1 : 0);
  }
  if (any) at_.ledger.received(read.table, now_us, "read " + read.name, false, {});
}

void ReadRepairs::play(const ReadSpec& read, Micros now_us) {
  const TableReplicas& table = at_.tables[static_cast<std::size_t>(read.table)];
  std::vector<int> coordinators;
  for (int node = 0; node < table.count(); ++node) {
    if (!at_.away[static_cast<std::size_t>(node)]) coordinators.push_back(node);
  }
  if (coordinators.empty()) return;
  const std::vector<Difference> found = differences(table, now_us / us_per_s, {});
  if (found.empty() && !keyed_.contains(read.table)) return;
  const std::vector<AskedEntities> asked = asked_entities(at_.scenario, read, coordinators, read_us_, now_us);
  if (asked.empty()) return;
  play_keyed(read, asked, now_us);
  RowsByNode writes(at_.nodes.size());
  std::map<int, int> sub_streams;  // and the tombstones of each
  for (const Difference& difference : found) sub_streams[difference.sub_stream] = difference.tombstones;
  for (const auto& [sub_stream, tombstones] : sub_streams)
    play_stream(read, sub_stream, tombstones, found, asked, now_us, writes);
  std::vector<Ledger::Brought> brought;
  for (int node = 0; node < table.count(); ++node) {
    std::vector<Cohort>& rows = writes[static_cast<std::size_t>(node)];
    if (rows.empty()) continue;
    std::vector<Cohort> own = table.to_node(node, rows);
    at_.nodes[static_cast<std::size_t>(node)]->hinted(read.table, own);
    written(read, node, now_us).rows += table.store(node).space().rows(own);
    brought.push_back({.node = node, .rows = table.to_cluster(node, std::move(own))});
  }
  if (!brought.empty()) at_.ledger.received(read.table, now_us, "read " + read.name, false, brought);
}

void ReadRepairs::play_stream(const ReadSpec& read, int sub_stream, int tombstones,
                              const std::vector<Difference>& found, const std::vector<AskedEntities>& asked,
                              Micros now_us, RowsByNode& writes) {
  const TableReplicas& table = at_.tables[static_cast<std::size_t>(read.table)];
  const ContentSpace& space = table.space();
  const SubStream& sub = space.sub_stream(sub_stream);
  const Writer& writer = sub.writer();
  const auto [first_row, end_row] = rows_asked(writer, read, now_us);
  const Cohort window{.from = sub.rank(first_row), .to = sub.rank(end_row)};
  std::vector<Cohort> candidates;
  for (const Difference& difference : found) {
    if (difference.sub_stream != sub_stream) continue;
    const std::vector<Cohort> more = rows_within(difference.rows, std::span(&window, 1));
    candidates = joined(std::move(candidates), existing(space, rows_without(space, more, candidates)));
  }
  if (candidates.empty()) return;
  std::vector<ReadAnswer> answers = answers_of(table, sub_stream, tombstones, now_us);
  const Seconds ttl_s = sub.ttl_s(table.store(0).settings().default_ttl_s);

  const auto write = [&](int node, std::vector<Cohort> rows, int of, RowState state) {
    for (Cohort& part : rows) {
      part.sub_stream = of;
      part.state = state;
      part.ttl_s = static_cast<std::int32_t>(state == RowState::live ? ttl_s : 0);
    }
    std::vector<Cohort>& all = writes[static_cast<std::size_t>(node)];
    all.insert(all.end(), rows.begin(), rows.end());
  };
  const auto read_rows = [&](const std::vector<Cohort>& region, const std::vector<int>& contacts) {
    std::vector<Cohort> deleted;
    std::vector<Cohort> rows;
    for (const int node : contacts) {
      const ReadAnswer& answer = answers[static_cast<std::size_t>(node)];
      deleted = joined(deleted, rows_without(space, answer.tombstones.within(region), deleted));
    }
    for (const int node : contacts) {
      const ReadAnswer& answer = answers[static_cast<std::size_t>(node)];
      rows = joined(rows, rows_without(space, rows_without(space, answer.rows.within(region), deleted), rows));
    }
    for (const int node : contacts) {
      ReadAnswer& answer = answers[static_cast<std::size_t>(node)];
      const std::vector<Cohort> lacking = answer.tombstones.missing_of(space, deleted);
      const std::vector<Cohort> rows_lacking = answer.rows.missing_of(space, rows);
      if (!lacking.empty()) write(node, lacking, tombstones, RowState::row_tombstone);
      const std::vector<Cohort> fresh = answer.held.missing_of(space, rows_lacking);
      if (!fresh.empty()) write(node, fresh, sub_stream, RowState::live);
      answer.tombstones.add(lacking);
      answer.held.add(fresh);
      // A tombstone that is stripped hides its row first.
      answer.rows.add(answer.deleted.missing_of(space, rows_lacking));
    }
  };

  const auto first = std::ranges::min_element(candidates, {}, &Cohort::from);
  const auto last = std::ranges::max_element(candidates, {}, &Cohort::to);
  const std::int64_t first_bucket = writer.bucket_of(sub.row(first->from));
  const std::int64_t last_bucket = writer.bucket_of(sub.row(last->to - 1));
  for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
    const Cohort in_bucket{.from = sub.count_before_bucket(bucket), .to = sub.count_before_bucket(bucket + 1)};
    const std::vector<Cohort> here = existing(space, rows_within(candidates, std::span(&in_bucket, 1)));
    if (here.empty()) continue;
    for (const AskedEntities& each : asked) {
      if (each.writer != writer.spec) continue;
      std::map<std::vector<int>, SlotSet> groups;  // of partitions, by who answers
      const std::int64_t slots = writer.slots(bucket);
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        if (!each.entities[static_cast<std::size_t>(writer.place_of(slot, bucket).entity)]) continue;
        const Token token = replica_map_ ? murmur3_token(writer.key(slot, bucket)) : 0;
        SlotSet& group = groups[contacts(read, each.coordinator, token)];
        group.resize(static_cast<std::size_t>(slots));
        group[static_cast<std::size_t>(slot)] = true;
      }
      for (auto& [nodes, group] : groups) {
        if (nodes.size() < 2) continue;
        Cohort its = in_bucket;
        if (!group.all()) its.slots = std::make_shared<const SlotSet>(group);
        const std::vector<Cohort> region = existing(space, rows_within(here, std::span(&its, 1)));
        if (!region.empty()) read_rows(region, nodes);
      }
    }
  }
}

}  // namespace windrow
