#include <algorithm>
#include <optional>
#include <utility>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/results/faults.h"
#include "sim/results/node_load.h"
#include "sim/results/node_repairs.h"
#include "sim/results/reads.h"
#include "sim/results/table_numbers.h"
#include "sim/results/tried_fix.h"
#include "sim/results/understood.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

/// Of a limit that the nodes are held to together, the node that is nearest to it.
int node_of(const RunRecord& record, const LimitOutcome& limit) {
  const Limit* row = find_limit(limit.name);
  if (limit.node > 0 && (row == nullptr || row->of != Limit::Of::cluster)) return limit.node;
  if (!record.load || row == nullptr || row->of != Limit::Of::cluster) return record.identity.node;
  return hottest_node(*record.load).node + 1;
}

Json limit_json(const RunRecord& record, const LimitOutcome& limit) {
  Json json{{"name", limit.name},
            {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
            {"node", node_of(record, limit)},
            {"value", limit.measured ? json_number(limit.value) : Json()},
            {"bound", json_number(limit.bound)},
            {"unit", unit_name(limit.unit())}};
  json["holds"] = limit.measured ? Json(limit.holds()) : Json();
  json["first_breach"] = json_time(limit.first_breach_us);
  json["margin_share"] = limit.measured ? json_number(limit.margin_share()) : Json();
  json["rises"] = limit.measured ? Json(limit.rises) : Json();
  json["end_value"] = limit.measured ? json_number(limit.end_value) : Json();
  json["held_again"] = json_time(limit.held_again_us);
  json["worst"] = json_time(limit.worst_us);
  const auto length_us = static_cast<double>(record.scenario->end_us - record.scenario->start_us);
  json["broken_share"] =
      limit.broken_for_us ? json_number(static_cast<double>(*limit.broken_for_us) / length_us) : Json();
  return json;
}

Json node_json(const RunRecord& record) {
  const Bytes capacity = record.scenario->node.disk_bytes;
  Bytes live = 0;
  for (const TableRecord& table : record.tables) live += table.samples.empty() ? 0 : table.samples.back().live_bytes;
  return {{"node", record.identity.node},
          {"live_bytes", live},
          {"disk_bytes", record.end_disk_bytes},
          {"peak_disk_bytes", json_number(record.disk.value)},
          {"peak_disk_date", iso_time(record.disk.at_us)},
          {"other_disk_bytes", record.scenario->node.other_disk_bytes},
          {"disk_capacity_bytes", capacity > 0 ? Json(capacity) : Json()},
          {"peak_disk_share", capacity > 0 ? json_number(record.disk.value / static_cast<double>(capacity)) : Json()},
          {"writes_per_s", {{"mean", json_number(understood(record).rows_per_s)}}}};
}

/// What a node of several that were run has by itself.
void add_own(const RunRecord& record, const RunRecord& run, Json& json) {
  Rows rows = 0;
  std::int64_t partitions = 0;
  double pending = 0;
  for (const TableRecord& table : run.tables) {
    rows += table.samples.empty() ? 0 : table.samples.back().rows_written;
    partitions += table.partitions.partitions;
    pending = std::max(pending, table.pending.value);
  }
  json["run"] = run.identity.node;
  json["fullest"] = run.identity.node == record.identity.node && json["node"] == run.identity.node;
  json["rows_written"] = rows;
  json["partitions"] = partitions;
  json["peak_pending_compactions"] = json_number(pending);
  const double mean = node_mean(record, [](const RunRecord& one) { return one.disk.value; });
  json["peak_disk_over_mean"] = mean > 0 ? json_number(run.disk.value / mean) : Json();
  json["limits"] = Json::array();
  for (const LimitOutcome& limit : run.own_limits) {
    json["limits"].push_back({{"name", limit.name},
                              {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
                              {"value", limit.measured ? json_number(limit.value) : Json()},
                              {"holds", limit.measured ? Json(limit.holds()) : Json()},
                              {"first_breach", json_time(limit.first_breach_us)}});
  }
}

/// Every node with its own load, and its own disk or that of the node that it is like.
Json nodes_json(const RunRecord& record) {
  Json nodes = Json::array();
  if (!record.load) nodes.push_back(node_json(record));
  for (int node = 0; record.load && node < record.load->nodes(); ++node) {
    const ClusterLoad::NodeNumbers numbers = record.load->numbers(node);
    const std::optional<NamedCause> cause = named_cause(record, numbers.worst_hour, node);
    const RunRecord& run = run_of_node(record, node + 1);
    Json json = node_json(run);
    json["node"] = node + 1;
    json["dc"] = printable(center_name(record, node));
    json["rack"] = rack_name(record.load->place(node));
    json["writes_per_s"] = {{"mean", json_number(numbers.mean_per_s)},
                            {"p99", json_number(numbers.p99_per_s)},
                            {"max", json_number(numbers.max_per_s)}};
    json["max_over_mean"] = json_number(numbers.max_over_mean);
    json["hottest"] = {{"stream", cause ? Json(printable(cause->stream)) : Json()},
                       {"entity", cause ? Json(printable(cause->entity)) : Json()},
                       {"bucket", cause ? Json(printable(cause->bucket)) : Json()},
                       {"date", json_time(record.load->hours().begin_us(numbers.worst_hour))}};
    if (!record.others.empty()) add_own(record, run, json);
    nodes.push_back(std::move(json));
  }
  return nodes;
}

Json placement_json(const ClusterLoad& load) {
  Json json;
  for (const auto& [name, kind] :
       {std::pair("hashed", PlacementKind::hashed), std::pair("borrowed", PlacementKind::borrowed),
        std::pair("even", PlacementKind::even)}) {
    const ClusterLoad::Known& known = load.known(kind);
    json[name] = {{"entities", known.entities}, {"keys", known.keys}, {"rows", known.rows}};
  }
  json["hashed_keys"] = load.hashed_keys();
  json["rest_deviation_share"] = json_number(load.rest_deviation());
  return json;
}

void add_growth(Json& json, const SafeGrowth& growth) {
  json["growth_factor_safe"] = json_number(growth.factor);
  json["growth_factor_breaks"] = json_number(growth.breaks_at);
  json["growth_stops_at"] = growth.stops_at.empty() ? Json() : Json(printable(growth.stops_at));
  json["growth_note"] = growth.note.empty() ? Json() : Json(printable(growth.note));
}

Json advice_json(const Advice& advice) {
  const Limit* limit = find_limit(advice.limit);
  const Unit unit = limit == nullptr ? Unit::count : limit->unit;
  Json tried = Json::array();
  for (const TriedFix& fix : advice.tried) {
    Json settings = Json::array();
    for (const std::string& setting : fix.settings) settings.push_back(printable(setting));
    tried.push_back({{"settings", std::move(settings)},
                     {"command", settings_text(fix.settings)},
                     {"key_column", fix.key_column.empty() ? Json() : Json(printable(fix.key_column))},
                     {"ending", ending_name(fix.ending)},
                     {"says", ending_text(fix)},
                     {"value", json_number(fix.value)},
                     {"breaks", fix.note.empty() ? Json() : Json(printable(fix.note))}});
  }
  return {{"limit", advice.limit},     {"table", advice.table.empty() ? Json() : Json(printable(advice.table))},
          {"unit", unit_name(unit)},   {"cause", advice.cause},
          {"tried", std::move(tried)}, {"not_tried", advice.not_tried}};
}

Json safe_bound_json(const Scenario& scenario, const SafeBound& bound) {
  Json tried = Json::array();
  for (const SafeBound::Tried& value : bound.tried) tried.push_back({{"value_s", value.value_s}, {"safe", value.safe}});
  const auto seconds = [](std::optional<Seconds> s) { return s ? Json(*s) : Json(); };
  return {{"table", printable(scenario.tables[static_cast<std::size_t>(bound.table)].name)},
          {"key", printable(bound.key)},
          {"says", printable(safe_bound_text(bound))},
          {"safe_s", seconds(bound.safe_s)},
          {"unsafe_s", seconds(bound.unsafe_s)},
          {"unsafe_rows", bound.unsafe_s ? Json(bound.rows) : Json()},
          {"first_s", bound.first_s},
          {"last_s", bound.last_s},
          {"runs", bound.runs},
          {"tried", std::move(tried)},
          {"is_border", bound.safe_beyond_s.empty()},
          {"command", printable(bound.assignments)}};
}

}  // namespace

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
  json["advice"] = Json::array();
  for (const Advice& advice : record.advice) json["advice"].push_back(advice_json(advice));
  if (record.faults && !record.faults->safe_bounds.empty()) {
    for (const SafeBound& bound : record.faults->safe_bounds)
      json["safe_bounds"].push_back(safe_bound_json(scenario, bound));
  }
  if (record.faults && !scenario.repairs.empty()) json["node_repairs"] = node_repairs_json(record);
  json["tables"] = Json::object();
  for (const TableRecord& table : record.tables) {
    Json& of_table = json["tables"][printable(table.name)] = table_summary(record, table);
    if (!record.others.empty()) of_table["node"] = record.identity.node;
  }
  json["nodes"] = nodes_json(record);
  if (!record.reads.empty()) json["reads"] = reads_json(record);
  if (record.load) json["placement"] = placement_json(*record.load);
  json["incidents"] = Json::array();
  for (const Incident& incident : record.incidents) {
    json["incidents"].push_back({{"at", iso_time(incident.at_us)}, {"what", printable(incident.what)}});
  }
  sink.open("summary.json");
  sink.append(json.dump(2) + "\n");
}

}  // namespace windrow
