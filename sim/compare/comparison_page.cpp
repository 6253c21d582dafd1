#include "sim/compare/comparison_page.h"

#include <fmt/format.h>

#include <set>

#include "sim/compare/compared_facts.h"
#include "sim/compare/comparison_charts.h"
#include "sim/compare/grid.h"
#include "sim/compare/output.h"
#include "sim/page/html.h"
#include "sim/page/sections.h"

namespace windrow {

namespace {

using nlohmann::json;

/// Full keys of what varies, in the order of the command line.
std::vector<std::string> varied_keys(const std::string& text) {
  std::vector<std::string> keys;
  const auto ordered = nlohmann::ordered_json::parse(text);
  for (const auto& run : ordered.at("runs")) {
    if (!keys.empty()) break;
    for (const auto& [key, value] : run.at("choices").items()) keys.push_back(key);
  }
  return keys;
}

std::string head(const ComparedFacts& facts, const std::vector<std::string>& keys) {
  const Facts first = facts.run(0);
  std::string title = "Comparison of " + first.text("scenario");
  bool sizes_known = true;
  for (const std::size_t run : facts.columns()) {
    sizes_known = sizes_known && facts.run(run).text("disk_sizes_known") == "true";
    if (facts.run(run).text("scenario") != first.text("scenario")) title = "Comparison of scenarios";
  }
  Sentence what;
  what.say("{choices} choices", facts.all());
  for (std::size_t i = 0; i < keys.size(); ++i)
    what.say(i == 0 ? " of " : i + 1 == keys.size() ? " and " : ", ").say(keys[i]);
  what.say(", each run from {start:day} to {end:day} on one node.", first);
  std::string html = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n", html_text(title), what.html());
  html += fmt::format("<p class=\"meta\">windrow {}.</p>\n", html_text(facts.all().text("version")));
  const std::string missing = facts.run(0).text("not_counted");
  if (!missing.empty())
    html += fmt::format(
        "<p class=\"meta\">Missing in all figures: {}. What they write, use and compact comes on top.</p>\n",
        html_text(missing));
  else if (!sizes_known)
    html +=
        "<p class=\"meta\">Disk figures are upper bounds (values that do not compress take a little more): not every "
        "table's compression ratio was measured.</p>\n";
  return html + "</header>\n";
}

std::string verdict(const ComparedFacts& facts) {
  return fmt::format("<section id=\"verdict\">\n<h2>Verdict</h2>\n<p class=\"what\">{}</p>\n</section>\n",
                     comparison_verdict(facts).html());
}

/// A line of headings: what the runs of each column differ in.
std::string heading(const ComparedFacts& facts, const std::string& name, const std::string& key) {
  std::string row = fmt::format("<tr><th>{}</th>", html_text(name));
  for (const std::size_t run : facts.columns()) {
    const Facts one = facts.run(run);
    const std::string value = key.empty()           ? one.text("scenario")
                              : facts.baseline(run) ? "none"
                                                    : one.below("choices").text(key);
    row += fmt::format("<th class=\"number\"><span>{}</span></th>", html_text(value));
  }
  return row + "<th class=\"number\">least</th></tr>\n";
}

std::string headings(const ComparedFacts& facts, const std::vector<std::string>& keys) {
  std::string html;
  bool several = keys.empty();
  for (const std::size_t run : facts.columns())
    several = several || facts.run(run).text("scenario") != facts.run(0).text("scenario");
  if (several) html += heading(facts, "scenario", {});
  const std::vector<std::string> names = short_keys(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) html += heading(facts, names[i], keys[i]);
  return html;
}

std::string measure_row(const ComparedFacts& facts, const Facts& measure) {
  std::string row = fmt::format("<tr><td>{}</td>", html_text(measure.text("label")));
  const double unit = measure.number("shown_in");
  const auto shown = [&](const Fact& fact) {
    if (!fact.known()) return std::string("\xe2\x80\x93");
    if (measure.text("kind") == "verdict" && fact.number() == 0) return std::string("none");
    return Sentence().count_of(unit, fact).html();
  };
  for (const std::size_t run : facts.columns()) {
    const Facts value = measure.below("values").below(run);
    const bool broken = value.text("broken") == "true";
    const bool best = value.text("best") == "true";
    row += fmt::format("<td class=\"number{}\">{}{}</td>",
                       broken ? " broken"
                       : best ? " best"
                              : "",
                       shown(value.of("value")),
                       broken ? "!"
                       : best ? "*"
                              : "");
  }
  const Fact least = measure.of("least");
  return row + fmt::format("<td class=\"number quiet\">{}</td></tr>\n", least.known() ? shown(least) : std::string());
}

/// Several keys make a grid: the last one's values beside each other, as far as they can be read.
std::size_t panels_across(const ComparedFacts& facts, const std::vector<std::string>& keys) {
  constexpr std::size_t usual = 3;
  constexpr std::size_t most = 5;
  if (keys.size() < 2) return usual;
  std::set<std::string> values;
  for (const std::size_t run : facts.choices()) values.insert(facts.run(run).below("choices").text(keys.back()));
  return values.size() <= most ? values.size() : usual;
}

std::string table_of_choices(const ComparedFacts& facts, const std::vector<std::string>& keys) {
  std::string html = "<section id=\"choices\">\n<h2>The choices side by side</h2>\n";
  if (facts.left_out()) {
    html +=
        "<p class=\"quiet\">Of all choices this page shows those that break the fewest limits and then need the least "
        "disk; compare.csv beside it has every one.</p>\n";
  }
  html += "<div class=\"wide choices\"><table>\n" + headings(facts, keys);
  for (std::size_t i = 0; i < facts.groups(); ++i) {
    const Facts group = facts.group(i);
    const Facts measures = group.below("measures");
    if (measures.size() == 0) continue;
    html += fmt::format("<tr class=\"group\"><th colspan=\"{}\">{}</th></tr>\n", facts.columns().size() + 2,
                        html_text(group.text("title")));
    for (std::size_t m = 0; m < measures.size(); ++m) html += measure_row(facts, measures.below(m));
  }
  return html +
         "</table></div>\n<p class=\"quiet\">* best of its line; ! beyond its limit; none: the same writes, and "
         "nothing is ever compacted; least: what any choice needs for the rows that can be read, each written "
         "once.</p>\n</section>\n";
}

}  // namespace

const std::vector<std::string>& comparison_page_sources() {
  static const std::vector<std::string> names = {comparison_json_name, comparison_timeline_name};
  return names;
}

std::string comparison_page(const ResultTexts& texts) {
  for (const std::string& name : comparison_page_sources()) {
    if (!texts.contains(name)) throw PageError(fmt::format("there is no {}: compare again", name));
  }
  const std::string& text = texts.at(comparison_json_name).text();
  json comparison;
  std::vector<std::string> keys;
  try {
    comparison = json::parse(text);
    keys = varied_keys(text);
  } catch (const json::exception& error) {
    throw PageError(fmt::format("{} is damaged: {}", comparison_json_name, error.what()));
  }
  const ComparedFacts facts(comparison);
  std::string body = head(facts, keys) + verdict(facts) + table_of_choices(facts, keys);
  json data{{"tables", json::array()}, {"charts", json::array()}};
  for (std::size_t group = 1; group < facts.groups(); ++group) {
    const std::size_t number = group - 1;
    TableCharts charts =
        comparison_charts(facts, group, texts.at(comparison_timeline_name), panels_across(facts, keys));
    body += charts_section(facts.group(group).text("title"), number, charts.charts);
    add_charts(data, number, std::move(charts));
  }
  return whole_page("windrow: comparison", body + left_out_section(), data);
}

}  // namespace windrow
