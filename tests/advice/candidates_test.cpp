#include "sim/advice/candidates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/engine/node.h"
#include "sim/record/recorder.h"

namespace windrow {
namespace {

/// What is tried where a limit is broken, each remedy's settings in one line.
std::vector<std::string> tried(const std::string& options, const std::string& run,
                               const std::string& limit = "held_back_share = 20%") {
  const std::string cql =
      "CREATE TABLE t (id int, at timestamp, v double, PRIMARY KEY (id, at)) WITH gc_grace_seconds = 300 AND " +
      options + ";";
  const std::string ini = "[run]\nschema = t.cql\nlength = 2d\n" + run +
                          "[stream.s]\ntable = t\nentities = 10\nrate = 1/s\n[limits]\n" + limit + "\n";
  const LoadedScenario loaded = load_scenario("t.ini", ini, {}, [&](const std::string&) { return std::optional(cql); });
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  const RunRecord record = recorder.take();
  REQUIRE(record.limits.size() == 1);
  std::vector<std::string> all;
  for (const Remedy& remedy : candidates(loaded, record, record.limits.front())) {
    std::string line;
    for (const std::string& setting : remedy.settings) line += (line.empty() ? "" : " ") + setting;
    all.push_back(line);
  }
  return all;
}

bool has(const std::vector<std::string>& all, const std::string& words) {
  return std::ranges::any_of(all, [&](const std::string& each) { return each.find(words) != std::string::npos; });
}

const std::string minutes =
    "default_time_to_live = 3600 AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': "
    "'MINUTES', 'compaction_window_size': 10";

TEST_CASE("flushes that are rarer than the TTL is long: a flush period within it is tried first") {
  // 10 rows/s fill a large memtable in days, of which each SSTable then spans many times the TTL.
  const std::vector<std::string> all = tried(minutes + "}", "[table.t]\nflush_size = 8MiB\n");
  CHECK(all.front() == "table.t.memtable_flush_period_in_ms=360000");  // a tenth of the TTL, which is below the window
  CHECK_FALSE(has(tried(minutes + "}", "[table.t]\nflush_size = 64KiB\n"), "memtable_flush_period_in_ms"));
}

TEST_CASE("what is set already is not tried") {
  CHECK(has(tried(minutes + "}", ""), "unchecked_tombstone_compaction"));
  CHECK_FALSE(
      has(tried(minutes + ", 'unchecked_tombstone_compaction': 'true'}", ""), "unchecked_tombstone_compaction"));
  const std::string leveled = "default_time_to_live = 3600 AND compaction = {'class': 'LeveledCompactionStrategy'}";
  CHECK_FALSE(has(tried(leveled, ""), "compaction.class=LeveledCompactionStrategy"));
  const auto scaling = [](const std::string& parameters) {
    const std::string unified = "compaction = {'class': 'UnifiedCompactionStrategy'" + parameters + "}";
    const std::vector<std::string> all = tried(unified, "[table.t]\nflush_size = 64KiB\n", "sstables_max = 1");
    return std::pair(has(all, "scaling_parameters=T4"), has(all, "scaling_parameters=L4"));
  };
  CHECK(scaling("") == std::pair(false, true));  // T4 is the default
  CHECK(scaling(", 'scaling_parameters': 'T4'") == std::pair(false, true));
  CHECK(scaling(", 'scaling_parameters': 'N'") == std::pair(true, false));
}

}  // namespace
}  // namespace windrow
