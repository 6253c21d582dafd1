#include "sim/record/recorder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sim/results/catalog.h"
#include "sim/results/understood.h"
#include "sim/verdict/verdict.h"
#include "tests/record/made_scenario.h"
#include "tests/record/recorded_run.h"

namespace windrow {
namespace {

using test::recorded;

/// A few rows without TTL in the first five days, beside the others.
Scenario with_rows_that_stay(int days) {
  Scenario scenario = test::made_scenario(days);
  scenario.writers.push_back(test::made_writer(scenario, 1, 7'200));
  scenario.writers.back().stream = "forever";
  scenario.writers.back().ttl = {{.share_ppm = ppm, .ttl_s = 0}};
  scenario.writers.back().until_us = scenario.start_us + 5 * test::day_us;
  return scenario;
}

TEST_CASE("every sample shares out the bytes, and rows are where they must be") {
  const Scenario scenario = with_rows_that_stay(15);
  const RunRecord record = recorded(scenario);
  REQUIRE(record.tables.size() == 1);
  CHECK(record.complete);
  const TableRecord& table = record.tables[0];
  CHECK(table.samples.size() == 16);
  for (const TableSample& sample : table.samples) {
    CHECK(sample.live_bytes ==
          sample.readable_bytes + sample.waiting_gc_grace_bytes + sample.blocked_bytes + sample.purgeable_bytes);
    CHECK(sample.purgeable_bytes >= 0);
    CHECK(sample.write_amplification >= 1);
    CHECK(sample.disk_bytes_max >= sample.live_bytes);
    CHECK(sample.sstables_max >= sample.sstables);
  }
  const TableSample& last = table.samples.back();
  CHECK(last.rows_written == 15 * 50 * 1'440 + 60);
  const RowBalance& balance = table.balance;
  CHECK(last.rows_written == table.end.live.rows + table.end.waiting.rows + table.end.purgeable.rows +
                                 balance.shadowed + balance.purged + balance.dropped_with_files);
  CHECK(table.end.live.rows == 3 * 50 * 1'440 + 60 - 1);  // TTL 3 d: the row of this very second is dead
  CHECK(table.partitions.rows.max == 1'440);
}

TEST_CASE("a clean time-window table keeps TTL and gc_grace, and nothing is blocked") {
  const Scenario scenario = test::made_scenario(20);
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables[0];
  CHECK(table.blocked.empty());
  CHECK(table.blocked_peak.value == 0);
  REQUIRE(table.windows);
  CHECK(table.windows->windows >= 4);
  CHECK(table.windows->windows <= 6);
  // Values go with their file: a window, gc_grace and the wait for the check after their expiry at most.
  CHECK(table.retention_overshoot.rows > 0);
  CHECK(table.retention_overshoot.max_s >= seconds_per_day);
  CHECK(table.retention_overshoot.max_s <= 3 * seconds_per_day);
  CHECK(table.balance.dropped_with_files > 0);
  const bool expired =
      std::ranges::any_of(table.lifelines, [](const Lifeline& line) { return line.why_died == "expired"; });
  CHECK(expired);
}

TEST_CASE("blockers are named with what they hold") {
  const Scenario scenario = with_rows_that_stay(20);
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables[0];
  REQUIRE_FALSE(table.blocked.empty());
  REQUIRE_FALSE(table.blockers.empty());
  const Blocker& first = table.blockers.front();
  CHECK(first.expires_s == no_deletion_time);
  CHECK(first.holds_bytes == table.samples.back().blocked_bytes);
  for (const BlockedFile& file : table.blocked) {
    CHECK(file.goes_at_s == no_deletion_time);
    CHECK(file.blocked_by.front() == first.id);
    const auto line = std::ranges::find(table.lifelines, file.id, &Lifeline::id);
    REQUIRE(line != table.lifelines.end());
    CHECK(line->blocked);
    CHECK(line->blocked_by == file.blocked_by);
  }
  const auto line = std::ranges::find(table.lifelines, first.id, &Lifeline::id);
  REQUIRE(line != table.lifelines.end());
  CHECK(line->blocker);
  CHECK(line->holds_bytes == first.holds_bytes);
  const std::string text = verdict(record, {});
  CHECK(text.find("by                 SSTable " + std::to_string(first.id) + ": ") != std::string::npos);
  CHECK(text.find("has rows without TTL") != std::string::npos);
}

TEST_CASE("limits break at the event, not at the next sample") {
  Scenario scenario = test::made_scenario(10);
  scenario.limits = {{.name = "sstables_max", .value = 4},
                     {.name = "partition_rows_max", .value = 600},
                     {.name = "partition_rows_max", .table = 0, .value = 1'440},
                     {.name = "repair_margin_min", .value = 1}};
  const RunRecord record = recorded(scenario);
  REQUIRE(record.limits.size() == 4);
  const LimitOutcome& sstables = record.limits[0];
  CHECK_FALSE(sstables.holds());
  CHECK(sstables.table == "readings");
  CHECK(*sstables.first_breach_us % test::day_us != 0);
  // Each device writes once a minute: row 601 of its day comes in minute 600.
  REQUIRE(record.limits[1].first_breach_us);
  const Micros minute_600_us = scenario.start_us + 600 * 60 * us_per_s;
  CHECK(*record.limits[1].first_breach_us >= minute_600_us);
  CHECK(*record.limits[1].first_breach_us <= minute_600_us + 60 * us_per_s);
  CHECK(record.limits[2].holds());
  CHECK(record.limits[2].margin_share() == 0);
  CHECK_FALSE(record.limits[3].measured);
}

TEST_CASE("a limit on erasure breaks when the first deleted row has stayed that long, whenever that is found out") {
  // Each row is deleted a day after its write, one of twenty; it stays until its window goes, days later.
  const auto breaches = [](int days) {
    Scenario scenario = test::made_scenario(days);
    scenario.writers.push_back(scenario.writers.front());
    WriterSpec& deletes = scenario.writers.back();
    deletes.stream = "erasures";
    deletes.op = WriteOp::remove;
    deletes.remove = {.kind = DeleteKind::row, .age_us = test::day_us};
    deletes.rate.front().period_us *= 20;
    for (const double limit_days : {1.5, 2.0, 30.0})
      scenario.limits.push_back({.name = "erasure_days_max", .value = limit_days});
    return recorded(scenario).limits;
  };
  // Of the first twenty rows the second is deleted (RowShare::split), written a second after the first.
  const Micros first_delete_us = test::start_us + us_per_s + test::day_us;
  for (const int days : {4, 12}) {  // only at the end of the run, and when the windows go
    CAPTURE(days);
    const std::vector<LimitOutcome> limits = breaches(days);
    REQUIRE(limits.size() == 3);
    REQUIRE(limits[0].first_breach_us);
    CHECK(*limits[0].first_breach_us == first_delete_us + test::day_us * 3 / 2);
    REQUIRE(limits[1].first_breach_us);
    CHECK(*limits[1].first_breach_us == first_delete_us + 2 * test::day_us);
    CHECK(limits[2].holds());
    CHECK(limits[2].value > 2);
  }
}

TEST_CASE("lifelines are those alive at a sample; with `all` every one, and every compaction by itself") {
  const Scenario scenario = test::made_scenario(8);
  const RunRecord few = recorded(scenario);
  const RunRecord all = recorded(scenario, {.all = true});
  const TableRecord& table = all.tables[0];
  CHECK(few.tables[0].lifelines.size() < table.lifelines.size());
  for (const Lifeline& line : few.tables[0].lifelines) {
    const Micros next_sample_us = (line.born_us / test::day_us + 1) * test::day_us;
    CHECK((!line.died_us || *line.died_us >= next_sample_us));
  }
  // Every file is created once; those without end are the live ones.
  CHECK(std::ranges::count_if(table.lifelines, [](const Lifeline& line) { return !line.died_us; }) ==
        table.samples.back().sstables);
  CHECK(std::ssize(table.compactions) == table.compactions_done);
  std::int64_t inputs = 0;
  Bytes output_bytes = 0;
  for (const CompactionRow& row : table.compactions) {
    inputs += row.inputs;
    output_bytes += row.output_bytes;
  }
  CHECK(inputs ==
        std::ranges::count_if(table.lifelines, [](const Lifeline& line) { return line.died_us.has_value(); }));
  CHECK(output_bytes == table.compacted_out_bytes);
}

TEST_CASE("small compactions are summed per day and reason") {
  CompactionLog log(false);
  const Change change;
  Job job;
  job.task.pick.rule = "7.4 past window";
  for (const Micros hour : {1, 2, 30}) {
    job.started_us = hour * 3'600 * us_per_s;
    log.add({.at_us = job.started_us + 5, .table = 0, .job = &job, .change = &change, .removed = {}}, "T", 1'000'000);
  }
  const std::vector<CompactionRow> rows = log.finish();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].count == 2);
  CHECK(rows[0].reason == "past window");
  CHECK(rows[0].end_us == 2 * 3'600 * us_per_s + 5);
  CHECK(rows[1].count == 1);
}

TEST_CASE("what was understood catches a factor of 60") {
  const Scenario scenario = test::made_scenario(10);
  const Understood what = understood(recorded(scenario));
  CHECK(what.rows_per_s == doctest::Approx(50.0 / 60));
  CHECK(what.partitions_per_day == doctest::Approx(50));
  CHECK(what.rows_per_partition_max == 1'440);
  CHECK(what.bytes_per_row > 25);
  CHECK(what.bytes_per_row < 45);
}

TEST_CASE("the largest partitions grow row by row to the size they have, and a peak of compaction is there twice") {
  const Scenario scenario = test::made_scenario(10);
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables.front();
  REQUIRE(!table.growth.empty());
  for (std::size_t i = 0; i < table.growth.size(); ++i) {
    const GrowthPoint& point = table.growth[i];
    const NamedPartition& partition = table.largest[static_cast<std::size_t>(point.rank - 1)];
    CHECK(point.bytes <= partition.bytes);
    const bool last = i + 1 == table.growth.size() || table.growth[i + 1].rank != point.rank;
    if (last) {
      CHECK(point.rows == partition.rows);
      CHECK(point.bytes == partition.bytes);
    } else {
      CHECK(point.rows <= table.growth[i + 1].rows);
      CHECK(point.at_us < table.growth[i + 1].at_us);
    }
  }
  CHECK(table.growth.front().age_s == 0);
  CHECK(table.disk_peak_temporary_bytes >= 0);
  CHECK(static_cast<double>(table.disk_peak_temporary_bytes) < table.disk.value);
}

TEST_CASE("static rows beside intervals are work") {
  Scenario scenario = test::made_scenario(4);
  const std::int64_t without = recorded(scenario).work;
  scenario.tables[0].schema.columns[0].kind = Column::Kind::static_;
  scenario.writers[0].columns[0].is_static = true;
  scenario.writers[0].columns[1].position = 0;  // of the regular ones
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables[0];
  // Each flush writes a static row for each of 50 devices, and each is read again once at least.
  constexpr std::int64_t steps_a_row = 6;
  CHECK(record.work >= without + 2 * 50 * steps_a_row * table.flushes);
}

TEST_CASE("rows that are held one by one are work") {
  Scenario scenario = test::made_scenario(4);
  scenario.tables.front().flush_size_bytes = 50'000;
  WriterSpec& writer = scenario.writers.front();
  writer.op = WriteOp::overwrite;
  writer.overwrite = {.keys = 5'000, .order = OverwriteRule::Order::cyclic};
  writer.bucket = BucketRule::none();
  const RunRecord record = recorded(scenario);
  const TableRecord& table = record.tables.front();
  CHECK(table.flushes > 10);
  constexpr std::int64_t steps_a_row = 6;
  CHECK(record.work >= steps_a_row * table.flushed_rows);
}

TEST_CASE("results are the same twice, and each file begins with the columns that were promised") {
  const Scenario scenario = with_rows_that_stay(12);
  TextSink first;
  write_results(recorded(scenario), first);
  TextSink second;
  write_results(recorded(scenario), second);
  REQUIRE(first.texts().size() == result_files().size());
  std::map<std::string, std::string> headers;
  for (std::size_t i = 0; i < first.texts().size(); ++i) {
    CHECK(first.texts()[i].text == second.texts()[i].text);
    CHECK(first.texts()[i].name == result_files()[i].name);
    headers[first.texts()[i].name] = first.texts()[i].text.substr(0, first.texts()[i].text.find("\r\n"));
  }
  CHECK(headers["compactions.csv"].starts_with(
      "start,end,node,table,strategy,reason,count,inputs,input_bytes,output_sstables,output_bytes,output_rows"));
  CHECK(
      headers["sstables.csv"].starts_with("sstable,node,table,born,died,why_born,why_died,parents,level,window,bytes,"
                                          "rows,partitions,oldest_write,newest_write,"
                                          "first_expiry,last_expiry,droppable_at,blocked_by,frees_bytes"));
  CHECK(headers["timeline.csv"].starts_with("at,node,table,live_bytes,"));
}

}  // namespace
}  // namespace windrow
