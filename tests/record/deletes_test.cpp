#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/record/recorder.h"
#include "sim/verdict/verdict.h"
#include "tests/record/made_scenario.h"
#include "tests/record/recorded_run.h"

namespace windrow {
namespace {

using test::recorded;

/// Fifty devices that write a row a minute, without TTL; what a device wrote is deleted a day later. Windows are never
/// compacted together: what was deleted meets its tombstone only where one flush has rows of two days.
Scenario with_deletes(DeleteKind kind, int days) {
  Scenario scenario = test::made_scenario(days);
  scenario.tables.front().schema =
      test::made_table("readings", test::time_windows(1), 0, 10 * static_cast<int>(seconds_per_day));
  scenario.writers.push_back(scenario.writers.front());
  WriterSpec& deletes = scenario.writers.back();
  deletes.stream = "erasures";
  deletes.op = WriteOp::remove;
  deletes.remove = {.kind = kind, .age_us = test::day_us};
  if (kind == DeleteKind::range) deletes.rate.front().period_us *= 60;         // once an hour and device
  if (kind == DeleteKind::partition) deletes.rate.front().period_us *= 1'440;  // once a day and device
  return scenario;
}

constexpr std::int64_t rows_a_day = 50 * 1'440;

TEST_CASE("rows under a row tombstone are not readable, wherever the tombstone is") {
  const RunRecord record = recorded(with_deletes(DeleteKind::row, 6));
  const TableRecord& table = record.tables.front();
  const TableSample& last = table.samples.back();
  // Of six days of rows those of the last are not deleted; five days of tombstones are there as well.
  CHECK(last.rows_live == rows_a_day);
  CHECK(table.end.live.rows == rows_a_day);
  CHECK(last.rows_written == 11 * rows_a_day);
  CHECK(static_cast<double>(last.readable_bytes) < 0.2 * static_cast<double>(last.live_bytes));
  REQUIRE(last.space_amplification);
  CHECK(*last.space_amplification > 5);
  CHECK(last.live_bytes ==
        last.readable_bytes + last.waiting_gc_grace_bytes + last.blocked_bytes + last.purgeable_bytes);
  // SSTables of the first days: nothing of them is readable.
  const auto first = std::ranges::find_if(table.lifelines, [](const Lifeline& line) { return !line.died_us; });
  REQUIRE(first != table.lifelines.end());
  REQUIRE(first->readable_rows);
  CHECK(*first->readable_rows == 0);
}

TEST_CASE("rows of a deleted partition are not readable, and every row is where it must be") {
  const RunRecord record = recorded(with_deletes(DeleteKind::partition, 6));
  const TableRecord& table = record.tables.front();
  const TableSample& last = table.samples.back();
  const double readable = static_cast<double>(last.rows_live);
  // Today's partitions, and yesterday's of the devices whose turn has not come.
  CHECK(readable >= rows_a_day);
  CHECK(readable <= 2.02 * rows_a_day);
  CHECK(last.rows_live == table.end.live.rows);
  REQUIRE(last.space_amplification);
  CHECK(*last.space_amplification > 2.5);
}

// Each hour a device deletes what it wrote in a bucket up to a day before: what can be read is a day and the last
// hour's.
TEST_CASE("rows under a range tombstone are not readable, wherever the tombstone is") {
  const RunRecord record = recorded(with_deletes(DeleteKind::range, 4));
  const TableRecord& table = record.tables.front();
  const TableSample& last = table.samples.back();
  CHECK(last.rows_live == table.end.live.rows);
  CHECK(last.rows_live >= rows_a_day);
  CHECK(last.rows_live <= rows_a_day + 2 * 50 * 60);
  REQUIRE(last.space_amplification);
  CHECK(*last.space_amplification > 2);
  // Whatever was written at the run's beginning was deleted within the hour after its first day, and again every hour.
  CHECK(table.erasure_delay.max_s <= 3 * seconds_per_day);
  CHECK(table.erasure_delay.max_s > 3 * seconds_per_day - 3'600);
}

TEST_CASE("a limit on what is held back sees deleted rows") {
  Scenario scenario = with_deletes(DeleteKind::row, 6);
  scenario.limits = {{.name = "held_back_share", .value = 0.5}};
  CHECK_FALSE(recorded(scenario).limits.front().holds());
}

TEST_CASE("delays of what is not gone are not those of what is gone") {
  const Scenario scenario = with_deletes(DeleteKind::row, 6);  // the verdict asks it
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables.front();
  CHECK(table.erasure_delay.rows == 5 * rows_a_day);
  CHECK(table.erasure_delay.still_there == table.erasure_pending_rows);
  CHECK(static_cast<double>(table.erasure_delay.still_there) > 0.9 * static_cast<double>(table.erasure_delay.rows));
  CHECK(table.erasure_delay.p50.at_least);
  CHECK(table.erasure_delay.p50.s == table.erasure_delay.max_s);
  CHECK(verdict(record, {}).find("gone after more than 5 d (median), the longest so far 5 d;") != std::string::npos);
}

TEST_CASE("a run little longer than the TTL says that nothing has gone yet, not that values go after hours") {
  Scenario scenario = test::made_scenario(4);  // TTL 3 d, gc_grace 1 d
  const RunRecord record = recorded(scenario);
  const DelaySummary& overshoot = record.tables.front().retention_overshoot;
  CHECK(overshoot.rows == rows_a_day + 1);  // dead at the second of expiry
  CHECK(overshoot.still_there == overshoot.rows);
  CHECK(overshoot.p50.at_least);
  CHECK(verdict(record, {}).find("none has gone yet, 24 h after the first expired") != std::string::npos);
}

TEST_CASE("spans that have not ended count as longer: Kaplan and Meier by hand") {
  DelaySpread spread;
  using Ended = DelaySpread::Ended;
  // Of ten, one ends after 10 s, two are left at 20 s, three end after 30 s, four are left at 40 s.
  spread.add(10, 10, 1);
  spread.add(20, 20, 2, Ended::not_yet);
  spread.add(30, 30, 3);
  spread.add(40, 40, 4, Ended::not_yet);
  const DelaySummary few = spread.summary();  // 0.9, then 0.9 * 4/7 = 0.514 last longer
  CHECK(few.rows == 10);
  CHECK(few.still_there == 6);
  CHECK(few.p50.at_least);
  CHECK(few.p50.s == 40);
  spread.add(40, 40, 1);  // of eleven: 10/11, 5/8 of it, then 4/5: 0.4545
  const DelaySummary more = spread.summary();
  CHECK_FALSE(more.p50.at_least);
  CHECK(more.p50.s == 40);
  CHECK(more.p99.at_least);
  CHECK(more.max_s == 40);
}

}  // namespace
}  // namespace windrow
