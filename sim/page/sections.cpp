#include "sim/page/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/limits/limits.h"
#include "sim/page/findings.h"
#include "sim/page/html.h"
#include "sim/page/sentence.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

std::string cell(const Sentence& sentence) { return fmt::format("<td class=\"number\">{}</td>", sentence.html()); }
std::string text_cell(std::string_view text) { return fmt::format("<td>{}</td>", html_text(text)); }

/// In the order of Term: its class in the page, and its words.
struct TermWords {
  std::string_view name{};
  std::string words{};
};
TermWords term_words(Term term) {
  const std::array all = {TermWords{"immediate", fmt::format("Immediate: within {} days", immediate_days)},
                          TermWords{"near", fmt::format("Near term: within {} days", near_days)},
                          TermWords{"later", "Long term"}};
  return all[static_cast<std::size_t>(term)];
}

/// "since about", "by", or nothing where a breach is said from when to when: how well that is known.
std::string_view breach_begins(const Facts& limit, bool over) {
  const Limit* known = find_limit(limit.text("name"));
  switch (known == nullptr ? Limit::When::exactly : known->when) {
    case Limit::When::by:
      return "by ";
    case Limit::When::about:
      return over ? "about " : "since about ";
    case Limit::When::exactly:
      break;
  }
  return over ? "" : "since ";
}

Sentence breach_words(const Facts& limit) {
  const bool over = limit.of("held_again").known();
  Sentence words;
  const std::string_view begins = breach_begins(limit, over);
  words.say("broken ").say(begins);
  words.say("{first_breach}", limit);
  if (over) words.say(begins == "by " ? " until {held_again:day}" : " to {held_again:day}", limit);
  if (limit.of("broken_share").known()) {
    if (limit.number("broken_share") == 0) {
      words.say(over ? ", for a moment" : ", as the run ends");
    } else {
      words.say(", {broken_share} of the time", limit);
    }
  }
  if (limit.of("worst").known()) words.say(", worst on {worst:day}", limit);
  return words;
}

std::string limit_row(const Facts& summary, const Facts& limit) {
  const std::string unit = limit.text("unit");
  const std::string table = limit.text("table");
  const std::string where = table.empty() ? fmt::format("node {}", limit.text("node")) : table;
  std::string row = "<tr>" + text_cell(limit.text("name")) + text_cell(where);
  if (!limit.of("holds").known()) {
    return row + fmt::format(
                     "<td class=\"number\">–</td>{}<td class=\"number\">–</td><td class=\"state unmeasured\">not "
                     "measured by this run</td>{}</tr>\n",
                     cell(Sentence().in_unit(unit, limit.of("bound"))), text_cell(knob_of(summary, limit).knob));
  }
  const bool holds = limit.text("holds") == "true";
  row += cell(Sentence().in_unit_beside(unit, limit.of("value"), limit.of("bound")));
  row += cell(Sentence().in_unit_beside(unit, limit.of("bound"), limit.of("value")));
  row += cell(Sentence().share(limit.of("margin_share")));
  const bool rises = limit.text("rises") == "true";
  row += holds ? fmt::format("<td class=\"state holds\">holds{}</td>", rises ? " until the end, and still rises" : "")
               : fmt::format("<td class=\"state broken\">{}</td>", breach_words(limit).html());
  return row + text_cell(knob_of(summary, limit).knob) + "</tr>\n";
}

/// Which limits are broken, by the date of their first breach; or that none is.
std::string broken_sentence(const Facts& limits) {
  std::vector<std::pair<std::string, std::size_t>> broken;
  bool measured = false;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    measured = measured || limits.below(i).of("holds").known();
    if (const Fact breach = limits.below(i).of("first_breach"); breach.known()) broken.emplace_back(breach.text(), i);
  }
  if (!measured) return {};
  if (broken.empty()) return "<p class=\"what holds\">Every limit that this run measures holds.</p>\n";
  std::ranges::sort(broken);
  Sentence sentence;
  sentence.say("Broken: ");
  for (std::size_t n = 0; n < broken.size(); ++n) {
    const Facts limit = limits.below(broken[n].second);
    sentence.say(n == 0 ? "" : ", ");
    sentence.say(limit.of("table").known() ? "{name:name} of {table:name}" : "{name:name}", limit);
    const bool over = limit.of("held_again").known();
    const std::string_view begins = breach_begins(limit, over);
    sentence.say(begins.empty() ? " from " : " ").say(begins);
    sentence.say(over ? "{first_breach} to {held_again:day}" : "{first_breach}", limit);
  }
  return fmt::format("<p class=\"what broken\">{}.</p>\n", sentence.html());
}

