#include "sim/replica/read.h"

#include <algorithm>

namespace windrow {

std::vector<int> contacted(std::span<const int> order, const std::vector<bool>& live, std::span<const int> center_of,
                           int coordinator, const ReplicasAsked& asked) {
  const auto center = [&](int node) { return center_of[static_cast<std::size_t>(node)]; };
  std::vector<int> by_nearness(order.begin(), order.end());
  std::ranges::stable_sort(by_nearness, {}, [&](int node) {
    return node == coordinator ? 0 : center(node) == center(coordinator) ? 1 : 2;
  });
  std::vector<int> left = asked.most_of_center;
  std::vector<int> nodes;
  for (const int node : by_nearness) {
    if (std::ssize(nodes) >= asked.all || !live[static_cast<std::size_t>(node)]) continue;
    if (!left.empty() && left[static_cast<std::size_t>(center(node))]-- <= 0) continue;
    nodes.push_back(node);
  }
  return nodes;
}

std::vector<int> contacted(std::span<const int> order, const std::vector<bool>& live, int coordinator, int block_for) {
  const std::vector<int> one_center(live.size(), 0);
  return contacted(order, live, one_center, coordinator, {.all = block_for, .most_of_center = {}});
}

Seconds read_gc_before_s(const Replica& replica, const ReplicaTable& table, Token token, bool whole_table,
                         Seconds now_s, const ReplicaRules& rules) {
  Seconds gc_before_s = now_s - table.gc_grace_s;
  if (!table.only_purge_repaired || !rules.reads_spare_unrepaired) return gc_before_s;
  for (const ReplicaFile& file : replica.files()) {
    if (holder_of(file.status).kind == HolderKey::Kind::repaired) continue;
    if (whole_table || file.tokens().contains(token))
      gc_before_s = std::min(gc_before_s, file.extremes.min_local_deletion_time_s);
  }
  if (!replica.memtable().empty() && (whole_table || replica.memtable().contains(token)))
    gc_before_s = std::min(gc_before_s, replica.memtable_extremes().min_local_deletion_time_s);
  return gc_before_s;
}

KeyedPartition answer(const Replica& replica, const ReplicaTable& table, Token token, bool whole_table, Seconds now_s,
                      const ReplicaRules& rules) {
  KeyedPartition partition = replica.merged(token, table.values);
  if (!rules.reads_strip_tombstones) return partition;
  const PurgeTimes times{.now_s = now_s,
                         .gc_before_s = read_gc_before_s(replica, table, token, whole_table, now_s, rules)};
  purge_partition(
      partition, times, [] { return no_timestamp; }, rules.purge);
  return partition;
}

std::vector<KeyedRow> live_rows(const KeyedPartition& merged, Seconds now_s) {
  std::vector<KeyedRow> rows;
  for (const KeyedRow& row : merged.rows) {
    KeyedRow alive{.clustering = row.clustering};
    if (row.liveness && row.liveness->expiry_s > now_s) alive.liveness = row.liveness;
    for (const KeyedCell& cell : row.cells) {
      if (cell.kind != CellKind::tombstone && cell.local_deletion_time_s > now_s) alive.cells.push_back(cell);
    }
    if (!alive.empty()) rows.push_back(std::move(alive));
  }
  return rows;
}

namespace {

KeyedPartition merged_answers(std::span<const KeyedPartition> answers, const CompareValues& values) {
  KeyedPartition merged = answers.front();
  for (const KeyedPartition& each : answers.subspan(1)) merge_partition(merged, each, values);
  shadow(merged);
  return merged;
}

bool differ(std::span<const KeyedPartition> answers, const CompareValues& values) {
  return std::ranges::any_of(
      answers, [&](const KeyedPartition& each) { return !same_partition(each, answers.front(), values); });
}

}  // namespace

std::vector<KeyedPartition> lacking(std::span<const KeyedPartition> answers, const CompareValues& values,
                                    const IsQueried& queried) {
  std::vector<KeyedPartition> all(answers.size());
  if (answers.empty() || !differ(answers, values)) return all;
  const KeyedPartition merged = merged_answers(answers, values);
  for (std::size_t i = 0; i < answers.size(); ++i) all[i] = missing(merged, answers[i], values, queried);
  return all;
}

ReadResult read_partition(std::span<Replica* const> contacts, const ReplicaTable& table, Token token, bool whole_table,
                          Seconds now_s, const IsQueried& queried, const ReplicaRules& rules) {
  std::vector<KeyedPartition> answers;
  for (const Replica* replica : contacts) answers.push_back(answer(*replica, table, token, whole_table, now_s, rules));
  ReadResult result;
  if (answers.empty()) return result;
  const KeyedPartition merged = merged_answers(answers, table.values);
  result.differed = differ(answers, table.values);
  result.rows = live_rows(merged, now_s);
  if (!table.read_repair) return result;
  const std::vector<KeyedPartition> writes = lacking(answers, table.values, queried);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (writes[i].empty()) continue;
    contacts[i]->write(rules.read_repair_whole_partition ? merged : writes[i], table.values);
    result.repaired.push_back(static_cast<int>(i));
  }
  return result;
}

}  // namespace windrow
