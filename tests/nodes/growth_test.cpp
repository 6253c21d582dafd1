#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "sim/growth/safe_growth.h"
#include "sim/nodes/cluster_run.h"
#include "sim/record/node_runs.h"
#include "sim/resolve/scaled_rates.h"
#include "tests/load/cluster_text.h"

namespace windrow {
namespace {

RunRecord run_of(const Scenario& scenario) {
  const auto load = std::make_shared<const ClusterLoad>(scenario);
  return run_cluster(
      scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn);
}

bool holds(const RunRecord& record) {
  return std::ranges::all_of(node_runs(record), [](const RunRecord* run) {
    return std::ranges::all_of(run->own_limits, [](const LimitOutcome& limit) { return limit.holds(); });
  });
}

TEST_CASE("what grows safely on the node that is nearest to a limit holds on every node") {
  int found = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    // How many SSTables a node has at the most is no matter of how much it is written.
    const LoadedScenario loaded = test::cluster(
        fmt::format("[run]\nschema = t.cql\nlength = 20d\nseed = {}\n[dc.main]\nnodes = 5\nreplication_factor = 1\n"
                    "num_tokens = 2\n[stream.s]\ntable = readings\nentities = pattern(device-%d, 25)\nrate = 6/h\n"
                    "column.day = day\n[table.readings]\nflush_size = 4kB\n[limits]\nsstables_max = 17\n",
                    seed),
        {{"t.cql",
          "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at)) "
          "WITH compaction = {'class': 'SizeTieredCompactionStrategy'};"}});
    const RunRecord record = run_of(loaded.scenario);
    const auto scaled = [&](double factor) { return with_rates_times(loaded, factor); };
    const SafeGrowth growth = find_safe_growth(record, scaled, {.few_steps = INT64_MAX}, [] { return true; });
    if (!growth.factor || *growth.factor == 1) continue;
    ++found;
    CHECK(holds(run_of(scaled(*growth.factor))));
    if (growth.breaks_at) CHECK_FALSE(holds(run_of(scaled(*growth.breaks_at))));
  }
  CHECK(found >= 2);
}

}  // namespace
}  // namespace windrow
