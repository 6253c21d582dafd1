#include "sim/results/headlines.h"

#include <algorithm>
#include <map>

namespace windrow {

namespace {

void see_samples(const TableRecord& table, Headlines& lines) {
  for (const TableSample& sample : table.samples) {
    if (sample.blocked_bytes > 0 && !lines.first_blocked_us) lines.first_blocked_us = sample.at_us;
    if (sample.partition_bytes_max > large_partition_bytes && !lines.first_large_partition_us) {
      lines.first_large_partition_us = sample.at_us;
    }
    lines.droppable_ratio.see(sample.droppable_tombstone_ratio, sample.at_us);
    lines.sstables_per_partition.see(sample.sstables_per_partition, sample.at_us);
  }
}

TombstoneDrops tombstone_drops(const TableRecord& table) {
  TombstoneDrops drops;
  // Of the last second, where the rows below know days.
  if (!table.samples.empty()) drops.overdue = table.samples.back().droppable_tombstones;
  for (const TombstoneRow& row : table.tombstones) {
    if (row.count == 0) continue;
    if (row.why == tombstones_in_memory) continue;  // not on disk yet
    drops.count += row.count;
    drops.first_day = std::min(drops.first_day.value_or(row.drop_day), row.drop_day);
    drops.last_day = std::max(drops.last_day.value_or(row.drop_day), row.drop_day);
  }
  return drops;
}

std::vector<ReasonShare> reasons_of(const TableRecord& table) {
  std::map<std::string_view, ReasonShare> by_name;
  Bytes all = 0;
  for (const CompactionRow& row : table.compactions) {
    ReasonShare& reason = by_name[row.reason];
    reason.reason = row.reason;
    reason.compactions += row.count;
    reason.read_bytes += row.read_bytes;
    all += row.read_bytes;
  }
  std::vector<ReasonShare> reasons;
  for (const auto& [name, reason] : by_name) {
    reasons.push_back(reason);
    if (all > 0) reasons.back().share = static_cast<double>(reason.read_bytes) / static_cast<double>(all);
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &ReasonShare::read_bytes);
  return reasons;
}

}  // namespace

Headlines headlines(const TableRecord& table) {
  Headlines lines;
  see_samples(table, lines);
  lines.blocked_sstables = std::ssize(table.blocked);
  for (const BlockedFile& file : table.blocked) {
    if (file.goes_at_s == no_deletion_time) {
      ++lines.blocked_for_ever_sstables;
    } else {
      lines.blocked_until_s = std::max(lines.blocked_until_s.value_or(file.goes_at_s), file.goes_at_s);
    }
  }
  lines.drops = tombstone_drops(table);
  lines.reasons = reasons_of(table);
  return lines;
}

}  // namespace windrow
