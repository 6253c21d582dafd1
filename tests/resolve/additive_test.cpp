#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/engine/memtable.h"
#include "sim/engine/node.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/words/scenario_error.h"
#include "sim/workload/arrivals.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

// What the language means, held to rows that are listed one by one: counts by arithmetic are those of the list, a value
// with `then` is two streams, and `copies`, `like` and `of` bring the rows that they say.

namespace {

/// Writes and rows of every flush.
class Flushes final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override {
    Rows rows = 0;
    for (const SSTablePtr& file : event.change->added) rows += file->extremes().rows;
    writes_and_rows.emplace_back(event.change->ledger.in, rows);
  }
  std::vector<std::pair<Rows, Rows>> writes_and_rows{};
};

constexpr Micros day_us = seconds_per_day * us_per_s;

TableWorkload workload_of(const std::string& ini) { return scenario_workload(load(ini, small_files).scenario, 0); }

/// Arrival of every row that arrives, as a list.
std::vector<std::int64_t> arrivals_of(const TableWorkload& workload, std::int64_t end) {
  std::vector<std::int64_t> arrivals;
  for (const SubStream& sub : workload.sub_streams()) {
    const std::int64_t members = sub.count_arrived_before(end);
    const auto& unsent = sub.unsent();
    for (std::int64_t j = 0; j < members; ++j) {
      const bool gone =
          std::ranges::any_of(unsent, [j](const auto& span) { return j >= span.first && j < span.second; });
      if (!gone) arrivals.push_back(sub.arrival(j));
    }
  }
  std::ranges::sort(arrivals);
  return arrivals;
}

std::int64_t listed_before(const std::vector<std::int64_t>& arrivals, std::int64_t time) {
  return std::ranges::lower_bound(arrivals, time) - arrivals.begin();
}

std::int64_t counted_before(const TableWorkload& workload, std::int64_t time) {
  const Arrivals arrivals(workload);
  std::int64_t rows = 0;
  for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) rows += arrivals.count_before(s, time);
  return rows;
}

std::string one_of(const std::vector<std::string>& lines) { return *rc::gen::elementOf(lines); }

/// A stream of any kind; not every mixture of lines is one.
std::string any_stream() {
  return "column.note = text(20)\n" +
         one_of({"", "entities = 3\n", "entities = pattern(d-%03d, 40)\n", "entities = named(a, b)\n"}) +
         one_of({"rate = 7/h\n", "rate = 1/min\n", "rate = 5/h then 50/h from 2026-01-04\n",
                 "rate = lognormal(20/day, 300/day)\n",
                 "rate = 1/h then 0/h from 2026-01-03 then 3/h from 2026-01-06\n"}) +
         one_of({"", "shape = daily(peak 20:00, 3x)\n", "shape = weekly(peak sat, 2x)\n",
                 "shape = burst(10x, 1h, every 2d)\n"}) +
         one_of({"", "growth = 300%/y\n"}) + one_of({"", "copies = 3\n"}) + one_of({"", "stagger = none\n"}) +
         one_of({"", "late = 2% by 1h..2d\n", "late = 5% by 30min + 1% by 1d\n"}) +
         one_of({"", "ttl = 3d\n", "ttl = 1d 10% + table\n", "ttl = none then 2d from 2026-01-05\n"}) +
         one_of({"", "from = 2026-01-03\n", "until = 2026-01-08\n"}) + one_of({"", "timestamp = event\n"}) +
         one_of({"column.day = day\n", "column.day = day then hour from 2026-01-06\n", "column.day = month\n"}) +
         one_of({"", "op = update\n", "op = insert\n"});
}

/// The rows of one memtable that takes writes until each of `times` in turn.
std::vector<Rows> taken(const TableWorkload& workload, const std::vector<std::int64_t>& times) {
  const ContentSpace space(workload, 0, SSTableFormat::oa);
  Memtable memtable(space);
  std::vector<Rows> rows;
  for (const std::int64_t time : times) {
    memtable.take_until({.time = time}, 0);
    rows.push_back(memtable.writes());
  }
  return rows;
}

}  // namespace

