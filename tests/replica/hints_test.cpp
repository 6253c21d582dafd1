#include "sim/replica/hints.h"

#include <doctest/doctest.h>

#include <array>

#include "sim/replica/replicated_table.h"
#include "tests/replica/made_writes.h"

namespace windrow {
namespace {

using namespace test;

constexpr Micros hour_us = 3600 * us_per_s;

TEST_CASE("a hint lives for the lesser gc_grace") {
  const Hint hint{.created_us = 0, .gc_grace_s = 100, .mutation = {}};
  CHECK(hint_lives(hint, 200, 100 * us_per_s - 1, {}));
  CHECK_FALSE(hint_lives(hint, 200, 100 * us_per_s, {}));
  CHECK_FALSE(hint_lives(hint, 50, 50 * us_per_s, {}));
  CHECK_FALSE(hint_lives(hint, 0, 0, {}));
}

TEST_CASE("no hint after the window, nor beside a file that is older than it, nor with handoff off") {
  HintStore hints;
  CHECK(hints.takes(2, 0, 3 * hour_us, {}));
  CHECK_FALSE(hints.takes(2, 0, 3 * hour_us + 1, {}));
  hints.add(2, {.created_us = 0, .gc_grace_s = 100, .mutation = {}});
  CHECK_FALSE(hints.takes(2, 2 * hour_us, 3 * hour_us + 1, {}));
  CHECK(hints.takes(1, 2 * hour_us, 3 * hour_us + 1, {}));
  hints.settings.handoff = false;
  CHECK_FALSE(hints.takes(1, 0, 0, {}));
}

TEST_CASE("truncatehints takes closed files only") {
  HintStore hints;
  hints.add(2, {.created_us = 1, .gc_grace_s = 100, .mutation = {}});
  hints.truncate();
  CHECK(hints.files().size() == 1);
  hints.close_files();
  hints.add(2, {.created_us = 2, .gc_grace_s = 100, .mutation = {}});
  CHECK(hints.files().size() == 2);
  hints.truncate();
  REQUIRE(hints.files().size() == 1);
  CHECK(hints.files().front().created_us == 2);
}

TEST_CASE("hints wait while paused, then reach the node that is back") {
  ReplicatedTable table(3, made_table(), {});
  const std::array replicas{0, 1, 2};
  table.node(2).reachable = false;
  CHECK(table.write(value(5, 1, 100, 1), replicas, 0, {.all = 2}, 100));
  CHECK_FALSE(table.write(value(6, 1, 100, 1), replicas, 0, {.all = 3}, 100));
  CHECK(table.node(0).hints.files().size() == 1);
  CHECK(table.node(1).hints.files().empty());
  table.node(2).reachable = true;
  table.node(0).hints.settings.dispatch_paused = true;
  table.dispatch_hints(200);
  CHECK(table.node(2).replica.memtable().empty());
  table.node(0).hints.settings.dispatch_paused = false;
  table.dispatch_hints(200);
  CHECK(table.node(2).replica.memtable().size() == 1);
  CHECK(table.node(0).hints.files().empty());
}

TEST_CASE("a killed node finds its memtable in the commit log") {
  ReplicatedTable table(1, made_table(), {});
  const std::array replicas{0};
  table.write(value(5, 1, 100, 1), replicas, 0, {.all = 1}, 100);
  table.end_process(0, true, 200);
  CHECK(table.node(0).replica.files().empty());
  CHECK(table.repair_partners(replicas, false).empty());
  table.start_process(0);
  CHECK(table.node(0).replica.files().size() == 1);
  CHECK(table.repair_partners(replicas, false).size() == 1);
}

}  // namespace
}  // namespace windrow
