#include "sim/results/summary.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/results/headlines.h"
#include "sim/results/understood.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers whole, others with at most nine digits.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return nine_digits(value);
}

Json spread(const Spread& values) {
  return {{"min", values.min}, {"p50", values.p50}, {"p75", values.p75}, {"p95", values.p95},
          {"p98", values.p98}, {"p99", values.p99}, {"max", values.max}};
}

/// As nodetool derives them from a histogram: upper ends of buckets.
Json nodetool_spread(const EstimatedHistogram& histogram) {
  if (histogram.overflowed()) return nullptr;
  return {{"min", histogram.min()},
          {"p50", histogram.percentile(0.5)},
          {"p75", histogram.percentile(0.75)},
          {"p95", histogram.percentile(0.95)},
          {"p98", histogram.percentile(0.98)},
          {"p99", histogram.percentile(0.99)},
          {"max", histogram.max()}};
}

Json understood_json(const Understood& what) {
  return {{"rows_per_s", number(what.rows_per_s)},
          {"bytes_per_row", number(what.bytes_per_row)},
          {"bytes_per_s_node", number(what.bytes_per_s_node)},
          {"partitions_per_day", number(what.partitions_per_day)},
          {"flushes_per_day", number(what.flushes_per_day)},
          {"rows_per_partition", {{"p50", what.rows_per_partition_p50}, {"max", what.rows_per_partition_max}}}};
}

