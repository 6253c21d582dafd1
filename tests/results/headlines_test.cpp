#include "sim/results/headlines.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/record/growth.h"
#include "sim/results/windows.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

using test::day_us;

Lifeline line(std::int64_t id, Seconds window_s, int born_day, std::optional<int> died_day) {
  Lifeline made{.id = id, .born_us = born_day * day_us, .window_s = window_s, .bytes = 100 * id};
  if (died_day) made.died_us = *died_day * day_us;
  return made;
}

Lifelines packed(const std::vector<Lifeline>& all) {
  Lifelines lines;
  for (const Lifeline& each : all) lines.add(each);
  lines.sort();
  return lines;
}

TEST_CASE("windows: each stretch of time with the number of SSTables that hold the window") {
  const Lifelines lines =
      packed({line(1, 0, 0, 2), line(2, 0, 1, 2), line(3, 0, 2, std::nullopt), line(4, 86'400, 1, 3)});
  const std::vector<WindowSpan> spans = window_spans(lines, 5 * day_us);
  REQUIRE(spans.size() == 4);
  const auto is = [](const WindowSpan& span, Seconds window_s, int from, int to, std::int64_t sstables, Bytes bytes) {
    return span.window_s == window_s && span.from_us == from * day_us && span.to_us == to * day_us &&
           span.sstables == sstables && span.bytes == bytes;
  };
  CHECK(is(spans[0], 0, 0, 1, 1, 100));
  CHECK(is(spans[1], 0, 1, 2, 2, 300));
  CHECK(is(spans[2], 0, 2, 5, 1, 300));
  CHECK(is(spans[3], 86'400, 1, 3, 1, 400));
  Lifeline without = line(5, 0, 0, 1);
  without.window_s.reset();
  CHECK(window_spans(packed({without}), day_us).empty());
}

TEST_CASE("an SSTable's state at the end follows its times and its blockers") {
  Lifeline file{.max_local_deletion_time_s = 1'000, .gc_grace_s = 100};
  CHECK(file.state(999 * us_per_s) == "live");
  CHECK(file.state(1'000 * us_per_s) == "waiting for gc_grace");
  CHECK(file.state(1'100 * us_per_s) == "waiting for gc_grace");
  CHECK(file.state(1'101 * us_per_s) == "past gc_grace");
  file.blocked_by = {7};
  file.goes_at_s = no_deletion_time;
  CHECK(file.state(1'101 * us_per_s) == "blocked");
  file.died_us = 5;
  CHECK(file.state(1'101 * us_per_s) == "gone");
  CHECK(Lifeline{}.state(INT64_MAX) == "live");
}

TEST_CASE("headlines are read off samples, compactions, tombstones and blocked SSTables") {
  TableRecord table;
  for (int day = 0; day <= 4; ++day) {
    table.samples.push_back({.at_us = day * day_us,
                             .live_bytes = 1'000 * day,
                             .blocked_bytes = day >= 2 ? 5 : 0,
                             .droppable_tombstones = 10,
                             .droppable_tombstone_ratio = day == 3 ? 0.5 : 0.1,
                             .partition_bytes_max = day >= 3 ? large_partition_bytes + 1 : large_partition_bytes,
                             .sstables_per_partition = day == 1 ? 4.0 : 2.0});
  }
  table.compactions = {{.reason = "a", .count = 2, .read_bytes = 100},
                       {.reason = "b", .count = 1, .read_bytes = 300},
                       {.reason = "a", .count = 1, .read_bytes = 0}};
  table.tombstones = {{.drop_day = 2, .count = 10}, {.drop_day = 9, .count = 30}, {.drop_day = 99, .count = 0}};
  table.blocked = {{.id = 1, .goes_at_s = 500}, {.id = 2, .goes_at_s = 900}, {.id = 3, .goes_at_s = no_deletion_time}};
  const Headlines lines = headlines(table);
  CHECK(lines.first_blocked_us == 2 * day_us);
  CHECK(lines.first_large_partition_us == 3 * day_us);
  CHECK(lines.droppable_ratio.value == 0.5);
  CHECK(lines.droppable_ratio.at_us == 3 * day_us);
  CHECK(lines.sstables_per_partition.at_us == day_us);
  CHECK(lines.blocked_sstables == 3);
  CHECK(lines.blocked_for_ever_sstables == 1);
  CHECK(lines.blocked_until_s == 900);
  CHECK(lines.drops.count == 40);
  CHECK(lines.drops.overdue == 10);
  CHECK(lines.drops.first_day == 2);
  CHECK(lines.drops.last_day == 9);
  REQUIRE(lines.reasons.size() == 2);
  CHECK(lines.reasons[0].reason == "b");
  CHECK(lines.reasons[0].share == 0.75);
  CHECK(lines.reasons[1].compactions == 3);
  CHECK(headlines(TableRecord{}).reasons.empty());
}

}  // namespace
}  // namespace windrow
