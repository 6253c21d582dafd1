#include "sim/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sim/limits/limits.h"
#include "sim/results/live_growth.h"
#include "sim/results/understood.h"
#include "sim/text/aligned.h"
#include "sim/text/text.h"
#include "sim/text/unit.h"
#include "sim/verdict/advice_text.h"
#include "sim/verdict/fault_verdict.h"
#include "sim/verdict/month_verdict.h"
#include "sim/verdict/node_verdict.h"
#include "sim/verdict/read_verdict.h"
#include "sim/verdict/table_verdict.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

AlignedText::Cell painted(std::string text, const char* escape, const VerdictStyle& style) {
  if (!style.color) return {.text = std::move(text)};
  return {.text = std::move(text), .before = fmt::format("\x1b[{}m", escape), .after = "\x1b[0m"};
}

std::string heading(std::string_view text, const VerdictStyle& style) {
  return style.color ? fmt::format("\x1b[1m{}\x1b[0m\n", text) : fmt::format("{}\n", text);
}

/// What disk figures are worth.
std::string about_disk_figures(const RunRecord& record) {
  std::string text;
  std::string guessed;
  for (const std::span<const TableRecord> family : table_families(record)) {
    const TableRecord& table = family.front();
    const std::string name = printable(family_name(family));
    if (!table.not_counted.empty())
      text += fmt::format("Missing in all figures of {}: {}. What they write, use and compact comes on top.\n", name,
                          printable(table.not_counted));
    if (!table.disk_sizes_known && table.not_counted.empty()) guessed += (guessed.empty() ? "" : ", ") + name;
  }
  if (guessed.empty()) return text;
  // What LZ4 makes of such values is up to 1 % larger, as recorded (ucs-505 of tests/oracle-random: 0.4 %).
  return text + fmt::format(
                    "Disk figures are upper bounds (values that do not compress take a little more): no compression "
                    "ratio was measured for {}.\n",
                    guessed);
}

std::string about_filters(const RunRecord& record) {
  std::string names;
  for (const std::span<const TableRecord> family : table_families(record))
    if (std::ranges::any_of(family, &TableRecord::filters_left_out))
      names += (names.empty() ? "" : ", ") + printable(family_name(family));
  if (names.empty()) return "";
  return fmt::format(
      "False positives of bloom filters are left out of {} (more rows than six times run.exact_partitions, or tokens "
      "spread evenly): a few rows are purged there that a node would keep until a later compaction.\n",
      names);
}

