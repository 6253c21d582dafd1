// How near the smooth mode (run.exact_partitions) comes to hashing every key: write amplification and SSTables per
// level of fleets of a million partitions, and the memory of a fleet of a hundred million. usage: bench_smooth [--tiny]
// [FLEET]; --tiny has 1/25 of the partitions.

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/fleet_case.h"
#include "bench/hold_model.h"

namespace {

using windrow_bench::FleetCase;
using windrow_bench::LevelCounts;
using windrow_bench::scenario_of;

std::string levels_of(const LevelCounts& counts) {
  std::string text;
  for (const auto& [level, files] : counts.at_end) {
    text += fmt::format(" L{} {} ({:.2f})", level, files, counts.mean_sstables(level));
  }
  return text;
}

LevelCounts run(const FleetCase& fleet, bool smooth) {
  LevelCounts counts;
  const double took =
      windrow_bench::seconds_of([&] { windrow::run_node(scenario_of(fleet, smooth ? 0 : INT64_MAX), counts, {}); });
  fmt::print("{:13} {:6} WA {:.3f}, SSTables at the end (in the mean){}, {:.2f} cohorts per SSTable made, {:.2f} s\n",
             fleet.name, smooth ? "smooth" : "exact", counts.write_amplification(), levels_of(counts),
             counts.cohorts_per_sstable(), took);
  std::fflush(stdout);
  return counts;
}

double percent_off(double smooth, double exact) { return 100 * (smooth / exact - 1); }

void compare(const FleetCase& fleet) {
  const LevelCounts exact = run(fleet, false);
  const LevelCounts smooth = run(fleet, true);
  fmt::print("{:13} smooth against exact: WA {:+.2f} %", fleet.name,
             percent_off(smooth.write_amplification(), exact.write_amplification()));
  for (const auto& [level, files] : exact.summed) {
    fmt::print(", L{} {:+.2f} %", level, percent_off(smooth.mean_sstables(level), exact.mean_sstables(level)));
  }
  fmt::print(" of the SSTables in the mean\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bool tiny = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0) {
      tiny = true;
    } else {
      only = argv[i];
    }
  }
  const std::int64_t less = tiny ? 1000 : 1;
  // First: what it takes is the most that the process has had.
  const FleetCase hundred_million{.name = "10^8",
                                  .entities = 1'000'000 / less,
                                  .days = 100,
                                  .rows_per_partition = 2,
                                  .sstable_mib = tiny ? 1 : 160};
  if (only.empty() || only == hundred_million.name) {
    run(hundred_million, true);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{} partitions: {} MB at most in memory\n", hundred_million.partitions(), usage.ru_maxrss / 1000);
    std::fflush(stdout);
  }
  const std::int64_t fewer = tiny ? 25 : 1;  // still some SSTables
  const std::vector<FleetCase> fleets = {
      {.name = "wide", .entities = 1'000'000 / fewer, .days = 1},
      {.name = "mixed", .entities = 100'000 / fewer, .days = 10},
      {.name = "long", .entities = 10'000 / fewer, .days = 100},
      {.name = "ttl", .entities = 10'000 / fewer, .days = 100, .ttl_days = 20},
      {.name = "unified-wide", .entities = 1'000'000 / fewer, .days = 1, .unified = true},
      {.name = "unified-mixed", .entities = 100'000 / fewer, .days = 10, .unified = true},
      {.name = "unified-long", .entities = 10'000 / fewer, .days = 100, .unified = true},
  };
  for (const FleetCase& fleet : fleets) {
    if (only.empty() || only == fleet.name) compare(fleet);
  }
  return 0;
}
