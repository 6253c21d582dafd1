#include "sim/cluster/keyed_exchange.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/content/keyed_write.h"
#include "sim/replica/repair.h"

namespace windrow {

namespace {

ReplicaTable settings_of(const TableStore& table) {
  return {.gc_grace_s = table.settings().gc_grace_s,
          .only_purge_repaired = table.strategy().common().only_purge_repaired_tombstones,
          .values = values_of(table.space().workload())};
}

}  // namespace

bool holds_rows_one_by_one(const TableWorkload& workload) { return !workload.keyed_arrivals().empty(); }

KeyedValidations validate_keyed(const TableReplicas& replicas, std::vector<TokenRange> ranges, const RepairScope& scope,
                                Seconds now_s, const std::vector<bool>& away) {
  KeyedValidations all{.ranges = std::move(ranges)};
  const RepairRequest request{.ranges = all.ranges, .session = scope.session};
  for (int node = 0; node < replicas.count(); ++node) {
    std::optional<Validation>& of_node = all.by_node.emplace_back();
    if (away[static_cast<std::size_t>(node)]) continue;
    const TableStore& store = replicas.store(node);
    Replica files;
    for (const auto& [id, file] : store.sstables()) {
      if (file->content().keyed) files.add_file(*file->content().keyed, store.live().at(id).repair);
    }
    of_node = validate(files, settings_of(store), request, now_s, {});
  }
  return all;
}

std::vector<Stream> keyed_streams(const TableReplicas& replicas, const KeyedValidations& validations,
                                  const RepairScope& scope) {
  std::vector<Stream> all;
  const CompareValues values = values_of(replicas.space().workload());
  const auto send = [&](int from, int to, const std::vector<TokenInterval>& leaves) {
    const TableStore& store = replicas.store(from);
    for (const auto& [id, file] : store.sstables()) {
      if (!file->content().keyed || !replicas.is_of_session(from, id, scope.session)) continue;
      KeyedContent content;
      for (const KeyedPartition& partition : *file->content().keyed) {
        if (any_contains(leaves, partition.token)) content.push_back(partition);
      }
      if (content.empty()) continue;
      RepairStatus status{.pending_session = scope.session};
      if (scope.session == 0) status = store.live().at(id).repair;
      all.push_back({.from = from,
                     .to = to,
                     .content = {.cohorts = {},
                                 .keyed = std::make_shared<const KeyedContent>(std::move(content)),
                                 .bases = file->content().bases},
                     .status = status});
    }
  };
  for (int one = 0; one < replicas.count(); ++one) {
    for (int other = one + 1; other < replicas.count(); ++other) {
      const std::optional<Validation>& a = validations.by_node[static_cast<std::size_t>(one)];
      const std::optional<Validation>& b = validations.by_node[static_cast<std::size_t>(other)];
      if (!a || !b) continue;
      const std::vector<TokenRange> leaves = differing_leaves(*a, *b, validations.ranges, values, {});
      if (leaves.empty()) continue;
      const std::vector<TokenInterval> tokens = normalized(leaves);
      send(one, other, tokens);
      send(other, one, tokens);
    }
  }
  return all;
}

std::vector<Cohort> keyed_hints_for(const TableReplicas& replicas, int node, Micros from_us, Micros to_us) {
  std::vector<Cohort> hints;
  const TableStore& store = replicas.store(node);
  each_accepted(replicas, from_us, to_us, [&](const KeyedArrival& arrival, Micros) {
    if (!store.memtable().arrivals().missed(arrival.place.time)) return;
    Cohort hint = keyed_hint(arrival);
    if (arrival.sub_stream >= 0)
      hint.ttl_s =
          static_cast<std::int32_t>(store.space().sub_stream(arrival.sub_stream).ttl_s(store.settings().default_ttl_s));
    hints.push_back(hint);
  });
  return hints;
}

std::optional<Micros> first_keyed_write_missed(const TableReplicas& replicas, int node, Micros from_us, Micros to_us) {
  std::optional<Micros> first;
  each_accepted(replicas, from_us, to_us, [&](const KeyedArrival& arrival, Micros at_us) {
    if (!first && replicas.store(node).memtable().arrivals().missed(arrival.place.time)) first = at_us;
  });
  return first;
}

}  // namespace windrow