std::string understood_text(const RunRecord& record, const VerdictStyle& style) {
  AlignedText lines({Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
  lines.add_texts(
      {"", "rows/s", "bytes/row", "bytes/s a node", "rows/partition (median, max)", "partitions/day", "flushes/day"});
  for (const std::span<const TableRecord> family : table_families(record)) {
    // Of months the one with the most rows: the first and last may be parts.
    const TableRecord& table = *std::ranges::max_element(family, {}, &TableRecord::flushed_rows);
    const Understood what = understood(table);
    lines.add_texts({printable(table.name), human_count(what.rows_per_s), human_count(what.bytes_per_row),
                     human_bytes(what.bytes_per_s_node),
                     fmt::format("{}, {}", human_count(static_cast<double>(what.rows_per_partition_p50)),
                                 human_count(static_cast<double>(what.rows_per_partition_max))),
                     human_count(what.partitions_per_day), human_count(what.flushes_per_day)});
  }
  return heading("What was understood", style) + lines.text(2);
}

/// Of the months of a table the one that is worst off.
std::vector<LimitOutcome> limits_to_show(const RunRecord& record) {
  const auto family_of = [&](const LimitOutcome& limit) {
    const auto table = std::ranges::find(record.tables, limit.table, &TableRecord::name);
    return table == record.tables.end() || table->family.empty() ? std::string() : table->family;
  };
  std::vector<LimitOutcome> shown;
  std::vector<std::string> families;
  for (const LimitOutcome& limit : record.limits) {
    const std::string family = family_of(limit);
    const auto same = [&](std::size_t i) { return families[i] == family && shown[i].name == limit.name; };
    std::size_t place = 0;
    while (place < shown.size() && (family.empty() || !same(place))) ++place;
    if (place == shown.size()) {
      shown.push_back(limit);
      families.push_back(family);
    } else if (limit.margin_share() < shown[place].margin_share()) {
      shown[place] = limit;
    }
  }
  return shown;
}

/// From when to when, and how it ended: the value beside it is the worst.
std::string breach_text(const Scenario& scenario, const LimitOutcome& limit) {
  const std::string from = iso_time(*limit.first_breach_us);
  const Limit* known = find_limit(limit.name);
  const Limit::When when = known == nullptr ? Limit::When::exactly : known->when;
  std::string text = "BROKEN ";
  if (when != Limit::When::by && !limit.held_again_us) text += "since ";
  if (when != Limit::When::exactly) text += when == Limit::When::by ? "by " : "about ";
  text += from;
  if (limit.held_again_us) text += (when == Limit::When::by ? " until " : " to ") + iso_time(*limit.held_again_us);
  const Micros length_us = scenario.end_us - scenario.start_us;
  if (limit.broken_for_us == 0) {
    text += limit.held_again_us ? ", for a moment" : ", as the run ends";
  } else if (limit.broken_for_us && length_us > 0) {
    text += fmt::format(", {} of the time",
                        human_share(static_cast<double>(*limit.broken_for_us) / static_cast<double>(length_us)));
  }
  if (limit.worst_us && iso_day(*limit.worst_us) != from.substr(0, 10))
    text += ", worst on " + iso_day(*limit.worst_us);
  const std::string end = limit.end_value ? in_unit_beside(limit.unit(), *limit.end_value, limit.bound) : std::string();
  if (!end.empty() && end != in_unit_beside(limit.unit(), limit.value, limit.bound))
    text += fmt::format(", {} at the end", end);
  return text;
}

std::string limits_text(const RunRecord& record, const VerdictStyle& style) {
  if (record.limits.empty()) return {};
  AlignedText lines({Side::left, Side::left, Side::right, Side::left, Side::left});
  for (const LimitOutcome& limit : limits_to_show(record)) {
    const std::string bound = "of " + (limit.measured ? in_unit_beside(limit.unit(), limit.bound, limit.value)
                                                      : in_unit(limit.unit(), limit.bound));
    std::string where = limit.table.empty() ? "node" : printable(limit.table);
    if (limit.node > 0)
      where += limit.table.empty() ? fmt::format(" {}", limit.node) : fmt::format(", node {}", limit.node);
    if (!limit.measured) {
      lines.add_row({{.text = limit.name},
                     {.text = where},
                     {.text = "-"},
                     {.text = bound},
                     painted("not measured by this run", "33", style)});
      continue;
    }
    const std::string held = fmt::format("holds, {} to spare{}", human_share(limit.margin_share()),
                                         limit.rises ? " at the end, and still rises" : "");
    const AlignedText::Cell state =
        limit.holds() ? painted(held, "32", style) : painted(breach_text(*record.scenario, limit), "31", style);
    lines.add_row({{.text = limit.name},
                   {.text = where},
                   {.text = in_unit_beside(limit.unit(), limit.value, limit.bound)},
                   {.text = bound},
                   state});
  }
  return "\n" + heading("Limits", style) + lines.text(2);
}

std::string growth_text(const SafeGrowth& growth) {
  const auto times = [](double factor) {
    return factor == 1 ? "the rates as they are" : fmt::format("{} times all rates", human_count(factor));
  };
  const std::string note = growth.note.empty() ? "" : fmt::format(" ({})", printable(growth.note));
  if (!growth.factor && !growth.breaks_at)
    return note.empty() ? "" : fmt::format("\nSafe growth: {}\n", printable(growth.note));
  const std::string stops_at = printable(growth.stops_at);
  if (!growth.factor) {
    const char* how = note.empty() ? "even at" : "at";
    return fmt::format("\nSafe growth: {} breaks {} {}{}\n", stops_at, how, times(*growth.breaks_at), note);
  }
  const bool at_least = !growth.breaks_at && !growth.note.empty();
  std::string text = fmt::format("\nSafe growth: every limit holds {} {}{}", at_least ? "at" : "up to",
                                 times(*growth.factor), at_least ? " at least" : "");
  if (growth.breaks_at) text += fmt::format("; at {} {} breaks first", human_count(*growth.breaks_at), stops_at);
  if (!growth.breaks_at && growth.note.empty()) text += ", the most that is tried";
  return text + note + "\n";
}

std::string incidents_text(const RunRecord& record, const VerdictStyle& style) {
  constexpr std::size_t shown = 5;
  if (record.incidents.empty()) return {};
  std::string text = "\n" + heading("Incidents", style);
  for (std::size_t i = 0; i < std::min(shown, record.incidents.size()); ++i) {
    text += fmt::format("  {}  {}\n", iso_time(record.incidents[i].at_us), printable(record.incidents[i].what));
  }
  if (record.incidents.size() > shown)
    text += fmt::format("  and {} more, see summary.json\n", record.incidents.size() - shown);
  return text;
}

}  // namespace

std::string verdict(const RunRecord& record, const VerdictStyle& style) {
  const Scenario& scenario = *record.scenario;
  std::string text = about_disk_figures(record) + about_filters(record);
  text += heading(fmt::format("{}, {} to {}", printable(scenario.title.empty() ? scenario.name : scenario.title),
                              iso_day(scenario.start_us), iso_day(scenario.end_us)),
                  style);
  text += understood_text(record, style);
  if (record.load) text += "\n" + heading("Nodes", style) + nodes_verdict(record);
  if (record.faults) text += "\n" + heading("Deletes, outages, repairs", style) + faults_verdict(record);
  if (!record.reads.empty()) text += "\n" + heading("Reads", style) + reads_verdict(record);
  text += limits_text(record, style);
  text += growth_text(record.growth);
  if (!record.advice.empty())
    text += "\n" + heading("Why, and what was tried (each fix was run by itself)", style) + advice_text(record.advice);
  for (const std::span<const TableRecord> family : table_families(record)) {
    const std::string_view strategy = family.back().strategy;
    const char* months = family.front().family.empty() ? "" : "a table per month, ";
    text += "\n" + heading(fmt::format("{}  {}{}", printable(family_name(family)), months, strategy), style);
    text += family.front().family.empty() ? table_verdict(family.front(), live_growth(record, family.front()), style)
                                          : months_verdict(family, style);
  }
  if (scenario.node.disk_bytes > 0 || record.tables.size() > 1) {
    text += fmt::format("\nDisk of {}: {} at the end, peak {} on {}",
                        record.others.empty() ? "the node" : fmt::format("node {}", record.identity.node),
                        human_bytes(static_cast<double>(record.end_disk_bytes)), human_bytes(record.disk.value),
                        iso_day(record.disk.at_us));
    if (scenario.node.disk_bytes > 0)
      text += fmt::format(", of {}", human_bytes(static_cast<double>(scenario.node.disk_bytes)));
    text += "\n";
  }
  return text + incidents_text(record, style);
}

}  // namespace windrow