TEST_CASE("what is written in [a, b) and [b, c) is what is written in [a, c), for every kind of stream") {
  int kinds = 0;
  const bool held = rc::check("counts are those of the list of rows", [&] {
    const std::string ini = small_scenario(any_stream());
    TableWorkload workload;
    Scenario scenario;
    try {
      scenario = load(ini, small_files).scenario;
    } catch (const ScenarioError&) {
      RC_DISCARD("this mixture is refused");
    }
    workload = scenario_workload(scenario, 0);
    ++kinds;
    const std::vector<std::int64_t> list = arrivals_of(workload, scenario.end_us);
    std::vector<std::int64_t> times;
    for (int i = 0; i < 6; ++i) times.push_back(scenario.start_us + *rc::gen::inRange<std::int64_t>(0, 10 * day_us));
    times.push_back(scenario.start_us);
    times.push_back(scenario.end_us);
    if (!list.empty()) times.push_back(list[list.size() / 2]);
    std::ranges::sort(times);
    for (const std::int64_t time : times) RC_ASSERT(counted_before(workload, time) == listed_before(list, time));
    // A memtable that is asked in steps holds what one that is asked once does.
    const std::vector<Rows> in_steps = taken(workload, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      RC_ASSERT(in_steps[i] == listed_before(list, times[i]));
      RC_ASSERT(taken(workload, {times[i]}).front() == in_steps[i]);
    }
  });
  CHECK(held);
  CHECK(kinds >= 100);
}

TEST_CASE("a value with `then` is its two halves as two streams") {
  const std::string common = "table = readings\nentities = 5\ncolumn.note = text(20)\n";
  const std::string half = "[run]\nschema = t.cql\nlength = 10d\n[stream.first]\n" + common;
  struct Values {
    const char* key = "";
    const char* before = "";
    const char* after = "";
    std::int64_t apart = 0;  // the second stream begins with a row; where a value changes the row is due that was due
  };
  for (const Values& values :
       {Values{"rate", "7/h", "31/h", 1}, Values{"rate", "1/min", "0/min", 0}, Values{"column.day", "day", "hour", 1},
        Values{"ttl", "1d", "none", 1}, Values{"rate", "1/h", "10/min", 1}}) {
    const std::string name = std::string(values.key) + " " + values.before;
    CAPTURE(name);
    const std::string rest = (std::string(values.key) == "rate" ? "" : "rate = 13/h\n") +
                             std::string(std::string(values.key) == "column.day" ? "" : "column.day = day\n");
    const std::string whole =
        half + rest + fmt::format("{} = {} then {} from 2026-01-05T07:30\n", values.key, values.before, values.after);
    const std::string halves = half + rest +
                               fmt::format("{} = {}\nuntil = 2026-01-05T07:30\n", values.key, values.before) +
                               "[stream.second]\n" + common + "from = 2026-01-05T07:30\n" + rest +
                               fmt::format("{} = {}\n", values.key, values.after) + "";
    // Two streams of one table write different entities: only how many rows there are can be compared.
    std::string told_apart = halves;
    told_apart.replace(told_apart.rfind("entities = 5"), std::string("entities = 5").size(),
                       "entities = pattern(e-%d, 5)");
    const TableWorkload one = workload_of(whole);
    const TableWorkload two = workload_of(told_apart);
    const Micros start_us = load(whole, small_files).scenario.start_us;
    for (std::int64_t time = start_us; time <= start_us + 10 * day_us; time += 37 * 60 * us_per_s) {
      const std::int64_t difference = counted_before(one, time) - counted_before(two, time);
      REQUIRE(std::abs(difference) <= values.apart);
    }
  }
}

TEST_CASE("`copies` writes every event so many times") {
  const std::string stream =
      "entities = 12\nrate = 5/h\nshape = daily(peak 12:00, 2x)\ncolumn.day = day\ncolumn.note = text(20)\n";
  const TableWorkload once = workload_of(small_scenario(stream));
  const TableWorkload thrice = workload_of(small_scenario(stream + "copies = 3\n"));
  const Micros start_us = load(small_scenario(stream), small_files).scenario.start_us;
  const std::vector<std::int64_t> events = arrivals_of(once, start_us + 10 * day_us);
  CHECK(events.size() == 12 * 5 * 24 * 10);
  for (std::int64_t time = start_us; time <= start_us + 10 * day_us; time += 11 * 60 * us_per_s) {
    // Copies of an event lie between it and the next.
    const std::int64_t events_before = listed_before(events, time);
    const std::int64_t copies = counted_before(thrice, time);
    REQUIRE(copies >= 3 * (events_before - 1));
    REQUIRE(copies <= 3 * events_before + 1);  // rates of a shape are rounded to ten digits
  }
}

