#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/advice/cause.h"
#include "sim/engine/node.h"
#include "sim/record/node_runs.h"
#include "sim/record/recorder.h"
#include "sim/resolve/load_scenario.h"
#include "sim/size/closed_bucket.h"
#include "sim/size/key_matrix.h"
#include "sim/text/text.h"
#include "tests/scenarios/played.h"

namespace windrow {
namespace {

/// The largest partition of a table on any node, and the matrix's for the table's own bucket and shards; 0: it has
/// none.
struct Largest {
  std::string table{};
  Bytes of_run = 0;
  Bytes of_matrix = 0;
};

std::vector<Largest> largest_partitions(const std::string& scenario) {
  const test::Played run(scenario);
  std::vector<Largest> all;
  for (std::size_t t = 0; t < run.record().tables.size(); ++t) {
    Largest largest{.table = run.table(t).name};
    each_node_table(run.record(), [&](const RunRecord&, const TableRecord& table) {
      if (table.name == largest.table) largest.of_run = std::max(largest.of_run, table.partitions.bytes.max);
    });
    const KeyChoices choices = key_choices(*run.record().scenario, static_cast<int>(t));
    const auto own = std::ranges::find(choices.cells, true, &KeyChoice::own);
    if (own != choices.cells.end()) largest.of_matrix = own->partition_bytes_max;
    all.push_back(largest);
  }
  return all;
}

TEST_CASE("the decision matrix has the run's largest partition where bucket and shards are the run's own") {
  for (const char* name : {"ticks-by-month", "metrics-daily", "multi-resolution", "iot-sensors", "sensor-unbounded",
                           "gdpr-deletes", "hot-and-cold", "mixed-ttl", "device-labels"}) {
    CAPTURE(name);
    for (const Largest& largest : largest_partitions(name)) {
      CAPTURE(largest.table);
      CHECK(largest.of_matrix == largest.of_run);
    }
  }
}

TEST_CASE("a partition that is held row by row has the size that it has as rows of a steady writer") {
  // Whole days are deleted, so that every partition is held row by row: 48 rows of a device and day, as in the matrix.
  const Largest deleted = largest_partitions("bucket-drop").front();
  CHECK(deleted.of_matrix == deleted.of_run);
}

TEST_CASE("where values or rows of buckets differ, the matrix has a full bucket and the run its largest") {
  // Sizes of values go around by row numbers, so that buckets of as many rows differ by a few bytes.
  for (const char* name : {"app-events", "events-hourly"}) {
    CAPTURE(name);
    const Largest largest = largest_partitions(name).front();
    CHECK(static_cast<double>(largest.of_matrix) == doctest::Approx(static_cast<double>(largest.of_run)).epsilon(1e-4));
  }
}

TEST_CASE(
    "where shards were raised, the matrix has a run with sixteen all along, and the fullest bucket is the run's") {
  const test::Played raised("splitting-factor");
  const Scenario& scenario = *raised.record().scenario;
  const KeyChoices choices = key_choices(scenario, 0, &raised.table().partitions);
  CHECK(choices.own_is_newer);
  const Bytes most = raised.table().partitions.bytes.max;
  // 40/s in one shard were more than 120/s in sixteen are: 16 / 3 times.
  CHECK(static_cast<double>(most) / static_cast<double>(choices.own()->partition_bytes_max) ==
        doctest::Approx(16.0 / 3).epsilon(1e-4));
  // 40/s for a day in four shards, 120/s in eight: what the run never had is of the run's fastest rate.
  const auto eight = std::ranges::find_if(
      choices.cells, [](const KeyChoice& cell) { return cell.bucket == "day" && cell.shards == 8; });
  CHECK(eight->partition_rows_max == 120 * 86'400 / 8);
  CHECK(closed_bucket(scenario, 0, BucketOf::most_rows).partition_bytes.max == most);
  CHECK(closed_bucket(scenario, 0).partition_bytes.max < most);
}

TEST_CASE("the scenario's own choice is what the run has: its sizes are no other number than all results name") {
  const test::Played run("four-strategies");
  for (std::size_t t = 0; t < run.record().tables.size(); ++t) {
    const PartitionCensus& measured = run.table(t).partitions;
    const KeyChoices choices = key_choices(*run.record().scenario, static_cast<int>(t), &measured);
    CAPTURE(run.table(t).name);
    REQUIRE(choices.own() != nullptr);
    CHECK(choices.own()->partition_bytes_p50 == measured.bytes.p50);
    CHECK(choices.own()->partition_bytes_p99 == measured.bytes.p99);
    CHECK(choices.own()->partition_bytes_max == measured.bytes.max);
    CHECK(choices.own()->partition_rows_max == measured.rows.max);
  }
}

/// Partitions at the end of three weeks whose Tuesdays have twice the rows, in a table that is cut by token.
PartitionCensus uneven_days(const std::string& exact_partitions) {
  const std::string table =
      "CREATE TABLE m.ticks (symbol text, day date, at timestamp, price double, PRIMARY KEY ((symbol, day), at)) WITH "
      "compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 1};";
  const std::string text =
      "[run]\nschema = t.cql\nstart = 2026-01-01\nlength = 21d\n[table.ticks]\nflush_size = 1MiB\n"
      "[stream.ticks]\ntable = ticks\nentities = pattern(sym-%02d, 40)\nrate = 3/min\n"
      "shape = weekly(peak tue, 2x)\ncolumn.day = day\n";
  const std::vector<std::string> assignments = {"run.exact_partitions=" + exact_partitions};
  const LoadedScenario loaded =
      load_scenario("uneven.ini", text, assignments, [&](const std::string&) { return std::optional(table); });
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  return recorder.take().tables.front().partitions;
}

TEST_CASE("a partition is one where its writer's pace changes, also where no key is hashed") {
  const PartitionCensus hashed = uneven_days("2000000");
  const PartitionCensus even = uneven_days("10");
  const auto near = [](std::int64_t ours, std::int64_t exact, double share) {
    CHECK(static_cast<double>(ours) == doctest::Approx(static_cast<double>(exact)).epsilon(share));
  };
  CHECK(hashed.partitions == 840);
  near(even.partitions, hashed.partitions, 0.005);
  near(even.bytes.p50, hashed.bytes.p50, 0.005);
  near(even.bytes.p99, hashed.bytes.p99, 0.005);
  // Files of seven partitions cut a bucket in many places: rows are spread over the partitions between two of them.
  near(even.bytes.max, hashed.bytes.max, 0.25);
}

/// The most bytes a row of any SSTable, before compression, keys and headers among them.
class WidestRows final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override { see(*event.change); }
  void committed(const Node&, const CommitEvent& event) override { see(*event.change); }
  double bytes_a_row = 0;

 private:
  void see(const Change& change) {
    for (const SSTablePtr& file : change.added) {
      bytes_a_row = std::max(bytes_a_row, static_cast<double>(file->extremes().uncompressed_bytes) /
                                              static_cast<double>(file->extremes().rows));
    }
  }
};

TEST_CASE("the largest partition of levels has no wider rows than its SSTables: not 52.4 B where theirs have 42") {
  // Which file of a level a row lies in is not told by its stream, and files that hold rows without TTL as well write
  // those with one in more bytes.
  const std::string table =
      "CREATE TABLE m.ticks (symbol text, day date, at timestamp, price double, PRIMARY KEY ((symbol, day), at)) WITH "
      "default_time_to_live = 2592000 AND gc_grace_seconds = 86400 AND compaction = {'class': "
      "'LeveledCompactionStrategy', 'sstable_size_in_mb': 1} AND compression = {'enabled': 'false'};";
  const std::string text =
      "[run]\nschema = t.cql\nstart = 2026-01-01\nlength = 21d\n[table.ticks]\nflush_size = 1MiB\n"
      "[stream.ticks]\ntable = ticks\nentities = pattern(sym-%02d, 40)\nrate = 3/min\ncolumn.day = day\n"
      "[stream.stays]\nlike = ticks\nentities = pattern(fix-%02d, 40)\nrate = 1/min\nttl = none\n";
  const LoadedScenario loaded =
      load_scenario("levels.ini", text, {}, [&](const std::string&) { return std::optional(table); });
  WidestRows widest;
  run_node(loaded.scenario, widest, {});
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  const PartitionCensus partitions = recorder.take().tables.front().partitions;
  CHECK(partitions.rows.max == 3 * 24 * 60);
  CHECK(static_cast<double>(partitions.bytes.max) / static_cast<double>(partitions.rows.max) < widest.bytes_a_row);
}

/// Twenty services whose bucket, shards, values and TTL change while their partitions are open: held row by row.
LoadedScenario changing_while_open(const std::string& shards, const std::string& limit) {
  const std::string table =
      "CREATE TABLE app.ev (svc text, bucket text, shard int, at timestamp, msg text, PRIMARY KEY ((svc, bucket, "
      "shard), "
      "at)) WITH default_time_to_live = 864000 AND gc_grace_seconds = 86400 AND compaction = {'class': "
      "'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 1};";
  const std::string text =
      "[run]\nschema = t.cql\nstart = 2026-01-01\nlength = 40d\n[table.ev]\nflush_size = 1MiB\n"
      "[stream.ev]\ntable = ev\nentities = pattern(svc-%02d, 20)\nrate = 4/min then 8/min from 2026-01-10T07:00:00\n"
      "column.bucket = day then hour from 2026-01-15T10:30:00\ncolumn.shard = " +
      shards +
      "\ncolumn.msg = text(40) then text(80) from 2026-01-20T09:15:00\n"
      "ttl = table then 5d from 2026-01-18T05:00:00\n[limits]\n" +
      limit + "\n";
  return load_scenario("looks.ini", text, {}, [&](const std::string&) { return std::optional(table); });
}

RunRecord recorded(const LoadedScenario& loaded) {
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  return recorder.take();
}

const LimitOutcome& limit_of(const RunRecord& record, const std::string& name) {
  const auto limit = std::ranges::find(record.limits, name, &LimitOutcome::name);
  REQUIRE(limit != record.limits.end());
  return *limit;
}

TEST_CASE("the largest partition of a time in which rows are held one by one is seen, however dear it is to look") {
  // A full day at 8 rows a minute, in four shards: 2,880 rows. It is gone again when the run ends, 40 days long.
  const LoadedScenario loaded = changing_while_open("shard(4)", "partition_rows_max = 3000");
  CHECK(limit_of(recorded(loaded), "partition_rows_max").value == 2'880);
}

TEST_CASE("the partition that broke a limit is named, also when it is gone at the end") {
  // 2026-01-11 is a full day at 8 rows a minute in two shards: 5,760 rows. At the end partitions are hours in four.
  const LoadedScenario loaded =
      changing_while_open("shard(2) then shard(4) from 2026-01-12T13:00:00", "partition_rows_max = 5000");
  const RunRecord record = recorded(loaded);
  const LimitOutcome& limit = limit_of(record, "partition_rows_max");
  CHECK(limit.value == 5'760);
  CHECK(record.tables.at(0).most_rows.size == 5'760);
  CHECK(record.tables.at(0).most_rows.partition.bucket == "2026-01-11");
  CHECK(cause_of(loaded, record, limit) ==
        "on 2026-01-12 the largest partition was svc-00, bucket 2026-01-11, shard 0, written by ev: 357 KiB in 5,760 "
        "rows");
}

TEST_CASE("what is blocked can be purged, also where rows are held one by one and seldom counted") {
  const LoadedScenario loaded = changing_while_open("shard(2) then shard(4) from 2026-01-12T13:00:00", "");
  const RunRecord record = recorded(loaded);
  for (const TableSample& sample : record.tables.at(0).samples) {
    CAPTURE(iso_time(sample.at_us));
    CHECK(sample.purgeable_bytes >= 0);
    CHECK(sample.live_bytes ==
          sample.readable_bytes + sample.waiting_gc_grace_bytes + sample.blocked_bytes + sample.purgeable_bytes);
  }
}

}  // namespace
}  // namespace windrow
