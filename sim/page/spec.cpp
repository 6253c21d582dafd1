#include "sim/page/spec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/check.h"
#include "sim/page/bundle.h"
#include "sim/page/iso.h"

namespace windrow {

namespace {

using nlohmann::json;

struct ByteUnit {
  const char* name = "B";
  std::int64_t bytes = 1;
};

ByteUnit unit_for(double bytes) {
  constexpr std::array units = {ByteUnit{"TiB", std::int64_t{1} << 40}, ByteUnit{"GiB", std::int64_t{1} << 30},
                                ByteUnit{"MiB", std::int64_t{1} << 20}, ByteUnit{"KiB", std::int64_t{1} << 10}};
  for (const ByteUnit& unit : units) {
    if (bytes >= static_cast<double>(unit.bytes)) return unit;
  }
  return {};
}

void fill(json& node, const json& lines, const std::string& time_unit) {
  if (node.is_array()) {
    for (json& each : node) fill(each, lines, time_unit);
    return;
  }
  if (!node.is_object()) return;
  if (node.contains("url")) {
    node["name"] = node["url"];
    node.erase("url");
    node["format"].erase("type");
    if (node["format"].empty()) node.erase("format");
  } else if (node.value("name", "") == "lines" && node.contains("values")) {
    node["values"] = lines;
  }
  if (node.contains("timeUnit")) node["timeUnit"] = time_unit;
  for (auto& [key, value] : node.items()) {
    if (key != "usermeta" && key != "values") fill(value, lines, time_unit);
  }
}

/// Layers of lines that are not there go: an empty one would stretch the axis to nowhere.
void drop_lines(json& spec) {
  if (spec.contains("spec")) drop_lines(spec["spec"]);
  if (!spec.contains("layer")) return;
  json kept = json::array();
  for (json& layer : spec["layer"]) {
    if (!layer.contains("data") || layer["data"].value("name", "") != "lines") kept.push_back(std::move(layer));
  }
  spec["layer"] = std::move(kept);
}

}  // namespace

const json& chart_spec(std::string_view name) {
  static const json specs = json::parse(chart_specs());
  SIM_CHECK(specs.contains(name), "a chart has its spec in plots/");
  return specs[std::string(name)];
}

json filled_spec(const json& spec, const json& params, const json& lines, const std::string& time_unit) {
  json ready = spec;
  if (ready.contains("params")) {
    for (json& param : ready["params"]) {
      const std::string name = param.value("name", "");
      if (params.contains(name)) param["value"] = params[name];
    }
  }
  for (const char* key : {"title", "height"}) {
    if (params.contains(key)) ready[key] = params[key];
  }
  if (lines.empty()) drop_lines(ready);
  fill(ready, lines, time_unit);
  return ready;
}

void drop_empty_series(json& spec, const std::function<bool(const std::string&)>& has_values) {
  json& layers = (spec.contains("spec") ? spec["spec"] : spec)["layer"];
  json& fold = layers[0]["transform"][0]["fold"];
  json& scale = layers[0]["encoding"]["color"]["scale"];
  json& tooltip = layers.back()["encoding"]["tooltip"];
  json columns = json::array({fold[0]});
  json names = json::array({scale["domain"][0]});
  json colours = json::array({scale["range"][0]});
  for (std::size_t i = 1; i < fold.size(); ++i) {
    const json name = scale["domain"][i];
    if (has_values(fold[i])) {
      columns.push_back(fold[i]);
      names.push_back(name);
      colours.push_back(scale["range"][i]);
      continue;
    }
    const auto same = [&](const json& line) { return line["title"] == name; };
    tooltip.erase(std::remove_if(tooltip.begin(), tooltip.end(), same), tooltip.end());
  }
  fold = std::move(columns);
  scale["domain"] = std::move(names);
  scale["range"] = std::move(colours);
}

json bytes_params(double largest) {
  const ByteUnit unit = unit_for(largest);
  return {{"shown_unit", unit.name}, {"unit_bytes", unit.bytes}};
}

void add_line(json& lines, double bound, double largest, std::string what) {
  constexpr double in_sight = 3;
  if (bound > 0 && bound <= in_sight * largest) lines.push_back({{"value", bound}, {"what", std::move(what)}});
}

std::string date_format(std::string_view start_iso, std::string_view end_iso) {
  constexpr std::int64_t few_days_s = 4 * 86'400;
  return iso_seconds(end_iso) - iso_seconds(start_iso) <= few_days_s ? "%m-%d %H:%M" : "%Y-%m-%d";
}

}  // namespace windrow
