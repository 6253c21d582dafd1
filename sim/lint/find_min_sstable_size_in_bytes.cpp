#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

/// What somebody writes who takes the number for megabytes.
constexpr Bytes most_megabytes = 1'024;

const SizeTieredOptions* size_tiers(const CompactionOptions& options) {
  if (const auto* own = std::get_if<SizeTieredOptions>(&options)) return own;
  if (const auto* windows = std::get_if<TimeWindowOptions>(&options)) return &windows->size_tiered;
  if (const auto* levels = std::get_if<LeveledOptions>(&options)) return &levels->size_tiered;
  return nullptr;
}

void find_min_sstable_size_in_bytes(const LintTable& table, const LintSubject& subject, Report& report) {
  const SizeTieredOptions* tiers = size_tiers(table.options().compaction_options);
  if (tiers == nullptr || tiers->min_sstable_size_bytes == 0 || tiers->min_sstable_size_bytes > most_megabytes) return;
  constexpr Bytes bytes_per_mb = 1'048'576;
  report.add(subject.option(table, "compaction", "min_sstable_size"),
             fmt::format("min_sstable_size is {} bytes, so that no SSTable is below it", tiers->min_sstable_size_bytes),
             fmt::format("'min_sstable_size': {}", tiers->min_sstable_size_bytes * bytes_per_mb));
}

}  // namespace

const LintRule min_sstable_size_in_bytes{
    .id = "min-sstable-size-in-bytes",
    .severity = Severity::warning,
    .what = "min_sstable_size looks like a number of megabytes",
    .why =
        "It counts bytes. SSTables below it are merged together whatever their size; with 50 instead of 52428800 none "
        "is below, and small ones wait until four of nearly equal size have come.",
    .fix = "The size in bytes, or the option left out: 50 MiB is the default.",
    .seen = "min_sstable_size is 1 to 1024 under SizeTieredCompactionStrategy, or under another that tiers by size.",
    .find = find_min_sstable_size_in_bytes};

}  // namespace windrow
