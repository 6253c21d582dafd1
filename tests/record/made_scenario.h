#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow::test {

inline constexpr Micros day_us = seconds_per_day * us_per_s;
inline constexpr Micros start_us = 20'454 * day_us;  // 2026-01-01

class DeviceKeys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t shard) const override {
    return std::to_string(10'000 + entity) + std::to_string(bucket) + std::to_string(shard);
  }
};

class DeviceNames final : public EntityNames {
 public:
  std::string name(std::int64_t entity) const override { return "dev-" + std::to_string(entity); }
};

inline Table made_table(const std::string& name, const OptionMap& compaction, int ttl_s, int gc_grace_s) {
  Table table;
  table.keyspace = "ks";
  table.name = name;
  table.columns = {{.name = "a"}, {.name = "b"}};
  table.options.compaction = effective_compaction_map(compaction);
  table.options.compaction_options = parse_compaction_options(compaction);
  table.options.default_time_to_live = ttl_s;
  table.options.gc_grace_seconds = gc_grace_s;
  return table;
}

inline OptionMap time_windows(int days) {
  return {{"class", "TimeWindowCompactionStrategy"},
          {"compaction_window_unit", "DAYS"},
          {"compaction_window_size", std::to_string(days)}};
}

/// `entities` that write a row every `period_s`, day buckets, two columns.
inline WriterSpec made_writer(const Scenario& scenario, std::int64_t entities, std::int64_t period_s) {
  WriterSpec writer;
  writer.stream = "readings";
  writer.entities = entities;
  writer.keys = std::make_shared<DeviceKeys>();
  writer.names = std::make_shared<DeviceNames>();
  writer.key_bytes = 11;
  writer.from_us = scenario.start_us;
  writer.until_us = scenario.end_us;
  writer.rate = {{.from_us = scenario.start_us, .rows = entities, .period_us = period_s * us_per_s}};
  writer.bucket = BucketRule::every(seconds_per_day);
  writer.bucket_text = "day";
  writer.clustering_bytes = 9;
  writer.columns = {{.column = "a", .position = 0, .fixed_length = true, .sizes_bytes = {4}},
                    {.column = "b", .position = 1, .fixed_length = true, .sizes_bytes = {8}}};
  return writer;
}

/// One table under TWCS: TTL 3 d, gc_grace 1 d, some flushes a day.
inline Scenario made_scenario(int days, std::int64_t entities = 50) {
  Scenario scenario;
  scenario.name = "made";
  scenario.title = "Made for a test";
  scenario.start_us = start_us;
  scenario.end_us = start_us + days * day_us;
  scenario.keyspace = "ks";
  TableSpec table;
  table.schema =
      made_table("readings", time_windows(1), 3 * static_cast<int>(seconds_per_day), static_cast<int>(seconds_per_day));
  table.name = "readings";
  table.flush_size_bytes = 600'000;
  scenario.tables.push_back(table);
  scenario.writers.push_back(made_writer(scenario, entities, 60));
  return scenario;
}

}  // namespace windrow::test
