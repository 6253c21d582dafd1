// Node-years in yardsticks: one million operations of a binary-heap hold model in the same process.
// Prints, per case, events, seconds, yardsticks and a checksum of the result. `--tiny` runs a few hours instead of a year.

#include <fmt/core.h>

#include <cstring>
#include <memory>
#include <string>

#include "bench/hold_model.h"
#include "sim/engine/node.h"

namespace {

using windrow::Micros;
using windrow::us_per_s;

class DeviceKeys final : public windrow::PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t) const override {
    return fmt::format("dev-{:05}:{:012}", entity, bucket);
  }
  int constant_length() const override { return 22; }
};

struct Case {
  std::string name{};
  windrow::CompactionOptions compaction{};
  double megabytes_per_s = 1;
  double years = 1;
  std::int32_t ttl_s = 0;
};

windrow::Scenario scenario_of(const Case& what, double seconds) {
  constexpr double bytes_per_row = 51;
  windrow::Scenario scenario;
  scenario.name = what.name;
  scenario.start_us = 1'767'225'600LL * us_per_s;
  scenario.end_us = scenario.start_us + static_cast<Micros>(seconds) * us_per_s;
  scenario.node.format = windrow::SSTableFormat::oa;
  scenario.node.heap_bytes = windrow::GiB(64);
  scenario.node.commitlog_total_space_bytes = windrow::GiB(1024);
  scenario.node.compaction_throughput_bytes_per_s = 0;
  windrow::TableSpec table;
  table.name = "readings";
  table.schema.name = "readings";
  table.schema.keyspace = "bench";
  table.schema.options.compaction_options = what.compaction;
  table.schema.options.default_time_to_live = what.ttl_s;
  table.schema.options.gc_grace_seconds = 86'400;
  table.flush_size_bytes = 64'000'000;
  scenario.tables.push_back(std::move(table));
  windrow::WriterSpec writer;
  writer.stream = "devices";
  writer.entities = 20'000;
  writer.keys = std::make_shared<DeviceKeys>();
  writer.from_us = scenario.start_us;
  writer.until_us = scenario.end_us;
  writer.rate = {{.from_us = scenario.start_us,
                  .rows = 20'000,
                  .period_us = static_cast<Micros>(20'000 * bytes_per_row / what.megabytes_per_s)}};
  writer.bucket = windrow::BucketRule::every(86'400);
  writer.clustering_bytes = 9;
  for (int column = 0; column < 3; ++column) {
    writer.columns.push_back({.column = fmt::format("v{}", column), .position = column, .fixed_length = true, .sizes_bytes = {8}});
  }
  scenario.writers.push_back(std::move(writer));
  return scenario;
}

class Counter final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node&, const windrow::FlushEvent& event) override {
    ++events;
    for (const auto& sstable : event.change->added) add(*sstable);
  }
  void committed(const windrow::Node& node, const windrow::CommitEvent& event) override {
    ++events;
    for (const auto& sstable : event.change->added) add(*sstable);
    most_live = std::max(most_live, node.table(0).live().size());
    for (const auto& sstable : event.change->added) {
      cohorts += static_cast<std::int64_t>(sstable->content().cohorts.size());
      ++outputs;
    }
  }
  std::int64_t events = 0;
  std::uint64_t checksum = 0;
  std::size_t most_live = 0;
  std::int64_t cohorts = 0;
  std::int64_t outputs = 0;

 private:
  void add(const windrow::SSTable& sstable) {
    checksum = checksum * 1'000'003 + static_cast<std::uint64_t>(sstable.identity().data_bytes);
  }
};

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
  windrow::TimeWindowOptions windows;
  windows.size_tiered.common.max_threshold = 32;
  const std::vector<Case> cases = {
      {"stcs-1MBs", windrow::SizeTieredOptions{}, 1, 1, 0},
      {"twcs-1MBs", windows, 1, 1, 364 * 86'400},
      {"stcs-0.1MBs", windrow::SizeTieredOptions{}, 0.1, 1, 0},
      {"twcs-0.1MBs", windows, 0.1, 1, 364 * 86'400},
      {"stcs-1MBs-ttl30d", windrow::SizeTieredOptions{}, 1, 1, 30 * 86'400},
      {"twcs-0.1MBs-10y", windows, 0.1, 10, 364 * 86'400},
  };
  const std::int64_t operations = tiny ? 10'000 : 1'000'000;
  std::uint64_t checksum = 0;
  const double yardstick = windrow_bench::seconds_of([&] { checksum = windrow_bench::hold_model(operations); });
  fmt::print("yardstick {:.4f} s, checksum {:x}\n", yardstick, checksum);
  for (const Case& what : cases) {
    if (!only.empty() && what.name != only) continue;
    const double seconds = tiny ? 7'200 : what.years * 365 * 86'400;
    const windrow::Scenario scenario = scenario_of(what, seconds);
    Counter counter;
    const double took = windrow_bench::seconds_of([&] { windrow::run_node(scenario, counter, {}); });
    fmt::print("{:18} {:9} events {:8.3f} s {:8.2f} yardsticks {:7.3f} us/event, {:5} live at most, {:.2f} cohorts, checksum {:x}\n",
               what.name, counter.events, took, took / yardstick, took / static_cast<double>(counter.events) * 1e6, counter.most_live,
               counter.outputs > 0 ? static_cast<double>(counter.cohorts) / static_cast<double>(counter.outputs) : 0.0, counter.checksum);
    std::fflush(stdout);
  }
  return 0;
}
