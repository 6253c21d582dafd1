#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "sim/load/cluster_load.h"
#include "sim/load/placed_slots.h"
#include "sim/placement/owned_slots.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

// What one node of a cluster is written, as ClusterLoad answers it.

namespace {

/// Deletes of partitions that a node owns, each under the node's number for its partition; the writer's partitions are
/// the node's, too.
class DeletesOfNode {
 public:
  DeletesOfNode(Writer& writer, const ReplicaMap& replicas, int node)
      : writer_(writer),
        keys_{.keys = writer.keys.get(), .entities = writer.entities, .shards = writer.shards},
        replicas_(replicas),
        node_(node) {}

  void keep_hashed(std::vector<CoveringDelete>& deletes) {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    for (const CoveringDelete& each : deletes) {
      first = std::min(first, each.bucket);
      last = std::max(last, each.bucket);
    }
    std::vector<NodeSlots::Bucket> buckets;
    std::vector<std::int64_t> labels;
    std::vector<std::vector<std::int64_t>> owned;
    SlotHasher hasher(keys_);
    for (std::int64_t bucket = first; bucket <= last; ++bucket) {
      labels.push_back(writer_.bucket.label(bucket));
      owned.push_back(slots_of_bucket(hasher, labels.back(), replicas_, node_));
      buckets.push_back({.first_row = 0, .slots = std::ssize(owned.back()), .start = 0});
    }
    std::erase_if(deletes, [&](CoveringDelete& each) {
      const std::vector<std::int64_t>& mine = owned[static_cast<std::size_t>(each.bucket - first)];
      const auto place = std::ranges::lower_bound(mine, each.slot);
      if (place == mine.end() || *place != each.slot) return true;
      each.slot = place - mine.begin();
      return false;
    });
    if (buckets.size() == 1) {
      writer_.entities = buckets.front().slots;
      writer_.shards = 1;
      buckets.clear();
    }
    writer_.node =
        std::make_shared<const PlacedSlots>(keys_, replicas_, node_, first, std::move(buckets), std::move(labels));
  }

  void keep_even(std::vector<CoveringDelete>& deletes, std::int64_t owned) {
    const OwnedSlots mine = OwnedSlots::even(keys_.slots(), owned);
    std::erase_if(deletes, [&](CoveringDelete& each) {
      const std::int64_t rank = mine.rank(each.slot);
      if (mine.rank(each.slot + 1) == rank) return true;
      each.slot = rank;
      return false;
    });
    writer_.node = std::make_shared<const PlacedSlots>(keys_, owned);
    writer_.entities = owned;
    writer_.shards = 1;
  }

 private:
  Writer& writer_;
  SlotKeys keys_;
  const ReplicaMap& replicas_;
  int node_;
};

/// The scenario, of one data centre alone.
Scenario of_center(const Scenario& scenario, int center) {
  Scenario alone = scenario;
  alone.data_centers = {scenario.data_centers[static_cast<std::size_t>(center)]};
  return alone;
}

}  // namespace

bool ClusterLoad::same(int node, int other) const {
  const int center = place(node).datacenter;
  if (center == place(other).datacenter) {
    const DataCenter& of = scenario_->data_centers[static_cast<std::size_t>(center)];
    if (of.placement == DataCenter::Placement::alike || of.replication_factor >= of.nodes) return true;
  } else {
    const auto holds_all = [&](int one) {
      const DataCenter& of = scenario_->data_centers[static_cast<std::size_t>(place(one).datacenter)];
      return of.replication_factor >= of.nodes;
    };
    return holds_all(node) && holds_all(other);
  }
  const bool same_rows = std::ranges::all_of(
      writers_, [&](const Placed& placed) { return !placed.shares || placed.shares->alike(node, other); });
  return same_rows && cut_alike(node, other);
}

/// Files that are cut by the node's ranges are cut at the same tokens.
bool ClusterLoad::cut_alike(int node, int other) const {
  const auto by_shards = [](const TableOptions& options) {
    return std::holds_alternative<UnifiedOptions>(options.compaction_options);
  };
  for (int table = 0; table < std::ssize(workloads_); ++table) {
    if (std::ranges::none_of(options_ever(*scenario_, table), by_shards)) continue;
    const auto mine = local_ranges(node)[static_cast<std::size_t>(table)];
    const auto theirs = local_ranges(other)[static_cast<std::size_t>(table)];
    if (mine && theirs && *mine != *theirs) return false;
  }
  return true;
}

