#include "sim/verdict/verdict.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/record/recorder.h"
#include "sim/results/catalog.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

/// A record made by hand: nothing is computed here but texts.
RunRecord made_record(const Scenario& scenario) {
  RunRecord record;
  record.identity = {.version = "0.1", .scenario_hash = "abc", .node = 1};
  record.scenario = &scenario;
  record.complete = true;
  record.growth.factor = 1.8;
  record.growth.breaks_at = 1.9;
  record.growth.stops_at = "sstables_max";
  TableRecord table;
  table.name = "read\x1b[2Jings";
  table.strategy = "TimeWindowCompactionStrategy";
  table.flushes = 10;
  table.flushed_bytes = 1'000'000;
  table.flushed_uncompressed_bytes = 2'000'000;
  table.flushed_rows = 50'000;
  table.compacted_out_bytes = 500'000;
  table.compactions_done = 3;
  table.written_from_us = scenario.start_us;
  table.written_until_us = scenario.start_us + 2 * test::day_us;
  table.disk.see(2'000'000, scenario.start_us + test::day_us);
  table.sstables.see(12, scenario.start_us + test::day_us);
  table.partitions.partitions = 100;
  table.partitions.bytes = {
      .min = 10, .p50 = 1'024, .p75 = 1'100, .p95 = 1'200, .p98 = 1'300, .p99 = 2'048, .max = 4'096};
  table.partitions.rows = {.min = 1, .p50 = 30, .p75 = 31, .p95 = 32, .p98 = 33, .p99 = 60, .max = 90};
  table.largest.push_back({.entity = "=cmd()",
                           .bucket = "2026-01-01",
                           .bucket_begin_us = scenario.start_us,
                           .has_bucket = true,
                           .shard = 2,
                           .stream = "s",
                           .rows = 90,
                           .cells = 180,
                           .bytes = 4'096});
  table.windows = WindowCount{.windows = 5, .with_one_sstable = 4};
  table.blocked.push_back({.id = 7, .bytes = 300'000, .blocked_by = {3}, .blockers = 1, .goes_at_s = no_deletion_time});
  table.blockers.push_back({.id = 3,
                            .holds_bytes = 300'000,
                            .frees_bytes = 300'000,
                            .holds_sstables = 1,
                            .expires_s = no_deletion_time,
                            .min_timestamp_us = scenario.start_us});
  for (int day = 0; day < 3; ++day) {
    table.samples.push_back({.at_us = scenario.start_us + day * test::day_us,
                             .live_bytes = 500'000 * day,
                             .readable_bytes = 200'000 * day,
                             .blocked_bytes = 300'000 * day,
                             .disk_bytes_max = 1'000'000 * day,
                             .sstables = 6 * day,
                             .sstables_max = 6 * day,
                             .space_amplification = 2.5,
                             .rows_written = 86'400 * day,
                             .partitions = day,
                             .partition_bytes_p99 = 1'024 * day});
  }
  record.tables.push_back(table);
  record.limits = {{.name = "sstables_max",
                    .table = "readings",
                    .value = 12,
                    .bound = 10,
                    .first_breach_us = scenario.start_us + 5'000'000},
                   {.name = "disk_used_share", .value = 0.25, .bound = 0.5},
                   {.name = "resurrected_rows", .measured = false, .bound = 0}};
  return record;
}

TEST_CASE("a breach has an end, and its worst value is not the one at the end") {
  const Scenario scenario = test::made_scenario(2);
  RunRecord record = made_record(scenario);
  record.limits.front().end_value = 11;
  CHECK(verdict(record, {}).find("BROKEN since 2026-01-01T00:00:05Z, 11 at the end") != std::string::npos);
  record.limits.front().end_value = 8;
  record.limits.front().held_again_us = scenario.start_us + test::day_us;
  const std::string text = verdict(record, {});
  CHECK(text.find("12  of 10") != std::string::npos);
  CHECK(text.find("BROKEN 2026-01-01T00:00:05Z to 2026-01-02T00:00:00Z, 8 at the end") != std::string::npos);
}

TEST_CASE("what breaks as the run ends breaks for no share of it") {
  const Scenario scenario = test::made_scenario(2);
  RunRecord record = made_record(scenario);
  record.limits.front().broken_for_us = 0;
  CHECK(verdict(record, {}).find("BROKEN since 2026-01-01T00:00:05Z, as the run ends") != std::string::npos);
  record.limits.front().broken_for_us = test::day_us;
  CHECK(verdict(record, {}).find("BROKEN since 2026-01-01T00:00:05Z, 50 % of the time") != std::string::npos);
  record.limits.front().value = 10.001;
  CHECK(verdict(record, {}).find("10.001  of 10 ") != std::string::npos);
}

TEST_CASE("a table that was never flushed has nothing on disk, and no date of a peak") {
  Scenario scenario = test::made_scenario(2);
  scenario.writers.front().rate.front().period_us *= 1'000;
  scenario.writers.resize(1);
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
  run_node(scenario, recorder, {});
  const RunRecord record = recorder.take();
  REQUIRE(record.tables.front().flushes == 0);
  CHECK(record.tables.front().disk.at_us == scenario.start_us);
  CHECK(record.disk.at_us == scenario.start_us);
  const std::string text = verdict(record, {});
  CHECK(text.find("in the memtable and the commit log, none was flushed") != std::string::npos);
  CHECK(text.find("each byte written") == std::string::npos);
  CHECK(text.find("1970") == std::string::npos);
}

TEST_CASE("beside reads of a table with an SAI index stands what a query without the partition key costs") {
  Scenario scenario = test::made_scenario(2);
  scenario.data_centers.front().nodes = 7;
  scenario.data_centers.front().replication_factor = 3;
  scenario.reads.push_back({.name = "newest", .stream = "readings", .latest_rows = 10, .rate_per_s = 5});
  const std::string heading = "SAI index by_value of ";
  RunRecord record = made_record(scenario);
  record.reads.push_back({.spec = &scenario.reads.front()});
  CHECK(verdict(record, {}).find(heading) == std::string::npos);
  std::vector<Index>& indexes = scenario.tables.front().schema.indexes;
  indexes.push_back({.name = "plain", .kind = Index::Kind::composites, .target = "value"});
  CHECK(verdict(record, {}).find("plain") == std::string::npos);
  indexes.push_back({.name = "by_value", .kind = Index::Kind::custom, .target = "value", .class_name = "sai"});
  // Seven nodes with three copies: two of them miss some range.
  const std::string text = verdict(record, {});
  const std::size_t at = text.find(heading);
  REQUIRE(at != std::string::npos);
  CHECK(text.substr(at).find("at least 3 of 7 nodes, each of which searches the index of every SSTable it has of the "
                             "table (12 here at the end)") != std::string::npos);
}

TEST_CASE("the verdict reads as it should") {
  const Scenario scenario = test::made_scenario(2);
  const RunRecord record = made_record(scenario);
  CHECK(verdict(record, {.width = 60}) ==
        "Disk figures are upper bounds (values that do not compress take a little more): no compression ratio was "
        R"(measured for read\u{1b}[2Jings.
Made for a test, 2026-01-01 to 2026-01-03
What was understood
                     rows/s  bytes/row  bytes/s a node  rows/partition (median, max)  partitions/day  flushes/day
  read\u{1b}[2Jings       1         40            40 B                        30, 90               0            5

Limits
  sstables_max      readings    12  of 10      BROKEN since 2026-01-01T00:00:05Z
  disk_used_share   node      25 %  of 50 %    holds, 50 % to spare
  resurrected_rows  node         -  of 0 rows  not measured by this run

Safe growth: every limit holds up to 1.80 times all rates; at 1.90 sstables_max breaks first

read\u{1b}[2Jings  TimeWindowCompactionStrategy
  partitions           100: median 1 KiB, p99 2 KiB, max 4 KiB (=cmd() 2026-01-01 shard 2)
  disk                 977 KiB at the end, peak 1.91 MiB on 2026-01-02
    not readable       0 B wait for gc_grace, 0 B past it or deleted but not compacted, 586 KiB blocked
  SSTables             12 at the end, peak 12 on 2026-01-02
  windows              5, 4 with one SSTable
  blocked              293 KiB in 1 expired SSTable; 1 of them never goes by itself
    by                 SSTable 3: 293 KiB in 1 SSTable, 293 KiB of it alone; )"
        R"(oldest write 2026-01-01, has rows without TTL
  write amplification  each byte written 1.50 times (10 flushes, 3 compactions)
  space amplification  2.50
  off heap             0 B for bloom filters, index summaries and compression metadata
  disk                        ▄▄▄▄▄▄▄██████  0 to 1.91 MiB
  partition p99               ▄▄▄▄▄▄▄██████  0 to 2 KiB
  SSTables                    ▄▄▄▄▄▄▄██████  0 to 12
)");
}

TEST_CASE("tombstones are counted with expired cells, and those that may go are not called past gc_grace") {
  const Scenario scenario = test::made_scenario(2);
  RunRecord record = made_record(scenario);
  TableSample& last = record.tables.front().samples.back();
  last.tombstones = 1'200;
  last.droppable_tombstones = 34;
  last.droppable_tombstone_ratio = 0.25;
  CHECK(verdict(record, {})
            .find("tombstones           1,200 with expired cells, 34 of them may go once a compaction meets them; "
                  "ratio 0.25") != std::string::npos);
}

TEST_CASE("colours only where they are wanted, and never from a name") {
  const Scenario scenario = test::made_scenario(2);
  const RunRecord record = made_record(scenario);
  CHECK(verdict(record, {}).find('\x1b') == std::string::npos);
  const std::string colored = verdict(record, {.width = 100, .color = true});
  CHECK(colored.find("\x1b[31mBROKEN since") != std::string::npos);
  CHECK(colored.find("\x1b[2J") == std::string::npos);
}

TEST_CASE("the summary has the promised names") {
  const Scenario scenario = test::made_scenario(2);
  const RunRecord record = made_record(scenario);
  TextSink sink;
  write_results(record, sink);
  const auto json = nlohmann::json::parse(sink.texts().front().text);
  for (const char* name : {"scenario", "version", "scenario_hash", "start", "end", "seed", "growth_factor_safe",
                           "understood", "limits", "tables", "nodes"}) {
    CHECK_MESSAGE(json.contains(name), name);
  }
  for (const char* name : {"rows_per_s", "bytes_per_row", "bytes_per_s_node", "partitions_per_day", "flushes_per_day",
                           "rows_per_partition"}) {
    CHECK_MESSAGE(json["understood"].contains(name), name);
  }
  for (const char* name :
       {"name", "table", "node", "value", "bound", "unit", "holds", "first_breach", "margin_share"}) {
    CHECK_MESSAGE(json["limits"][0].contains(name), name);
  }
  CHECK(json["limits"][2]["holds"].is_null());
  const auto& table = json["tables"]["read\\u{1b}[2Jings"];
  for (const char* name : {"live_sstables",
                           "live_bytes",
                           "waiting_gc_grace_bytes",
                           "blocked_bytes",
                           "peak_disk_bytes",
                           "peak_disk_date",
                           "partitions",
                           "partition_bytes",
                           "partition_rows",
                           "partition_cells",
                           "sstable_partition_bytes",
                           "tombstones",
                           "droppable_tombstone_ratio",
                           "write_amplification",
                           "space_amplification",
                           "retention_overshoot_s",
                           "erasure_delay_s",
                           "rows_written",
                           "rows_live",
                           "rows_expired",
                           "rows_shadowed",
                           "rows_purged",
                           "flushes",
                           "compactions"}) {
    CHECK_MESSAGE(table.contains(name), name);
  }
  for (const char* name : {"min", "p50", "p75", "p95", "p98", "p99", "max"})
    CHECK(table["partition_bytes"].contains(name));
  CHECK(json["tables"].size() == 1);
}

TEST_CASE("an entity named like a formula stays text in CSV files") {
  const Scenario scenario = test::made_scenario(2);
  TextSink sink;
  write_results(made_record(scenario), sink);
  for (const NamedText& file : sink.texts()) {
    if (file.name == "largest.csv") {
      CHECK(file.text.find("read\\u{1b}[2Jings,1,s,'=cmd(),2026-01-01,2,2026-01-01,4096,90,180\r\n") !=
            std::string::npos);
    }
  }
}

TEST_CASE("what is not counted is said before everything else, and nothing is called an upper bound then") {
  const Scenario scenario = test::made_scenario(2);
  RunRecord record = made_record(scenario);
  CHECK(verdict(record, {}).starts_with("Disk figures are upper bounds"));
  record.tables.front().not_counted = "SAI index by_value";
  const std::string text = verdict(record, {});
  CHECK(text.starts_with("Missing in all figures of read"));
  CHECK(text.find("SAI index by_value") < text.find('\n'));
  CHECK(text.find("upper bound") == std::string::npos);
}

}  // namespace
}  // namespace windrow
