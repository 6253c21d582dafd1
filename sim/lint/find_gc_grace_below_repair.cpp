#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

bool repairs(const RepairSpec& repair, const LintTable& table) {
  return repair.tables.empty() || std::ranges::find(repair.tables, table.index) != repair.tables.end();
}

/// From the beginning of a repair to the next one's, at the longest: those that `skip` leaves out are waited for.
Micros longest_interval_us(const RepairSpec& repair) {
  const auto begun_before = [&](Micros at_us) {
    return at_us <= repair.from_us ? 0 : (at_us - repair.from_us - 1) / repair.every_us + 1;
  };
  const std::int64_t skipped = begun_before(repair.skip_to_us) - begun_before(repair.skip_from_us);
  return repair.every_us * (std::max<std::int64_t>(0, skipped) + 1);
}

/// From the beginning of a range's repair to its end: nodes that take turns share the time, and so do subranges.
Micros length_of_a_range_us(const RepairSpec& repair, const Scenario& scenario) {
  std::int64_t nodes = 0;
  for (const DataCenter& center : scenario.data_centers) nodes += center.nodes;
  const std::int64_t turns = repair.order == RepairSpec::Order::node_after_node ? std::max<std::int64_t>(1, nodes) : 1;
  return repair.takes_us / (turns * repair.subranges);
}

/// An outage that hints do not cover, of a table that nothing repairs.
void find_unrepaired(const LintTable& table, const LintSubject& subject, Report& report) {
  const Scenario& scenario = subject.scenario->scenario;
  if (std::ranges::any_of(scenario.repairs, [&](const RepairSpec& repair) { return repairs(repair, table); })) return;
  const Micros hinted_us = scenario.node.hinted_handoff ? scenario.node.max_hint_window_us : 0;
  const auto longest = std::ranges::max_element(scenario.outages, {}, &OutageSpec::length_us);
  if (longest == scenario.outages.end() || longest->length_us <= hinted_us) return;
  const auto& sections = subject.scenario->text.outages;
  const auto section = std::ranges::find(sections, longest->name, &Named<OutageSection>::name);
  report.add(
      section == sections.end() ? subject.places.table(*table.schema) : section->place,
      fmt::format("a node is away for {}, hints are kept for {}, and no [repair.NAME] brings it the deletes of {} "
                  "that it missed",
                  span_text(longest->length_us / us_per_s), span_text(hinted_us / us_per_s), table.schema->name));
}

void find_gc_grace_below_repair(const LintTable& table, const LintSubject& subject, Report& report) {
  if (subject.scenario == nullptr || table.index < 0 || is_written_once(table)) return;
  find_unrepaired(table, subject, report);
  for (const RepairSpec& repair : subject.scenario->scenario.repairs) {
    if (!repairs(repair, table)) continue;
    const Seconds needed_s =
        (longest_interval_us(repair) + length_of_a_range_us(repair, subject.scenario->scenario)) / us_per_s;
    if (needed_s <= table.options().gc_grace_seconds) continue;
    const auto& sections = subject.scenario->text.repairs;
    const auto section = std::ranges::find(sections, repair.name, &Named<RepairSection>::name);
    const Place place =
        section == sections.end() ? subject.places.table(*table.schema) : section->section.setting("every").place();
    report.add(place,
               fmt::format("two repairs of {} end up to {} apart, and its gc_grace is {}: a tombstone may go before "
                           "every replica has it",
                           table.schema->name, span_text(needed_s), span_text(table.options().gc_grace_seconds)));
  }
}

}  // namespace

const LintRule gc_grace_below_repair{
    .id = "gc-grace-below-repair",
    .severity = Severity::error,
    .what = "gc_grace is shorter than the repair interval and its duration, or nothing repairs after an outage",
    .why =
        "A replica that missed a delete gets it from repair. If the others have purged the tombstone by then, the "
        "deleted row comes back to all.",
    .fix = "Repair at least every gc_grace_seconds less the time that repair takes; or a longer gc_grace_seconds.",
    .seen =
        "`every` + `takes` of a [repair.NAME] (with those that `skip` leaves out; of `takes` the part of one session, "
        "where nodes or subranges take turns) is longer than gc_grace_seconds of a table it repairs, or an "
        "[outage.NAME] is longer than max_hint_window and nothing repairs the table; and not "
        "every row is written once with a TTL: what only expires does so on every replica.",
    .find = find_gc_grace_below_repair};

}  // namespace windrow
