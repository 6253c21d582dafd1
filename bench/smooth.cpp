// How near the smooth mode (run.exact_partitions) comes to hashing every key: write amplification and SSTables per level of
// three fleets of a million partitions under LCS, and the memory of a fleet of a hundred million.
// usage: bench_smooth [--tiny]; --tiny has a thousandth of the partitions.

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstring>
#include <map>
#include <string>

#include "bench/hold_model.h"
#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace {

using windrow_bench::seconds_of;

struct Fleet {
  const char* name = "";
  std::int64_t entities = 0;
  std::int64_t days = 0;
  std::int64_t rows_per_partition = 2;
};

class Levels final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node& node, const windrow::FlushEvent& event) override {
    see(node, *event.change, flushed_bytes);
  }
  void committed(const windrow::Node& node, const windrow::CommitEvent& event) override {
    see(node, *event.change, compacted_bytes);
  }
  double write_amplification() const {
    return static_cast<double>(flushed_bytes + compacted_bytes) / static_cast<double>(flushed_bytes);
  }
  std::string levels() const {
    std::string text;
    for (const auto& [level, files] : by_level) text += fmt::format(" L{} {}", level, files);
    return text;
  }
  double cohorts_per_sstable() const { return static_cast<double>(cohorts) / static_cast<double>(sstables); }

  windrow::Bytes flushed_bytes = 0;
  windrow::Bytes compacted_bytes = 0;
  std::int64_t cohorts = 0;
  std::int64_t sstables = 0;
  std::map<int, std::int64_t> by_level{};

 private:
  void see(const windrow::Node& node, const windrow::Change& change, windrow::Bytes& bytes) {
    for (const auto& sstable : change.added) {
      bytes += sstable->identity().data_bytes;
      cohorts += std::ssize(sstable->content().cohorts);
      ++sstables;
    }
    by_level.clear();
    for (const auto& [id, sstable] : node.table(0).sstables()) ++by_level[node.table(0).live().at(id).level];
  }
};

windrow::Scenario scenario_of(const Fleet& fleet, std::int64_t sstable_mib, std::int64_t exact_partitions) {
  const double seconds = static_cast<double>(fleet.days) * 86'400;
  const double bytes = static_cast<double>(fleet.entities * fleet.days * fleet.rows_per_partition) * 51;
  windrow_bench::YearCase what{.name = fleet.name, .compaction = windrow::LeveledOptions{}};
  std::get<windrow::LeveledOptions>(what.compaction).sstable_size_in_mb = sstable_mib;
  what.megabytes_per_s = bytes / seconds / 1e6;
  windrow::Scenario scenario = windrow_bench::scenario_of(what, seconds);
  windrow::WriterSpec& writer = scenario.writers.front();
  writer.entities = fleet.entities;
  writer.rate = {{.from_us = scenario.start_us,
                  .rows = fleet.entities * fleet.rows_per_partition,
                  .period_us = 86'400 * windrow::us_per_s}};
  scenario.tables.front().flush_size_bytes = windrow::MiB(sstable_mib);
  scenario.exact_partitions = exact_partitions;
  return scenario;
}

void compare(const Fleet& fleet, std::int64_t sstable_mib) {
  for (const bool smooth : {false, true}) {
    Levels levels;
    const windrow::Scenario scenario = scenario_of(fleet, sstable_mib, smooth ? 0 : INT64_MAX);
    const double took = seconds_of([&] { windrow::run_node(scenario, levels, {}); });
    fmt::print("{:10} {:6} WA {:.3f},{}, {:.2f} cohorts per SSTable made, {:.2f} s\n", fleet.name,
               smooth ? "smooth" : "exact", levels.write_amplification(), levels.levels(), levels.cohorts_per_sstable(),
               took);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  const std::int64_t less = tiny ? 1000 : 1;
  constexpr std::int64_t sstable_mib = 1;
  // First: what it takes is the most that the process has had.
  Levels many;
  const Fleet hundred_million{"10^8", 1'000'000 / less, 100};
  windrow::run_node(scenario_of(hundred_million, tiny ? 1 : 160, 2'000'000 / less), many, {});
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} partitions: {} MB at most in memory; WA {:.2f},{}\n", hundred_million.entities * hundred_million.days,
             usage.ru_maxrss / 1000, many.write_amplification(), many.levels());
  std::fflush(stdout);
  for (const Fleet& fleet : {Fleet{"wide", 1'000'000 / less, 1}, Fleet{"mixed", 100'000 / less, 10},
                             Fleet{"long", 10'000 / less, 100}}) {
    compare(fleet, sstable_mib);
  }
  return 0;
}
