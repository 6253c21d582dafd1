#pragma once

#include <fmt/core.h>

#include <memory>
#include <string>

#include "sim/scenario/scenario.h"

namespace windrow_bench {

/// A table of 20,000 devices and day buckets: three doubles a row.
struct YearCase {
  std::string name{};
  windrow::CompactionOptions compaction{};
  double megabytes_per_s = 1;
  double years = 1;
  windrow::Seconds ttl_s = 0;
};

class DeviceKeys final : public windrow::PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t) const override {
    return fmt::format("dev-{:05}:{:012}", entity, bucket);
  }
  int constant_length() const override { return 22; }
};

/// `node` moves the writes by so many seconds.
inline windrow::Scenario scenario_of(const YearCase& what, double seconds, int node = 0) {
  using windrow::Micros;
  using windrow::us_per_s;
  constexpr double bytes_per_row = 51;
  windrow::Scenario scenario;
  scenario.name = what.name;
  scenario.start_us = (1'767'225'600LL + node) * us_per_s;
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
  table.schema.options.default_time_to_live = static_cast<std::int32_t>(what.ttl_s);
  table.schema.options.gc_grace_seconds = 86'400;
  table.schema.options.compression = {{"enabled", "false"}};
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
    writer.columns.push_back(
        {.column = fmt::format("v{}", column), .position = column, .fixed_length = true, .sizes_bytes = {8}});
  }
  scenario.writers.push_back(std::move(writer));
  return scenario;
}

}  // namespace windrow_bench
