#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/cluster/exchange.h"
#include "sim/replica/merkle.h"
#include "sim/ring/token_ring.h"

namespace windrow {

// Repairs and hints of rows that are held one by one, on nodes that each hold every row: by the functions that
// `windrow verify` proves on a real cluster's timelines (sim/replica).

bool holds_rows_one_by_one(const TableWorkload& workload);

/// What the nodes of a step hashed: by node; none where it is away.
struct KeyedValidations {
  std::vector<TokenRange> ranges{};  // each has a tree
  std::vector<std::optional<Validation>> by_node{};
};
/// Of the files as they are now.
KeyedValidations validate_keyed(const TableReplicas& replicas, std::vector<TokenRange> ranges, const RepairScope& scope,
                                Seconds now_s, const std::vector<bool>& away);

/// Whole leaves that differ, both ways: of each file as it is now those partitions, as they lie on disk.
std::vector<Stream> keyed_streams(const TableReplicas& replicas, const KeyedValidations& validations,
                                  const RepairScope& scope);

/// What a node missed in [from, to) and another got, as hints (keyed_hint), in the order of time.
std::vector<Cohort> keyed_hints_for(const TableReplicas& replicas, int node, Micros from_us, Micros to_us);
/// The first of them.
std::optional<Micros> first_keyed_write_missed(const TableReplicas& replicas, int node, Micros from_us, Micros to_us);

/// Calls `each(arrival, at_us)` for what is sent in [from, to) and reaches a node.
template <class Each>
void each_accepted(const TableReplicas& replicas, Micros from_us, Micros to_us, const Each& each) {
  const TableWorkload& workload = replicas.space().workload();
  if (workload.keyed_arrivals().empty()) return;
  const std::int64_t unit_us = workload.writers().front().unit_us;
  const auto& arrivals = workload.keyed_arrivals();
  auto next = std::ranges::lower_bound(arrivals, from_us, {},
                                       [&](const KeyedArrival& arrival) { return arrival.place.time * unit_us; });
  for (; next != arrivals.end() && next->place.time * unit_us < to_us; ++next) {
    for (int node = 0; node < replicas.count(); ++node) {
      if (!replicas.store(node).memtable().arrivals().reaches(*next)) continue;
      each(*next, next->place.time * unit_us);
      break;
    }
  }
}

}  // namespace windrow