Json limit_json(const RunRecord& record, const LimitOutcome& limit) {
  Json json{{"name", limit.name},           {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
            {"node", record.identity.node}, {"value", limit.measured ? number(limit.value) : Json()},
            {"bound", number(limit.bound)}, {"unit", unit_name(limit.unit)}};
  json["holds"] = limit.measured ? Json(limit.holds()) : Json();
  json["first_breach"] = limit.first_breach_us ? Json(iso_time(*limit.first_breach_us)) : Json();
  json["margin_share"] = limit.measured ? number(limit.margin_share()) : Json();
  return json;
}

Json time_or_never(Seconds at_s) { return at_s == no_deletion_time ? Json("never") : Json(iso_time_s(at_s)); }

Json blockers_json(const TableRecord& table) {
  Json list = Json::array();
  for (const Blocker& blocker : table.blockers) {
    list.push_back({{"sstable", blocker.id == memtable_id ? Json("memtable") : Json(blocker.id)},
                    {"holds_sstables", blocker.holds_sstables},
                    {"holds_bytes", blocker.holds_bytes},
                    {"frees_bytes", blocker.frees_bytes},
                    {"oldest_write", iso_time(blocker.min_timestamp_us)},
                    {"last_expiry", time_or_never(blocker.expires_s)}});
  }
  return list;
}

void add_sizes(Json& json, const TableRecord& table, const TableSample& last) {
  json["live_sstables"] = last.sstables;
  json["live_bytes"] = last.live_bytes;
  json["readable_bytes"] = last.readable_bytes;
  json["waiting_gc_grace_bytes"] = last.waiting_gc_grace_bytes;
  json["blocked_bytes"] = last.blocked_bytes;
  json["purgeable_bytes"] = last.purgeable_bytes;
  json["snapshot_bytes"] = last.snapshot_bytes;
  json["peak_snapshot_bytes"] = number(table.snapshots.value);
  json["dropped"] = table.dropped_us ? Json(iso_time(*table.dropped_us)) : Json();
  json["month_of"] = table.family.empty() ? Json() : Json(printable(table.family));
  json["peak_disk_bytes"] = number(table.disk.value);
  json["peak_disk_date"] = iso_time(table.disk.at_us);
  json["peak_sstables"] = number(table.sstables.value);
  json["peak_sstables_date"] = iso_time(table.sstables.at_us);
  json["peak_blocked_bytes"] = number(table.blocked_peak.value);
  json["peak_pending_compactions"] = number(table.pending.value);
  if (table.windows)
    json["windows"] = {{"count", table.windows->windows}, {"with_one_sstable", table.windows->with_one_sstable}};
  json["tokens_evenly_spread"] = table.evenly_spread;
  json["changes_in_open_partitions"] = Json::array();
  for (const Micros at_us : table.changes_in_open_partitions)
    json["changes_in_open_partitions"].push_back(iso_time(at_us));
  json["off_heap_bytes"] = {{"bloom_filter", table.off_heap.bloom_filter_bytes},
                            {"index_summary", table.off_heap.index_summary_bytes},
                            {"compression_metadata", table.off_heap.compression_metadata_bytes}};
  json["partitions"] = table.partitions.partitions;
  json["partition_bytes"] = spread(table.partitions.bytes);
  json["partition_rows"] = spread(table.partitions.rows);
  json["partition_cells"] = spread(table.partitions.cells);
  json["sstable_partition_bytes"] = nodetool_spread(table.fragments.bytes_histogram);
  json["sstable_partition_cells"] = nodetool_spread(table.fragments.cells_histogram);
}

void add_rows(Json& json, const TableRecord& table, const TableSample& last) {
  const DelaySummary& overshoot = table.retention_overshoot;
  const DelaySummary& erasure = table.erasure_delay;
  json["tombstones"] = last.tombstones;
  json["droppable_tombstone_ratio"] = number(last.droppable_tombstone_ratio);
  json["write_amplification"] = number(table.write_amplification());
  json["space_amplification"] = last.space_amplification ? number(*last.space_amplification) : Json();
  json["retention_overshoot_s"] = {{"p50", overshoot.p50_s}, {"max", overshoot.max_s}};
  json["erasure_delay_s"] = {{"p50", erasure.p50_s}, {"p99", erasure.p99_s}, {"max", erasure.max_s}};
  json["erasure_pending_rows"] = table.erasure_pending_rows;
  json["rows_written"] = last.rows_written;
  json["rows_in_memtable"] = table.memtable_rows;
  json["rows_live"] = table.end.live.rows;
  json["rows_expired"] = table.end.waiting.rows + table.end.purgeable.rows;
  json["rows_shadowed"] = table.balance.shadowed;
  json["rows_purged"] = table.balance.purged + table.balance.dropped_with_files;
  json["rows_dropped_with_sstables"] = table.balance.dropped_with_files;
  json["flushes"] = table.flushes;
  json["flushed_bytes"] = table.flushed_bytes;
  json["compactions"] = table.compactions_done;
  json["compacted_in_bytes"] = table.compacted_in_bytes;
  json["compacted_out_bytes"] = table.compacted_out_bytes;
  json["rewritten_for_stragglers_bytes"] = table.rewritten_late_bytes;
  json["refused_compactions"] = table.refused_compactions;
}

Json time_or_null(std::optional<Micros> at_us) { return at_us ? Json(iso_time(*at_us)) : Json(); }
Json day_or_null(std::optional<std::int64_t> day) {
  return day ? Json(iso_day(*day * seconds_per_day * us_per_s)) : Json();
}
Json peak_date(const Peak& peak) { return peak.value > 0 ? Json(iso_time(peak.at_us)) : Json(); }

Json largest_json(const TableRecord& table) {
  if (table.largest.empty()) return nullptr;
  const NamedPartition& largest = table.largest.front();
  return {{"entity", printable(largest.entity)},
          {"bucket", largest.has_bucket ? Json(largest.bucket) : Json()},
          {"shard", largest.shard ? Json(*largest.shard) : Json()},
          {"bytes", largest.bytes},
          {"rows", largest.rows},
          {"cells", largest.cells}};
}

/// Settings at the end, and what the page's captions say.
void add_headlines(Json& json, const RunRecord& record, const TableRecord& table) {
  const Headlines lines = headlines(table, record.scenario->end_us);
  json["default_time_to_live_s"] = table.default_ttl_s;
  json["gc_grace_s"] = table.gc_grace_s;
  json["window_s"] = table.window_length_s ? Json(*table.window_length_s) : Json();
  json["peak_disk_temporary_bytes"] = table.disk_peak_temporary_bytes;
  json["peak_disk_temporary_share"] =
      table.disk.value > 0 ? number(static_cast<double>(table.disk_peak_temporary_bytes) / table.disk.value) : Json();
  json["live_growth_bytes_per_year"] = number(lines.live_growth_bytes_per_year);
  json["live_growth_share"] = number(lines.live_growth_share);
  json["first_blocked"] = time_or_null(lines.first_blocked_us);
  json["peak_blocked_date"] = peak_date(table.blocked_peak);
  json["blocked_sstables"] = lines.blocked_sstables;
  json["blocked_for_ever_sstables"] = lines.blocked_for_ever_sstables;
  json["blocked_until"] = lines.blocked_until_s ? Json(iso_time_s(*lines.blocked_until_s)) : Json();
  json["peak_pending_compactions_date"] = peak_date(table.pending);
  json["first_refused_compaction"] = time_or_null(table.first_refused_us);
  json["first_large_partition"] = time_or_null(lines.first_large_partition_us);
  json["large_partition_bytes"] = large_partition_bytes;
  json["largest_partition"] = largest_json(table);
  json["sstables_per_partition"] = number(table.samples.empty() ? 0 : table.samples.back().sstables_per_partition);
  json["peak_sstables_per_partition"] = number(lines.sstables_per_partition.value);
  json["peak_sstables_per_partition_date"] = peak_date(lines.sstables_per_partition);
  json["peak_droppable_tombstone_ratio"] = number(lines.droppable_ratio.value);
  json["peak_droppable_tombstone_ratio_date"] = peak_date(lines.droppable_ratio);
  json["tombstone_drops"] = {{"count", lines.drops.count},
                             {"overdue", lines.drops.overdue},
                             {"first", day_or_null(lines.drops.first_day)},
                             {"last", day_or_null(lines.drops.last_day)}};
  json["compaction_reasons"] = Json::array();
  for (const ReasonShare& reason : lines.reasons) {
    json["compaction_reasons"].push_back({{"reason", reason.reason},
                                          {"compactions", reason.compactions},
                                          {"read_bytes", reason.read_bytes},
                                          {"share", number(reason.share)}});
  }
}

Json key_choice_json(const KeyChoice* choice) {
  if (choice == nullptr) return nullptr;
  return {{"bucket", printable(choice->bucket)},
          {"bucket_length_s", choice->bucket_length_s},
          {"shards", choice->shards},
          {"partition_bytes_max", choice->partition_bytes_max},
          {"partition_rows_max", choice->partition_rows_max},
          {"partitions_per_year", number(choice->partitions_per_year)},
          {"verdict", verdict_name(choice->verdict)}};
}

Json key_choices_json(const KeyChoices& choices) {
  if (choices.cells.empty()) return nullptr;
  return {{"partition_bytes_min", choices.bytes_min},
          {"partition_bytes_max", choices.bytes_max},
          {"partition_rows_max", choices.rows_max > 0 ? Json(choices.rows_max) : Json()},
          {"own", key_choice_json(choices.own())},
          {"fewest_partitions", key_choice_json(choices.fewest_partitions())}};
}

Json table_json(const RunRecord& record, const TableRecord& table) {
  Json json;
  json["strategy"] = table.strategy;
  json["compression_ratio"] = number(table.compression_ratio);
  json["compression_measured"] = table.compression_measured;
  json["disk_sizes_known"] = table.disk_sizes_known;
  json["understood"] = understood_json(understood(record, table));
  const TableSample last = table.samples.empty() ? TableSample{} : table.samples.back();
  add_sizes(json, table, last);
  add_rows(json, table, last);
  add_headlines(json, record, table);
  json["key_choices"] = key_choices_json(table.key_choices);
  json["blockers"] = blockers_json(table);
  return json;
}

Json node_json(const RunRecord& record) {
  const Bytes capacity = record.scenario->node.disk_bytes;
  Bytes live = 0;
  for (const TableRecord& table : record.tables) live += table.samples.empty() ? 0 : table.samples.back().live_bytes;
  return {{"node", record.identity.node},
          {"live_bytes", live},
          {"disk_bytes", record.end_disk_bytes},
          {"peak_disk_bytes", number(record.disk.value)},
          {"peak_disk_date", iso_time(record.disk.at_us)},
          {"other_disk_bytes", record.scenario->node.other_disk_bytes},
          {"disk_capacity_bytes", capacity > 0 ? Json(capacity) : Json()},
          {"peak_disk_share", capacity > 0 ? number(record.disk.value / static_cast<double>(capacity)) : Json()},
          {"writes_per_s", {{"mean", number(understood(record).rows_per_s)}}}};
}

void add_growth(Json& json, const SafeGrowth& growth) {
  json["growth_factor_safe"] = growth.factor ? number(*growth.factor) : Json();
  json["growth_factor_breaks"] = growth.breaks_at ? number(*growth.breaks_at) : Json();
  json["growth_stops_at"] = growth.stops_at.empty() ? Json() : Json(printable(growth.stops_at));
  json["growth_note"] = growth.note.empty() ? Json() : Json(printable(growth.note));
}

}  // namespace

