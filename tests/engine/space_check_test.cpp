#include "sim/engine/space_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <utility>

#include "sim/engine/node.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/engine/random_node.h"

namespace {

using namespace windrow;

/// What is left of a task that may read so many bytes; `at_once`: inputs are left out together where they may be.
std::pair<std::vector<std::int64_t>, int> fitted(TableStore& store, Pick pick, Seconds now_s, Bytes available,
                                                 bool at_once) {
  int steps = 0;
  Task task = store.start(std::move(pick), now_s);
  while (needed_bytes(task, 0) > available) {
    std::optional<Pick> reduced = reduced_scope(store, task, at_once ? needed_bytes(task, 0) - available : 1);
    if (!reduced) break;
    store.abandon(task);
    task = store.start(std::move(*reduced), now_s);
    ++steps;
  }
  store.abandon(task);
  return {task.pick.inputs, steps};
}

TEST_CASE("space: only expired inputs need nothing, and the largest go until the rest fits, at once or one by one") {
  CHECK(available_for_compaction(MiB(50)) == 0);
  CHECK(available_for_compaction(MiB(150)) == std::llround(static_cast<double>(MiB(100)) * 0.95));
  int fewer_steps = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_node(seed);
    const TableWorkload workload = scenario_workload(scenario, 0);
    const Seconds start_s = scenario.start_us / us_per_s;
    TableStore store(workload, table_settings(scenario.tables[0].schema, scenario, 9), start_s,
                     DiskSizer{.bytes = [](const DiskSize& size) { return size.uncompressed; }});
    Pick everything;
    everything.kind = PickKind::normal;
    Bytes all_bytes = 0;
    Seconds now_s = start_s;
    for (int i = 0; i < 12; ++i) {
      now_s += 1'000 * (1 + i % 3);
      store.write_until({.time = now_s * us_per_s});
      const Change change = store.plan_flush(now_s);
      store.apply_flush(change);
      for (const SSTablePtr& file : change.added) {
        everything.inputs.push_back(file->id());
        all_bytes += file->identity().data_bytes;
      }
    }
    for (const Bytes available : {all_bytes, all_bytes / 2, all_bytes / 5, all_bytes / 40, Bytes{0}}) {
      for (const Seconds later_s : {0, 20'000}) {
        const auto together = fitted(store, everything, now_s + later_s, available, true);
        const auto one_by_one = fitted(store, everything, now_s + later_s, available, false);
        CHECK(together.first == one_by_one.first);
        fewer_steps += one_by_one.second - together.second;
      }
    }
  }
  CHECK(fewer_steps > 500);
}

}  // namespace
