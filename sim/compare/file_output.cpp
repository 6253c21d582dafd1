#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/compare/output.h"
#include "sim/report/csv.h"
#include "sim/report/summary.h"
#include "sim/report/text.h"

namespace windrow {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 23> columns = {"scenario",
                                                      "choices",
                                                      "baseline",
                                                      "limits_measured",
                                                      "limits_broken",
                                                      "first_breach",
                                                      "growth_factor_safe",
                                                      "table",
                                                      "strategy",
                                                      "partitions_per_day",
                                                      "partition_bytes_p50",
                                                      "partition_bytes_p99",
                                                      "partition_bytes_max",
                                                      "peak_disk_bytes",
                                                      "live_bytes",
                                                      "readable_bytes",
                                                      "peak_sstables",
                                                      "live_sstables",
                                                      "write_amplification",
                                                      "space_amplification",
                                                      "peak_blocked_bytes",
                                                      "blocked_bytes",
                                                      "off_heap_bytes"};

std::string choices_text(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    if (!text.empty()) text += "; ";
    text += choice.key + " = " + choice.value;
  }
  return text;
}

void add_line(CsvFile& csv, const ComparedRun& run, const ComparedTable& table) {
  csv.text(run.scenario).text(choices_text(run.choices)).word(run.baseline ? "none" : "");
  csv.number(run.limits_measured()).number(run.limits_broken());
  const std::optional<Micros> breach = run.first_breach_us();
  if (breach) {
    csv.time(*breach);
  } else {
    csv.empty();
  }
  csv.number_or_empty(run.growth_factor_safe).text(table.name).word(table.strategy);
  csv.number(table.partitions_per_day).number(table.partition_bytes_p50).number(table.partition_bytes_p99);
  csv.number(table.partition_bytes_max).number(table.peak_disk_bytes).number(table.live_bytes);
  csv.number(table.readable_bytes).number(table.peak_sstables).number(table.live_sstables);
  csv.number(table.write_amplification).number_or_empty(table.space_amplification);
  csv.number(table.peak_blocked_bytes).number(table.blocked_bytes).number(table.off_heap_bytes).end_row();
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return nine_digits(value);
}
Json number(std::optional<double> value) { return value ? number(*value) : Json(); }
Json time_or_null(std::optional<Micros> at_us) { return at_us ? Json(iso_time(*at_us)) : Json(); }

Json limit_json(const LimitOutcome& limit) {
  return {{"name", limit.name},
          {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
          {"value", limit.measured ? number(limit.value) : Json()},
          {"bound", number(limit.bound)},
          {"unit", unit_name(limit.unit)},
          {"holds", limit.measured ? Json(limit.holds()) : Json()},
          {"first_breach", time_or_null(limit.first_breach_us)}};
}

Json table_json(const ComparedTable& table) {
  return {
      {"strategy", table.strategy},
      {"partitions_per_day", number(table.partitions_per_day)},
      {"partition_bytes",
       {{"p50", table.partition_bytes_p50}, {"p99", table.partition_bytes_p99}, {"max", table.partition_bytes_max}}},
      {"peak_disk_bytes", table.peak_disk_bytes},
      {"live_bytes", table.live_bytes},
      {"readable_bytes", table.readable_bytes},
      {"peak_sstables", table.peak_sstables},
      {"live_sstables", table.live_sstables},
      {"write_amplification", number(table.write_amplification)},
      {"space_amplification", number(table.space_amplification)},
      {"peak_blocked_bytes", table.peak_blocked_bytes},
      {"blocked_bytes", table.blocked_bytes},
      {"off_heap_bytes", table.off_heap_bytes}};
}

Json run_json(const ComparedRun& run) {
  Json json;
  json["scenario"] = printable(run.scenario);
  json["choices"] = Json::object();
  for (const Choice& choice : run.choices) json["choices"][printable(choice.key)] = printable(choice.value);
  json["baseline"] = run.baseline ? Json("none") : Json();
  json["disk_sizes_known"] = run.disk_sizes_known;
  json["first_breach"] = time_or_null(run.first_breach_us());
  json["growth_factor_safe"] = number(run.growth_factor_safe);
  json["limits"] = Json::array();
  for (const LimitOutcome& limit : run.limits) json["limits"].push_back(limit_json(limit));
  json["tables"] = Json::object();
  for (const ComparedTable& table : run.tables) json["tables"][printable(table.name)] = table_json(table);
  return json;
}

}  // namespace

std::string comparison_as_csv(const std::vector<ComparedRun>& runs) {
  TextSink sink;
  CsvFile csv(sink, "compare.csv", columns);
  for (const ComparedRun& run : runs) {
    for (const ComparedTable& table : run.tables) add_line(csv, run, table);
  }
  csv.close();
  return sink.texts().front().text;
}

std::string comparison_as_json(const std::vector<ComparedRun>& runs) {
  Json json;
  json["runs"] = Json::array();
  for (const ComparedRun& run : runs) json["runs"].push_back(run_json(run));
  return json.dump(2) + "\n";
}

}  // namespace windrow
