#include "sim/compare/comparison_charts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "sim/compare/output.h"
#include "sim/page/spec.h"
#include "sim/page/thinning.h"

namespace windrow {

namespace {

using nlohmann::json;

/// What is shown of a group: the samples of its choices, fewer of each where there are many.
CsvColumns shown_samples(const ComparedFacts& facts, std::size_t group, const ResultText& csv) {
  constexpr std::size_t all_rows = 2400;
  const CsvColumns all =
      read_csv_columns(comparison_timeline_name, csv,
                       {"run", "choice", "at", "readable_bytes", "waiting_gc_grace_bytes", "purgeable_bytes",
                        "blocked_bytes", "temporary_bytes", "disk_bytes_max", "sstables", "sstables_max", "partitions",
                        "partition_p50_bytes", "partition_p99_bytes", "partition_max_bytes"},
                       facts.group(group).text("title"), "compared_as");
  const std::size_t each = std::clamp<std::size_t>(all_rows / facts.choices().size(), 100, 300);
  CsvColumns shown{.names = all.names};
  for (const std::size_t run : facts.choices()) {
    const std::string number = std::to_string(run + 1);
    CsvColumns one{.names = all.names};
    for (const auto& row : all.rows) {
      if (row[all.place("run")] == number) one.rows.push_back(row);
    }
    thin_timeline(one, each);
    shown.rows.insert(shown.rows.end(), one.rows.begin(), one.rows.end());
  }
  return shown;
}

/// Least above 0, and most, of a column.
std::pair<double, double> range_of(const CsvColumns& samples, std::string_view column) {
  std::pair<double, double> range = {0, 0};
  for (const auto& row : samples.rows) {
    const double value = std::strtod(row[samples.place(column)].c_str(), nullptr);
    if (value <= 0) continue;
    range.first = range.first > 0 ? std::min(range.first, value) : value;
    range.second = std::max(range.second, value);
  }
  return range;
}

/// The bound of a limit that all choices share, as a line.
json limit_lines(const ComparedFacts& facts, std::size_t group, const std::string& limit, double largest) {
  json lines = json::array();
  for (const std::string& name : {limit, limit + " " + facts.group(group).text("title")}) {
    if (!facts.has(0, name) || !facts.measure(0, name).of("bound").known()) continue;
    const Fact bound = facts.measure(0, name).of("bound");
    Sentence what;
    what.say("limit, {bound:" + facts.measure(0, name).text("kind") + "}", facts.measure(0, name));
    add_line(lines, bound.number(), largest, what.text());
  }
  return lines;
}

std::string dates_of(const ComparedFacts& facts) {
  std::set<std::string> starts;
  std::set<std::string> ends;
  for (const std::size_t run : facts.choices()) {
    starts.insert(facts.run(run).text("start"));
    ends.insert(facts.run(run).text("end"));
  }
  return date_format(*starts.begin(), *ends.rbegin());
}

}  // namespace

TableCharts comparison_charts(const ComparedFacts& facts, std::size_t group, const ResultText& timeline_csv,
                              std::size_t across) {
  TableCharts result;
  if (facts.choices().empty()) return result;
  const CsvColumns samples = shown_samples(facts, group, timeline_csv);
  const std::string dates = dates_of(facts);
  const auto add = [&](const char* name, Sentence caption, json params, const json& lines) {
    params["date_format"] = dates;
    json spec = filled_spec(chart_spec(name), params, lines, {});
    spec["columns"] = across;
    result.charts.push_back(made_chart(name, std::move(caption), std::move(spec), comparison_timeline_name));
    if (std::string_view(name) != "compare-disk") return;
    drop_empty_series(result.charts.back().spec,
                      [&](const std::string& column) { return samples.any_above(column, 0); });
  };
  if (const double disk = range_of(samples, "disk_bytes_max").second; disk > 0)
    add("compare-disk", disk_comparison(facts, group), bytes_params(disk), json::array());
  if (const double largest = range_of(samples, "partition_max_bytes").second; largest > 0) {
    const json lines = limit_lines(facts, group, "partition_size_max", largest);
    double low = range_of(samples, "partition_p50_bytes").first;
    for (const json& line : lines) low = std::min(low, line["value"].get<double>());
    add("compare-partitions", partitions_comparison(facts, group),
        {{"low", std::max(1.0, low / 4)}, {"high", largest * 4}}, lines);
  }
  if (const double sstables = range_of(samples, "sstables_max").second; sstables > 0)
    add("compare-sstables", sstables_comparison(facts, group), json::object(),
        limit_lines(facts, group, "sstables_max", sstables));
  result.files[comparison_timeline_name] = columns_json(samples);
  return result;
}

}  // namespace windrow
