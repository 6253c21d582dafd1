#include "sim/results/catalog.h"
#include "sim/results/table_numbers.h"
#include "sim/results/understood.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

Json limit_json(const RunRecord& record, const LimitOutcome& limit) {
  Json json{{"name", limit.name},
            {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
            {"node", record.identity.node},
            {"value", limit.measured ? json_number(limit.value) : Json()},
            {"bound", json_number(limit.bound)},
            {"unit", unit_name(limit.unit())}};
  json["holds"] = limit.measured ? Json(limit.holds()) : Json();
  json["first_breach"] = json_time(limit.first_breach_us);
  json["margin_share"] = limit.measured ? json_number(limit.margin_share()) : Json();
  json["end_value"] = limit.measured ? json_number(limit.end_value) : Json();
  json["held_again"] = json_time(limit.held_again_us);
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

void add_growth(Json& json, const SafeGrowth& growth) {
  json["growth_factor_safe"] = json_number(growth.factor);
  json["growth_factor_breaks"] = json_number(growth.breaks_at);
  json["growth_stops_at"] = growth.stops_at.empty() ? Json() : Json(printable(growth.stops_at));
  json["growth_note"] = growth.note.empty() ? Json() : Json(printable(growth.note));
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
  json["tables"] = Json::object();
  for (const TableRecord& table : record.tables) json["tables"][printable(table.name)] = table_summary(record, table);
  json["nodes"] = Json::array({node_json(record)});
  json["incidents"] = Json::array();
  for (const Incident& incident : record.incidents) {
    json["incidents"].push_back({{"at", iso_time(incident.at_us)}, {"what", printable(incident.what)}});
  }
  sink.open("summary.json");
  sink.append(json.dump(2) + "\n");
}

}  // namespace windrow
