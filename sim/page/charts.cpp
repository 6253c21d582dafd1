#include "sim/page/charts.h"

#include <algorithm>
#include <array>
#include <set>

#include "sim/page/captions.h"
#include "sim/page/chart_data.h"
#include "sim/page/iso.h"
#include "sim/page/node_charts.h"
#include "sim/page/spec.h"

namespace windrow {

namespace {

using nlohmann::json;

/// What a chart's spec is filled with: one table of one run.
struct Scene {
  Facts summary;
  Facts table;
  std::string name{};
  const ChartData& data;
};

json limit_lines(const Scene& scene, std::string_view limit, std::string_view largest) {
  json lines = json::array();
  const Facts limits = scene.summary.below("limits");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Facts one = limits.below(i);
    if (one.text("name") != limit || one.text("table") != scene.name) continue;
    Sentence what;
    what.say("limit, ").in_unit(one.text("unit"), one.of("bound"));
    add_line(lines, one.number("bound"), scene.table.number(largest), what.text());
  }
  return lines;
}

json disk_lines(const Scene& scene) {
  return disk_size_lines(scene.summary, scene.table.number("peak_disk_bytes"), false);
}

json partition_lines(const Scene& scene) { return limit_lines(scene, "partition_size_max", "partition_bytes/max"); }
json sstables_lines(const Scene& scene) { return limit_lines(scene, "sstables_max", "peak_sstables"); }
json pending_lines(const Scene& scene) {
  return limit_lines(scene, "pending_compactions_max", "peak_pending_compactions");
}

json ratio_lines(const Scene& scene) {
  json lines = json::array();
  add_line(lines, 0.2, scene.table.number("peak_droppable_tombstone_ratio"), "0.2, the default tombstone_threshold");
  return lines;
}

/// A row of cells for each bucket.
json decision_params(const Scene& scene) {
  std::set<std::string> buckets;
  const CsvColumns& sizes = scene.data.files.at("sizes.csv");
  for (const auto& row : sizes.rows) buckets.insert(row[sizes.place("bucket")]);
  return {{"height", 34 * buckets.size()}};
}

json disk_params(const Scene& scene) { return bytes_params(scene.table.number("peak_disk_bytes")); }

/// Bars of a moment's writes are wide enough to be seen.
json lifeline_params(const Scene& scene) {
  constexpr std::int64_t bars_across = 400;
  json params = bytes_params(scene.table.number("live_bytes"));
  if (scene.data.sstables_left_out) {
    params["title"] = "the largest SSTables, by oldest write; \u25b6 keeps others from being dropped";
  }
  // Some fourteen points a bar, as far as there is room.
  params["height"] = std::clamp<std::size_t>(scene.data.files.at("sstables.csv").rows.size() * 14, 56, 340);
  params["least_ms"] = scene.data.spread_ms("sstables.csv", "oldest_write", "newest_write") / bars_across;
  return params;
}

/// Room above and below on the logarithmic axis, also for the lines of limits.
json sizes_params(const Scene& scene) {
  auto [low, high] = scene.data.extremes("timeline.csv", "partition_p50_bytes");
  const auto [ignored, largest] = scene.data.extremes("timeline.csv", "partition_max_bytes");
  for (const json& line : partition_lines(scene)) low = std::min(low, line["value"].get<double>());
  return {{"low", std::max(1.0, low / 4)}, {"high", std::max(high, largest) * 4}};
}

json window_params(const Scene& scene) {
  const double ttl_s = scene.table.number("default_time_to_live_s");
  return {{"window_s", scene.table.number("window_s")},
          {"row_s", scene.data.window_row_s},
          {"most", scene.data.extremes("windows.csv", "sstables").second * scene.table.number("window_s") /
                       static_cast<double>(std::max<std::int64_t>(1, scene.data.window_row_s))},
          {"keep_s", ttl_s > 0 ? ttl_s + scene.table.number("gc_grace_s") : 0}};
}

json spread_params(const Scene& scene) {
  return {{"most", scene.data.extremes("partitions.csv", "partitions").second},
          {"least", scene.data.extremes("partitions.csv", "from").first}};
}

json growth_params(const Scene& scene) {
  json params = bytes_params(scene.table.number("partition_bytes/max"));
  const bool days = scene.data.any_above("growth.csv", "age_s", 3 * 86'400);
  params["age_unit"] = days ? "d" : "h";
  params["age_unit_s"] = days ? 86'400 : 3'600;
  return params;
}

json tombstone_params(const Scene& scene) {
  return {{"end_ms", iso_seconds(scene.summary.text("end")) * 1000}, {"row_s", scene.data.tombstone_row_s}};
}

json compaction_params(const Scene& scene) {
  static const std::map<std::string, const char*> steps = {{"utcyearmonthdatehours", "hour"},
                                                           {"utcyearmonthdate", "day"},
                                                           {"utcyearweek", "week"},
                                                           {"utcyearmonth", "month"}};
  json params = bytes_params(scene.data.highest_bar("compactions.csv", "end", "read_bytes"));
  params["title"] =
      std::string("bytes that compactions read, by reason and ") + steps.at(scene.data.compactions_time_unit);
  return params;
}

/// A chart, described once.
struct ChartKind {
  const char* name = nullptr;
  const char* file = nullptr;
  Sentence (*caption)(const Facts& table) = nullptr;
  json (*params)(const Scene&) = nullptr;  // null: none
  json (*lines)(const Scene&) = nullptr;
  const char* column = nullptr;  // shown where it is above `bound` in some row; null: where there are rows
  double bound = 0;

  bool shown(const ChartData& data) const {
    return column == nullptr ? data.has(file) : data.any_above(file, column, bound);
  }
};

constexpr std::array kinds = {
    ChartKind{"disk", "timeline.csv", disk_caption, disk_params, disk_lines},
    ChartKind{"lifelines", "sstables.csv", lifelines_caption, lifeline_params},
    ChartKind{"windows", "windows.csv", windows_caption, window_params},
    ChartKind{"partition-sizes", "timeline.csv", partition_sizes_caption, sizes_params, partition_lines,
              "partition_max_bytes"},
    ChartKind{"partition-spread", "partitions.csv", partition_spread_caption, spread_params},
    ChartKind{"growth", "growth.csv", growth_caption, growth_params, partition_lines, "rows", 9},
    ChartKind{"decision", "sizes.csv", decision_caption, decision_params},
    ChartKind{"tombstone-drops", "tombstones.csv", tombstone_drops_caption, tombstone_params, nullptr, "count"},
    ChartKind{"droppable-ratio", "timeline.csv", droppable_ratio_caption, nullptr, ratio_lines,
              "droppable_tombstone_ratio"},
    ChartKind{"sstables", "timeline.csv", sstables_caption, nullptr, sstables_lines},
    ChartKind{"sstables-per-partition", "timeline.csv", sstables_per_partition_caption, nullptr, nullptr,
              "sstables_per_partition"},
    ChartKind{"pending", "timeline.csv", pending_caption, nullptr, pending_lines, "pending_compactions_max", 1},
    ChartKind{"compactions", "compactions.csv", compactions_caption, compaction_params, nullptr, "read_bytes"},
};

json filled(const ChartKind& kind, const Scene& scene) {
  json params = kind.params == nullptr ? json::object() : kind.params(scene);
  params["date_format"] = date_format(scene.summary.text("start"), scene.summary.text("end"));
  const json lines = kind.lines == nullptr ? json::array() : kind.lines(scene);
  json ready = filled_spec(chart_spec(kind.name), params, lines, scene.data.compactions_time_unit);
  if (std::string_view(kind.name) == "disk") {
    const CsvColumns& timeline = scene.data.files.at(kind.file);
    drop_empty_series(ready, [&](const std::string& column) { return timeline.any_above(column, 0); });
  }
  return ready;
}

}  // namespace

Chart made_chart(const std::string& name, Sentence caption, json spec, const std::string& file) {
  const json& about = chart_spec(name)["usermeta"]["windrow"];
  return {.name = name,
          .title = about["title"],
          .question = about["question"],
          .caption = std::move(caption),
          .spec = std::move(spec),
          .files = {file}};
}

TableCharts charts_of(const Facts& summary, const std::string& table, const ResultTexts& texts) {
  const Facts facts = summary.below("tables").below(table);
  const ChartData data = read_chart_data(facts, table, texts);
  const Scene scene{.summary = summary, .table = facts, .name = table, .data = data};
  TableCharts result;
  for (const ChartKind& kind : kinds) {
    if (kind.shown(data))
      result.charts.push_back(made_chart(kind.name, kind.caption(facts), filled(kind, scene), kind.file));
  }
  result.files = data.json();
  return result;
}

}  // namespace windrow
