#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/record/recorder.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

using Kind = ActionSpec::Kind;

RunRecord recorded_whole(const Scenario& scenario, bool ask_at_every_check = false) {
  Recorder recorder(scenario, {}, {.all = true, .only_limits = false});
  run_node(scenario, recorder, {.ask_at_every_check = ask_at_every_check, .go_on = {}});
  return recorder.take();
}

Scenario with_action(Scenario scenario, Kind kind, int day) {
  scenario.actions.push_back(
      {.name = "once", .at_us = scenario.start_us + day * test::day_us, .kind = kind, .table = 0});
  return scenario;
}

/// No TTL, so that nothing goes by itself.
Scenario lasting(const OptionMap& compaction, int days = 12) {
  Scenario scenario = test::made_scenario(days);
  scenario.tables.front().schema = test::made_table("readings", compaction, 0, 864'000);
  scenario.tables.front().flush_size_bytes = 200'000;
  return scenario;
}

const TableSample& at_day(const RunRecord& record, int day) {
  return record.tables.front().samples[static_cast<std::size_t>(day)];
}

std::vector<CompactionRow> majors(const RunRecord& record) {
  std::vector<CompactionRow> rows = record.tables.front().compactions;
  std::erase_if(rows, [](const CompactionRow& row) { return row.reason != "major compaction"; });
  return rows;
}

TEST_CASE("a snapshot costs nothing while the table has the files, and all of them once it has rewritten them") {
  const OptionMap tiers = {{"class", "SizeTieredCompactionStrategy"}};
  const RunRecord without = recorded_whole(lasting(tiers));
  const RunRecord with = recorded_whole(with_action(lasting(tiers), Kind::snapshot, 5));
  CHECK(without.tables.front().snapshots.value == 0);
  CHECK(at_day(with, 5).snapshot_bytes == 0);
  CHECK(at_day(with, 12).snapshot_bytes > 0);
  CHECK(at_day(with, 12).snapshot_bytes <= at_day(with, 5).live_bytes);
  CHECK(with.end_disk_bytes ==
        at_day(with, 12).live_bytes + at_day(with, 12).snapshot_bytes + at_day(with, 12).temporary_bytes);
  const RunRecord cleared =
      recorded_whole(with_action(with_action(lasting(tiers), Kind::snapshot, 5), Kind::clear_snapshot, 11));
  CHECK(cleared.tables.front().snapshots.value > 0);
  CHECK(at_day(cleared, 12).snapshot_bytes == 0);
}

TEST_CASE("of scheduled snapshots the newest are kept") {
  const auto scheduled = [](int keep) {
    Scenario scenario = lasting({{"class", "SizeTieredCompactionStrategy"}});
    scenario.node.snapshot_every_us = 2 * test::day_us;
    scenario.node.keep_snapshots = keep;
    return recorded_whole(scenario).tables.front().samples.back().snapshot_bytes;
  };
  CHECK(scheduled(1) < scheduled(3));
}

TEST_CASE("a dropped table frees nothing while its snapshot is kept, and takes no more writes") {
  Scenario scenario = with_action(lasting({{"class", "SizeTieredCompactionStrategy"}}), Kind::drop, 6);
  const RunRecord kept = recorded_whole(scenario);
  CHECK(at_day(kept, 5).live_bytes > 0);
  CHECK(at_day(kept, 6).live_bytes == 0);
  CHECK(at_day(kept, 6).sstables == 0);
  CHECK(at_day(kept, 6).snapshot_bytes > at_day(kept, 5).live_bytes);
  CHECK(at_day(kept, 12).snapshot_bytes == at_day(kept, 6).snapshot_bytes);
  CHECK(at_day(kept, 12).rows_written == at_day(kept, 6).rows_written);
  CHECK(at_day(kept, 6).rows_written == 6 * 50 * 1'440);
  CHECK(kept.tables.front().balance.dropped_with_files == 6 * 50 * 1'440);
  CHECK(kept.tables.front().dropped_us == scenario.actions.front().at_us);

  scenario.tables.front().drop = {
      .after_us = 0, .snapshot = DropRule::Snapshot::for_a_time, .snapshot_kept_us = 3 * test::day_us};
  const RunRecord for_a_time = recorded_whole(scenario);
  CHECK(at_day(for_a_time, 8).snapshot_bytes == at_day(kept, 6).snapshot_bytes);
  CHECK(at_day(for_a_time, 10).snapshot_bytes == 0);
  scenario.tables.front().drop = {.after_us = 0, .snapshot = DropRule::Snapshot::none, .snapshot_kept_us = 0};
  CHECK(recorded_whole(scenario).tables.front().snapshots.value == 0);
}

TEST_CASE("a truncated table goes on") {
  const RunRecord record =
      recorded_whole(with_action(lasting({{"class", "SizeTieredCompactionStrategy"}}), Kind::truncate, 6));
  CHECK(at_day(record, 6).live_bytes == 0);
  CHECK(at_day(record, 12).live_bytes > 0);
  CHECK(at_day(record, 12).rows_live == 6 * 50 * 1'440);
  CHECK(at_day(record, 12).rows_written == 12 * 50 * 1'440);
}

TEST_CASE("major compaction: one file of size tiers, one of all time windows") {
  for (const OptionMap& compaction :
       {OptionMap{{"class", "SizeTieredCompactionStrategy"}, {"min_threshold", "8"}}, test::time_windows(1)}) {
    const RunRecord record = recorded_whole(with_action(lasting(compaction), Kind::compact, 6));
    const std::vector<CompactionRow> rows = majors(record);
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().inputs > 1);
    CHECK(rows.front().output_sstables == 1);
    CHECK(rows.front().start_us == test::start_us + 6 * test::day_us);
    CHECK(rows.front().output_rows > 5 * 50 * 1'440);
  }
}

TEST_CASE("major compaction of levels fills them from the first") {
  Scenario scenario =
      lasting({{"class", "LeveledCompactionStrategy"}, {"sstable_size_in_mb", "1"}, {"fanout_size", "3"}}, 8);
  scenario = with_action(scenario, Kind::compact, 6);
  const RunRecord record = recorded_whole(scenario);
  REQUIRE(majors(record).size() == 1);
  std::map<int, int> levels;
  for (const Lifeline& line : record.tables.front().lifelines) {
    if (line.why_born == "major compaction") ++levels[line.level];
  }
  CHECK(!levels.contains(0));
  CHECK(levels[1] ==
        3);  // each a little above 1 MiB: the third goes beyond what the level may hold, and is still in it
  CHECK(levels[2] > 3);
}

TEST_CASE("major compaction of a unified table: a task for each group that overlaps") {
  const RunRecord record = recorded_whole(
      with_action(lasting({{"class", "UnifiedCompactionStrategy"}, {"scaling_parameters", "T8"}}), Kind::compact, 6));
  CHECK(!majors(record).empty());
  std::int64_t inputs = 0;
  for (const CompactionRow& row : majors(record)) inputs += row.inputs;
  CHECK(inputs > 1);
}

TEST_CASE("a major compaction stops what runs, and waits for a thread") {
  Scenario scenario = with_action(lasting({{"class", "SizeTieredCompactionStrategy"}}), Kind::compact, 6);
  scenario.node.concurrent_compactors = 1;
  scenario.node.compaction_throughput_bytes_per_s = 60;
  const RunRecord record = recorded_whole(scenario);
  const std::vector<CompactionRow> rows = majors(record);
  for (const CompactionRow& row : rows) CHECK(row.start_us == scenario.actions.front().at_us);
}

TEST_CASE("what operators do is the same whether every check asks or not") {
  for (const OptionMap& compaction : {OptionMap{{"class", "SizeTieredCompactionStrategy"}}, test::time_windows(1),
                                      OptionMap{{"class", "UnifiedCompactionStrategy"}}}) {
    Scenario scenario = test::made_scenario(12);
    scenario.tables.front().schema = test::made_table("readings", compaction, 259'200, 86'400);
    scenario.node.compaction_throughput_bytes_per_s = 2'000;
    scenario.node.snapshot_every_us = 3 * test::day_us;
    int day = 2;
    for (const Kind kind :
         {Kind::compact, Kind::snapshot, Kind::truncate, Kind::cleanup, Kind::flush, Kind::compact, Kind::drop}) {
      scenario = with_action(scenario, kind, day++);
    }
    const RunRecord asks = recorded_whole(scenario, true);
    const RunRecord passes_over = recorded_whole(scenario, false);
    const TableRecord& a = asks.tables.front();
    const TableRecord& b = passes_over.tables.front();
    REQUIRE(a.lifelines.size() == b.lifelines.size());
    for (std::size_t i = 0; i < a.lifelines.size(); ++i) {
      CHECK(a.lifelines[i].id == b.lifelines[i].id);
      CHECK(a.lifelines[i].born_us == b.lifelines[i].born_us);
      CHECK(a.lifelines[i].died_us == b.lifelines[i].died_us);
      CHECK(a.lifelines[i].bytes == b.lifelines[i].bytes);
    }
    CHECK(a.samples.back().snapshot_bytes == b.samples.back().snapshot_bytes);
  }
}

}  // namespace
}  // namespace windrow
