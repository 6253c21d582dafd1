#include "tests/cluster/random_cluster.h"

#include <fmt/compile.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

#include "sim/scenario/cluster_ring.h"

namespace windrow_test {

namespace {

using namespace windrow;

class Keys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t shard) const override {
    return fmt::format(FMT_COMPILE("e{}:{}:{}"), entity, bucket, shard);
  }
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::int64_t below(std::int64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::int64_t>((state_ >> 11) % static_cast<std::uint64_t>(n));
  }
  bool chance(int percent) { return below(100) < percent; }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }

 private:
  std::uint64_t state_;
};

CommonCompactionOptions common_of(Dice& dice) {
  CommonCompactionOptions common;
  common.min_threshold = static_cast<int>(dice.between(2, 3));
  common.max_threshold = static_cast<int>(dice.between(4, 12));
  common.unchecked_tombstone_compaction = dice.chance(50);
  common.only_purge_repaired_tombstones = dice.chance(5);
  common.tombstone_compaction_interval_s = dice.between(600, 7'200);
  common.tombstone_threshold = 0.05F;
  return common;
}

CompactionOptions compaction_of(Dice& dice) {
  SizeTieredOptions tiers{.common = common_of(dice), .min_sstable_size_bytes = dice.between(1, 64) * 1024};
  switch (dice.below(4)) {
    case 0:
      return tiers;
    case 1: {
      TimeWindowOptions windows;
      windows.size_tiered = tiers;
      windows.window_unit_s = 3600;
      windows.window_size = dice.between(1, 24);
      windows.tombstone_compactions = dice.chance(60);
      return windows;
    }
    case 2: {
      LeveledOptions levels;
      levels.size_tiered = tiers;
      levels.sstable_size_in_mb = 1;
      levels.fanout_size = 3;
      return levels;
    }
    default: {
      UnifiedOptions unified;
      unified.common = common_of(dice);
      unified.scaling_parameters = {static_cast<int>(dice.between(-2, 3))};
      unified.target_sstable_size_bytes = MiB(1);
      unified.min_sstable_size_bytes = dice.chance(50) ? 0 : dice.between(1, 50) * 1024;
      unified.base_shard_count = static_cast<int>(dice.between(1, 4));
      return unified;
    }
  }
}

void add_writers(Dice& dice, Scenario& scenario, Seconds gc_grace_s) {
  WriterSpec writer;
  writer.stream = "w";
  writer.entities = dice.between(1, 6);
  writer.keys = std::make_shared<Keys>();
  writer.from_us = scenario.start_us;
  writer.until_us = scenario.end_us;
  writer.rate = {
      {.from_us = scenario.start_us, .rows = dice.between(1, 3), .period_us = dice.between(900, 3'000) * us_per_s}};
  const Seconds lengths[] = {0, 3'600, 86'400};
  if (const Seconds length = lengths[dice.below(3)]; length > 0) writer.bucket = BucketRule::every(length);
  writer.clustering_bytes = 9;
  writer.columns = {ColumnValue{.column = "v", .fixed_length = true, .sizes_bytes = {8}}};
  const Seconds age_s = dice.between(1, 40) * 3'600;
  if (dice.chance(25)) writer.ttl = {{.share_ppm = ppm, .ttl_s = age_s + dice.between(1, 3) * gc_grace_s / 2 + 60}};
  scenario.writers.push_back(writer);
  WriterSpec remove = writer;
  remove.stream = "d";
  remove.op = WriteOp::remove;
  remove.remove = {.kind = DeleteKind::row, .age_us = age_s * us_per_s};
  remove.columns.clear();
  remove.ttl = {TtlShare{}};
  if (dice.chance(40)) remove.rate.front().period_us *= dice.between(2, 4);
  scenario.writers.push_back(std::move(remove));
}

}  // namespace

Scenario random_cluster(std::uint64_t seed) {
  Dice dice(seed);
  Scenario scenario;
  scenario.name = fmt::format("random {}", seed);
  scenario.seed = seed;
  scenario.start_us = 1'767'225'600LL * us_per_s;
  scenario.end_us = scenario.start_us + dice.between(3, 6) * 24 * hour_us;
  const int nodes = static_cast<int>(dice.between(2, 4));
  scenario.data_centers = {DataCenter{.nodes = nodes, .replication_factor = nodes}};
  scenario.sample_us = dice.between(5, 30) * hour_us;
  scenario.node.format = SSTableFormat::oa;
  scenario.node.compaction_throughput_bytes_per_s = static_cast<double>(dice.between(1, 50) * 1'000);
  scenario.node.hinted_handoff = dice.chance(60);
  scenario.node.max_hint_window_us = dice.between(0, 6) * hour_us / 2;
  scenario.node.hinted_handoff_throttle_bytes_per_s = 1e18;
  const Seconds gc_grace_s = dice.chance(5) ? 0 : dice.between(2, 40) * 1'800;
  TableSpec table;
  table.name = "t";
  table.schema.name = "t";
  table.schema.keyspace = "ks";
  table.schema.options.compaction_options = compaction_of(dice);
  table.schema.options.gc_grace_seconds = static_cast<std::int32_t>(gc_grace_s);
  table.schema.options.compression = {{"enabled", "false"}};
  table.schema.options.memtable_flush_period_in_ms = static_cast<std::int32_t>(dice.between(20, 240) * 60'000);
  scenario.tables.push_back(std::move(table));
  add_writers(dice, scenario, gc_grace_s);
  const std::int64_t run_s = (scenario.end_us - scenario.start_us) / us_per_s;
  for (std::int64_t i = dice.between(1, 6); i > 0; --i) {
    scenario.outages.push_back({.name = fmt::format("o{}", i),
                                .node = static_cast<int>(dice.between(1, nodes)),
                                .from_us = scenario.start_us + dice.between(run_s / 10, run_s - 1) * us_per_s,
                                .length_us = dice.between(60, 12 * 3'600) * us_per_s,
                                .kind = dice.chance(30) ? OutageSpec::Kind::cut_off : OutageSpec::Kind::down});
  }
  std::ranges::stable_sort(scenario.outages, {}, &OutageSpec::from_us);
  for (std::int64_t i = dice.between(0, 2); i > 0; --i) {
    RepairSpec repair;
    repair.name = fmt::format("r{}", i);
    repair.tables = {0};
    repair.every_us = dice.between(4, 60) * hour_us;
    repair.from_us = scenario.start_us + dice.between(1, 60) * hour_us + dice.below(3'600) * us_per_s;
    repair.takes_us = dice.between(600, 10 * 3'600) * us_per_s;
    if (dice.chance(30)) {
      repair.skip_from_us = scenario.start_us + dice.below(run_s) * us_per_s;
      repair.skip_to_us = repair.skip_from_us + dice.between(1, 48) * hour_us;
    }
    scenario.repairs.push_back(repair);
  }
  return scenario;
}

Scenario random_ring(std::uint64_t seed) {
  Scenario scenario = random_cluster(seed);
  Dice dice(seed + 1'000'003);
  DataCenter& center = scenario.data_centers.front();
  center.nodes = static_cast<int>(dice.between(4, 6));
  center.replication_factor = static_cast<int>(dice.between(2, 3));
  auto ring = std::make_shared<ClusterRing>();
  ring->replication.factors = {center.replication_factor};
  std::vector<OwnedToken> tokens;
  const std::int64_t each = dice.between(1, 4);
  for (int node = 0; node < center.nodes; ++node) {
    ring->places.push_back({});
    for (std::int64_t i = 0; i < each; ++i)
      tokens.push_back({.token = (dice.below(1'000'003) - 500'000) * 18'000'000'000'000 + node, .node = node});
  }
  ring->tokens = TokenRing(std::move(tokens));
  scenario.ring = std::move(ring);
  const std::int64_t entities = dice.between(2, 14);
  const std::int64_t shards = dice.chance(30) ? dice.between(2, 3) : 1;
  const bool spread = dice.chance(60);
  for (WriterSpec& writer : scenario.writers) {
    writer.entities = entities;
    writer.shards = shards;
    writer.spread = spread;
    if (!spread) writer.rate.front().rows = entities * shards / dice.between(1, 2);
    writer.rate.front().rows = std::max<std::int64_t>(1, writer.rate.front().rows);
  }
  for (OutageSpec& outage : scenario.outages) outage.node = static_cast<int>(dice.between(1, center.nodes));
  const std::int64_t run_s = (scenario.end_us - scenario.start_us) / us_per_s;
  for (std::int64_t i = dice.between(0, 4); i > 0; --i) {
    scenario.outages.push_back({.name = fmt::format("p{}", i),
                                .node = static_cast<int>(dice.between(1, center.nodes)),
                                .from_us = scenario.start_us + dice.between(run_s / 10, run_s - 1) * us_per_s,
                                .length_us = dice.between(60, 12 * 3'600) * us_per_s,
                                .kind = dice.chance(30) ? OutageSpec::Kind::cut_off : OutageSpec::Kind::down});
  }
  std::ranges::stable_sort(scenario.outages, {}, &OutageSpec::from_us);
  return scenario;
}

namespace {

/// Repairs of either kind, in all orders that the engine allows, with many outages; no hints.
void mix_repairs(Dice& dice, Scenario& scenario, bool of_a_ring) {
  scenario.node.hinted_handoff = false;
  auto& options = scenario.tables.front().schema.options.compaction_options;
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.size_tiered.common; }) {
          own.size_tiered.common.only_purge_repaired_tombstones = dice.chance(30);
        } else if constexpr (requires { own.common; }) {
          own.common.only_purge_repaired_tombstones = dice.chance(30);
        }
      },
      options);
  scenario.repairs.clear();
  for (std::int64_t i = dice.between(1, 3); i > 0; --i) {
    RepairSpec repair;
    repair.name = fmt::format("s{}", i);
    repair.tables = {0};
    repair.kind = dice.chance(65) ? RepairSpec::Kind::incremental : RepairSpec::Kind::full;
    const bool in_turn = of_a_ring || dice.chance(30);
    repair.order = in_turn ? RepairSpec::Order::node_after_node : RepairSpec::Order::together;
    repair.ranges = dice.chance(50) || !of_a_ring ? RepairSpec::Ranges::all : RepairSpec::Ranges::primary;
    if (of_a_ring && dice.chance(30)) repair.subranges = dice.between(2, 4);
    repair.every_us = dice.between(4, 30) * hour_us;
    repair.from_us = scenario.start_us + dice.between(1, 20) * hour_us + dice.below(3'600) * us_per_s;
    repair.takes_us = dice.between(600, 10 * 3'600) * us_per_s;
    scenario.repairs.push_back(repair);
  }
}

}  // namespace

Scenario random_sessions(std::uint64_t seed) {
  Scenario scenario = random_cluster(seed);
  Dice dice(seed + 2'000'003);
  mix_repairs(dice, scenario, false);
  return scenario;
}

Scenario random_ring_sessions(std::uint64_t seed) {
  Scenario scenario = random_ring(seed);
  Dice dice(seed + 3'000'017);
  // As many nodes as copies, where ranges are taken apart all the same; or more.
  if (dice.chance(30)) {
    DataCenter& center = scenario.data_centers.front();
    center.replication_factor = center.nodes;
    auto ring = std::make_shared<ClusterRing>(*scenario.ring);
    ring->replication.factors = {center.nodes};
    scenario.ring = std::move(ring);
  }
  mix_repairs(dice, scenario, true);
  return scenario;
}

namespace {

void lose_some(Dice& dice, Scenario& scenario) {
  if (dice.chance(60)) scenario.node.lost_mutations_ppm = dice.between(1, 70) * 1'000;
  for (OutageSpec& outage : scenario.outages) {
    if (dice.chance(50)) continue;
    outage.kind = OutageSpec::Kind::down;
    outage.ends = OutageSpec::Ends::replaced;
  }
}

void add_reads(Dice& dice, Scenario& scenario, std::span<const Consistency> levels) {
  scenario.sample_us = dice.between(1, 9) * hour_us;
  if (dice.chance(60)) scenario.repairs.clear();
  const WriterSpec& writer = scenario.writers.front();
  for (std::int64_t i = dice.between(1, 2); i > 0; --i) {
    ReadSpec read{.name = fmt::format("q{}", i), .stream = writer.stream};
    if (dice.chance(50)) {
      read.latest_rows = dice.between(1, 60);
      if (dice.chance(40)) read.back_us = dice.between(1, 60) * hour_us;
    } else {
      read.range_us = dice.between(1, 60) * hour_us;
      if (dice.chance(50)) read.ago_us = dice.between(1, 30) * hour_us;
    }
    read.consistency = levels[static_cast<std::size_t>(dice.below(std::ssize(levels)))];
    read.entities = dice.between(1, 3);
    const double requests = static_cast<double>(writer.entities * dice.between(1, 12)) / 4;
    read.rate_per_s = requests * us_per_s / static_cast<double>(scenario.sample_us);
    scenario.reads.push_back(read);
  }
}

}  // namespace

Scenario random_losses(std::uint64_t seed) {
  Scenario scenario = seed % 2 == 0 ? random_cluster(seed) : random_ring(seed);
  Dice dice(seed + 2'000'003);
  lose_some(dice, scenario);
  return scenario;
}

Scenario random_reads(std::uint64_t seed) {
  Scenario scenario = seed % 2 == 0 ? random_cluster(seed) : random_ring(seed);
  Dice dice(seed + 4'000'037);
  const std::array levels{Consistency::one, Consistency::two, Consistency::quorum, Consistency::quorum,
                          Consistency::all};
  add_reads(dice, scenario, levels);
  return scenario;
}

Scenario slowly_repaired(Scenario scenario) {
  if (scenario.repairs.empty()) {
    RepairSpec repair;
    repair.name = "r";
    repair.tables = {0};
    repair.from_us = scenario.start_us + 10 * hour_us;
    scenario.repairs.push_back(std::move(repair));
  }
  for (RepairSpec& repair : scenario.repairs) {
    repair.takes_us = static_cast<Micros>(6 + scenario.seed % 5) * hour_us;
    repair.every_us = repair.takes_us + hour_us;
    repair.skip_from_us = repair.skip_to_us = 0;
  }
  return scenario;
}

Scenario forgetting(Scenario scenario) {
  TableOptions& options = scenario.tables.front().schema.options;
  options.gc_grace_seconds = std::min(options.gc_grace_seconds, 3'600);
  options.memtable_flush_period_in_ms = std::min(options.memtable_flush_period_in_ms, 30 * 60'000);
  std::visit(
      [](auto& own) {
        const auto purge_soon = [](CommonCompactionOptions& common) {
          common.unchecked_tombstone_compaction = true;
          common.tombstone_compaction_interval_s = 600;
          common.only_purge_repaired_tombstones = false;
        };
        if constexpr (requires { own.size_tiered.common; }) purge_soon(own.size_tiered.common);
        if constexpr (requires { own.common; }) purge_soon(own.common);
        if constexpr (requires { own.tombstone_compactions; }) own.tombstone_compactions = true;
      },
      options.compaction_options);
  for (WriterSpec& writer : scenario.writers) {
    writer.bucket = BucketRule::every(3'600);
    if (!scenario.ring) writer.entities = 12;
  }
  return scenario;
}

namespace {

void purge_whatever_is_repaired(Scenario& scenario) {
  std::visit(
      [](auto& own) {
        if constexpr (requires { own.size_tiered.common; }) {
          own.size_tiered.common.only_purge_repaired_tombstones = false;
        } else if constexpr (requires { own.common; }) {
          own.common.only_purge_repaired_tombstones = false;
        }
      },
      scenario.tables.front().schema.options.compaction_options);
}

void delete_partitions_or_ranges(Dice& dice, Scenario& scenario) {
  WriterSpec& writer = scenario.writers.front();
  WriterSpec& remove = scenario.writers.back();
  writer.bucket = remove.bucket = BucketRule::every(dice.chance(50) ? 3'600 : 4 * 3'600);
  remove.remove.kind = dice.chance(60) ? DeleteKind::partition : DeleteKind::range;
}

}  // namespace

Scenario random_keyed(std::uint64_t seed) {
  Scenario scenario = random_cluster(seed);
  Dice dice(seed + 6'000'011);
  purge_whatever_is_repaired(scenario);
  if (dice.chance(50)) {
    delete_partitions_or_ranges(dice, scenario);
    return scenario;
  }
  WriterSpec& writer = scenario.writers.front();
  writer.op = WriteOp::overwrite;
  writer.bucket = BucketRule::none();
  const std::int64_t keys = dice.between(2, 6);
  writer.overwrite = {.keys = writer.entities * keys, .order = OverwriteRule::Order::cyclic};
  const Seconds again_s = keys * writer.entities * writer.rate.front().period_us / us_per_s / writer.rate.front().rows;
  writer.ttl = {{.share_ppm = ppm / 2, .ttl_s = std::max<Seconds>(600, again_s / dice.between(1, 6))},
                {.share_ppm = ppm / 2, .ttl_s = dice.chance(50) ? 0 : 9 * 86'400}};
  // Many keys are not written again before the end.
  if (dice.chance(60)) writer.until_us -= dice.between(1, 40) * (scenario.end_us - scenario.start_us) / 60;
  scenario.writers.pop_back();
  return scenario;
}

Scenario random_keyed_losses(std::uint64_t seed) {
  Scenario scenario = random_keyed(seed);
  Dice dice(seed + 2'000'003);
  scenario.node.lost_mutations_ppm = dice.between(1, 70) * 1'000;
  return scenario;
}

Scenario random_keyed_reads(std::uint64_t seed) {
  Scenario scenario = random_cluster(seed);
  Dice dice(seed + 7'000'003);
  purge_whatever_is_repaired(scenario);
  delete_partitions_or_ranges(dice, scenario);
  const std::array levels{Consistency::one, Consistency::two, Consistency::quorum, Consistency::quorum,
                          Consistency::all};
  add_reads(dice, scenario, levels);
  if (dice.chance(30)) scenario.node.lost_mutations_ppm = dice.between(1, 70) * 1'000;
  return scenario;
}

Scenario random_centers(std::uint64_t seed) {
  Scenario scenario = random_ring(seed);
  Dice dice(seed + 5'000'011);
  auto ring = std::make_shared<ClusterRing>();
  std::vector<OwnedToken> tokens;
  const std::int64_t each = dice.between(1, 3);
  scenario.data_centers.clear();
  for (int center = 0; center < 2; ++center) {
    const int nodes = static_cast<int>(dice.between(center == 0 ? 2 : 1, 3));
    const int copies = dice.chance(30) ? nodes : static_cast<int>(dice.between(1, std::min(nodes, 3)));
    scenario.data_centers.push_back(
        {.name = center == 0 ? "near" : "far", .nodes = nodes, .replication_factor = copies});
    ring->replication.factors.push_back(copies);
    for (int i = 0; i < nodes; ++i) {
      const int node = static_cast<int>(ring->places.size());
      ring->places.push_back({.datacenter = center});
      for (std::int64_t k = 0; k < each; ++k)
        tokens.push_back({.token = (dice.below(1'000'003) - 500'000) * 18'000'000'000'000 + node, .node = node});
    }
  }
  ring->tokens = TokenRing(std::move(tokens));
  const auto nodes = static_cast<int>(ring->places.size());
  for (OutageSpec& outage : scenario.outages) outage.node = static_cast<int>(dice.between(1, nodes));
  if (dice.chance(40)) {
    const std::int64_t run_s = (scenario.end_us - scenario.start_us) / us_per_s;
    OutageSpec all{.name = "center",
                   .from_us = scenario.start_us + dice.between(run_s / 10, run_s - 1) * us_per_s,
                   .length_us = dice.between(60, 12 * 3'600) * us_per_s,
                   .kind = dice.chance(30) ? OutageSpec::Kind::cut_off : OutageSpec::Kind::down};
    const int center = static_cast<int>(dice.below(2));
    for (int node = 0; node < nodes; ++node) {
      all.node = node + 1;
      if (ring->places[static_cast<std::size_t>(node)].datacenter == center) scenario.outages.push_back(all);
    }
  }
  std::ranges::stable_sort(scenario.outages, {}, &OutageSpec::from_us);
  scenario.ring = std::move(ring);
  return scenario;
}

Scenario random_centers_reads(std::uint64_t seed) {
  Scenario scenario = random_centers(seed);
  Dice dice(seed + 4'000'037);
  const std::array levels{Consistency::one,    Consistency::two,          Consistency::three,
                          Consistency::quorum, Consistency::local_quorum, Consistency::local_quorum,
                          Consistency::all,    Consistency::each_quorum};
  add_reads(dice, scenario, levels);
  return scenario;
}

Scenario random_centers_losses(std::uint64_t seed) {
  Scenario scenario = random_centers(seed);
  Dice dice(seed + 2'000'003);
  lose_some(dice, scenario);
  return scenario;
}

Scenario random_centers_sessions(std::uint64_t seed) {
  Scenario scenario = random_centers(seed);
  Dice dice(seed + 3'000'017);
  mix_repairs(dice, scenario, true);
  return scenario;
}

}  // namespace windrow_test
