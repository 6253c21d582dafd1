#include "sim/page/page.h"

#include <fmt/format.h>

#include "sim/page/html.h"
#include "sim/page/node_charts.h"
#include "sim/page/sections.h"

namespace windrow {

namespace {

using nlohmann::json;

json read_summary(const ResultTexts& texts) {
  for (const std::string& name : page_sources()) {
    if (!texts.contains(name)) throw PageError(fmt::format("there is no {}: run the scenario again", name));
  }
  try {
    return json::parse(texts.at("summary.json").text());
  } catch (const json::parse_error& error) {
    throw PageError(fmt::format("summary.json is damaged: {}", error.what()));
  }
}

/// In the order of the schema, as the file has them.
std::vector<std::string> table_names(const std::string& summary) {
  std::vector<std::string> names;
  const auto ordered = nlohmann::ordered_json::parse(summary);
  for (const auto& [name, table] : ordered.at("tables").items()) names.push_back(name);
  return names;
}

}  // namespace

const std::vector<std::string>& page_sources() {
  static const std::vector<std::string> names = {"summary.json",   "scenario.ini", "timeline.csv",    "sstables.csv",
                                                 "windows.csv",    "growth.csv",   "compactions.csv", "partitions.csv",
                                                 "tombstones.csv", "sizes.csv"};
  return names;
}

const std::vector<std::string>& node_page_sources() {
  static const std::vector<std::string> names = {"load.csv",    "nodes.csv",   "resurrections.csv",
                                                 "repairs.csv", "outages.csv", "reads.csv"};
  return names;
}

std::string review_page(const ResultTexts& texts) {
  const json summary = read_summary(texts);
  const Facts facts(summary);
  facts.of("tables");
  const std::vector<std::string> names = table_names(texts.at("summary.json").text());
  std::string body = head_section(facts, names) + understood_section(facts, names) + verdict_section(facts) +
                     findings_section(facts, names);
  json data{{"tables", json::array()}, {"charts", json::array()}};
  TableCharts node = node_charts(facts, names, texts);
  body += node_section(names.size(), node.charts);
  for (std::size_t i = 0; i < names.size(); ++i) {
    TableCharts table = charts_of(facts, names[i], texts);
    body += charts_section(names[i], i, table.charts);
    add_charts(data, i, std::move(table));
  }
  if (!node.charts.empty()) add_charts(data, names.size(), std::move(node));
  body += incidents_section(facts) + scenario_section(texts.at("scenario.ini").text()) + left_out_section();
  const std::string title = facts.of("title").text().empty() ? facts.text("scenario") : facts.text("title");
  return whole_page(title, body, data);
}

}  // namespace windrow
