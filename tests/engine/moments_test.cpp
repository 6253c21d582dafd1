#include <doctest/doctest.h>
#include <fmt/core.h>

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
    for (const SSTablePtr& sstable : event.change->added) line += fmt::format(" {}:{}", sstable->id(), sstable->identity().data_bytes);
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
  void restarted(const Node& node) override { lines.push_back(fmt::format("{} restart", node.now_us())); }
  void refused(const Node&, const RefusalEvent&) override { ++refusals; }

  std::vector<std::string> lines{};
  int commits = 0;
  int drops = 0;
  int refusals = 0;
};

}  // namespace

TEST_CASE("asking at every check and asking only when the answer can have changed give the same run" * doctest::may_fail()) {
  int commits = 0;
  int drops = 0;
  int refusals = 0;
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
    restarts += scenario.node.restart_every_us > 0 ? 1 : 0;
  }
  // The property is worth something only if the runs did things.
  CHECK(commits > 5'000);
  CHECK(drops > 100);
  CHECK(refusals > 0);
  CHECK(restarts > 20);
}
