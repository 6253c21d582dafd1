#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "bench/fleet_case.h"
#include "sim/engine/memory.h"
#include "sim/engine/node.h"

namespace windrow {
namespace {

constexpr Micros day = 86'400 * us_per_s;

/// Tables of which each is written twice as fast as the one before it, 8,000 rows a day the first; nothing flushes
/// unless a test asks for it. A memtable weighs ten times the Data bytes.
struct Planned {
  explicit Planned(int tables) {
    scenario.tables.front().flush_size_bytes = 0;
    scenario.node.memtable_heap_per_byte = 10;
    scenario.node.memtable_heap_bytes = GiB(100);
    scenario.node.commitlog_total_space_bytes = GiB(100);
    for (int t = 1; t < tables; ++t) {
      scenario.tables.push_back(scenario.tables.front());
      scenario.writers.push_back(scenario.writers.back());
      scenario.writers.back().table = t;
      scenario.writers.back().rate.front().rows *= 2;
    }
  }
  FlushPlanner planner() {
    workloads = make_workloads(scenario);
    FlushPlanner::Tables all;
    for (const auto& workload : workloads) {
      arrivals.push_back(std::make_unique<Arrivals>(*workload));
      all.emplace_back(workload.get(), arrivals.back().get());
    }
    return {scenario, all};
  }
  std::vector<Millis> no_periods() const { return std::vector<Millis>(scenario.tables.size(), 0); }
  Micros start() const { return scenario.start_us; }
  Micros end() const { return scenario.end_us; }

