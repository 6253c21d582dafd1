#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cost/expected_cost.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr double worth_a_word_s = 60;

/// One digit, and the unit that people say it in.
std::string about(double seconds) {
  const auto rounded = [](double value) {
    const double power = value < 10 ? 1 : std::pow(10, std::floor(std::log10(value)));
    return std::max(1.0, std::round(value / power) * power);
  };
  const auto said = [&](double value, const char* unit) {
    const double number = rounded(value);
    return fmt::format("{:.0f} {}{}", number, unit, number > 1 ? "s" : "");
  };
  if (seconds < 90 * 60) return said(seconds / 60, "minute");
  if (seconds < 36 * 3600) return said(seconds / 3600, "hour");
  return said(seconds / 86'400, "day");
}

}  // namespace

std::string why_it_takes_long(const Scenario& scenario, const ExpectedCost& cost) {
  const double seconds = cost.steps() * seconds_per_step;
  if (seconds < worth_a_word_s || cost.tables.empty()) return {};
  const auto most =
      std::ranges::max_element(cost.tables, {}, [](const TableCost& each) { return steps_of(each.work); });
  const double share = steps_of(most->work) / cost.steps();
  std::string text = fmt::format("about {} of one processor core", about(seconds));
  text += fmt::format(": {} of table {}{} make {} under {}", number_of(std::round(most->flushes), "flush", "flushes"),
                      scenario.tables[static_cast<std::size_t>(most->table)].name,
                      cost.tables.size() > 1 ? fmt::format(" ({} of it)", human_share(share)) : "",
                      number_of(std::round(most->sstables), "SSTable"), most->strategy);
  constexpr double few = 4;
  if (most->sub_streams > few)
    text += fmt::format(", with {} kinds of rows by lateness, TTL and deletes", human_count(most->sub_streams));
  if (most->rows_one_by_one > 0)
    text += fmt::format(", {} held one by one", number_of(std::round(most->rows_one_by_one), "row is", "rows are"));
  const auto is_most = [&](const Work& part) { return steps_of(part) > steps_of(most->work) / 2; };
  if (is_most({.looked_rows = most->work.looked_rows}))
    text += ", whose rows are looked at one by one: in small SSTables, or where each partition may be purged by itself";
  if (is_most({.parts = most->work.parts}))
    text += ", whose rows are sought bucket by bucket: each SSTable has partitions of many buckets";
  if (is_most({.read_partitions = most->work.read_partitions}))
    text += fmt::format(", where reads look at {}", number_of(std::round(most->work.read_partitions), "partition"));
  if (cost.nodes > 1) text += fmt::format(", on {} nodes that differ", human_count(cost.nodes));
  if (cost.stops > 0) text += fmt::format(", stopped {} for outages and repairs", number_of(cost.stops, "time"));
  return text;
}

}  // namespace windrow
