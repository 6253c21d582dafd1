#include <doctest/doctest.h>

#include "bench/fleet_case.h"

namespace windrow {
namespace {

/// Files that went up as they were, and the bytes that compactions wrote.
class Moves final : public RunObserver {
 public:
  void level_changed(const Node& node, const LevelEvent& event) override {
    CHECK(node.table(event.table).live().at(event.id).level == event.level);
    CHECK(event.level > 1);
    ++moved;
  }
  void committed(const Node&, const CommitEvent& event) override {
    CHECK_FALSE(event.change->removed.empty());
    for (const SSTablePtr& file : event.change->added) compacted_bytes += file->identity().data_bytes;
  }
  int moved = 0;
  Bytes compacted_bytes = 0;
};

Moves moves_of(bool single_sstable_uplevel) {
  Scenario scenario = windrow_bench::scenario_of({.name = "lone", .entities = 2'000, .days = 20}, INT64_MAX);
  CompactionOptions& options = scenario.tables.front().schema.options.compaction_options;
  std::get<LeveledOptions>(options).single_sstable_uplevel = single_sstable_uplevel;
  Moves moves;
  run_node(scenario, moves, {});
  return moves;
}

TEST_CASE("with single_sstable_uplevel a file that meets none above goes up unwritten") {
  const Moves rewriting = moves_of(false);
  const Moves moving = moves_of(true);
  CHECK(rewriting.moved == 0);
  CHECK(moving.moved > 0);
  CHECK(moving.compacted_bytes < rewriting.compacted_bytes);
}

}  // namespace
}  // namespace windrow