std::vector<std::vector<int>> ClusterLoad::alike_nodes() const {
  std::vector<std::vector<int>> groups;
  for (int node = 0; node < nodes(); ++node) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<int>& g) { return same(g.front(), node); });
    if (group == groups.end()) {
      groups.push_back({node});
    } else {
      group->push_back(node);
    }
  }
  return groups;
}

bool ClusterLoad::held_row_by_row(const Placed& placed) const {
  const TableWorkload& workload = workloads_[static_cast<std::size_t>(placed.table)];
  for (std::size_t s = 0; s < workload.sub_streams().size(); ++s) {
    if (&workload.sub_streams()[s].writer() == &placed.load.writer()) return workload.keyed(static_cast<int>(s));
  }
  return false;
}

TableWorkload ClusterLoad::placed_workload(int table, int node, bool on_lattice) const {
  const std::deque<Writer>& all = workloads_[static_cast<std::size_t>(table)].writers();
  const auto placed_of = [&](const Writer& writer) {
    return std::ranges::find_if(writers_, [&](const Placed& placed) { return &placed.load.writer() == &writer; });
  };
  // Writers that meet in a partition must tell partitions apart alike.
  const auto group_is_even = [&](int group) {
    return on_lattice || std::ranges::any_of(writers_, [&](const Placed& placed) {
             return placed.table == table && placed.load.writer().key_group == group &&
                    placed.plan.kind != PlacementKind::hashed;
           });
  };
  std::size_t next = 0;
  return scenario_workload(undivided(*scenario_), table, [&](Writer& writer, FateRule& fate) {
    const Writer& whole = all[next++];
    if (!fate.deletes.covering.empty()) {
      DeletesOfNode deletes(writer, replicas_, node);
      if (group_is_even(writer.key_group)) {
        const std::vector<std::int64_t> owned = owned_by_node(even_slots_by_set(writer.most_slots(), replicas_),
                                                              replicas_, static_cast<std::size_t>(nodes()));
        deletes.keep_even(fate.deletes.covering, std::max<std::int64_t>(1, owned[static_cast<std::size_t>(node)]));
      } else {
        deletes.keep_hashed(fate.deletes.covering);
      }
      return !fate.deletes.covering.empty();
    }
    const auto placed = placed_of(whole);
    if (placed == writers_.end()) return false;
    const bool keyed = held_row_by_row(*placed);
    const bool evenly = keyed && group_is_even(whole.key_group);
    std::unique_ptr<Writer> mine = evenly       ? placed->shares->of_node_evenly(node)
                                   : on_lattice ? placed->shares->of_node_on_lattice(node)
                                                : placed->shares->of_node(node);
    if (!mine) return false;
    mine->key_group = writer.key_group;
    mine->spec = writer.spec;
    mine->turn = writer.turn;
    writer = std::move(*mine);
    return true;
  });
}

std::vector<std::shared_ptr<const LocalRanges>> ClusterLoad::local_ranges(int node) const {
  std::vector<std::shared_ptr<const LocalRanges>> by_table(workloads_.size());
  const DataCenter& of = scenario_->data_centers[static_cast<std::size_t>(place(node).datacenter)];
  if (of.placement == DataCenter::Placement::alike) return by_table;
  const std::shared_ptr<const LocalRanges> local = local_ranges_of(replicas_, node);
  for (int table = 0; table < std::ssize(by_table); ++table) {
    const bool hashed = std::ranges::all_of(writers_, [&](const Placed& placed) {
      return placed.table != table || placed.plan.kind == PlacementKind::hashed;
    });
    if (hashed) by_table[static_cast<std::size_t>(table)] = local;
  }
  return by_table;
}

TableWorkload ClusterLoad::workload(int table, int node) const {
  const int center = place(node).datacenter;
  const DataCenter& of = scenario_->data_centers[static_cast<std::size_t>(center)];
  if (of.placement == DataCenter::Placement::alike || of.replication_factor >= of.nodes)
    return scenario_workload(of_center(*scenario_, center), table);
  TableWorkload workload = placed_workload(table, node, false);
  // On the lattice a writer has as many partitions in every bucket.
  if (!cut_by_token(*scenario_, table) ||
      !spread_on_lattice(workload, options_ever(*scenario_, table), scenario_->exact_partitions))
    return workload;
  return placed_workload(table, node, true);
}

}  // namespace windrow
