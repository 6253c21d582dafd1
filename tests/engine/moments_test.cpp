#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "tests/engine/random_node.h"

namespace {

using namespace windrow;

/// What happened, in words.
class Log final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override {
    std::string line = fmt::format("{} flush t{} {}", event.at_us, event.table, flush_reason_name(event.reason));
    for (const SSTablePtr& sstable : event.change->added)
      line += fmt::format(" {}:{}", sstable->id(), sstable->identity().data_bytes);
    lines.push_back(line);
  }
  void started(const Node&, const Job& job) override {
    std::string line = fmt::format("{} start t{} by {}:", job.started_us, job.table, job.task.pick.rule);
    for (const std::int64_t id : job.task.pick.inputs) line += fmt::format(" {}", id);
    lines.push_back(line);
  }
  void committed(const Node&, const CommitEvent& event) override {
    std::string line = fmt::format("{} commit t{} job {}:", event.at_us, event.table, event.job->number);
    for (const SSTablePtr& sstable : event.change->added) {
      line += fmt::format(" {}:{}:{}", sstable->id(), sstable->identity().data_bytes, sstable->extremes().rows);
    }
    lines.push_back(line);
    ++commits;
    if (event.change->added.empty()) ++drops;
  }
  void refused(const Node&, const RefusalEvent& event) override {
    lines.push_back(
        fmt::format("{} refused t{} {} of {}", event.at_us, event.table, event.needed_bytes, event.available_bytes));
    ++refusals;
  }
  void altered(const Node& node, const ChangeSpec& change) override {
    lines.push_back(fmt::format("{} alter t{}", node.now_us(), change.table));
    ++changes;
  }
  void restarted(const Node& node) override {
    lines.push_back(fmt::format("{} restart", node.now_us()));
    ++restarts;
  }
  void sampled(const Node& node) override {
    std::string line =
        fmt::format("{} disk {} waiting {}", node.now_us(), node.disk_used_bytes(), node.pending_candidates());
    for (int t = 0; t < node.table_count(); ++t) line += fmt::format(" {}", node.table(t).memtable().writes());
    lines.push_back(line);
  }

  std::vector<std::string> lines{};
  int commits = 0;
  int drops = 0;
  int refusals = 0;
  int changes = 0;
  int restarts = 0;
};

}  // namespace

TEST_CASE("asking at every check and asking only when the answer can have changed give the same run") {
  int commits = 0;
  int drops = 0;
  int refusals = 0;
  int changes = 0;
  int restarts = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_node(seed);
    Log polled;
    Log at_moments;
    run_node(scenario, polled, {.ask_at_every_check = true, .go_on = {}});
    run_node(scenario, at_moments, {.ask_at_every_check = false, .go_on = {}});
    for (std::size_t i = 0; i < std::min(polled.lines.size(), at_moments.lines.size()); ++i) {
      CAPTURE(i);
      REQUIRE(at_moments.lines[i] == polled.lines[i]);
    }
    REQUIRE(at_moments.lines.size() == polled.lines.size());
    commits += polled.commits;
    drops += polled.drops;
    refusals += polled.refusals;
    changes += polled.changes;
    restarts += polled.restarts;
  }
  // The property is worth something only if the runs did things.
  CHECK(commits > 5'000);
  CHECK(drops > 100);
  CHECK(refusals > 1'000);
  CHECK(changes > 100);
  CHECK(restarts > 50);
}

TEST_CASE("a full disk without a throttle, where one file would be rewritten for ever, is refused") {
  Scenario scenario = windrow_test::random_node(2);
  scenario.node.compaction_throughput_bytes_per_s = 0;
  scenario.node.merge_speed_bytes_per_s = 0;
  scenario.node.disk_bytes = MiB(50) + KiB(500);
  scenario.node.restart_every_us = 0;
  scenario.changes.clear();
  scenario.actions.clear();
  for (TableSpec& table : scenario.tables) {
    table.schema.options.compaction_options = SizeTieredOptions{.common = {.min_threshold = 2}};
  }
  Log log;
  CHECK_THROWS_WITH_AS(
      run_node(scenario, log, {}),
      doctest::Contains(
          "again and again as it was, and take no time: give [node] compaction_throughput or merge_speed"),
      std::invalid_argument);
}
