#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/compare/measures.h"
#include "sim/compare/output.h"
#include "sim/results/summary.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

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

constexpr std::array<std::string_view, 19> sample_columns = {"run",
                                                             "choice",
                                                             "at",
                                                             "table",
                                                             "compared_as",
                                                             "readable_bytes",
                                                             "waiting_gc_grace_bytes",
                                                             "purgeable_bytes",
                                                             "blocked_bytes",
                                                             "temporary_bytes",
                                                             "disk_bytes_max",
                                                             "sstables",
                                                             "sstables_max",
                                                             "pending_compactions_max",
                                                             "write_amplification",
                                                             "partitions",
                                                             "partition_p50_bytes",
                                                             "partition_p99_bytes",
                                                             "partition_max_bytes"};

void add_sample(CsvFile& csv, const TableSample& sample) {
  csv.number(sample.readable_bytes).number(sample.waiting_gc_grace_bytes).number(sample.purgeable_bytes);
  csv.number(sample.blocked_bytes).number(sample.temporary_bytes).number(sample.disk_bytes_max);
  csv.number(sample.sstables).number(sample.sstables_max).number(sample.pending_compactions_max);
  csv.number(sample.write_amplification);
  if (sample.partitions) {
    csv.number(*sample.partitions).number(sample.partition_bytes_p50).number(sample.partition_bytes_p99);
    csv.number(sample.partition_bytes_max);
  } else {
    csv.empty().empty().empty().empty();
  }
  csv.end_row();
}

std::string_view kind_name(Measure::Kind kind) {
  switch (kind) {
    case Measure::Kind::count:
      return "count";
    case Measure::Kind::bytes:
      return "bytes";
    case Measure::Kind::share:
      return "share";
    case Measure::Kind::days:
      return "days";
    case Measure::Kind::seconds:
      return "seconds";
    case Measure::Kind::verdict:
      return "verdict";
  }
  return "";
}

Json measure_json(const Measure& measure, const std::vector<bool>& contender) {
  const LineUnit unit = line_unit(measure);
  Json json{{"name", measure.name},   {"label", measure_label(measure, unit)}, {"kind", kind_name(measure.kind)},
            {"shown_in", unit.size},  {"bound", number(measure.bound)},        {"least", number(measure.least)},
            {"values", Json::array()}};
  for (std::size_t run = 0; run < measure.values.size(); ++run) {
    json["values"].push_back({{"value", number(measure.values[run].number)},
                              {"broken", measure.values[run].broken},
                              {"best", measure.is_best(run, contender)}});
  }
  return json;
}

/// Titles, the tables by run, and every line of the comparison.
Json groups_json(const std::vector<ComparedRun>& runs) {
  std::vector<bool> contender;
  for (const ComparedRun& run : runs) contender.push_back(!run.baseline);
  const std::vector<ComparedTables> tables = compared_tables(runs);
  Json groups = Json::array();
  const std::vector<MeasureGroup> measures = measures_of(runs);
  for (std::size_t i = 0; i < measures.size(); ++i) {
    Json group{{"title", printable(measures[i].title)}, {"tables", Json::array()}, {"measures", Json::array()}};
    if (i > 0) {
      for (const ComparedTable* table : tables[i - 1].of_run)
        group["tables"].push_back(table == nullptr ? Json() : Json(printable(table->name)));
    }
    for (const Measure& measure : measures[i].measures) group["measures"].push_back(measure_json(measure, contender));
    groups.push_back(std::move(group));
  }
  return groups;
}

Json run_json(const ComparedRun& run, const std::string& label) {
  Json json;
  json["label"] = label;
  json["scenario"] = printable(run.scenario);
  json["start"] = iso_time(run.start_us);
  json["end"] = iso_time(run.end_us);
  json["choices"] = Json::object();
  for (const Choice& choice : run.choices) json["choices"][printable(choice.key)] = printable(choice.value);
  json["baseline"] = run.baseline ? Json("none") : Json();
  json["disk_sizes_known"] = run.disk_sizes_known;
  json["limits_measured"] = run.limits_measured();
  json["limits_broken"] = run.limits_broken();
  json["first_breach"] = time_or_null(run.first_breach_us());
  json["growth_factor_safe"] = number(run.growth_factor_safe);
  json["peak_disk_bytes"] = run.peak_disk_bytes;
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

std::string comparison_timeline_csv(const std::vector<ComparedRun>& runs) {
  TextSink sink;
  CsvFile csv(sink, comparison_timeline_name, sample_columns);
  const std::vector<std::string> labels = run_labels(runs).plain;
  for (const ComparedTables& group : compared_tables(runs)) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (group.of_run[run] == nullptr) continue;
      for (const TableSample& sample : group.of_run[run]->samples) {
        csv.number(static_cast<std::int64_t>(run + 1)).text(labels[run]).time(sample.at_us);
        csv.text(group.of_run[run]->name).text(group.title);
        add_sample(csv, sample);
      }
    }
  }
  csv.close();
  return sink.texts().front().text;
}

std::string comparison_as_json(const std::vector<ComparedRun>& runs) {
  Json json;
  json["version"] = runs.empty() ? std::string() : runs.front().version;
  const auto holds = [](const ComparedRun& run) { return run.limits_measured() > 0 && run.limits_broken() == 0; };
  const auto choices = std::ranges::count(runs, false, &ComparedRun::baseline);
  const auto holding = std::ranges::count_if(runs, [&](const ComparedRun& run) { return !run.baseline && holds(run); });
  json["choices"] = choices;
  json["choices_that_hold"] = holding;
  json["runs"] = Json::array();
  const std::vector<std::string> labels = run_labels(runs).named;
  for (std::size_t i = 0; i < runs.size(); ++i) json["runs"].push_back(run_json(runs[i], labels[i]));
  json["groups"] = groups_json(runs);
  return json.dump(2) + "\n";
}

}  // namespace windrow
