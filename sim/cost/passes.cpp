#include "sim/cost/passes.h"

#include <algorithm>
#include <cmath>

#include "sim/strategy/unified.h"

namespace windrow {

namespace {

/// How often something grows by `base` until it is `times` as large.
double steps_up(double times, double base) { return times <= 1 ? 0 : std::log(times) / std::log(base); }

/// `flushes` that meet in tiers, `threshold` of each at a time. Below min_sstable_size all are alike: what has been
/// merged is merged again with the next flushes.
Passes of_tiers(const SizeTieredOptions& options, double flush_bytes, double flushes) {
  const double threshold = std::max(2, options.common.min_threshold);
  const double small =
      std::clamp(static_cast<double>(options.min_sstable_size_bytes) / std::max(1.0, flush_bytes), 1.0, flushes);
  Passes passes;
  double before = 1;  // flushes that one SSTable's rows come from
  if (small >= threshold) {
    passes.compactions += 1 / (threshold - 1);
    passes.written += 1 / (threshold - 1);
    passes.read += threshold / (threshold - 1);
    passes.of_a_row += small / (threshold - 1) / 2;
    before = small;
  }
  const double levels = std::floor(steps_up(flushes / before, threshold) + 1e-9);
  for (double level = 1; level <= levels; ++level) {
    const double each = std::pow(threshold, -level) / before;
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

Passes of(const SizeTieredOptions& options, const Compacted& whole) {
  const Compacted table{
      .flush_bytes = whole.flush_bytes, .flushes_live = std::max(1.0, whole.flushes_live), .expires = whole.expires};
  Passes passes = of_tiers(options, table.flush_bytes, table.flushes_live);
  if (table.expires) add_expiry(passes, 1);
  return passes;
}

Passes of(const TimeWindowOptions& options, const Compacted& table) {
  const double in_window = std::max(1.0, table.flushes_a_window);
  Passes passes = of_tiers(options.size_tiered, table.flush_bytes, in_window);
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
  const double held = table.lasting_bytes * table.flushes_live / sstable_bytes;
  const double sstables = std::max(1.0, held);
  const double levels = 1 + steps_up(sstables / fanout, fanout);
  // What level 0 gathers before it is merged meets all of level 1: a flush by itself, if it is larger than an SSTable
  // (LeveledManifest.getCandidatesFor). Further up one SSTable meets `fanout` of the next level when that is full, and
  // half of them in the mean.
  const double flushes_of_one = std::min(table.flushes_live, sstable_bytes / std::max(1.0, table.flush_bytes));
  const double gathered = std::max(1.0, flushes_of_one);
  // Level 0 alone is merged with each flush until that is larger than an SSTable (LeveledManifest.getNextLevel).
  constexpr double merged_before = 4;
  const bool small = flushes_of_one > merged_before;
  const double level_1 = std::min(fanout * sstable_bytes, table.lasting_bytes * table.flushes_live);
  const double of_level_1 = level_1 / (gathered * std::max(1.0, table.lasting_bytes));
  const double in_level_0 = small ? flushes_of_one / 2 : 0;
  const double rewrites = 1 + in_level_0 + of_level_1 + (levels - 1) * (1 + fanout / 2);
  Passes passes;
  passes.cut_by_token = true;
  constexpr double nearly = 0.3;  // of what is expected within a factor of three
  passes.several = held > nearly;
  // What goes through a level before it expires is as large as it was written.
  const auto pieces_in = [&](double flushes_to_here) {
    return (flushes_to_here < table.flushes_readable ? table.flush_bytes : table.lasting_bytes) / sstable_bytes;
  };
  const double flushes_of_an_sstable = sstable_bytes / std::max(1.0, table.flush_bytes);
  const double compactions = small ? 1 : 1 / gathered;
  double to_here = fanout * flushes_of_an_sstable;  // flushes in this level and below
  double moves = 0;
  double moved = pieces_in(1) + pieces_in(to_here) * of_level_1;
  for (double level = 1; level < levels; ++level) {
    const double part = std::min(1.0, levels - level);
    const double pieces = pieces_in(to_here) * part;
    to_here += std::pow(fanout, level + 1) * flushes_of_an_sstable;
    moves += pieces;
    moved += pieces + pieces_in(to_here) * part * fanout / 2;
  }
  moved = std::max(moved, compactions);
  passes.written += moved;
  passes.read += moved + 1;
  passes.compactions += compactions + moves;
  passes.of_a_row += rewrites;
  passes.in_level_0 = in_level_0;
  passes.live = sstables + 4;
  if (table.expires) {
    const double pieces = table.lasting_bytes / sstable_bytes;
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
  passes.several = shards(3 * table.flush_bytes * std::max(1.0, table.flushes_live)) > 1;
  passes.live = passes.written;
  double before = passes.written;  // SSTables of a flush's rows, as they lie
  double flushes = 1;              // that one SSTable's rows come from
  constexpr std::size_t most_levels = 32;
  for (std::size_t level = 0; level < most_levels; ++level) {
    const std::size_t place = std::min(level, options.scaling_parameters.size() - 1);
    const int scaling = options.scaling_parameters[place];
    const double fan = scaling < 0 ? 2 - scaling : 2 + scaling;
    if (flushes * (scaling < 0 ? 2 : fan) > table.flushes_live) break;
    // Leveled: each arrival is merged with what the level holds, up to `fan` of them.
    const double rewrites = scaling < 0 ? std::min(fan, table.flushes_live / flushes) / 2 : 1;
    const double next = flushes * fan;
    const double pieces = shards(table.flush_bytes * next) / next;
    passes.read += before * rewrites;
    passes.written += pieces * rewrites;
    passes.compactions += pieces * rewrites;
    passes.of_a_row += rewrites;
    passes.live += pieces * next * (scaling < 0 ? 1 : fan);
    before = pieces;
    flushes = next;
  }
  if (table.expires) add_expiry(passes, 1);
  return passes;
}

Passes of(const NoCompactionOptions&, const Compacted& table) { return {.live = table.flushes_live}; }

/// Flushes are cut into shards even so (UnifiedCompactionStrategy.createSSTableMultiWriter).
Passes of_disabled(const UnifiedOptions& options, const Compacted& table) {
  Passes passes;
  passes.written = static_cast<double>(shard_count(options, std::max(1.0, table.flush_bytes)));
  passes.cut_by_token = passes.several = passes.written > 1;
  passes.waiting = table.flushes_live * passes.written;
  return passes;
}

}  // namespace

Passes expected_passes(const CompactionOptions& options, const Compacted& table) {
  if (!common_options(options).enabled) {
    const auto* unified = std::get_if<UnifiedOptions>(&options);
    return unified != nullptr ? of_disabled(*unified, table) : of(NoCompactionOptions{}, table);
  }
  return std::visit([&](const auto& each) { return of(each, table); }, options);
}

void add_rewrites(Passes& passes, double rewrites, const Compacted& table) {
  const double of_all = rewrites * passes.live;
  passes.compactions += of_all;
  passes.read += of_all;
  passes.written += of_all;
  passes.of_a_row += rewrites * std::max(1.0, table.flushes_live);
}

}  // namespace windrow
