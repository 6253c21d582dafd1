#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/fleet_case.h"

namespace windrow {
namespace {

using windrow_bench::FleetCase;
using windrow_bench::LevelCounts;

LevelCounts counts_of(const FleetCase& fleet, bool smooth) {
  LevelCounts counts;
  run_node(scenario_of(fleet, smooth ? 0 : INT64_MAX), counts, {});
  return counts;
}

// Much smaller than what bench_smooth compares, hence with wider bounds than the stated ones.
TEST_CASE("evenly spread tokens fill the levels as hashed ones do") {
  for (const FleetCase& fleet : {FleetCase{.name = "wide", .entities = 100'000, .days = 1},
                                 FleetCase{.name = "long", .entities = 2'000, .days = 50}}) {
    CAPTURE(fleet.name);
    const LevelCounts exact = counts_of(fleet, false);
    const LevelCounts smooth = counts_of(fleet, true);
    CHECK(exact.at_end.at(1) >= 8);
    CHECK(exact.at_end.at(2) >= 8);
    CHECK(std::abs(smooth.write_amplification() / exact.write_amplification() - 1) < 0.02);
    for (const int level : {1, 2}) {
      CAPTURE(level);
      CHECK(std::abs(smooth.mean_sstables(level) - exact.mean_sstables(level)) < 1 + 0.05 * exact.mean_sstables(level));
    }
  }
}

/// Bytes on disk of the SSTables that a compaction went on after, in another one.
class CutFiles final : public RunObserver {
 public:
  void committed(const Node&, const CommitEvent& event) override {
    const auto& added = event.change->added;
    for (std::size_t i = 0; i + 1 < added.size(); ++i) {
      least = std::min(least, added[i]->identity().data_bytes);
      most = std::max(most, added[i]->identity().data_bytes);
    }
  }
  Bytes least = INT64_MAX;
  Bytes most = 0;
};

TEST_CASE("LCS cuts compressed SSTables by what is on disk, up to a chunk and a partition later") {
  for (const bool smooth : {false, true}) {
    CAPTURE(smooth);
    Scenario scenario =
        windrow_bench::scenario_of(FleetCase{.name = "wide", .entities = 50'000, .days = 1}, smooth ? 0 : INT64_MAX);
    TableSpec& table = scenario.tables.front();
    table.schema.options.compression = TableOptions{}.compression;
    table.compression_ratio = 0.4;
    CutFiles files;
    run_node(scenario, files, {});
    const Bytes chunk = std::llround(0.4 * static_cast<double>(KiB(16)));
    CHECK(files.least > MiB(1) - chunk / 100);
    CHECK(files.most < MiB(1) + chunk + 1'000);
  }
}

}  // namespace
}  // namespace windrow
