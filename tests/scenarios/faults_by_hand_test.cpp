#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.h"
#include "sim/cluster/fault_record.h"
#include "sim/resolve/load_scenario.h"
#include "tests/support/xz.h"

// Ten devices with a row a minute each, on three nodes; every row is deleted when it is a day old: ten deletes a
// minute, at :06, :12, … What a node misses in an hour is 600 of them.

namespace windrow {
namespace {

FaultRecord played(const std::string& faults, const std::string& gc_grace_s, std::vector<std::string> more = {}) {
  const std::string text =
      "[run]\nschema = zombie.cql\nstart = 2026-01-01\nlength = 12d\n"
      "[dc.main]\nnodes = 3\nreplication_factor = 3\n"
      "[table.events]\nflush_size = 64KiB\n"
      "[stream.devices]\ntable = events\nentities = pattern(device-%02d, 10)\nrate = 1/min\ncolumn.day = day\n"
      "column.reading = text(20)\n"
      "[stream.erasures]\nlike = devices\nop = delete(row, 1d)\nrate = 1/min\n" +
      faults;
  more.push_back("table.events.gc_grace_seconds=" + gc_grace_s);
  const LoadedScenario loaded = load_scenario("scenarios/by-hand.ini", text, more, [](const std::string& other) {
    return std::optional(test::read_file("scenarios/" + other));
  });
  RunObserver nobody;
  return play_cluster(loaded.scenario, nobody, {});
}

std::string outage(int node, const std::string& from, const std::string& length) {
  return "[outage.of_" + std::to_string(node) + "]\nnode = " + std::to_string(node) + "\nfrom = 2026-01-05T" + from +
         "\nlength = " + length + "\n";
}
std::string repair(const std::string& from, const std::string& takes) {
  return "[repair.r]\nfrom = " + from + "\nevery = 30d\ntakes = " + takes + "\n";
}

const std::vector<std::string> no_hints = {"node.hinted_handoff=false"};

TEST_CASE("a gc_grace shorter than the outage, by hand: no hint outlives it, and a repair comes in time for an hour") {
  // Six hours away; hints of three are kept for the two of gc_grace, so that all are dead. The repair ends at 07:00:
  // what was deleted before 05:00 had been returned by reads, or copied, by then.
  const FaultRecord faults = played(outage(3, "00:00:01", "6h") + repair("2026-01-05T06:30:00", "30min"), "7200");
  CHECK(faults.suspected() == 3'600);
  CHECK(faults.rows(SuspectState::healed) == 601);
  CHECK(faults.resurrected() == 2'999);
}

TEST_CASE("hints that have expired, by hand: a window of one hour leaves the second, which a repair has yet to heal") {
  const FaultRecord faults = played(outage(3, "00:00:01", "2h"), "864000", {"node.max_hint_window=1h"});
  CHECK(faults.suspected() == 600);
  CHECK(faults.rows(SuspectState::stale) == 600);
}

TEST_CASE("a repair just before gc_grace has passed, just after, and in between, by hand") {
  const std::string away = outage(3, "00:00:01", "1h");
  const FaultRecord before = played(away + repair("2026-01-05T22:00:00", "1h"), "86400", no_hints);
  CHECK(before.rows(SuspectState::healed) == 600);
  CHECK(before.resurrected() == 0);
  const std::string late = away + repair("2026-01-06T02:00:00", "1h");
  CHECK(played(late, "86400", no_hints).resurrected() == 600);
  // It ends at 00:30: what was deleted then, to the second, is not older than gc_grace.
  const FaultRecord between = played(away + repair("2026-01-05T23:00:00", "90min"), "86400", no_hints);
  CHECK(between.resurrected() == 299);
  CHECK(between.rows(SuspectState::healed) == 301);
  // No tombstone is purged, or stripped, that no repair has marked.
  std::vector<std::string> spared = no_hints;
  spared.push_back("table.events.compaction.only_purge_repaired_tombstones=true");
  CHECK(played(late, "86400", spared).rows(SuspectState::healed) == 600);
}

TEST_CASE("two nodes that each missed half an hour alone and one together, by hand: a repair brings all to all") {
  const std::string away = outage(2, "00:00:01", "1h") + outage(3, "00:30:01", "1h");
  const FaultRecord graced = played(away + repair("2026-01-05T04:00:00", "1h"), "86400", no_hints);
  CHECK(graced.suspected() == 900);
  CHECK(graced.rows(SuspectState::healed) == 900);
  // gc_grace is over for every delete. What the repair sends is there before a compaction that it sets off forgets a
  // tombstone: none comes back for good.
  const FaultRecord late = played(away + repair("2026-01-05T04:00:00", "1h"), "7200", no_hints);
  CHECK(late.suspected() == 900);
  CHECK(late.rows(SuspectState::visible) == 900);
}

}  // namespace
}  // namespace windrow
