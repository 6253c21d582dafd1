#include "sim/cluster/ring_rows.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/content/row_sets.h"
#include "sim/placement/slot_hasher.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/stats/murmur3.h"
#include "sim/workload/owned_members.h"
#include "sim/workload/slot_sets.h"

namespace windrow {

namespace {

/// Buckets that a writer has rows in: [first, second); with no row none.
std::pair<std::int64_t, std::int64_t> buckets_of(const Writer& writer) {
  const std::int64_t rows = writer.rhythm.total();
  if (rows == 0) return {0, 0};
  return {writer.bucket_of(0), writer.bucket_of(rows - 1) + 1};
}

std::shared_ptr<const SlotSets> hashed_sets_of(const Writer& writer, const RingParts& parts) {
  SlotHasher hasher({.keys = writer.keys.get(), .entities = writer.entities, .shards = writer.shards});
  std::vector<SlotSets::Bucket> buckets;
  const auto [first, end] = buckets_of(writer);
  for (std::int64_t bucket = first; bucket < end; ++bucket) {
    if (parts.are_sets()) {
      const std::vector<int>& sets = hasher.sets(writer.bucket.label(bucket), parts.replicas());
      buckets.emplace_back(sets.begin(), sets.end());
      continue;
    }
    SlotSets::Bucket& parts_of = buckets.emplace_back();
    const std::int64_t slots = writer.entities * writer.shards;
    for (std::int64_t slot = 0; slot < slots; ++slot)
      parts_of.push_back(static_cast<std::uint16_t>(parts.part_of(murmur3_token(writer.key(slot, bucket)))));
  }
  return std::make_shared<const SlotSets>(first, std::move(buckets));
}

std::shared_ptr<const HeldSlots> held_slots(const Writer& writer, const SlotSets& sets, const SetMask& of_node) {
  std::vector<SlotBits> held;
  for (std::int64_t bucket = sets.first_bucket(); bucket < sets.end_bucket(); ++bucket) {
    std::vector<char> slots;
    for (const std::uint16_t set : sets.of(bucket)) slots.push_back(of_node.holds(set) ? 1 : 0);
    held.emplace_back(slots);
  }
  return std::make_shared<const HeldSlots>(sets.first_bucket(), std::move(held), writer.entities);
}

/// Members before each bucket, and all of them.
std::vector<std::int64_t> members_by_bucket(const Writer& writer, const RowShare& share, const SlotSets& sets) {
  std::vector<std::int64_t> borders;
  for (std::int64_t bucket = sets.first_bucket(); bucket < sets.end_bucket(); ++bucket) {
    const bool first = bucket == sets.first_bucket();
    const std::int64_t begin_s = first ? 0 : writer.bucket.begin(bucket);
    borders.push_back(first ? 0 : share.rank(writer.rhythm.count_before(begin_s * us_per_s / writer.unit_us)));
  }
  borders.push_back(share.rank(writer.rhythm.total()));
  return borders;
}

/// Which slots of one bucket the members have.
SlotSet slots_of(const SubStream& sub, const Cohort& members) {
  SlotSet slots(static_cast<std::size_t>(sub.writer().slots(sub.writer().bucket_of(sub.row(members.from)))));
  for (std::int64_t j = members.from; j < members.to; ++j) slots[static_cast<std::size_t>(sub.slot(j))] = true;
  return slots;
}

std::vector<TokenRange> ranges_of(const Scenario& scenario) {
  if (!scenario.ring) return {{min_token, min_token}};
  const ReplicaMap replicas(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
  std::vector<TokenRange> ranges;
  for (std::size_t range = 0; range < replicas.ranges(); ++range)
    ranges.push_back({replicas.begin_of(range), replicas.end_of(range)});
  return ranges;
}

void refuse_what_is_not_hashed(const Scenario& scenario, const Workloads& workloads) {
  for (const DataCenter& center : scenario.data_centers) {
    if (center.placement == DataCenter::Placement::alike)
      throw std::invalid_argument("dc." + center.name +
                                  ".placement = alike: not modelled yet: outages and repairs where it is not known "
                                  "which node holds a row; placement = hashed says it");
  }
  std::int64_t keys = 0;
  for (std::size_t t = 0; t < workloads.size(); ++t) {
    for (const Writer& writer : workloads[t]->writers()) {
      const auto [first, end] = buckets_of(writer);
      keys += writer.most_slots() * (end - first);
    }
  }
  if (keys > scenario.exact_placements)
    throw std::invalid_argument(
        "not modelled yet: outages and repairs where it is not known of every partition which nodes hold it: " +
        std::to_string(keys) + " partitions, run.exact_placements = " + std::to_string(scenario.exact_placements) +
        "; a larger one hashes them all");
}

void refuse_a_lattice(const Scenario& scenario, int table, const TableWorkload& workload) {
  const TableSpec& spec = scenario.tables[static_cast<std::size_t>(table)];
  if (!cut_by_token(scenario, table) ||
      !spread_on_lattice(workload, options_ever(scenario, table), scenario.exact_partitions))
    return;
  throw std::invalid_argument(
      "table " + spec.name +
      ": not modelled yet: outages and repairs where tokens are spread evenly instead of hashed, as of " +
      std::to_string(most_partitions_alive(workload, spec.schema.options)) + " partitions at once and " +
      std::to_string(rows_written(workload)) + " rows on a node; a larger run.exact_partitions (now " +
      std::to_string(scenario.exact_partitions) + ") hashes them");
}

}  // namespace

RingRows::RingRows(const Scenario& scenario) {
  int nodes = 0;
  bool all = true;
  for (int center = 0; const DataCenter& each : scenario.data_centers) {
    nodes += each.nodes;
    all = all && each.replication_factor >= each.nodes;
    center_of_.resize(static_cast<std::size_t>(nodes), center++);
  }
  sets_of_.resize(static_cast<std::size_t>(nodes));
  bool by_primary = false;
  std::vector<std::int64_t> subranges;
  for (const RepairSpec& repair : scenario.repairs) {
    subranges.push_back(repair.subranges);
    by_primary = by_primary ||
                 (repair.order == RepairSpec::Order::node_after_node && repair.ranges == RepairSpec::Ranges::primary);
  }
  if (all && !by_primary && std::ranges::all_of(subranges, [](std::int64_t count) { return count == 1; })) {
    whole_ = make_workloads(scenario);
    alike_ranges_ = ranges_of(scenario);
    return;
  }
  SIM_CHECK(scenario.ring != nullptr, "nodes that hold some of the rows have tokens");
  parts_.emplace(ReplicaMap(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication),
                 std::move(subranges), by_primary);
  for (int node = 0; node < nodes; ++node)
    sets_of_[static_cast<std::size_t>(node)] = std::make_shared<const SetMask>(parts_->held_by(node));
  place(scenario);
  for (int node = 0; node < nodes; ++node) add_node(scenario, node);
}

void RingRows::place(const Scenario& scenario) {
  const Scenario whole = undivided(scenario);
  refuse_what_is_not_hashed(scenario, make_workloads(whole));
  if (parts_->count() >= UINT16_MAX)
    throw std::invalid_argument("not modelled: repairs that cut the ring into " + std::to_string(parts_->count()) +
                                " parts, of which 65,534 can be told apart; fewer subranges make fewer");
  for (int table = 0; table < std::ssize(scenario.tables); ++table) {
    whole_.push_back(
        std::make_shared<const TableWorkload>(scenario_workload(whole, table, [&](Writer& writer, FateRule&) {
          writer.sets = hashed_sets_of(writer, *parts_);
          return true;
        })));
  }
}

void RingRows::add_node(const Scenario& scenario, int node) {
  const Scenario whole = undivided(scenario);
  Workloads& workloads = of_nodes_.emplace_back();
  for (int table = 0; table < std::ssize(scenario.tables); ++table) {
    auto placed = whole_[static_cast<std::size_t>(table)]->writers().begin();
    workloads.push_back(
        std::make_shared<const TableWorkload>(scenario_workload(whole, table, [&](Writer& writer, FateRule& fate) {
          const SlotSets& sets = *(placed++)->sets;
          const std::shared_ptr<const HeldSlots> held = held_slots(writer, sets, *sets_of(node));
          writer.node = held;
          for (FateShare& share : fate.shares) {
            share.rows = share.rows.on_node(std::make_shared<const OwnedMembers>(
                held, share.rows.whole() ? 0 : share.rows.row(0), members_by_bucket(writer, share.rows, sets)));
          }
          return true;
        })));
    refuse_a_lattice(scenario, table, *workloads.back());
  }
}

std::shared_ptr<const LocalRanges> RingRows::local_ranges(int node) const {
  return all_alike() ? nullptr : local_ranges_of(parts_->replicas(), node);
}

SetMask RingRows::sets_with(const std::vector<bool>& nodes) const {
  SetMask sets(parts_ ? parts_->count() : 1);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node] && sets_of_[node]) sets = sets | *sets_of_[node];
  }
  return sets;
}