TEST_CASE("`like` is the other stream with what it says itself") {
  const std::string first =
      "entities = 5\nrate = 7/h\nlate = 2% by 1h\nttl = 3d\ncolumn.day = day\ncolumn.note = text(20)\n";
  const std::string alike =
      small_scenario(first) + "[stream.other]\nlike = readings\nentities = named(x, y)\nrate = 9/h\n";
  const std::string spelled =
      small_scenario(first) +
      "[stream.other]\ntable = readings\nentities = named(x, y)\nrate = 9/h\nlate = 2% by 1h\nttl = "
      "3d\ncolumn.day = day\ncolumn.note = text(20)\n";
  const Scenario a = load(alike, small_files).scenario;
  CHECK(arrivals_of(scenario_workload(a, 0), a.end_us) == arrivals_of(workload_of(spelled), a.end_us));
  REQUIRE(a.writers.size() == 2);
  CHECK(a.writers[1].names->name(1) == "y");
  CHECK(a.writers[1].late.size() == a.writers[0].late.size());
  CHECK(a.writers[1].ttl.front().ttl_s == 3 * seconds_per_day);
}

TEST_CASE("`of` with `per` writes one row for every entity and interval that has a row of its source") {
  const std::map<std::string, std::string> files = {
      {"t.cql",
       "CREATE TABLE raw (device text, day text, at timestamp, v int, PRIMARY KEY ((device, day), at));"
       "CREATE TABLE rolled (device text, day text, hour timestamp, v int, PRIMARY KEY ((device, day), hour));"}};
  for (const char* rate : {"20/h", "1/min", "1/h"}) {
    CAPTURE(rate);
    const std::string ini =
        std::string("[run]\nschema = t.cql\nlength = 10d\n[stream.raw]\ntable = raw\nentities = 6\nrate = ") + rate +
        "\ncolumn.day = day\n[stream.rolled]\ntable = rolled\nof = raw\nper = 1h\ndelay = 30s\ncolumn.day = "
        "day\ncolumn.hour = start\n";
    const Scenario scenario = load(ini, files).scenario;
    const TableWorkload source = scenario_workload(scenario, 0);
    const TableWorkload derived = scenario_workload(scenario, 1);
    std::set<std::pair<std::int64_t, std::int64_t>> intervals;  // hour, entity
    for (const SubStream& sub : source.sub_streams()) {
      for (std::int64_t j = 0; j < sub.count_arrived_before(scenario.end_us); ++j)
        intervals.emplace((sub.arrival(j) - scenario.start_us) / (3'600 * us_per_s), sub.row(j) % 6);
    }
    CHECK(intervals.size() == 6 * 24 * 10);
    for (std::int64_t hour = 2; hour <= 240; hour += 7) {
      const Micros time = scenario.start_us + hour * 3'600 * us_per_s;
      const auto closed = std::ranges::count_if(intervals, [&](const auto& each) { return each.first < hour - 1; });
      const std::int64_t written = counted_before(derived, time);
      // Rows of an interval arrive within the interval after it, entity by entity.
      CHECK(written >= closed - 6);
      CHECK(written <= closed + 6);
    }
  }
}

TEST_CASE("keys drawn by zipf: a flush has as many rows as there are different keys among its writes") {
  const std::string stream =
      "entities = 20\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\nop = overwrite(1000, zipf(1.1))\n";
  const Scenario scenario =
      load(small_scenario(stream + "[table.readings]\nflush_size = 20KiB\n"), small_files).scenario;
  Flushes flushes;
  run_node(scenario, flushes, {});
  CHECK(flushes.writes_and_rows.size() > 20);
  const ZipfKeys keys(1'000, 1.1);
  for (const auto& [writes, rows] : flushes.writes_and_rows) {
    CHECK(rows == std::llround(keys.different(writes)));
    CHECK(rows < std::llround(1'000 * -std::expm1(-static_cast<double>(writes) / 1'000)));
  }
}

TEST_CASE("one of several nodes has its part of the keys that are overwritten") {
  const std::string stream =
      "entities = 600\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\nop = overwrite(9000)\n";
  const TableWorkload alone = workload_of(small_scenario(stream));
  const TableWorkload half =
      workload_of(small_scenario(stream + "[dc.main]\nnodes = 6\nracks = 3\nreplication_factor = 3\n"));
  CHECK(alone.writers().front().drawn_keys == 9'000);
  CHECK(half.writers().front().entities == 300);
  CHECK(half.writers().front().drawn_keys == 4'500);
}
