#include <doctest/doctest.h>

#include "sim/results/understood.h"
#include "tests/scenarios/played.h"

namespace windrow {
namespace {

TEST_CASE("table-per-month: every table is dropped on time, and the disk grows for ever") {
  const test::Played run("table-per-month");
  const std::vector<TableRecord>& months = run.record().tables;
  REQUIRE(months.size() == 12);
  Bytes live = 0;
  Bytes kept = 0;
  for (const TableRecord& month : months) {
    live += month.samples.back().live_bytes;
    kept += month.samples.back().snapshot_bytes;
    CHECK(month.family == "events");
    CHECK((month.dropped_us.has_value()) == (month.samples.back().live_bytes == 0));
  }
  CHECK(months.front().name == "events_2026_01");
  CHECK(months.front().balance.written == 31LL * 1'440 * 5'000);
  // While it is written: 5,000 devices a minute, a partition each a day. The whole run has the same rate, once.
  CHECK(understood(months.front()).rows_per_s == doctest::Approx(5'000 / 60.0));
  CHECK(understood(months.front()).partitions_per_day == doctest::Approx(5'000));
  CHECK(understood(run.record()).rows_per_s == doctest::Approx(5'000 / 60.0));
  CHECK(understood(run.record()).partitions_per_day == doctest::Approx(5'000));
  CHECK(kept > 2 * live);
  CHECK(run.breach_days("disk_used_share") > 200);
  const test::Played cleared("table-per-month", {"table.events.on_drop=remove"});
  CHECK(cleared.limit("disk_used_share").holds());
}

TEST_CASE("a table per month writes the rows of one table, each in its month") {
  const test::Played months("table-per-month", {"run.length=100d", "run.start=2026-01-15"});
  Rows rows = 0;
  for (const TableRecord& month : months.record().tables) rows += month.samples.back().rows_written;
  CHECK(months.record().tables.size() == 4);
  CHECK(rows == 100LL * 1'440 * 5'000);
}

}  // namespace
}  // namespace windrow
