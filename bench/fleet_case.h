#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace windrow_bench {

/// A fleet, a partition an entity and day; under LCS unless it is said to be under UCS.
struct FleetCase {
  std::string name{};
  std::int64_t entities = 0;
  std::int64_t days = 0;
  std::int64_t rows_per_partition = 8;
  std::int64_t sstable_mib = 1;  // a flush is as large
  std::int64_t ttl_days = 0;
  bool unified = false;

  std::int64_t partitions() const { return entities * days; }
};

inline windrow::Scenario scenario_of(const FleetCase& fleet, std::int64_t exact_partitions) {
  const double seconds = static_cast<double>(fleet.days) * 86'400;
  const double bytes = static_cast<double>(fleet.partitions() * fleet.rows_per_partition) * 51;
  YearCase what{.name = fleet.name, .compaction = {}};
  if (fleet.unified) {
    what.compaction = windrow::UnifiedOptions{.target_sstable_size_bytes = windrow::MiB(fleet.sstable_mib),
                                              .min_sstable_size_bytes = 0};
  } else {
    what.compaction = windrow::LeveledOptions{.sstable_size_in_mb = fleet.sstable_mib};
  }
  what.ttl_s = fleet.ttl_days * 86'400;
  what.megabytes_per_s = bytes / seconds / 1e6;
  windrow::Scenario scenario = scenario_of(what, seconds);
  windrow::WriterSpec& writer = scenario.writers.front();
  writer.entities = fleet.entities;
  writer.rate = {{.from_us = scenario.start_us,
                  .rows = fleet.entities * fleet.rows_per_partition,
                  .period_us = 86'400 * windrow::us_per_s}};
  scenario.tables.front().flush_size_bytes = windrow::MiB(fleet.sstable_mib);
  scenario.exact_partitions = exact_partitions;
  return scenario;
}

/// What levels cost and hold: bytes written, and how many SSTables each level has at the end and has had in the mean of
/// all changes.
class LevelCounts final : public windrow::RunObserver {
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
  double mean_sstables(int level) const {
    const auto at = summed.find(level);
    return at == summed.end() ? 0 : static_cast<double>(at->second) / static_cast<double>(changes);
  }
  double cohorts_per_sstable() const { return static_cast<double>(cohorts) / static_cast<double>(sstables); }

  windrow::Bytes flushed_bytes = 0;
  windrow::Bytes compacted_bytes = 0;
  std::int64_t cohorts = 0;
  std::int64_t sstables = 0;
  std::int64_t changes = 0;
  std::map<int, std::int64_t> at_end{};
  std::map<int, std::int64_t> summed{};

 private:
  void see(const windrow::Node& node, const windrow::Change& change, windrow::Bytes& bytes) {
    for (const auto& sstable : change.added) {
      bytes += sstable->identity().data_bytes;
      cohorts += std::ssize(sstable->content().cohorts);
      ++sstables;
    }
    ++changes;
    at_end.clear();
    for (const auto& [id, sstable] : node.table(0).sstables()) ++at_end[node.table(0).live().at(id).level];
    for (const auto& [level, files] : at_end) summed[level] += files;
  }
};

}  // namespace windrow_bench
