#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/scenarios/played.h"

// What the stated queries cost: what each scenario of reads shows, as its first line says it.

namespace windrow {
namespace {

using test::Played;

const ReadRecord& read_of(const Played& run, const std::string& name) {
  return *std::ranges::find_if(run.record().reads, [&](const ReadRecord& read) { return read.spec->name == name; });
}

double days_after_start(const Played& run, std::optional<Micros> at_us) {
  return at_us ? static_cast<double>(*at_us - run.record().scenario->start_us) / 86'400e6 : -1;
}

TEST_CASE("reads-latest-and-range: ten shards asked and four written; empty buckets; the day that expired") {
  const Played run("reads-latest-and-range");
  // Samples are at midnight: each of the four shards of the day that ends has 1,440 rows, so that ten are found there.
  const ReadSample& newest = read_of(run, "newest_ten").samples.back();
  CHECK(newest.partitions.max == 10);
  CHECK(newest.rows.max == 10);
  CHECK(newest.nodes == doctest::Approx(1));
  CHECK(newest.replicas == 10);  // one copy
  // Six hours before midnight lie in one day's bucket: a row a minute in each of four shards, of twenty devices.
  const ReadSample& hours = read_of(run, "last_six_hours").samples.back();
  CHECK(hours.partitions.p50 == 20 * 4);
  CHECK(hours.rows.max == 6 * 60);
  CHECK(hours.tombstones.max == 0);
  // All that it wrote in January has expired by the end of April: sixty days back, or all 120 of them.
  CHECK(read_of(run, "silent_start_unknown").samples.back().partitions.max == 60 * 4);
  CHECK(read_of(run, "silent_start_known").samples.back().partitions.max == 120 * 4);
  // A day of four rows a minute in four shards, their cells gone from the answer, their liveness not. Rows live for 30
  // days: the first sample that asks for a day that there was is that of day 32.
  const ReadRecord& expired = read_of(run, "day_that_expired");
  CHECK(expired.worst.tombstones.max == 1440);
  CHECK(days_after_start(run, expired.warned_us) == doctest::Approx(32));
  CHECK(run.breach_days("tombstones_per_read_p99") == doctest::Approx(32));
  CHECK_FALSE(expired.refused_us);
}

TEST_CASE("index-table-or-timeline: the index costs a partition more for each row that it finds") {
  const Played run("index-table-or-timeline");
  // An author writes twenty posts a day: after the first of a month the bucket before it may be needed for some.
  CHECK(read_of(run, "by_timeline").worst.partitions.max <= 2);
  CHECK(read_of(run, "by_index").worst.partitions.max <= 2);
  CHECK(read_of(run, "by_index-fetch").worst.partitions.max == 20);
  CHECK(read_of(run, "by_index").worst.bytes.max < read_of(run, "by_timeline").worst.bytes.max);
}

}  // namespace
}  // namespace windrow