void say_times(Sentence& sentence, std::string_view factor, const Facts& summary) {
  if (summary.number(factor) == 1)
    sentence.say("the rates as they are");
  else
    sentence.say(fmt::format("{{{}}} times all rates", factor), summary);
}

/// As the terminal says it.
Sentence growth_sentence(const Facts& summary) {
  Sentence growth;
  const bool noted = summary.of("growth_note").known();
  const bool breaks = summary.of("growth_factor_breaks").known();
  if (summary.of("growth_factor_safe").known()) {
    growth.say("Every limit holds ").say(breaks || !noted ? "up to " : "at ");
    say_times(growth, "growth_factor_safe", summary);
    growth.say(breaks || !noted ? "" : " at least");
    if (breaks) growth.say("; at {growth_factor_breaks} times {growth_stops_at:name} breaks first", summary);
  } else if (breaks) {
    growth.say("{growth_stops_at:name} breaks at ", summary);
    say_times(growth, "growth_factor_breaks", summary);
  } else if (noted) {
    return growth.say("Safe growth: {growth_note:name}", summary);
  }
  if (noted) growth.say(" ({growth_note:name})", summary);
  return growth;
}

std::string finding_item(const RunFinding& finding) {
  const TermWords term = term_words(finding.term);
  std::string html = fmt::format("<li class=\"{}\"><p class=\"term\">{}, {}</p><p class=\"what\">{}</p>", term.name,
                                 term.words, Sentence().day(finding.since).html(), finding.what.html());
  const std::string cause = finding.cause.html();
  if (!cause.empty()) html += fmt::format("<p class=\"cause\">{}</p>", cause);
  html += fmt::format("<p>{}</p>", html_text(finding.why));
  if (finding.tried.empty()) return html + fmt::format("<p class=\"moved\">{}</p></li>\n", html_text(finding.moved_by));
  html += "<ul class=\"tried\">";
  for (const Sentence& fix : finding.tried) html += fmt::format("<li>{}</li>", fix.html());
  return html + "</ul></li>\n";
}

}  // namespace

std::string head_section(const Facts& summary, const std::vector<std::string>& tables) {
  const std::string title = summary.text("title").empty() ? summary.text("scenario") : summary.text("title");
  Sentence sentence;
  const Facts understood = summary.below("understood");
  sentence.say(understood.number("rows_per_s") == 1
                   ? "{rows_per_s:count} row a second of {bytes_per_row:count} bytes goes to "
                   : "{rows_per_s:count} rows a second of {bytes_per_row:count} bytes go to ",
               understood);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    sentence.say(i == 0 ? "" : i + 1 == tables.size() ? " and " : ", ").say(tables[i]);
    sentence.say(" ({strategy:name})", summary.below("tables").below(tables[i]));
  }
  const std::string fullest = tables.empty() ? "" : fullest_node_name(summary.below("tables").below(tables.front()));
  if (!fullest.empty()) {
    sentence.say(" on node ").say(fullest).say(", the fullest");
  } else {
    sentence.say(summary.has("placement") ? " on a node with the mean share" : " on one node");
  }
  sentence.say(", from {start:day} to {end:day}.", summary);
  std::string html = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n", html_text(title), sentence.html());
  html += fmt::format("<p class=\"meta\">Scenario {}, hash {}, windrow {}.</p>\n", html_text(summary.text("scenario")),
                      html_text(summary.text("scenario_hash")), html_text(summary.text("version")));
  std::string guessed;
  for (const std::string& table : tables) {
    const std::string missing = summary.below("tables").below(table).text("not_counted");
    if (!missing.empty())
      html += fmt::format(
          "<p class=\"meta\">Missing in all figures of {}: {}. What they write, use and compact comes on top.</p>\n",
          html_text(table), html_text(missing));
    else if (summary.below("tables").below(table).text("disk_sizes_known") != "true")
      guessed += (guessed.empty() ? "" : ", ") + table;
  }
  if (!guessed.empty()) {
    html += fmt::format(
        "<p class=\"meta\">Disk figures are upper bounds (values that do not compress take a little more): no "
        "compression ratio was measured for {}.</p>\n",
        html_text(guessed));
  }
  std::string without_filters;
  for (const std::string& table : tables)
    if (summary.below("tables").below(table).text("filters_left_out") == "true")
      without_filters += (without_filters.empty() ? "" : ", ") + table;
  if (!without_filters.empty())
    html += fmt::format(
        "<p class=\"meta\">False positives of bloom filters are left out of {} (more rows than six times "
        "run.exact_partitions, or tokens spread evenly): a few rows are purged there that a node would keep until a "
        "later compaction.</p>\n",
        html_text(without_filters));
  return html + "</header>\n";
}