  Scenario scenario = windrow_bench::scenario_of({.name = "fleet", .entities = 1'000, .days = 10}, INT64_MAX);
  Workloads workloads{};
  std::vector<std::unique_ptr<Arrivals>> arrivals{};
};

TEST_CASE("memtables that together exceed the cleanup threshold flush the largest of them (rule 12.1)") {
  Planned two(2);
  two.scenario.node.memtable_heap_bytes = MiB(2);
  two.scenario.node.memtable_cleanup_threshold = 0.5;
  FlushPlanner planner = two.planner();
  const auto heap = [&](Micros at_us) { return planner.heap_bytes(0, at_us) + planner.heap_bytes(1, at_us); };
  const auto due = planner.next(two.start(), two.end(), two.no_periods());
  REQUIRE(due);
  CHECK(due->reason == FlushReason::heap);
  CHECK(due->table == 1);
  CHECK(heap(due->at_us) >= MiB(1));
  CHECK(heap(due->at_us - 1) <= MiB(1));
  planner.flushed(1, due->at_us, MiB(1) / 15);
  CHECK(planner.heap_bytes(1, due->at_us) == 0);
  const auto then = planner.next(due->at_us, two.end(), two.no_periods());
  REQUIRE(then);
  CHECK(then->at_us > due->at_us);
  CHECK(heap(then->at_us) >= MiB(1));
}

TEST_CASE("the commit log flushes tables whose oldest write lies too far back, and those alone (rule 12.2)") {
  Planned one(1);
  one.scenario.node.commitlog_total_space_bytes = MiB(640);
  one.scenario.node.other_writes_bytes_per_s = static_cast<double>(MiB(1));
  FlushPlanner planner = one.planner();
  const auto due = planner.next(one.start(), one.end(), one.no_periods());
  REQUIRE(due);
  CHECK(due->reason == FlushReason::commit_log);
  CHECK(due->at_us - one.start() <= 640 * us_per_s);
  CHECK(due->at_us - one.start() > 639 * us_per_s);
  // The next time it has as far to go, less the part of a segment that it began in.
  planner.flushed(0, due->at_us, 1000);
  const auto then = planner.next(due->at_us, one.end(), one.no_periods());
  REQUIRE(then);
  CHECK(then->at_us - due->at_us <= 640 * us_per_s);
  CHECK(then->at_us - due->at_us > (640 - 32) * us_per_s);
  planner.closed(0, then->at_us);
  CHECK_FALSE(planner.next(then->at_us, one.end(), one.no_periods()));
}

TEST_CASE("a period flushes so long after the memtable was made, or after an empty one was found (rule 12.3)") {
  Planned two(2);
  FlushPlanner planner = two.planner();
  CHECK_FALSE(planner.next(two.start(), two.end(), two.no_periods()));
  const std::vector<Millis> periods = {3'600'000, 7'200'000};
  const Micros hour = 3600 * us_per_s;
  const auto due = planner.next(two.start(), two.end(), periods);
  REQUIRE(due);
  CHECK(due->reason == FlushReason::period);
  CHECK(due->table == 0);
  CHECK(due->at_us == two.start() + hour);
  planner.flushed(0, two.start() + hour / 2, 1000);
  CHECK(planner.next(due->at_us, two.end(), periods)->at_us == two.start() + hour / 2 + hour);
  planner.rearm(0, two.start() + day);
  CHECK(planner.next(two.start() + hour, two.end(), periods)->table == 1);
}

TEST_CASE("a size that is given decides, and what was measured corrects the estimate") {
  Planned one(1);
  one.scenario.tables.front().flush_size_bytes = MiB(1) / 4;
  FlushPlanner planner = one.planner();
  const auto due = planner.next(one.start(), one.end(), one.no_periods());
  REQUIRE(due);
  CHECK(due->reason == FlushReason::memtable_size);
  planner.flushed(0, due->at_us, MiB(1) / 2);  // twice as large as estimated: half as many rows the next time
  const auto then = planner.next(due->at_us, one.end(), one.no_periods());
  REQUIRE(then);
  CHECK(static_cast<double>(then->at_us - due->at_us) ==
        doctest::Approx(static_cast<double>(due->at_us - one.start()) / 2).epsilon(0.01));
}

TEST_CASE("a memtable to which nothing arrives is never full, and later by as long as nothing came") {
  Planned one(1);
  one.scenario.tables[0].flush_size_bytes = 100'000;
  FlushPlanner planner = one.planner();
  const auto due = planner.next(one.start(), one.end(), one.no_periods());
  REQUIRE(due);
  CHECK(due->reason == FlushReason::memtable_size);
  const Micros away = one.start() + (due->at_us - one.start()) / 2;
  one.arrivals[0]->stop(away);
  planner.arrivals_changed();
  CHECK_FALSE(planner.next(one.start(), one.end(), one.no_periods()));
  CHECK(planner.heap_bytes(0, away) == planner.heap_bytes(0, due->at_us));
  one.arrivals[0]->resume(away + day / 2);
  planner.arrivals_changed();
  const auto later = planner.next(one.start(), one.end(), one.no_periods());
  REQUIRE(later);
  CHECK(std::abs(later->at_us - due->at_us - day / 2) < day / 1'000);
}

/// Plans forty flushes of three tables with one planner, and each of them with one that was not asked before; gives
/// their reasons. `heap_per_byte`: NodeSettings::memtable_heap_per_byte.
std::vector<FlushReason> flushes_planned_alike(double heap_per_byte) {
  Planned all(3);
  all.scenario.node.memtable_heap_per_byte = heap_per_byte;
  for (TableSpec& table : all.scenario.tables) table.flush_size_bytes = 300'000;
  all.scenario.writers[1].late = {{.share_ppm = 100'000, .delay_us = day / 24}};
  all.scenario.node.commitlog_total_space_bytes = MiB(64);
  all.scenario.node.memtable_heap_bytes = 8'000'000;
  all.scenario.node.memtable_cleanup_threshold = 0.9;
  FlushPlanner planner = all.planner();
  std::vector<std::function<void(Planned&, FlushPlanner&)>> history;
  std::vector<FlushReason> reasons;
  Micros now_us = all.start();
  for (int step = 0; step < 40; ++step) {
    Planned anew(3);
    anew.scenario = all.scenario;
    FlushPlanner fresh = anew.planner();
    for (const auto& happened : history) happened(anew, fresh);
    const auto due = planner.next(now_us, all.end(), all.no_periods());
    const auto as_new = fresh.next(now_us, all.end(), all.no_periods());
    REQUIRE(due.has_value() == as_new.has_value());
    if (!due) break;
    CHECK(std::tuple(due->at_us, due->table, due->reason) == std::tuple(as_new->at_us, as_new->table, as_new->reason));
    reasons.push_back(due->reason);
    now_us = due->at_us;
    const auto happens = [step, due = *due](Planned& planned, FlushPlanner& of) {
      of.flushed(due.table, due.at_us, 290'000 + 100 * step);
      if (step == 10) planned.arrivals[2]->stop(due.at_us);
      if (step == 20) planned.arrivals[2]->resume(due.at_us);
      of.arrivals_changed();
      if (step == 30) of.closed(1, due.at_us);
    };
    happens(all, planner);
    history.emplace_back(happens);
  }
  CHECK(reasons.size() == 40);
  return reasons;
}

TEST_CASE("what is remembered from one flush to the next changes no plan") {
  const std::vector<FlushReason> by_bytes = flushes_planned_alike(10);
  CHECK(std::ranges::find(by_bytes, FlushReason::memtable_size) != by_bytes.end());
  const std::vector<FlushReason> by_objects = flushes_planned_alike(0);  // with partitions, and trees of their rows
  CHECK(std::ranges::count(by_objects, FlushReason::heap) > 5);
}

TEST_CASE("what is remembered of an empty memtable changes no answer") {
  Planned two(2);
  for (TableSpec& table : two.scenario.tables) table.flush_size_bytes = 100'000;
  two.scenario.writers[1].from_us = two.scenario.writers[1].rate.front().from_us = two.start() + 5 * day;
  FlushPlanner planner = two.planner();
  const auto as_one_that_was_never_asked = [&](Micros at_us) {
    Planned anew(2);
    anew.scenario = two.scenario;
    const FlushPlanner fresh = anew.planner();
    return planner.heap_bytes(1, at_us) == fresh.heap_bytes(1, at_us);
  };
  const auto first = planner.next(two.start(), two.end(), two.no_periods());
  REQUIRE(first);
  CHECK(first->table == 0);
  CHECK(planner.heap_bytes(1, first->at_us) == 0);
  CHECK(planner.heap_bytes(1, two.start() + 5 * day) == 0);
  CHECK(planner.heap_bytes(1, two.start() + 6 * day) > 0);
  CHECK(as_one_that_was_never_asked(two.start() + 5 * day + 1));
  CHECK(as_one_that_was_never_asked(two.start() + 6 * day));

  // The node is away when the first rows come, until it is back.
  two.arrivals[1]->stop(first->at_us);
  planner.arrivals_changed();
  CHECK(planner.next(two.start(), two.end(), two.no_periods())->table == 0);
  CHECK(planner.heap_bytes(1, two.start() + 6 * day) == 0);
  two.arrivals[1]->resume(two.start() + 6 * day);
  CHECK(planner.heap_bytes(1, two.start() + 6 * day) == 0);
  const Bytes a_day_later = planner.heap_bytes(1, two.start() + 7 * day);
  CHECK(a_day_later > 0);
  two.arrivals[1]->stop(two.start() + 7 * day);
  CHECK(planner.heap_bytes(1, two.start() + 8 * day) == a_day_later);
}

TEST_CASE("tables that are written to one after the other are planned as if each were asked each time") {
  for (const double other_writes_bytes_per_s : {0.0, 1'000.0}) {
    CAPTURE(other_writes_bytes_per_s);
    Planned all(12);
    for (int t = 0; t < 12; ++t) {
      // Half of them fill up, the others wait for the pool and for the log; a day each, which overlap.
      all.scenario.tables[static_cast<std::size_t>(t)].flush_size_bytes = t % 2 == 0 ? 40'000 : 0;
      WriterSpec& writer = all.scenario.writers[static_cast<std::size_t>(t)];
      writer.rate.front().rows = 8'000 + 1'000 * (t % 3);
      writer.from_us = writer.rate.front().from_us = all.start() + t * day * 3 / 4;
      writer.until_us = std::min(all.end(), writer.from_us + day);
    }
    all.scenario.node.other_writes_bytes_per_s = other_writes_bytes_per_s;
    all.scenario.node.commitlog_total_space_bytes = MiB(64);
    all.scenario.node.memtable_heap_bytes = 2'000'000;
    all.scenario.node.memtable_cleanup_threshold = 0.9;
    Planned same(12);
    same.scenario = all.scenario;
    FlushPlanner planner = all.planner();
    FlushPlanner asks_each = same.planner();
    Micros now_us = all.start();
    std::vector<bool> flushed(12, false);
    int plans = 0;
    for (; plans < 400; ++plans) {
      CAPTURE(plans);
      asks_each.arrivals_changed();  // so that it knows of none that it rests
      const auto due = planner.next(now_us, all.end(), all.no_periods());
      const auto as_asked = asks_each.next(now_us, all.end(), all.no_periods());
      REQUIRE(due.has_value() == as_asked.has_value());
      if (!due) break;
      REQUIRE(std::tuple(due->at_us, due->table, due->reason) ==
              std::tuple(as_asked->at_us, as_asked->table, as_asked->reason));
      now_us = due->at_us;
      flushed[static_cast<std::size_t>(due->table)] = true;
      for (FlushPlanner* each : {&planner, &asks_each}) {
        each->flushed(due->table, due->at_us, 38'000 + 10 * plans);
        if (plans == 30) each->closed(2, due->at_us);
      }
    }
    CHECK(plans > 40);
    CHECK(std::ranges::count(flushed, true) > 8);
  }
}

}  // namespace
}  // namespace windrow
