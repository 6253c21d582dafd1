#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/record/recorder.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/record/made_scenario.h"

// Deletes of partitions, and of what is older in them, beside rows that stay intervals, held to the same rows one by
// one: every file of every flush and compaction in every field, and what reports say of them.

namespace windrow {
namespace {

/// What a run did, line by line.
class Log final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override {
    note(fmt::format("{} flush", event.at_us), *event.change);
  }
  void committed(const Node&, const CommitEvent& event) override {
    std::string what = fmt::format("{} of", event.at_us);
    for (const SSTablePtr& file : event.removed) what += fmt::format(" {}", file->id());
    cut = cut || std::ranges::any_of(event.change->added, [](const SSTablePtr& file) {
            return std::ranges::any_of(file->content().cohorts, [](const Cohort& c) { return c.slots != nullptr; });
          });
    shadowed += event.change->ledger.shadowed;
    note(what, *event.change);
  }

  std::vector<std::string> lines{};
  Rows shadowed = 0;
  bool cut = false;  // some file has a part of a bucket's partitions

 private:
  void note(std::string what, const Change& change) {
    what += fmt::format(" in {} out {} shadowed {} purged {}", change.ledger.in, change.ledger.out,
                        change.ledger.shadowed, change.ledger.purged);
    for (const SSTablePtr& file : change.added) {
      const FileExtremes& e = file->extremes();
      what += fmt::format(
          " | {}: {} of {} bytes, {} rows, {} cells, {} partitions, keys {}, {}..{}, {}..{}, ttl {}..{}", file->id(),
          e.uncompressed_bytes, file->bytes_on_disk(), e.rows, e.cells, e.partitions, e.key_bytes, e.min_timestamp_us,
          e.max_timestamp_us, e.min_local_deletion_time_s, e.max_local_deletion_time_s, e.min_ttl_s, e.max_ttl_s);
      const auto [first, last] = file->token_span();
      what += fmt::format(", level {}, tokens {}..{}, keys {}, droppable", file->identity().level, first, last,
                          file->estimated_keys());
      for (Seconds after_s = 0; after_s <= 12 * seconds_per_day; after_s += seconds_per_day / 4)
        what += fmt::format(" {}", file->droppable_tombstone_ratio(test::start_us / us_per_s + after_s));
    }
    lines.push_back(std::move(what));
  }
};

/// The same with every row by itself.
Workloads row_by_row(const Scenario& scenario) {
  const auto one_group = [](Writer& writer, FateRule& fate) {
    writer.key_group = 0;
    fate.deletes.row_by_row = true;
    return true;
  };
  return {std::make_shared<const TableWorkload>(scenario_workload(scenario, 0, one_group))};
}

struct Deleting {
  OptionMap compaction{};
  int ttl_s = 0;
  Micros age_us = test::day_us;
  std::int64_t period_s = seconds_per_day;  // of a device's deletes
  bool buckets = true;
  DeleteKind kind = DeleteKind::partition;
};

Scenario deleting(const Deleting& how) {
  Scenario scenario = test::made_scenario(8, 7);
  scenario.tables.front().schema = test::made_table("readings", how.compaction, how.ttl_s, seconds_per_day / 2);
  scenario.tables.front().flush_size_bytes = 9'000;
  WriterSpec& rows = scenario.writers.front();
  rows = test::made_writer(scenario, 7, 1'200);
  if (!how.buckets) rows.bucket = BucketRule::none();
  WriterSpec deletes = rows;
  deletes.stream = "erasures";
  deletes.op = WriteOp::remove;
  deletes.remove = {.kind = how.kind, .age_us = how.age_us};
  deletes.rate.front().period_us = how.period_s * us_per_s;
  scenario.writers.push_back(deletes);
  return scenario;
}

const std::vector<OptionMap> strategies{{{"class", "SizeTieredCompactionStrategy"}},
                                        test::time_windows(1),
                                        test::time_windows(3),
                                        {{"class", "LeveledCompactionStrategy"}, {"sstable_size_in_mb", "1"}},
                                        {{"class", "UnifiedCompactionStrategy"},
                                         {"base_shard_count", "2"},
                                         {"min_sstable_size", "0B"},
                                         {"target_sstable_size", "1MiB"}}};

template <typename Each>
void each_case(DeleteKind kind, const Each& each) {
  for (const OptionMap& compaction : strategies) {
    for (const int ttl_s : {0, 3 * static_cast<int>(seconds_per_day)}) {
      for (const Micros age_us : {test::day_us, test::day_us / 4, 2 * test::day_us}) {
        for (const Seconds period_s : {seconds_per_day, seconds_per_day * 7 / 5, seconds_per_day / 3}) {
          for (const bool buckets : {true, false}) {
            CAPTURE(compaction.at("class"));
            CAPTURE(ttl_s);
            CAPTURE(age_us);
            CAPTURE(period_s);
            CAPTURE(buckets);
            each(deleting({compaction, ttl_s, age_us, period_s, buckets, kind}));
          }
        }
      }
    }
  }
}

void compare_files(DeleteKind kind) {
  Rows shadowed = 0;
  int cut = 0;
  each_case(kind, [&](const Scenario& scenario) {
    const Workloads beside = make_workloads(scenario);
    REQUIRE(beside.front()->deletes_partitions());
    REQUIRE(!beside.front()->keyed(0));
    Log expected;
    Log found;
    const Workloads rows = row_by_row(scenario);
    REQUIRE(rows.front()->keyed(0));
    run_node(scenario, rows, expected, {});
    run_node(scenario, beside, found, {});
    REQUIRE(found.lines.size() == expected.lines.size());
    for (std::size_t i = 0; i < found.lines.size(); ++i) {
      REQUIRE(found.lines[i] == expected.lines[i]);
    }
    shadowed += found.shadowed;
    cut += found.cut ? 1 : 0;
  });
  CHECK(shadowed > 10'000);
  CHECK(cut > 20);
}

TEST_CASE("deletes of partitions beside intervals make the files that rows one by one make") {
  compare_files(DeleteKind::partition);
}

TEST_CASE("deletes of what is older beside intervals make the files that rows one by one make") {
  compare_files(DeleteKind::range);
}

void compare_reports(DeleteKind kind) {
  each_case(kind, [&](const Scenario& scenario) {
    const auto run = [&](const Workloads& workloads) {
      Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
      run_node(scenario, workloads, recorder, {});
      return recorder.take();
    };
    const RunRecord expected = run(row_by_row(scenario));
    const RunRecord found = run(make_workloads(scenario));
    const TableSample& rows = expected.tables.front().samples.back();
    const TableSample& last = found.tables.front().samples.back();
    CHECK(last.rows_live == rows.rows_live);
    CHECK(last.rows_written == rows.rows_written);
    CHECK(last.live_bytes == rows.live_bytes);
    CHECK(static_cast<double>(last.readable_bytes) ==
          doctest::Approx(static_cast<double>(rows.readable_bytes)).epsilon(0.01));
    CHECK(found.tables.front().end.live.rows == expected.tables.front().end.live.rows);
    CHECK(found.tables.front().erasure_pending_rows == expected.tables.front().erasure_pending_rows);
    const DelaySummary& of_rows = expected.tables.front().erasure_delay;
    const DelaySummary& delay = found.tables.front().erasure_delay;
    CHECK(delay.rows == of_rows.rows);
    CHECK(delay.still_there == of_rows.still_there);
    CHECK(delay.p50.s == of_rows.p50.s);
    CHECK(delay.max_s == of_rows.max_s);
  });
}

TEST_CASE("what is told of deletes of partitions beside intervals is what is told of rows one by one") {
  compare_reports(DeleteKind::partition);
}

TEST_CASE("what is told of deletes of what is older beside intervals is what is told of rows one by one") {
  compare_reports(DeleteKind::range);
}

}  // namespace
}  // namespace windrow