std::string understood_section(const Facts& summary, const std::vector<std::string>& tables) {
  using Column = std::pair<const char*, const char*>;
  static constexpr std::array columns = {
      Column{"rows/s", "{rows_per_s:count}"},        Column{"bytes/row", "{bytes_per_row:count}"},
      Column{"bytes/s", "{bytes_per_s_node}"},       Column{"rows/partition, median", "{rows_per_partition/p50}"},
      Column{"largest", "{rows_per_partition/max}"}, Column{"partitions/day", "{partitions_per_day}"},
      Column{"flushes/day", "{flushes_per_day}"}};
  std::string html =
      "<section id=\"understood\">\n<h2>What was understood</h2>\n<div class=\"wide\"><table>\n<tr><th>table</th>";
  for (const auto& [heading, fact] : columns) html += fmt::format("<th class=\"number\">{}</th>", heading);
  html += "</tr>\n";
  for (const std::string& table : tables) {
    html += "<tr>" + text_cell(table);
    for (const auto& [heading, fact] : columns)
      html += cell(Sentence().say(fact, summary.below("tables").below(table).below("understood")));
    html += "</tr>\n";
  }
  return html + "</table></div>\n</section>\n";
}

std::string verdict_section(const Facts& summary) {
  std::string html = "<section id=\"verdict\">\n<h2>Verdict</h2>\n";
  const Facts limits = summary.below("limits");
  html += broken_sentence(limits);
  if (limits.size() == 0) {
    html += "<p>The scenario sets no limits: [limits] in the scenario file holds a run to them.</p>\n";
  } else {
    html +=
        "<div class=\"wide\"><table>\n<tr><th>limit</th><th>of</th><th class=\"number\">value</th><th "
        "class=\"number\">bound</th><th "
        "class=\"number\">margin</th><th>state</th><th>what moves it</th></tr>\n";
    for (std::size_t i = 0; i < limits.size(); ++i) html += limit_row(summary, limits.below(i));
    html += "</table></div>\n";
  }
  if (const Sentence growth = growth_sentence(summary); !growth.text().empty())
    html += fmt::format("<p>{}.</p>\n", growth.html());
  return html + "</section>\n";
}

std::string findings_section(const Facts& summary, const std::vector<std::string>& tables) {
  std::string html = "<section id=\"findings\">\n<h2>Findings</h2>\n";
  const std::vector<RunFinding> found = findings(summary, tables);
  if (found.empty()) return html + "<p>Nothing in this run asks for a change.</p>\n</section>\n";
  html += "<ol class=\"findings\">\n";
  for (const RunFinding& finding : found) html += finding_item(finding);
  return html + "</ol>\n</section>\n";
}

std::string chart_place(std::size_t table, const Chart& chart) { return fmt::format("t{}-{}", table + 1, chart.name); }

