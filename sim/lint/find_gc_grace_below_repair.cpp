#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find(const LintTable& table, const LintSubject& subject, Report& report) {
  if (subject.scenario == nullptr || table.index < 0 || is_written_once(table)) return;
  for (const RepairSpec& repair : subject.scenario->scenario.repairs) {
    if (std::ranges::find(repair.tables, table.index) == repair.tables.end() && !repair.tables.empty()) continue;
    const Seconds needed_s = (repair.every_us + repair.takes_us) / us_per_s;
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
    .what = "gc_grace is shorter than the repair interval and its duration",
    .why =
        "A replica that missed a delete gets it from repair. If the others have purged the tombstone by then, the "
        "deleted row comes back to all.",
    .fix = "Repair at least every gc_grace_seconds less the time that repair takes; or a longer gc_grace_seconds.",
    .seen =
        "`every` + `takes` of a [repair.NAME] is longer than gc_grace_seconds of a table it repairs, and not every row "
        "is "
        "written once with a TTL: what only expires does so on every replica.",
    .find = find};

}  // namespace windrow