bool RingRows::share_a_range(int node, int other) const {
  return all_alike() || !(*sets_of(node) & *sets_of(other)).none();
}

SharedSets RingRows::sets_wanted(const RangesWanted& wanted) const {
  return all_alike() ? nullptr : std::make_shared<const SetMask>(parts_->parts(wanted));
}

std::vector<TokenRange> RingRows::ranges_wanted(const RangesWanted& wanted) const {
  if (all_alike()) return {{min_token, min_token}};
  return parts_->ranges(wanted);
}

std::vector<TokenRange> RingRows::trees_wanted(const RangesWanted& wanted) const {
  return all_alike() ? alike_ranges_ : parts_->trees(wanted);
}

std::vector<Cohort> RingRows::held_by(int node, std::vector<Cohort> rows) const {
  if (all_alike()) return rows;
  const Cohort mine{.from = 0, .to = INT64_MAX, .sets = sets_of(node)};
  return rows_within(rows, std::span(&mine, 1));
}

std::vector<Cohort> RingRows::to_cluster(int table, int node, std::vector<Cohort> rows) const {
  if (all_alike()) return rows;
  for (Cohort& cohort : rows) {
    const OwnedMembers& owned = *sub_stream(table, node, cohort.sub_stream).share().owned();
    std::int64_t to = owned.member(cohort.to);
    if (cohort.slots) {
      const std::int64_t bucket = owned.bucket_of(cohort.from);
      const SlotBits& held = owned.slots().held(bucket);
      SlotSet slots(static_cast<std::size_t>(held.slots()));
      std::size_t number = 0;
      for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        if (held.holds(static_cast<std::int64_t>(slot))) slots[slot] = (*cohort.slots)[number++];
      }
      cohort.slots = std::make_shared<const SlotSet>(std::move(slots));
      to = std::min(to, owned.all_before(bucket + 1));
    }
    cohort.from = owned.member(cohort.from);
    cohort.to = to;
    cohort.sets = sets_of(node);
  }
  return rows;
}

