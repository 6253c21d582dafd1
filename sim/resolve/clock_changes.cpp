#include "sim/resolve/clock_changes.h"

#include <memory>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/words/csv.h"
#include "sim/words/scenario_error.h"

namespace windrow {

WallClock clock_of(const Setting<Zone>& zone, Micros until_us, InputFiles& files) {
  if (zone->name.empty()) return WallClock(zone->offset_s);
  const std::shared_ptr<const SourceText> source = files.find(zone->name);
  if (!source)
    refuse(zone, "is neither a zone of the tz database nor a file beside the scenario",
           "UTC, an offset such as +02:00, a zone such as Europe/Berlin, or a CSV file of a clock's changes");
  const CsvTable table = read_csv(source, {"from", "offset"}, 2);
  std::vector<WallClock::Change> changes;
  for (const CsvTable::Row& row : table.rows) {
    const Micros from_us = read_moment_cell(table, row, 0, "from", 0);
    if (from_us >= until_us && !changes.empty()) break;
    const Seconds from_s = from_us / us_per_s;
    if (!changes.empty() && from_s <= changes.back().from_s) {
      throw ScenarioError({.place = table.place(row),
                           .key = "from",
                           .value = row.cells[0],
                           .problem = "is not after the line before",
                           .accepted = "changes of the clock in ascending order"});
    }
    changes.push_back({.from_s = from_s, .offset_s = read_offset_cell(table, row, 1, "offset")});
  }
  if (changes.empty()) refuse(zone, "names a file without lines", "a line for each change of the clock: from, offset");
  return WallClock(std::move(changes));
}

}  // namespace windrow
