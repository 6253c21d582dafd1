// Memory of one node and of two that share their workload, each in a process of its own: the heap at its fullest as
// seen after every flush and compaction, and the resident set. usage: bench_two_nodes [--tiny]

#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace {

using windrow::Micros;

struct Memory {
  std::size_t heap_bytes = 0;
  std::size_t resident_bytes = 0;
};

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class HighWater final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node&, const windrow::FlushEvent&) override { most = std::max(most, heap_bytes()); }
  void committed(const windrow::Node&, const windrow::CommitEvent&) override { most = std::max(most, heap_bytes()); }
  std::size_t most = 0;
};

Memory play(const windrow::Scenario& scenario, int count) {
  const windrow::Workloads workloads = windrow::make_workloads(scenario);
  const windrow::RunOptions options;
  HighWater high_water;
  std::vector<std::unique_ptr<windrow::Node>> nodes;
  for (int node = 0; node < count; ++node)
    nodes.push_back(std::make_unique<windrow::Node>(scenario, workloads, high_water, options));
  constexpr Micros day_us = 86'400 * windrow::us_per_s;
  for (Micros at_us = scenario.start_us; at_us < scenario.end_us; at_us += day_us) {
    for (const auto& node : nodes) node->play_until(at_us);
  }
  for (const auto& node : nodes) node->play_until(scenario.end_us);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {.heap_bytes = high_water.most, .resident_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024};
}

Memory in_child(const windrow::Scenario& scenario, int count) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const Memory memory = play(scenario, count);
    _exit(write(ends[1], &memory, sizeof memory) == sizeof memory ? 0 : 1);
  }
  Memory memory;
  const bool told = read(ends[0], &memory, sizeof memory) == sizeof memory;
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return told ? memory : Memory{};
}

/// Few keys are written again and again: every write is held by itself in the workload.
windrow::Scenario overwrites(const windrow_bench::YearCase& what, double seconds) {
  windrow::Scenario scenario = windrow_bench::scenario_of(what, seconds);
  windrow::WriterSpec& writer = scenario.writers.front();
  writer.entities = 100;
  writer.bucket = windrow::BucketRule::none();
  writer.rate.front().rows = 10;
  writer.rate.front().period_us = windrow::us_per_s;
  writer.op = windrow::WriteOp::insert;
  windrow::WriterSpec deletes = writer;
  deletes.stream = "deletes";
  deletes.op = windrow::WriteOp::remove;
  deletes.columns.clear();
  deletes.rate.front().rows = 1;
  deletes.remove = {.kind = windrow::DeleteKind::partition, .age_us = 600 * windrow::us_per_s};
  scenario.writers.push_back(std::move(deletes));
  scenario.tables.front().flush_size_bytes = 1'000'000;
  return scenario;
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  constexpr double day = 86'400;
  struct Case {
    std::string name;
    windrow::Scenario scenario;
  };
  const windrow_bench::YearCase tiers{
      .name = "stcs", .compaction = windrow::SizeTieredOptions{}, .megabytes_per_s = 0.1};
  const windrow_bench::YearCase levels{.name = "lcs", .compaction = windrow::LeveledOptions{}, .megabytes_per_s = 0.1};
  const std::vector<Case> cases = {{"stcs", windrow_bench::scenario_of(tiers, (tiny ? 1 : 365) * day)},
                                   {"lcs", windrow_bench::scenario_of(levels, (tiny ? 1 : 90) * day)},
                                   {"overwrites", overwrites(tiers, (tiny ? 0.05 : 2) * day)}};
  for (const Case& each : cases) {
    const Memory one = in_child(each.scenario, 1);
    const Memory two = in_child(each.scenario, 2);
    const auto times = [](std::size_t more, std::size_t less) {
      return static_cast<double>(more) / static_cast<double>(std::max<std::size_t>(1, less));
    };
    fmt::print("{:12} heap {} and {} KB, {:.2f} times; resident {} and {} KB, {:.2f} times\n", each.name,
               one.heap_bytes / 1000, two.heap_bytes / 1000, times(two.heap_bytes, one.heap_bytes),
               one.resident_bytes / 1000, two.resident_bytes / 1000, times(two.resident_bytes, one.resident_bytes));
  }
  return 0;
}
