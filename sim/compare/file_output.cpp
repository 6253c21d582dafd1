#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/compare/measures.h"
#include "sim/compare/output.h"
#include "sim/results/table_numbers.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

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
  csv.time_or_empty(run.first_breach_us());
  csv.number_or_empty(run.growth_factor_safe).text(table.name).word(table.strategy);
  for (const ComparedNumber& number : compared_numbers()) csv.number_or_empty(table.number(number.name));
  csv.end_row();
}

Json limit_json(const LimitOutcome& limit) {
  return {{"name", limit.name},
          {"table", limit.table.empty() ? Json() : Json(printable(limit.table))},
          {"value", limit.measured ? json_number(limit.value) : Json()},
          {"bound", json_number(limit.bound)},
          {"unit", unit_name(limit.unit())},
          {"holds", limit.measured ? Json(limit.holds()) : Json()},
          {"first_breach", json_time(limit.first_breach_us)}};
}

Json table_json(const ComparedTable& table) {
  Json object{{"strategy", table.strategy}};
  for (const ComparedNumber& number : compared_numbers())
    object[Json::json_pointer(fmt::format("/{}", number.name))] = json_number(table.number(number.name));
  return object;
}

/// Of timeline.csv, in compare-timeline.csv.
constexpr std::array sample_columns = {
    "readable_bytes",          "waiting_gc_grace_bytes", "purgeable_bytes", "blocked_bytes",
    "temporary_bytes",         "disk_bytes_max",         "sstables",        "sstables_max",
    "pending_compactions_max", "write_amplification",    "partitions",      "partition_p50_bytes",
    "partition_p99_bytes",     "partition_max_bytes"};

Json measure_json(const Measure& measure, const std::vector<bool>& contender) {
  const LineUnit unit = line_unit(measure);
  Json object{{"name", measure.name},
              {"label", measure_label(measure, unit)},
              {"kind", measure.verdict ? "verdict" : unit_name(measure.unit)},
              {"shown_in", unit.size},
              {"bound", json_number(measure.bound)},
              {"least", json_number(measure.least)},
              {"values", Json::array()}};
  for (std::size_t run = 0; run < measure.values.size(); ++run) {
    object["values"].push_back({{"value", json_number(measure.values[run].number)},
                                {"broken", measure.values[run].broken},
                                {"best", measure.is_best(run, contender)}});
  }
  return object;
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
  Json object;
  object["label"] = label;
  object["scenario"] = printable(run.scenario);
  object["start"] = iso_time(run.start_us);
  object["end"] = iso_time(run.end_us);
  object["choices"] = Json::object();
  for (const Choice& choice : run.choices) object["choices"][printable(choice.key)] = printable(choice.value);
  object["baseline"] = run.baseline ? Json("none") : Json();
  object["disk_sizes_known"] = run.disk_sizes_known;
  object["not_counted"] = run.not_counted;
  object["limits_measured"] = run.limits_measured();
  object["limits_broken"] = run.limits_broken();
  object["first_breach"] = json_time(run.first_breach_us());
  object["growth_factor_safe"] = json_number(run.growth_factor_safe);
  object["peak_disk_bytes"] = run.peak_disk_bytes;
  object["limits"] = Json::array();
  for (const LimitOutcome& limit : run.limits) object["limits"].push_back(limit_json(limit));
  object["tables"] = Json::object();
  for (const ComparedTable& table : run.tables) object["tables"][printable(table.name)] = table_json(table);
  return object;
}

}  // namespace

std::string comparison_as_csv(const std::vector<ComparedRun>& runs) {
  TextSink sink;
  std::vector<std::string> columns = {"scenario",           "choices",       "baseline",
                                      "limits_measured",    "limits_broken", "first_breach",
                                      "growth_factor_safe", "table",         "strategy"};
  for (const ComparedNumber& number : compared_numbers()) {
    columns.emplace_back(number.name);
    std::ranges::replace(columns.back(), '/', '_');
  }
  CsvFile csv(sink, "compare.csv", std::vector<std::string_view>(columns.begin(), columns.end()));
  for (const ComparedRun& run : runs) {
    for (const ComparedTable& table : run.tables) add_line(csv, run, table);
  }
  csv.close();
  return sink.texts().front().text;
}

std::string comparison_timeline_csv(const std::vector<ComparedRun>& runs) {
  TextSink sink;
  std::vector<std::string_view> columns = {"run", "choice", "at", "table", "compared_as"};
  columns.insert(columns.end(), sample_columns.begin(), sample_columns.end());
  CsvFile csv(sink, comparison_timeline_name, columns);
  const std::vector<std::string> labels = run_labels(runs).plain;
  for (const ComparedTables& group : compared_tables(runs)) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (group.of_run[run] == nullptr) continue;
      for (const TableSample& sample : group.of_run[run]->samples) {
        csv.number(static_cast<std::int64_t>(run + 1)).text(labels[run]).time(sample.at_us);
        csv.text(group.of_run[run]->name).text(group.title);
        for (const char* column : sample_columns) csv.number_or_empty(sample_number(column).read(sample));
        csv.end_row();
      }
    }
  }
  csv.close();
  return sink.texts().front().text;
}

std::string comparison_as_json(const std::vector<ComparedRun>& runs) {
  Json object;
  object["version"] = runs.empty() ? std::string() : runs.front().version;
  const auto holds = [](const ComparedRun& run) { return run.limits_measured() > 0 && run.limits_broken() == 0; };
  const auto choices = std::ranges::count(runs, false, &ComparedRun::baseline);
  const auto holding = std::ranges::count_if(runs, [&](const ComparedRun& run) { return !run.baseline && holds(run); });
  object["choices"] = choices;
  object["choices_that_hold"] = holding;
  object["runs"] = Json::array();
  const std::vector<std::string> labels = run_labels(runs).named;
  for (std::size_t i = 0; i < runs.size(); ++i) object["runs"].push_back(run_json(runs[i], labels[i]));
  object["groups"] = groups_json(runs);
  return object.dump(2) + "\n";
}

}  // namespace windrow
