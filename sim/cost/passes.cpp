#include "sim/cost/passes.h"

#include <algorithm>
#include <cmath>

#include "sim/strategy/unified.h"

namespace windrow {

namespace {

/// How often something grows by `base` until it is `times` as large.
double steps_up(double times, double base) { return times <= 1 ? 0 : std::log(times) / std::log(base); }

/// `flushes` that meet in tiers, `threshold` of each at a time.
Passes of_tiers(double flushes, double threshold) {
  Passes passes;
  const double levels = std::floor(steps_up(flushes, threshold) + 1e-9);
  for (double level = 1; level <= levels; ++level) {
    const double each = std::pow(threshold, -level);
    passes.compactions += each;
    passes.written += each;
    passes.read += each * threshold;
  }
  passes.of_a_row += levels;
  passes.live = std::min(flushes, (threshold - 1) * (levels + 1));
  return passes;
}

/// SSTables whose rows have expired, or were deleted, are rewritten by themselves until a fifth of them is gone, and
/// leave in the end.
void add_expiry(Passes& passes, double rewrites) {
  passes.compactions += 0.5;
  passes.read += 0.5 + rewrites;
  passes.written += rewrites;
  passes.of_a_row += rewrites;
}

Passes of(const SizeTieredOptions& options, const Compacted& table) {
  Passes passes = of_tiers(table.flushes_live, std::max(2, options.common.min_threshold));
  if (table.expires) add_expiry(passes, 1);
  return passes;
}

Passes of(const TimeWindowOptions& options, const Compacted& table) {
  const double in_window = std::max(1.0, table.flushes_a_window);
  Passes passes = of_tiers(in_window, std::max(2, options.size_tiered.common.min_threshold));
  const double windows = table.flushes_live / in_window;
  if (in_window >= 2) {  // a window that is over becomes one SSTable
    passes.compactions += 1 / in_window;
    passes.written += 1 / in_window;
    passes.read += passes.live / in_window;
    passes.of_a_row += 1;
  }
  passes.live += windows;
  if (table.expires) add_expiry(passes, options.tombstone_compactions ? 1 : 0);
  return passes;
}

Passes of(const LeveledOptions& options, const Compacted& table) {
  const double sstable_bytes = static_cast<double>(MiB(1)) * static_cast<double>(options.sstable_size_in_mb);
  const double fanout = std::max(2, options.fanout_size);
  const double sstables = std::max(1.0, table.flush_bytes * table.flushes_live / sstable_bytes);
  const double levels = 1 + steps_up(sstables / fanout, fanout);
  // One SSTable of a level meets `fanout` of the next when that is full, and half of them in the mean.
  const double rewrites = levels * (1 + fanout / 2);
  Passes passes;
  passes.cut_by_token = true;
  const double pieces = table.flush_bytes / sstable_bytes;
  const double moved = std::max(pieces * rewrites, 1.0 / 4);
  passes.written += moved;
  passes.read += moved + 1;
  passes.compactions += 1.0 / 4 + pieces * (levels - 1);
  passes.of_a_row += rewrites;
  passes.live = sstables + 4;
  if (table.expires) {
    add_expiry(passes, 0);
    passes.written += pieces;
    passes.read += pieces;
    passes.compactions += pieces;
    passes.of_a_row += 1;
  }
  return passes;
}

Passes of(const UnifiedOptions& options, const Compacted& table) {
  Passes passes;
  passes.cut_by_token = true;
  const auto shards = [&](double bytes) { return static_cast<double>(shard_count(options, std::max(1.0, bytes))); };
  passes.written = shards(table.flush_bytes);
  passes.live = passes.written;
  double before = passes.written;  // SSTables of a flush's rows, as they lie
  double flushes = 1;              // that one SSTable's rows come from
  constexpr std::size_t most_levels = 32;
  for (std::size_t level = 0; level < most_levels; ++level) {
    const std::size_t place = std::min(level, options.scaling_parameters.size() - 1);
    const int scaling = options.scaling_parameters[place];
    const double fan = scaling < 0 ? 2 - scaling : 2 + scaling;
    if (flushes * fan > table.flushes_live) break;
    // Leveled: each arrival is merged with what the level holds, up to `fan` of them.
    const double rewrites = scaling < 0 ? fan / 2 : 1;
    const double next = flushes * fan;
    const double pieces = shards(table.flush_bytes * next) / next;
    passes.read += before * rewrites;
    passes.written += pieces * rewrites;
    passes.compactions += pieces * rewrites;
    passes.of_a_row += rewrites;
    passes.live += pieces * next * fan;
    before = pieces;
    flushes = next;
  }
  if (table.expires) add_expiry(passes, 1);
  return passes;
}

Passes of(const NoCompactionOptions&, const Compacted& table) { return {.live = table.flushes_live}; }

}  // namespace

Passes expected_passes(const CompactionOptions& options, const Compacted& table) {
  if (!common_options(options).enabled) return of(NoCompactionOptions{}, table);
  return std::visit([&](const auto& each) { return of(each, table); }, options);
}

}  // namespace windrow
