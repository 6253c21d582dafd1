#include "sim/results/reads.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "sim/cluster/cluster.h"
#include "sim/nodes/cluster_run.h"
#include "sim/resolve/table_months.h"
#include "sim/results/catalog.h"
#include "sim/stats/murmur3.h"
#include "tests/load/cluster_text.h"

// What reads cost, counted by hand.

namespace windrow {
namespace {

const std::string plain =
    "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at)) WITH "
    "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'} AND memtable_flush_period_in_ms = "
    "21600000;";

struct Run {
  Scenario scenario{};
  RunRecord record{};
};

std::unique_ptr<Run> played(const std::string& ini, const std::string& cql = plain) {
  auto run = std::make_unique<Run>();
  run->scenario = test::cluster("[run]\nschema = t.cql\n" + ini, {{"t.cql", cql}}).scenario;
  split_months(run->scenario);
  std::shared_ptr<const ClusterLoad> load;
  if (run->scenario.ring) load = std::make_shared<const ClusterLoad>(run->scenario);
  if (has_faults(run->scenario)) {
    const RunIdentity identity{.node = recorded_node(run->scenario) + 1};
    Recorder recorder(run->scenario, identity, {});
    const FaultRecord faults = play_cluster(run->scenario, recorder, {});
    run->record = recorder.take();
    run->record.faults = std::make_shared<const FaultRecord>(faults);
  } else {
    run->record = run_cluster(
        run->scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn);
  }
  run->record.load = load;
  return run;
}

const ReadSample& sample_at(const Run& run, const std::string& name, int day) {
  const auto read =
      std::ranges::find_if(run.record.reads, [&](const ReadRecord& each) { return each.spec->name == name; });
  const Micros at_us = run.scenario.start_us + Micros{day} * 86'400 * us_per_s;
  return *std::ranges::find(read->samples, at_us, &ReadSample::at_us);
}

TEST_CASE("a table per month: reads ask the tables of the months they mean, and those that were dropped no more") {
  const std::string stream =
      "start = 2026-01-01\nlength = 90d\n[stream.s]\ntable = readings\nentities = pattern(device-%d, 3)\nrate = 1/h\n"
      "column.day = day\n"
      "[read.forty]\nof = s\nrange = 40d\nrate = 1/s\n"
      "[read.newest]\nof = s\nlatest = 30\nrate = 1/s\n"
      "[read.old]\nof = s\nlatest = 2000\nstart = unknown\nback = 50d\nrate = 1/s\n"
      "[table.readings]\nper = month\n";
  const auto kept = played(stream);
  // 2026-03-02, day 60: 11 days of January, 28 of February, one of March, each of 24 rows in files of six hours.
  const ReadSample& march = sample_at(*kept, "forty", 60);
  CHECK(march.partitions.p50 == 40);
  CHECK(march.rows.p50 == 24);
  CHECK(march.rows.max == 24);
  CHECK(march.sstables.max >= 4);
  CHECK(march.sstables.max <= 5);
  // At the border of a month: 24 rows of February's first day, six of January's last.
  const ReadSample& border = sample_at(*kept, "newest", 32);
  CHECK(border.partitions.max == 2);
  CHECK(border.rows.p50 == 6);
  CHECK(border.rows.max == 24);
  CHECK(sample_at(*kept, "newest", 31).partitions.max == 2);
  // There are 32 × 24 rows: every day from the first on is asked for, and none before there is a table.
  CHECK(sample_at(*kept, "old", 32).partitions.max == 32);
  const auto dropped = played(stream + "drop_after = 10d\non_drop = remove\n");
  CHECK(sample_at(*dropped, "forty", 40).partitions.max == 40);  // 31 of January: dropped on 2026-02-11
  CHECK(sample_at(*dropped, "forty", 41).partitions.max == 10);
  CHECK(sample_at(*dropped, "forty", 42).partitions.max == 11);
  CHECK(sample_at(*dropped, "forty", 60).partitions.max == 29);
  TextSink sink;
  kept->record.scenario = &kept->scenario;
  write_results(kept->record, sink);
  const std::string csv = std::ranges::find(sink.texts(), "reads.csv", &NamedText::name)->text;
  CHECK(csv.find(",forty,readings,") != std::string::npos);
}

TEST_CASE("buckets that come round again: each turn is a read of its own, of the time of the turn") {
  const std::string table =
      "CREATE TABLE readings (device text, hour int, at timestamp, value double, PRIMARY KEY ((device, hour), at)) "
      "WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'} AND "
      "memtable_flush_period_in_ms = 21600000;";
  for (const char* centers : {"", "[dc.main]\nnodes = 5\nreplication_factor = 2\n"}) {
    const auto run =
        played(std::string("start = 2026-01-01\nlength = 4d\n") + centers +
                   "[stream.s]\ntable = readings\nentities = pattern(device-%d, 40)\nrate = 1/min\ncolumn.hour = "
                   "rolling(24, 1h)\n"
                   "[read.three]\nof = s\nrange = 3h\nrate = 1/s\n[read.newest]\nof = s\nlatest = 100\nrate = 1/s\n"
                   "[read.yesterday]\nof = s\nrange = 1h\nago = 1d\nrate = 1/s\n",
               table);
    // Three turns of sixty rows; the partitions have three times as many by now.
    const ReadSample& three = sample_at(*run, "three", 3);
    CHECK(three.partitions.max == 3);
    CHECK(three.rows.p50 == 60);
    CHECK(three.rows.max == 60);
    CHECK(three.sstables.max <= 2);  // the other days' files lie beside the slice
    const ReadSample& newest = sample_at(*run, "newest", 3);
    CHECK(newest.partitions.max == 2);
    CHECK(newest.rows.max == 60);
    CHECK(sample_at(*run, "yesterday", 3).rows.max == 60);
    CHECK(sample_at(*run, "yesterday", 1).rows.max == 0);
  }
}

TEST_CASE("how many nodes a request reaches, by the share of the ring that each holds") {
  const std::string four =
      "dc,node,rack,token\nmain,1,rack1,-9223372036854775807\nmain,2,rack1,-4611686018427387904\n"
      "main,3,rack1,0\nmain,4,rack1,4611686018427387904\n";
  const auto nodes = [&](const std::string& level, int in) {
    const LoadedScenario loaded = test::cluster(
        fmt::format("[run]\nschema = t.cql\nlength = 3d\n[dc.main]\nnodes = 4\nreplication_factor = 2\ntokens = "
                    "four.csv\n[stream.s]\ntable = readings\nentities = pattern(device-%d, 20)\nrate = 1/h\n"
                    "column.day = day\n[read.r]\nof = s\nlatest = 5\nin = {}\nconsistency = {}\nrate = 1/s\n",
                    in, level),
        {{"t.cql", plain}, {"four.csv", four}});
    const auto load = std::make_shared<const ClusterLoad>(loaded.scenario);
    const RunRecord record = run_cluster(
        loaded.scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn);
    return record.reads.front().samples.back().nodes;
  };
  // Each node holds half of the ring, and answers for itself where it coordinates. Of the two quarters that it holds
  // nothing of, the first replica of each answers: two nodes, and the fourth is never asked.
  CHECK(nodes("ONE", 1) == doctest::Approx(1));
  CHECK(nodes("ONE", 2) == doctest::Approx((1 - 0.5 * 0.5) + 2 * (1 - 0.75 * 0.75)));
  CHECK(nodes("ALL", 1) == doctest::Approx(2));
  CHECK(nodes("ALL", 3) == doctest::Approx(4 * (1 - 0.125)));
}

TEST_CASE("reads of an hour land where the hashes of what is asked put them") {
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 6d\nstart = 2026-01-01\n[dc.main]\nnodes = 6\nreplication_factor = 3\ntokens = "
      "ring.csv\n[stream.s]\ntable = readings\nentities = pattern(device-%d, 7)\nrate = 1/min\ncolumn.day = day\n";
  const auto owned = [](const ReplicaMap& replicas, int device, int day, int node) {
    std::string key;
    for (const std::string& part : {fmt::format("device-{}", device), fmt::format("2026-01-{:02}", day)}) {
      key += '\0';
      key += static_cast<char>(part.size());
      key += part;
      key += '\0';
    }
    const auto set = replicas.set(replicas.set_of(murmur3_token(key)));
    return std::ranges::find(set, node) != set.end();
  };
  for (const bool range : {false, true}) {
    const LoadedScenario loaded = test::cluster(
        ini + "[read.r]\nof = s\nconsistency = QUORUM\nrate = 42/s\n" + (range ? "range = 3d\n" : "latest = 10\n"),
        {{"t.cql", plain}});
    const auto load = std::make_shared<const ClusterLoad>(loaded.scenario);
    RunRecord record = run_cluster(
        loaded.scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn);
    record.load = load;
    // The hour from 14:00 of 2026-01-05 on. The range is of four days' buckets, in part; a request asks for one device.
    const int hour = 4 * 24 + 14;
    for (int node = 0; node < 6; ++node) {
      int held = 0;
      for (int device = 0; device < 7; ++device) {
        for (int day = range ? 2 : 5; day <= 5; ++day) held += owned(load->replicas(), device, day, node) ? 1 : 0;
      }
      // A device is asked for six times a second, and two of a partition's three replicas answer.
      CHECK(*reads_in_hour(record, hour, node) == 3600 * 6 * held * 2 / 3);
    }
  }
}

TEST_CASE("reads beside outages: nobody asks a node that is away, and the others answer for it") {
  const auto run = played(
      "start = 2026-01-01\nlength = 6d\n[dc.main]\nnodes = 3\nreplication_factor = 3\n"
      "[stream.s]\ntable = readings\nentities = pattern(device-%d, 7)\nrate = 1/min\ncolumn.day = day\n"
      "[read.r]\nof = s\nlatest = 10\nconsistency = QUORUM\nrate = 42/s\n"
      "[read.all]\nof = s\nlatest = 10\nconsistency = ALL\nrate = 42/s\n"
      "[outage.o]\nnode = 2\nfrom = 2026-01-03\nlength = 36h\n");
  REQUIRE(run->record.reads.size() == 2);
  CHECK(run->record.identity.node == 1);
  CHECK(sample_at(*run, "r", 3).rows.max == 10);
  RunRecord quorum = run->record;
  quorum.reads.pop_back();
  const std::int64_t usual = 3600 * 42 * 2 / 3;
  CHECK(*reads_in_hour(quorum, 30, 0) == usual);
  CHECK(*reads_in_hour(quorum, 60, 0) == usual * 3 / 2);
  CHECK(*reads_in_hour(quorum, 60, 1) == 0);
  CHECK(*reads_in_hour(quorum, 90, 1) == usual);
  // Without one of three replicas nothing is read at ALL.
  RunRecord all = run->record;
  all.reads.erase(all.reads.begin());
  CHECK(*reads_in_hour(all, 60, 0) == 0);
  CHECK(*reads_in_hour(all, 30, 0) == 3600 * 42);
}

TEST_CASE("tables cut by token: without hashing a key reads meet as many SSTables, but for one in the tail") {
  for (const char* compaction :
       {"'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '1'",
        "'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '1MiB', 'min_sstable_size': '0B'"}) {
    CAPTURE(compaction);
    const std::string table = fmt::format(
        "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at)) "
        "WITH default_time_to_live = 864000 AND gc_grace_seconds = 86400 AND compaction = {{{}}};",
        compaction);
    const auto run_with = [&](int exact) {
      return played(
          fmt::format("start = 2026-01-01\nlength = 30d\nexact_partitions = {}\n[stream.s]\ntable = readings\n"
                      "entities = pattern(device-%03d, 120)\nrate = 1/10min\ncolumn.day = day\n"
                      "[table.readings]\nflush_size = 500kB\n"
                      "[read.week]\nof = s\nrange = 7d\nrate = 1/s\n"
                      "[read.expired]\nof = s\nrange = 3d\nago = 9d\nrate = 1/s\n",
                      exact),
          table);
    };
    const auto hashed = run_with(2'000'000);
    const auto evenly = run_with(100);
    std::int64_t several = 0;
    for (const char* name : {"week", "expired"}) {
      for (int day = 12; day <= 30; ++day) {
        const ReadSample& exact = sample_at(*hashed, name, day);
        const ReadSample& ours = sample_at(*evenly, name, day);
        CHECK(ours.partitions.max == exact.partitions.max);
        CHECK(ours.rows.p50 == exact.rows.p50);
        CHECK(ours.rows.max == exact.rows.max);
        CHECK(ours.sstables.p50 == exact.sstables.p50);
        CHECK(std::abs(ours.sstables.p99 - exact.sstables.p99) <= 1);
        CHECK(std::abs(ours.sstables.max - exact.sstables.max) <= 1);
        several += exact.sstables.max > 1 ? 1 : 0;
      }
    }
    CHECK(several > 10);
  }
}

}  // namespace
}  // namespace windrow
