#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "bench/fleet_case.h"

namespace windrow {
namespace {

struct FlushedBytes final : RunObserver {
  void flushed(const Node&, const FlushEvent& event) override {
    Bytes& bytes = all.emplace_back(0);
    for (const SSTablePtr& file : event.change->added) bytes += file->identity().data_bytes;
    most_files = std::max(most_files, event.change->added.size());
  }
  std::vector<Bytes> all{};
  std::size_t most_files = 0;
};

TEST_CASE("a recorded flush has its bytes, also where a unified table cuts it into shards") {
  Scenario scenario = windrow_bench::scenario_of(
      windrow_bench::FleetCase{.name = "recorded", .entities = 2'000, .days = 4, .unified = true}, INT64_MAX);
  std::vector<Bytes> recorded;
  for (int k = 1; k <= 12; ++k) {
    const Bytes bytes = MiB(9) + 1'000'003 * k;
    scenario.tables.front().flushes.push_back(
        {.at_us = scenario.start_us + k * 6 * 3600 * us_per_s, .operations = 4'000, .data_bytes = bytes});
    recorded.push_back(bytes);
  }
  FlushedBytes flushes;
  run_node(scenario, flushes, {});
  CHECK(flushes.most_files > 1);
  REQUIRE(flushes.all.size() >= recorded.size());
  flushes.all.resize(recorded.size());
  CHECK(flushes.all == recorded);
}

}  // namespace
}  // namespace windrow