namespace {

std::string figures(std::size_t number, const std::vector<Chart>& charts) {
  std::string html;
  for (const Chart& chart : charts) {
    html += fmt::format(
        "<figure>\n<h3>{} <span class=\"quiet\">{}</span></h3>\n<figcaption>{}</figcaption>\n<div class=\"chart\" "
        "id=\"{}\"></div>\n</figure>\n",
        html_text(chart.title), html_text(chart.question), chart.caption.html(), chart_place(number, chart));
  }
  return html;
}

}  // namespace

std::string charts_section(const std::string& table, std::size_t number, const std::vector<Chart>& charts) {
  std::string html = fmt::format("<section id=\"table-{}\">\n<h2>{}</h2>\n", number + 1, html_text(table));
  html +=
      "<p class=\"quiet\">Where a CSV file beside this page has more rows than a chart can show, the chart has the "
      "highest of neighbouring rows, the largest SSTables, or sums.</p>\n";
  return html + figures(number, charts) + "</section>\n";
}

std::string node_section(std::size_t number, const std::vector<Chart>& charts) {
  if (charts.empty()) return {};
  const bool several = std::ranges::any_of(charts, [](const Chart& chart) { return chart.name == "node-load"; });
  return fmt::format("<section id=\"node\">\n<h2>{}</h2>\n{}</section>\n", several ? "The nodes" : "The node",
                     figures(number, charts));
}

void add_charts(nlohmann::json& data, std::size_t table, TableCharts charts) {
  for (Chart& chart : charts.charts) {
    data["charts"].push_back({{"id", chart.name},
                              {"place", chart_place(table, chart)},
                              {"table", table},
                              {"files", chart.files},
                              {"spec", std::move(chart.spec)}});
  }
  data["tables"].push_back(std::move(charts.files));
}

std::string incidents_section(const Facts& summary) {
  constexpr std::size_t shown = 12;
  const Facts incidents = summary.below("incidents");
  if (incidents.size() == 0) return {};
  std::string html = "<section id=\"incidents\">\n<h2>What happened on the way</h2>\n<ul>\n";
  for (std::size_t i = 0; i < std::min(shown, incidents.size()); ++i) {
    html += fmt::format("<li>{}: {}</li>\n", html_text(incidents.below(i).text("at")),
                        html_text(incidents.below(i).text("what")));
  }
  html += "</ul>\n";
  if (incidents.size() > shown) html += "<p class=\"quiet\">The rest is in summary.json.</p>\n";
  return html + "</section>\n";
}

std::string scenario_section(const std::string& scenario_ini) {
  return fmt::format(
      "<section id=\"scenario\">\n<h2>The scenario, with all defaults</h2>\n<details "
      "class=\"source\"><summary>scenario.ini: this "
      "file and inputs/ beside it repeat the run</summary>\n<pre>{}</pre></details>\n</section>\n",
      html_lines(scenario_ini));
}

std::string left_out_section() {
  return "<section id=\"left-out\">\n<h2>What the model leaves out</h2>\n<ul>\n"
         "<li>The latency of queries, the network, the heap and its garbage collection: the model is about what lies "
         "on "
         "disk, and why.</li>\n"
         "<li>Read repair by reads that the scenario does not state; stated ones above ONE repair where there are "
         "outages "
         "or repairs. Without either all data is unrepaired, and nothing streams between nodes.</li>\n"
         "<li>On disk, what repairs stream although the node has it: partitions that share a leaf with one that "
         "differs "
         "are counted in repairs.csv, and not written.</li>\n"
         "<li>Nodes that differ are run each by itself, and the charts of tables show the fullest; a node that is like "
         "others stands for them. With outages or repairs all nodes are run together, and the charts show one that is "
         "never away, if there is one.</li>\n"
         "<li>Flushes, anticompactions and streams take no time, a compaction the time its throttle gives it: the disk "
         "itself is never slow. A repair takes the time that the scenario gives it.</li>\n"
         "<li>Compression is one ratio per table; without a measured one, disk figures are upper bounds.</li>\n"
         "<li>False positives of bloom filters are followed in tables of at most six times run.exact_partitions rows; "
         "in larger "
         "ones some rows are purged that a node would keep until a later compaction.</li>\n"
         "<li>Overwrites of keys drawn at random are expectations: no lots are drawn.</li>\n"
         "</ul>\n</section>\n";
}

}  // namespace windrow
