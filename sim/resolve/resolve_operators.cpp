#include "sim/resolve/resolve_operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/resolve/resolve_tables.h"
#include "sim/resolve/stream_family.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

void check_within(const Setting<Moment>& at, const Scenario& scenario) {
  if (at->us >= scenario.start_us && at->us < scenario.end_us) return;
  refuse(at, "is outside the run",
         fmt::format("from {} to before {}", format_moment(scenario.start_us), format_moment(scenario.end_us)));
}

[[noreturn]] void refuse_missing(const Place& place, const std::string& key, const std::string& accepted) {
  throw ScenarioError({.place = place, .key = key, .problem = "is missing", .accepted = accepted});
}

ActionSpec::Kind action_kind(ActionName name) {
  using Kind = ActionSpec::Kind;
  switch (name) {
    case ActionName::compact:
      return Kind::compact;
    case ActionName::flush:
      return Kind::flush;
    case ActionName::restart:
      return Kind::restart;
    case ActionName::cleanup:
      return Kind::cleanup;
    case ActionName::snapshot:
      return Kind::snapshot;
    case ActionName::clear_snapshot:
      return Kind::clear_snapshot;
    case ActionName::truncate:
      return Kind::truncate;
    case ActionName::drop:
      break;
  }
  return Kind::drop;
}

int number_of_nodes(const Scenario& scenario) {
  int nodes = 0;
  for (const DataCenter& center : scenario.data_centers) nodes += center.nodes;
  return nodes;
}

// What a limit's value counts: a member of LimitsSection, and its unit.
class LimitCollector {
 public:
  LimitCollector(const LimitsSection& section, int table, std::vector<LimitSpec>& limits)
      : section_(section), table_(table), limits_(limits) {}

  void run() {
    using Unit = LimitSpec::Unit;
    const LimitsSection& s = section_;
    add("partition_size_max", s.partition_size_max, static_cast<double>(s.partition_size_max->bytes), Unit::bytes);
    add("partition_size_p99", s.partition_size_p99, static_cast<double>(s.partition_size_p99->bytes), Unit::bytes);
    add_count("partition_rows_max", s.partition_rows_max, Unit::rows);
    add_count("partition_cells_max", s.partition_cells_max, Unit::cells);
    add_share("disk_used_share", s.disk_used_share);
    add_count("sstables_max", s.sstables_max, Unit::count);
    add_count("pending_compactions_max", s.pending_compactions_max, Unit::count);
    add_share("compaction_used_share", s.compaction_used_share);
    add_share("held_back_share", s.held_back_share);
    add_count("tombstones_per_read_p99", s.tombstones_per_read_p99, Unit::count);
    add_count("sstables_per_read_p99", s.sstables_per_read_p99, Unit::count);
    add("node_max_over_mean", s.node_max_over_mean, s.node_max_over_mean->number, Unit::ratio);
    add_count("resurrected_rows", s.resurrected_rows, Unit::rows);
    add("repair_margin_min", s.repair_margin_min, static_cast<double>(s.repair_margin_min->us) / us_per_s,
        Unit::seconds);
    add("erasure_days_max", s.erasure_days_max, s.erasure_days_max->number, Unit::days);
  }

 private:
  void add(const char* name, const SettingBase& setting, double value, LimitSpec::Unit unit) {
    if (setting.present())
      limits_.push_back({.name = name, .table = table_, .value = value, .unit = unit, .text = setting.text()});
  }
  void add_count(const char* name, const Setting<Count>& setting, LimitSpec::Unit unit) {
    add(name, setting, static_cast<double>(setting->count), unit);
  }
  void add_share(const char* name, const Setting<Share>& setting) {
    add(name, setting, static_cast<double>(setting->ppm) / 1e6, LimitSpec::Unit::share);
  }

  const LimitsSection& section_;
  int table_ = -1;
  std::vector<LimitSpec>& limits_;
};

}  // namespace

NodeSettings resolve_node(const NodeSection& section) {
  NodeSettings node;
  node.heap_bytes = section.heap->bytes;
  node.memtable_heap_bytes = section.memtable_heap_space->bytes;
  node.memtable_offheap_bytes = section.memtable_offheap_space->bytes;
  node.memtable_cleanup_threshold = section.memtable_cleanup_threshold->number;
  node.memtable_flush_writers = static_cast<int>(section.memtable_flush_writers->count);
  node.memtable_heap_per_byte = section.memtable_heap_per_byte->number;
  node.commitlog_total_space_bytes = section.commitlog_total_space->bytes;
  node.other_writes_bytes_per_s = section.other_writes->bytes_per_s;
  node.other_disk_bytes = section.other_disk->bytes;
  node.disk_bytes = section.disk->bytes;
  node.compaction_throughput_bytes_per_s = section.compaction_throughput->bytes_per_s;
  node.merge_speed_bytes_per_s = section.merge_speed->bytes_per_s;
  node.concurrent_compactors = static_cast<int>(section.concurrent_compactors->count);
  node.background_check_us = section.background_check->us;
  node.first_check_us = section.first_check->us;
  node.restart_every_us = section.restart_every->us;
  node.snapshot_every_us = section.snapshot_every->us;
  node.keep_snapshots = static_cast<int>(section.keep_snapshots->count);
  node.format = *section.format;
  node.allow_unsafe_aggressive_sstable_expiration = *section.allow_unsafe_aggressive_sstable_expiration;
  return node;
}

