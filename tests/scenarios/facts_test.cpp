#include <doctest/doctest.h>

#include "tests/scenarios/played.h"

// What each scenario shows, as its first line says it.

namespace windrow {
namespace {

using test::Played;

TEST_CASE("app-events: without a TTL everything stays, and a large merge needs the disk twice") {
  const Played run("app-events");
  CHECK(run.last().rows_live == run.last().rows_written);
  CHECK(run.table().write_amplification() > 5);
  CHECK(run.breach_days("disk_used_share") > 30);
  CHECK(run.after_days(66).live_bytes < MiB(1024) * 300);
  CHECK(run.table().disk.value > 1.5 * static_cast<double>(run.after_days(67).live_bytes));
}

TEST_CASE("sensor-by-day: every day leaves one SSTable for ever") {
  const Played run("sensor-by-day");
  REQUIRE(run.table().windows.has_value());
  CHECK(run.table().windows->windows == 730);
  CHECK(run.last().sstables >= 730);
  CHECK(run.breach_days("sstables_max") == doctest::Approx(500).epsilon(0.01));
}

TEST_CASE("too-small-buckets: every row is a partition") {
  const Played run("too-small-buckets");
  CHECK(run.table().partitions.rows.max == 1);
  CHECK(run.table().partitions.bytes.max < 100);
  CHECK(run.table().partitions_per_day == doctest::Approx(2'880'000).epsilon(0.01));
}

TEST_CASE("traces: a partition of ten spans for each of two traces a second; busy services in four shards") {
  const Played run("traces");
  CHECK(run.table(0).partitions.rows.max == 10);
  CHECK(run.table(0).partitions_per_day == doctest::Approx(172'800).epsilon(0.001));
  // 10 rows of 140 bytes of values in 8 cells, their keys of 4 bytes, and the partition's key and header.
  CHECK(run.table(0).partitions.bytes.max == doctest::Approx(10 * (140 + 60)).epsilon(0.1));
  CHECK(run.table(1).partitions_per_day > 40.0 * 24);
  CHECK(run.table(1).partitions_per_day < 40.0 * 24 * 4);
}

TEST_CASE("sessions-and-latest: 2,880 sessions a day of ten events each; five latest values of each of 100 devices") {
  const Played run("sessions-and-latest");
  CHECK(run.table(0).partitions_per_day == doctest::Approx(2 * 1'440).epsilon(0.001));
  CHECK(run.table(0).partitions.rows.max == 10);  // 20 an hour for half an hour
  CHECK(run.table(0).partitions.rows.p50 == 10);
  CHECK(run.table(0).partitions.bytes.max == doctest::Approx(10 * (150 + 30)).epsilon(0.1));
  // Each key is written again after 5 / 4 hours, long before its day is over.
  CHECK(run.table(1).partitions.partitions == 100);
  CHECK(run.table(1).partitions.rows.max == 5);
  CHECK(run.last(1).rows_live >= 500);
  CHECK(run.last(1).rows_live < run.last(1).rows_written / 50);
}

TEST_CASE("device-labels: a static row a partition on disk, and in the commit log one with each reading or one a day") {
  const Played run("device-labels");
  CHECK(run.last(0).rows_written == run.last(1).rows_written);
  CHECK(run.last(0).rows_live == run.last(1).rows_live);
  // A day of 2,880 readings, and one static row of 300 + 12 bytes: dates alone differ.
  const Bytes each = run.table(0).partitions.bytes.max;
  const Bytes once = run.table(1).partitions.bytes.max;
  CHECK(std::abs(each - once) <= 20);
  // Who writes them with each reading flushes more often: the memtable keeps the values of all.
  CHECK(run.table(0).flushes > run.table(1).flushes);
}

TEST_CASE("too-large-buckets: 100 events a second in a month of 31 days") {
  const Played run("too-large-buckets");
  CHECK(run.table().partitions.rows.max == 267'840'000);
  CHECK(run.breach_days("partition_size_max") < 1);
}

TEST_CASE("ticks-by-month: 321 million rows in one partition") {
  const Played run("ticks-by-month");
  CHECK(run.table().partitions.rows.max == 321'408'000);
}

TEST_CASE("ttl-shorter-than-gc-grace: eleven times the disk that the readable rows need") {
  const Played run("ttl-shorter-than-gc-grace");
  REQUIRE(run.last().space_amplification.has_value());
  CHECK(*run.last().space_amplification == doctest::Approx(11).epsilon(0.03));
  CHECK(run.last().blocked_bytes == 0);
}

TEST_CASE("window-too-small: 720 to 740 SSTables of which every one is right") {
  const Played run("window-too-small");
  for (const double days : {35.0, 45.0, 59.0}) {
    CHECK(run.after_days(days).sstables_max >= 720);
    CHECK(run.after_days(days).sstables_max <= 740);
  }
}

TEST_CASE("stcs-three-months: below half of the disk for three months, then beyond it") {
  const Played run("stcs-three-months");
  CHECK(run.breach_days("disk_used_share") > 90);
  CHECK(run.breach_days("disk_used_share") < 120);
  CHECK(run.table().disk.value > 1.5 * static_cast<double>(run.last().readable_bytes));
  const Played windows("stcs-three-months", {"table.sensor_data.compaction.class=TimeWindowCompactionStrategy"});
  CHECK(windows.limit("disk_used_share").holds());
  CHECK(windows.table().disk.value < 0.7 * run.table().disk.value);
}

TEST_CASE("events-hourly: more waits for gc_grace than can be read") {
  const Played run("events-hourly");
  CHECK(run.last().waiting_gc_grace_bytes > run.last().readable_bytes);
  CHECK(run.limit("partition_size_max").holds());
}

TEST_CASE("high-volume-10min: partitions of 600,000 rows below 100 MiB") {
  const Played run("high-volume-10min");
  CHECK(run.table().partitions.rows.max == 600'000);
  CHECK(run.limit("partition_size_max").holds());
  CHECK(run.limit("partition_size_max").margin_share() < 0.5);
}

TEST_CASE("alter-to-twcs: what size tiers mixed expires late and as one, then every window is an SSTable") {
  const Played run("alter-to-twcs");
  const double alter_days = 90;
  const double first_expiry_days = 30;
  CHECK(run.breach_days("held_back_share") > first_expiry_days);
  CHECK(run.breach_days("held_back_share") < alter_days);
  CHECK(run.after_days(alter_days + 25).waiting_gc_grace_bytes + run.after_days(alter_days + 25).purgeable_bytes >
        run.after_days(alter_days + 25).readable_bytes / 5);
  CHECK(*run.last().space_amplification < 1.1);
  REQUIRE(run.table().windows.has_value());
  CHECK(run.table().windows->windows - run.table().windows->with_one_sstable <= 1);
}

TEST_CASE("splitting-factor: more shards make new days' partitions smaller, not those that are there") {
  const Played run("splitting-factor");
  CHECK(run.table().partitions.rows.max == 40 * 86'400);
  CHECK(run.table().partitions.rows.p50 == 120 * 86'400 / 16);
  CHECK(run.table().largest.front().bucket < "2026-03-15");
}

TEST_CASE("local-time-writer: a day of local time begins at 15:00 UTC") {
  const auto first_hour = [](const Played& run) {
    return run.table().largest.front().bucket_begin_us / (3600 * us_per_s) % 24;
  };
  CHECK(first_hour(Played("local-time-writer")) == 15);
  CHECK(first_hour(Played("local-time-writer", {"stream.devices.zone=UTC"})) == 0);
}

TEST_CASE("adaptive-buckets: by day alone the busiest partition breaks its limit, by both it does not") {
  const Played adaptive("adaptive-buckets");
  CHECK(adaptive.limit("partition_size_max").holds());
  CHECK(adaptive.limit("partition_rows_max").holds());
  const Played days("adaptive-buckets", {"stream.entities.column.bucket_id=day"});
  CHECK_FALSE(days.limit("partition_size_max").holds());
  const Played hours("adaptive-buckets", {"stream.entities.column.bucket_id=hour"});
  CHECK(hours.table().partitions_per_day > 10 * adaptive.table().partitions_per_day);
}

TEST_CASE("sharded-readings-bug: one partition a device, with every row of the year") {
  const Played run("sharded-readings-bug");
  CHECK(run.table().partitions.partitions == 100);
  CHECK(run.table().partitions.rows.max == 6 * 60 * 24 * 365);
  CHECK_FALSE(run.limit("partition_size_max").holds());
}

TEST_CASE("multi-resolution: a row a minute of six, a row an hour of sixty, and all three tables small") {
  const Played run("multi-resolution");
  REQUIRE(run.record().tables.size() == 3);
  const auto written = [&](std::size_t i) {
    const TableRecord& table = run.record().tables[i];
    return static_cast<double>(table.samples.back().rows_written);
  };
  CHECK(written(0) / written(1) == doctest::Approx(6).epsilon(0.02));
  CHECK(written(1) / written(2) == doctest::Approx(60).epsilon(0.02));
  const auto live = [&](std::size_t i) { return run.record().tables[i].samples.back().live_bytes; };
  CHECK(live(2) < live(0));
}

TEST_CASE("gdpr-deletes: an erased event stays until its window expires, whatever gc_grace says") {
  const Played run("gdpr-deletes");
  CHECK(run.table().erasure_delay.p50.s > 280 * seconds_per_day);
  CHECK(run.table().erasure_delay.rows > run.table().erasure_pending_rows);
  // Five percent of the rows of ten months.
  CHECK(static_cast<double>(run.table().erasure_pending_rows) == doctest::Approx(0.05 * 500 * 40 * 305).epsilon(0.03));
  const Played tiers("gdpr-deletes", {"table.user_events.compaction.class=SizeTieredCompactionStrategy"});
  CHECK(tiers.table().erasure_delay.p50.s < run.table().erasure_delay.p50.s);
}

TEST_CASE("bucket-drop: every deleted day is still on disk") {
  const Played run("bucket-drop");
  const Played unrepaired("bucket-drop", {"repair.weekly.every=60d"});
  CHECK(unrepaired.table().erasure_pending_rows == 46 * 20 * 48);
  CHECK(run.table().erasure_pending_rows >= 46 * 20 * 48);  // a repair brings some into another window once more
  CHECK(run.table().partitions.rows.max == 48);
  CHECK(run.breach_days("sstables_max") > 20);
  CHECK(run.table().partitions.rows.min > 0);  // what is left of a deleted day is no partition
  const Played tiers("bucket-drop", {"table.sensor_data.compaction.class=SizeTieredCompactionStrategy"});
  CHECK(tiers.table().erasure_pending_rows < run.table().erasure_pending_rows);
}

TEST_CASE("days-deleted: thirty days can be read of two years, and deletes without windows leave the disk late") {
  const Played run("days-deleted");
  // On the last day the devices' days of thirty days before are deleted, one after the other.
  CHECK(run.last().rows_live == 200 * 1'440 * 30);
  CHECK(run.table().partitions.partitions == 200 * 30);
  CHECK(run.table().partitions.rows.max == 1'440);
  CHECK(run.last().rows_written == 200 * 1'440 * 730 + 200 * 700);
  CHECK(run.table().erasure_delay.max_s > 100 * seconds_per_day);
  CHECK(run.table().erasure_pending_rows > 2 * run.last().rows_live);
}

TEST_CASE("older-deleted: what each device wrote since its last delete of what is older can be read, no more") {
  const Played run("older-deleted");
  // Device i writes 0.3 i s after each full minute, and deletes 432 i s after midnight what is older than thirty days:
  // of 31 days the rows before that are gone.
  Rows live = 0;
  for (std::int64_t i = 0; i < 200; ++i) live += 31 * 1'440 - (i * (432'000 - 300) + 59'999) / 60'000;
  CHECK(run.last().rows_live == live);
  CHECK(run.table().end.live.rows == live);
  CHECK(run.table().partitions.partitions == 200);
  CHECK(run.table().partitions.rows.max == 31 * 1'440);
  CHECK(run.last().rows_written >= 200 * 1'440 * 730);
  CHECK(run.table().erasure_pending_rows > run.last().rows_live);
}

TEST_CASE("hot-and-cold: old timestamps among new rows block every expired SSTable, arrival timestamps none") {
  const Played run("hot-and-cold");
  REQUIRE(run.record().tables.size() == 2);
  const TableSample& plain = run.record().tables[0].samples.back();
  const TableSample& stamped = run.record().tables[1].samples.back();
  CHECK(plain.rows_written == stamped.rows_written);
  CHECK(plain.blocked_bytes == 0);
  CHECK(stamped.blocked_bytes > stamped.live_bytes / 2);
  CHECK(stamped.live_bytes > 3 * plain.live_bytes);
}

TEST_CASE(
    "variable-buckets: small and large tenants within the limit, the growing one beyond it until its bucket changes") {
  const Played run("variable-buckets");
  CHECK(run.breach_days("partition_size_max") == doctest::Approx(78).epsilon(0.01));
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(run.table().largest[i].entity == "growing");
    CHECK(run.table().largest[i].bucket < "2026-04-01");
  }
  CHECK(run.table().largest[12].entity != "growing");
  const Played early("variable-buckets", {"stream.growing.column.bucket=day then hour from 2026-03-20"});
  CHECK(early.limit("partition_size_max").holds());
}

TEST_CASE(
    "reference-timeline: identifiers and posts take a sixth of the materialised timeline, and nothing is overwritten") {
  const Played run("reference-timeline");
  REQUIRE(run.record().tables.size() == 3);
  const auto live = [&](std::size_t i) {
    return static_cast<double>(run.record().tables[i].samples.back().live_bytes);
  };
  CHECK((live(0) + live(1)) / live(2) == doctest::Approx(1.0 / 6).epsilon(0.1));
  CHECK(run.record().tables[1].samples.back().rows_written == run.record().tables[2].samples.back().rows_written);
  for (const TableRecord& table : run.record().tables) CHECK(table.samples.back().blocked_bytes == 0);
}

TEST_CASE("rolling-window: nothing is overwritten, 1.314 million rows a year and bucket") {
  const Played run("rolling-window");
  CHECK(run.table().partitions.partitions == 240);
  CHECK(run.table().partitions.rows.max == 3 * 1'314'000);
  CHECK(run.table().partitions.rows.min == 3 * 1'314'000);
  CHECK(run.last().rows_live == run.last().rows_written);
  CHECK_FALSE(run.limit("partition_size_max").holds());
}

TEST_CASE("metrics-daily: a tombstone with every row, and none if the map is frozen or appended to") {
  const Played run("metrics-daily");
  const TableSample& month =
      run.after_days(25);  // nothing has expired yet; windows that are closed keep their tombstones
  CHECK(month.rows_live == month.rows_written);
  CHECK(static_cast<double>(month.tombstones) > 0.4 * static_cast<double>(month.rows_written));
  const TableSample& before_gc_grace = run.after_days(9);  // the memtable's rows are no tombstones on disk yet
  const double rows_a_flush = static_cast<double>(run.table().flushed_rows) / static_cast<double>(run.table().flushes);
  CHECK(static_cast<double>(before_gc_grace.tombstones) ==
        doctest::Approx(static_cast<double>(before_gc_grace.flushes) * rows_a_flush).epsilon(0.002));
  const Played appended("metrics-daily", {"stream.hosts.column.labels=append(map(8, text(10), text(8)))"});
  CHECK(appended.after_days(25).tombstones == 0);
  CHECK(appended.after_days(25).live_bytes < month.live_bytes);
}

}  // namespace
}  // namespace windrow
