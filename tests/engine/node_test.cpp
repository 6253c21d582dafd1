#include "sim/engine/node.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/year_case.h"
#include "tests/engine/random_node.h"
#include "tests/engine/run_log.h"

namespace {

using namespace windrow;
using windrow_test::RunLog;

constexpr Micros hour_us = 3'600 * us_per_s;

/// A table of 20,000 entities, flushed about every eleven minutes.
Scenario slow_fleet(const CompactionOptions& compaction, double days) {
  return windrow_bench::scenario_of({.name = "t", .compaction = compaction, .megabytes_per_s = 0.1}, days * 86'400);
}

Rows rows_of(const Node& node) {
  Rows rows = 0;
  for (const auto& [id, file] : node.table(0).sstables()) rows += file->extremes().rows;
  return rows + node.table(0).memtable().counted_writes();
}

/// Plays the nodes to the end together, stopping every `step_us`.
void play_together(std::initializer_list<Node*> nodes, Micros step_us) {
  const Scenario& scenario = (*nodes.begin())->scenario();
  for (Micros at_us = scenario.start_us; at_us < scenario.end_us; at_us += step_us) {
    for (Node* node : nodes) node->play_until(at_us);
  }
  for (Node* node : nodes) {
    node->play_until(scenario.end_us);
    CHECK(node->next_at() == Node::never);
    node->check_balance();
  }
}

TEST_CASE("nodes that share a workload and are stopped again and again run as one that runs through") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_node(seed);
    RunLog alone;
    run_node(scenario, alone, {});
    const Workloads workloads = make_workloads(scenario);
    const RunOptions options;
    RunLog first;
    RunLog second;
    Node one(scenario, workloads, first, options);
    Node other(scenario, workloads, second, options);
    play_together({&one, &other}, 1'234'567'891 + static_cast<Micros>(seed % 7) * 60 * us_per_s);
    CHECK(first.lines == alone.lines);
    CHECK(second.lines == alone.lines);
  }
}

TEST_CASE("what overlaps a compaction is listed once something that it reads may be purged, not when it is dead") {
  struct Overlaps final : RunObserver {
    void committed(const Node& node, const CommitEvent& event) override {
      const Task& task = event.job->task;
      const bool early = task.gc_before_s <= node.scenario().start_us / us_per_s;
      (early ? dead_early : dead_late) += task.holds_dead ? 1 : 0;
      (early ? early_overlaps : late_overlaps) += task.overlapping.size();
    }
    int dead_early = 0;
    int dead_late = 0;
    std::size_t early_overlaps = 0;
    std::size_t late_overlaps = 0;
  };
  Scenario scenario = slow_fleet(LeveledOptions{}, 3);
  scenario.tables[0].schema.options.default_time_to_live = 3'600;
  scenario.tables[0].schema.options.gc_grace_seconds = 86'400;
  Overlaps seen;
  run_node(scenario, seen, {});
  CHECK(seen.dead_early > 5);
  CHECK(seen.early_overlaps == 0);
  CHECK(seen.dead_late > 5);
  CHECK(seen.late_overlaps > 5);
}

TEST_CASE("an ALTER is in force before what was written until then is flushed, and the new strategy is asked (12.4)") {
  Scenario scenario = slow_fleet(SizeTieredOptions{}, 1);
  const Micros at_us = scenario.start_us + 15 * hour_us + 7;
  ChangeSpec change{.name = "to-windows", .at_us = at_us};
  change.after = scenario.tables[0].schema;
  change.after.options.gc_grace_seconds = 4'321;
  change.after.options.compaction_options = TimeWindowOptions{};
  change.after.options.compaction = {{"class", "TimeWindowCompactionStrategy"}};
  scenario.changes.push_back(change);
  const Workloads workloads = make_workloads(scenario);
  const RunOptions options;
  RunLog log;
  Node node(scenario, workloads, log, options);
  node.play_until(at_us - 1);
  const Seconds grace_before_s = node.now_s() - node.table(0).gc_before(node.now_s());
  node.play_until(at_us);
  CHECK(node.table(0).memtable().writes() == 0);
  CHECK(rows_of(node) == workloads[0]->sub_streams()[0].count_arrived_before(at_us));
  CHECK(node.now_s() - node.table(0).gc_before(node.now_s()) == 4'321);
  CHECK(grace_before_s != 4'321);
  node.play_until(scenario.end_us);

  const auto altered = std::ranges::find(log.lines, fmt::format("{} alter t0", at_us));
  REQUIRE(std::ranges::distance(altered, log.lines.end()) > 1);
  CHECK((altered + 1)->starts_with(fmt::format("{} flush t0 alter ", at_us)));  // with a file
  const auto begun_by = [](auto from, auto to, const char* strategy) {
    return std::count_if(from, to, [&](const std::string& line) { return line.find(strategy) != std::string::npos; });
  };
  CHECK(begun_by(log.lines.begin(), altered, "most interesting bucket") > 0);
  CHECK(begun_by(log.lines.begin(), altered, "window") == 0);
  CHECK(begun_by(altered, log.lines.end(), "most interesting bucket") == 0);
  CHECK(begun_by(altered, log.lines.end(), "window") > 0);
}

TEST_CASE("a node that is down neither flushes nor compacts; when it is up, its memtable is written") {
  const Scenario scenario = slow_fleet(SizeTieredOptions{}, 1);
  const Workloads workloads = make_workloads(scenario);
  const RunOptions options;
  RunLog log;
  Node node(scenario, workloads, log, options);
  const Micros down_us = scenario.start_us + 5 * hour_us + 7;
  const Micros up_us = down_us + 3 * hour_us;
  node.play_until(down_us);
  node.down();
  const Rows held = node.table(0).memtable().writes();
  CHECK(held > 0);
  const Rows rows = rows_of(node);
  const std::size_t before = log.lines.size();
  node.play_until(up_us);
  CHECK(log.lines.size() == before);
  CHECK_FALSE(node.flush(0));
  CHECK(node.jobs().empty());
  CHECK(node.table(0).memtable().writes() == held);
  CHECK(rows_of(node) == rows);
  CHECK(node.memtable_heap_bytes(0) > 0);
  node.up();
  CHECK(log.lines[before].starts_with(fmt::format("{} flush t0 action", up_us)));
  CHECK(log.restarts == 1);
  node.play_until(scenario.end_us);
  node.check_balance();
  // What came in between is missed, all else is there.
  const auto& sub = workloads[0]->sub_streams()[0];
  const std::int64_t missed = sub.count_arrived_before(up_us) - sub.count_arrived_before(down_us);
  CHECK(rows_of(node) == sub.count_arrived_before(scenario.end_us) - missed);
}

TEST_CASE("what happens to a node that is down: nobody can ask it, and a DROP is heard when it is up") {
  Scenario scenario = slow_fleet(SizeTieredOptions{}, 1);
  scenario.node.restart_every_us = 6 * hour_us;
  scenario.node.snapshot_every_us = 6 * hour_us;
  const auto at = [&](int hour, ActionSpec::Kind kind) {
    scenario.actions.push_back({.name = "a", .at_us = scenario.start_us + hour * hour_us, .kind = kind, .table = 0});
  };
  at(6, ActionSpec::Kind::compact);
  at(7, ActionSpec::Kind::flush);
  at(8, ActionSpec::Kind::drop);
  const Workloads workloads = make_workloads(scenario);
  const RunOptions options;
  RunLog log;
  Node node(scenario, workloads, log, options);
  node.play_until(scenario.start_us + 5 * hour_us);
  node.down();
  const std::size_t before = log.lines.size();
  node.play_until(scenario.start_us + 9 * hour_us);
  CHECK(log.lines.size() == before);
  CHECK(node.table(0).live().size() > 0);
  node.up();
  CHECK(node.table(0).live().size() == 0);
  node.play_until(scenario.end_us);
  CHECK(log.restarts == 1 + 3);  // up, then at 12, 18 and 24 hours
  node.check_balance();
}

TEST_CASE("what a node has already arrives again: copies lie in two files until a compaction absorbs them") {
  for (const CompactionOptions& compaction :
       {CompactionOptions(SizeTieredOptions{}), CompactionOptions(TimeWindowOptions{}),
        CompactionOptions(LeveledOptions{}), CompactionOptions(UnifiedOptions{})}) {
    CAPTURE(strategy_name(compaction));
    Scenario scenario = slow_fleet(compaction, 1);
    scenario.actions = {
        {.name = "major", .at_us = scenario.end_us - 2 * hour_us, .kind = ActionSpec::Kind::compact, .table = 0}};
    const Workloads workloads = make_workloads(scenario);
    RunLog of_one;
    RunLog of_other;
    const RunOptions options;
    Node one(scenario, workloads, of_one, options);
    Node other(scenario, workloads, of_other, options);
    one.play_until(scenario.start_us + 6 * hour_us);
    other.play_until(scenario.start_us + 6 * hour_us);
    one.flush(0);
    other.flush(0);
    const Rows before = rows_of(other);
    std::vector<Content> sent;
    for (const auto& [id, file] : one.table(0).sstables()) sent.push_back(file->content());
    CHECK(!other.table(0).may_hold_duplicates());
    for (Content& content : sent) other.stream_in(0, std::move(content), {});
    CHECK(other.table(0).may_hold_duplicates());
    CHECK(rows_of(other) == 2 * before);
    CHECK(other.table(0).balance().streamed == before);
    other.streams_are_in(0);
    other.play_until(scenario.end_us);
    one.play_until(scenario.end_us);
    CHECK(rows_of(other) == rows_of(one));
    CHECK(!other.table(0).may_hold_duplicates());
    const RowBalance& balance = other.table(0).balance();
    CHECK(balance.duplicates + balance.dropped_with_files + balance.purged >= before);
    other.check_balance();
  }
}

TEST_CASE("what one node missed arrives from another: as new files of level 0 with the dates that the rows have") {
  for (const CompactionOptions& compaction :
       {CompactionOptions(SizeTieredOptions{}), CompactionOptions(TimeWindowOptions{}),
        CompactionOptions(LeveledOptions{}), CompactionOptions(UnifiedOptions{})}) {
    CAPTURE(strategy_name(compaction));
    const Scenario scenario = slow_fleet(compaction, 1);
    const Workloads workloads = make_workloads(scenario);
    const RunOptions options;
    RunLog of_whole;
    RunLog of_other;
    Node whole(scenario, workloads, of_whole, options);
    Node other(scenario, workloads, of_other, options);
    const Micros down_us = scenario.start_us + 5 * hour_us;
    const Micros up_us = down_us + 3 * hour_us;
    const Micros repair_us = up_us + 2 * hour_us;
    other.play_until(down_us);
    other.down();
    other.play_until(up_us);
    other.up();
    whole.play_until(repair_us);
    other.play_until(repair_us);
    whole.flush(0);
    other.flush(0);
    const auto [from, to] = other.table(0).memtable().arrivals().lost(0).front();
    CHECK(rows_of(whole) - rows_of(other) == to - from);
    const RepairStatus status{.pending_session = 7};
    std::set<std::int64_t> known;
    for (const auto& [id, file] : other.table(0).sstables()) known.insert(id);
    for (const auto& [id, file] : whole.table(0).sstables()) {
      Content sent{.bases = file->content().bases};
      for (Cohort cohort : file->content().cohorts) {
        cohort.from = std::max(cohort.from, from);
        cohort.to = std::min(cohort.to, to);
        if (cohort.from < cohort.to) sent.cohorts.push_back(cohort);
      }
      if (!sent.cohorts.empty()) other.stream_in(0, std::move(sent), status);
      other.streams_are_in(0);
    }
    CHECK(rows_of(whole) == rows_of(other));
    CHECK(other.table(0).balance().streamed == to - from);
    int files = 0;
    for (const auto& [id, file] : other.table(0).sstables()) {
      if (known.contains(id)) continue;
      ++files;
      CHECK(other.table(0).live().at(id).level == 0);
      CHECK(file->identity().repair == status);
      CHECK(file->extremes().min_timestamp_us >= down_us);
      CHECK(file->extremes().max_timestamp_us < up_us);
    }
    CHECK(files > 0);
    // The session fails: its files go back to the unrepaired ones, and are merged with them.
    std::vector<std::int64_t> ids;
    for (const auto& place : other.table(0).live().find_holder(holder_of(status))->oldest_first()) {
      if (!place.file->compacting) ids.push_back(place.file->id);
    }
    other.mark_repaired(0, ids, {});
    other.play_until(scenario.end_us);
    whole.play_until(scenario.end_us);
    other.check_balance();
    CHECK(rows_of(whole) == rows_of(other));
  }
}

TEST_CASE("files that are marked repaired are merged with repaired ones only") {
  const Scenario scenario = slow_fleet(SizeTieredOptions{}, 2);
  const Workloads workloads = make_workloads(scenario);
  const RunOptions options;
  RunLog log;
  Node node(scenario, workloads, log, options);
  node.play_until(scenario.start_us + 12 * hour_us);
  std::vector<std::int64_t> ids;
  node.table(0).live().each_file([&](const SSTableView& file) {
    if (!file.compacting) ids.push_back(file.id);
  });
  node.mark_repaired(0, ids, {.repaired_at_ms = 1});
  Rows repaired_rows = 0;
  for (const std::int64_t id : ids) repaired_rows += node.table(0).sstable(id)->extremes().rows;
  node.play_until(scenario.end_us);
  node.check_balance();
  Rows rows = 0;
  for (const auto& [id, file] : node.table(0).sstables()) {
    if (node.table(0).live().at(id).repair.repaired_at_ms == 1) rows += file->extremes().rows;
  }
  CHECK(rows == repaired_rows);
  CHECK(node.table(0).live().find_holder({.kind = HolderKey::Kind::repaired}) != nullptr);
}

}  // namespace