std::string_view unit_name(LimitSpec::Unit unit) {
  switch (unit) {
    case LimitSpec::Unit::bytes:
      return "bytes";
    case LimitSpec::Unit::rows:
      return "rows";
    case LimitSpec::Unit::cells:
      return "cells";
    case LimitSpec::Unit::share:
      return "share";
    case LimitSpec::Unit::count:
      return "count";
    case LimitSpec::Unit::ratio:
      return "ratio";
    case LimitSpec::Unit::days:
      return "days";
    case LimitSpec::Unit::seconds:
      return "seconds";
  }
  return "";
}

void write_summary(const RunRecord& record, Sink& sink) {
  const Scenario& scenario = *record.scenario;
  Json json;
  json["scenario"] = printable(scenario.name);
  json["title"] = printable(scenario.title);
  json["version"] = record.identity.version;
  json["scenario_hash"] = record.identity.scenario_hash;
  json["start"] = iso_time(scenario.start_us);
  json["end"] = iso_time(scenario.end_us);
  json["seed"] = scenario.seed;
  add_growth(json, record.growth);
  json["understood"] = understood_json(understood(record));
  json["limits"] = Json::array();
  for (const LimitOutcome& limit : record.limits) json["limits"].push_back(limit_json(record, limit));
  json["tables"] = Json::object();
  for (const TableRecord& table : record.tables) json["tables"][printable(table.name)] = table_json(record, table);
  json["nodes"] = Json::array({node_json(record)});
  json["incidents"] = Json::array();
  for (const Incident& incident : record.incidents) {
    json["incidents"].push_back({{"at", iso_time(incident.at_us)}, {"what", printable(incident.what)}});
  }
  sink.open("summary.json");
  sink.append(json.dump(2) + "\n");
}

}  // namespace windrow