std::vector<Cohort> RingRows::to_node(int table, int node, std::vector<Cohort> rows) const {
  if (all_alike()) return rows;
  std::vector<Cohort> mine;
  for (Cohort& cohort : rows) {
    const OwnedMembers& owned = *sub_stream(table, node, cohort.sub_stream).share().owned();
    const SlotSets& sets = *whole_[static_cast<std::size_t>(table)]
                                ->sub_streams()[static_cast<std::size_t>(cohort.sub_stream)]
                                .writer()
                                .sets;
    Cohort local = cohort;
    local.from = owned.below(cohort.from);
    local.to = owned.below(cohort.to);
    local.sets = nullptr;
    if (local.from >= local.to) continue;
    if (!cohort.slots && (!cohort.sets || sets_of(node)->within(*cohort.sets))) {
      mine.push_back(std::move(local));
      continue;
    }
    const std::int64_t end = local.to;
    for (std::int64_t bucket = owned.bucket_of(local.from); local.from < end; ++bucket) {
      local.to = std::min(end, owned.mine_before(bucket + 1));
      if (local.from >= local.to) continue;
      const SlotBits& held = owned.slots().held(bucket);
      const SlotSets::Bucket& set_of = sets.of(bucket);
      SlotSet slots;
      slots.reserve(static_cast<std::size_t>(held.count()));
      // Of a few members partitions that have none are not named, where parts of a replica set come one by one.
      const bool few = !parts_->are_sets() && local.to - local.from < held.count();
      const SlotSet there_at_all = few ? slots_of(sub_stream(table, node, cohort.sub_stream), local) : SlotSet();
      for (std::size_t slot = 0; slot < set_of.size(); ++slot) {
        if (!held.holds(static_cast<std::int64_t>(slot))) continue;
        const bool there = (!few || there_at_all[slots.size()]) && (!cohort.slots || (*cohort.slots)[slot]) &&
                           (!cohort.sets || cohort.sets->holds(set_of[slot]));
        slots.push_back(there);
      }
      const bool any = slots.any();
      local.slots = slots.all() ? nullptr : std::make_shared<const SlotSet>(std::move(slots));
      if (any) mine.push_back(local);
      local.from = local.to;
    }
  }
  return mine;
}

}  // namespace windrow