std::vector<ActionSpec> resolve_actions(const ScenarioText& text, const Scenario& scenario) {
  std::vector<ActionSpec> actions;
  for (const auto& [name, place, section] : text.actions) {
    check_within(section.at, scenario);
    const int table = section.table.present() ? find_table(scenario.tables, section.table->name, section.table) : -1;
    actions.push_back({.name = name, .at_us = section.at->us, .kind = action_kind(*section.action), .table = table});
  }
  std::ranges::stable_sort(actions, {}, &ActionSpec::at_us);
  return actions;
}

std::vector<ReadSpec> resolve_reads(const ScenarioText& text, const Scenario& scenario) {
  std::vector<ReadSpec> reads;
  for (const auto& [name, place, section] : text.reads) {
    ReadSpec read{.name = name,
                  .stream = section.of->name,
                  .latest_rows = section.latest->count,
                  .range_us = section.range->us,
                  .rate_per_s = section.rate->per_s()};
    const StreamSection& stream = text.streams[find_stream(text.streams, section.of)].section;
    if (section.latest.present() == section.range.present())
      refuse_missing(place, "read." + name + ".latest", "either `latest = ROWS` or `range = TIME`");
    const Table& table =
        scenario.tables[static_cast<std::size_t>(find_table(scenario.tables, stream.table->name, stream.table))].schema;
    for (const auto& [column, values] : section.probe) {
      std::vector<std::string> names;
      for (const Column& each : table.partition_key()) names.push_back(each.name);
      if (std::ranges::find(names, column) == names.end()) {
        refuse(values, fmt::format("speaks of `{}`, which is no column of the partition key of {}", column, table.name),
               {}, std::string(nearest_name(column, names)));
      }
      read.probes.emplace_back(column, values->count);
    }
    reads.push_back(std::move(read));
  }
  return reads;
}

std::vector<RepairSpec> resolve_repairs(const ScenarioText& text, const Scenario& scenario) {
  std::vector<RepairSpec> repairs;
  for (const auto& [name, place, section] : text.repairs) {
    RepairSpec repair{.name = name};
    for (const std::string& table : section.tables->names)
      repair.tables.push_back(find_table(scenario.tables, table, section.tables));
    const int all = repair.tables.empty() ? static_cast<int>(scenario.tables.size()) : 0;
    for (int i = 0; i < all; ++i) repair.tables.push_back(i);
    repair.kind = *section.kind == RepairKindName::full ? RepairSpec::Kind::full : RepairSpec::Kind::incremental;
    repair.primary_ranges = *section.ranges == RepairRanges::primary;
    repair.every_us = section.every->us;
    repair.from_us = section.from.present() ? section.from->us : scenario.start_us + section.every->us;
    if (section.from.present()) check_within(section.from, scenario);
    if (section.takes.present() == section.throughput.present())
      refuse_missing(place, "repair." + name + ".takes", "either `takes = TIME` or `throughput = BYTES/s`");
    repair.takes_us = section.takes->us;
    repair.throughput_bytes_per_s = section.throughput->bytes_per_s;
    repairs.push_back(std::move(repair));
  }
  return repairs;
}

std::vector<OutageSpec> resolve_outages(const ScenarioText& text, const Scenario& scenario) {
  std::vector<OutageSpec> outages;
  for (const auto& [name, place, section] : text.outages) {
    check_within(section.from, scenario);
    const int nodes = number_of_nodes(scenario);
    if (section.node->count > nodes)
      refuse(section.node, fmt::format("is no node: there are {}", nodes), fmt::format("1 to {}", nodes));
    outages.push_back({.name = name,
                       .node = static_cast<int>(section.node->count),
                       .from_us = section.from->us,
                       .length_us = section.length->us});
  }
  std::ranges::stable_sort(outages, {}, &OutageSpec::from_us);
  return outages;
}

std::vector<LimitSpec> resolve_limits(const ScenarioText& text, const Scenario& scenario) {
  std::vector<LimitSpec> limits;
  for (const auto& [name, place, section] : text.limits) {
    int table = -1;
    if (!name.empty()) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < scenario.tables.size(); ++i) {
        names.push_back(scenario.tables[i].name);
        if (names.back() == name) table = static_cast<int>(i);
      }
      if (table < 0)
        throw ScenarioError({.place = place,
                             .key = "limits." + name,
                             .value = name,
                             .problem = "is no table that a stream writes",
                             .accepted = "[limits], or [limits.TABLE]",
                             .nearest = std::string(nearest_name(name, names))});
    }
    LimitCollector(section, table, limits).run();
  }
  return limits;
}

}  // namespace windrow
