#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/content/file_statistics.h"
#include "tests/content/interval_case.h"

namespace windrow::test {

inline constexpr std::int64_t start_us = 1'767'225'600 * us_per_s;

/// Three latenesses by four TTLs, at rates that change.
inline void add_mix(TableWorkload& workload, bool insert, bool from_event, std::vector<std::int32_t> sizes,
                    std::int64_t entities = 50, int key_group = 0) {
  Writer writer;
  writer.name = "w";
  writer.unit_us = 1;
  writer.rhythm = Rhythm(start_us, 86'400 * us_per_s, 700'000, true);
  writer.rhythm.change_at(start_us + 40'000 * us_per_s, 86'400 * us_per_s, 900'001);
  writer.rhythm.stop_at(start_us + 40 * 86'400 * us_per_s);
  writer.entities = entities;
  writer.key_group = key_group;
  writer.bucket = BucketRule::every(86'400);
  writer.insert = insert;
  writer.timestamp.from_event = from_event;
  writer.columns = {{.column = 0, .fixed_length = false, .sizes = std::move(sizes), .step = 7919}};
  writer.clustering.bytes = 9;
  writer.keys = std::make_shared<Keys>(0);
  FateRule fate{.shares = {}};
  const std::vector<RowShare> late = RowShare().divide({5'000, 20'000, 975'000}, 0x100);
  for (std::size_t l = 0; l < late.size(); ++l) {
    const std::vector<RowShare> ttls = late[l].divide({30'000, 10'000, 60'000, 900'000}, 0x200);
    for (std::size_t t = 0; t < ttls.size(); ++t)
      fate.shares.push_back({.rows = ttls[t],
                             .late_units = static_cast<std::int64_t>(2 - l) * 7'777 * us_per_s,
                             .ttl_s = static_cast<Seconds>(t) * 86'400 * 3});
  }
  workload.add(std::move(writer), std::move(fate), start_us + 50 * 86'400 * us_per_s);
}

inline TableWorkload mix(bool insert, bool from_event, std::vector<std::int32_t> sizes) {
  TableWorkload workload;
  add_mix(workload, insert, from_event, std::move(sizes));
  workload.finish(1'000);
  return workload;
}

inline auto all_of(const FileExtremes& e) {
  return std::tuple(e.uncompressed_bytes, e.rows, e.static_rows, e.cells, e.partitions, e.key_bytes, e.min_timestamp_us,
                    e.max_timestamp_us, e.min_local_deletion_time_s, e.max_local_deletion_time_s, e.min_ttl_s,
                    e.max_ttl_s);
}

}  // namespace windrow::test
