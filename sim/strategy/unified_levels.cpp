#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/strategy/bucket_order.h"
#include "sim/strategy/unified.h"

namespace windrow {
namespace {

/// Brings a level's overlap and buckets in; its files stand in by_first_token, in any order.
void complete_level(UnifiedLevel& level, const UnifiedOptions& options) {
  std::ranges::stable_sort(level.by_first_token, {},
                           [](const SSTableView* file) { return file->estimates->token_span().first; });
  std::vector<std::pair<Token, Token>> spans;
  for (const SSTableView* file : level.by_first_token) spans.push_back(file->estimates->token_span());
  const std::vector<OverlapSet> sets = overlap_sets(spans);
  for (const OverlapSet& set : sets) level.overlap = std::max(level.overlap, std::ssize(set));
  if (level.overlap < level.scaling.threshold) return;
  const auto threshold = static_cast<std::size_t>(level.scaling.threshold);
  BucketOrder order(level.by_first_token, spans);
  for (const OverlapBucket& found : overlap_buckets(sets, threshold, options.overlap_inclusion_method)) {
    UnifiedLevel::Bucket bucket{.overlap = found.overlap};
    for (const std::uint32_t member : order.newest_first(sets, found)) {
      bucket.files.push_back(level.by_first_token[member]->id);
    }
    level.buckets.push_back(std::move(bucket));
  }
}

}  // namespace

Bytes unified_flush_size(const UnifiedOptions& options, Bytes cached_bytes, double flush_average_bytes) {
  if (options.flush_size_override_bytes > 0) return options.flush_size_override_bytes;
  if (std::isnan(flush_average_bytes)) return cached_bytes;
  const bool outdated =
      cached_bytes == 0 || std::abs(1 - static_cast<double>(cached_bytes) / flush_average_bytes) > 0.5;
  return outdated ? static_cast<Bytes>(std::ceil(std::ldexp(flush_average_bytes, -20))) << 20 : cached_bytes;
}

std::vector<UnifiedLevel> unified_levels(const UnifiedOptions& options, std::span<const SSTableView* const> files,
                                         Bytes flush_size_bytes, double local_coverage) {
  struct Dense {
    double density = 0;
    const SSTableView* file = nullptr;
  };
  std::vector<Dense> by_density;
  by_density.reserve(files.size());
  for (const SSTableView* file : files) by_density.push_back({density(*file), file});
  std::ranges::stable_sort(by_density, {}, &Dense::density);

  std::vector<UnifiedLevel> levels;
  const auto open_level = [&] {
    UnifiedLevel level{.index = levels.size(), .scaling = scaling_of_level(options, levels.size())};
    level.max_density = levels.empty() ? first_max_density(options, flush_size_bytes, local_coverage)
                                       : std::floor(levels.back().max_density * level.scaling.fanout);
    levels.push_back(std::move(level));
  };
  open_level();
  for (const Dense& dense : by_density) {
    while (dense.density >= levels.back().max_density) open_level();
    levels.back().files.push_back(dense.file->id);
    levels.back().by_first_token.push_back(dense.file);
  }
  for (UnifiedLevel& level : levels) complete_level(level, options);
  return levels;
}

std::int64_t shard_count(const UnifiedOptions& options, double local_density_bytes) {
  const auto base = static_cast<std::int64_t>(options.base_shard_count);
  const auto power_below = [](double x) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, std::floor(x)))));
  };
  constexpr int most_doublings = 20;
  constexpr double most_growth = 1 << most_doublings;
  if (options.min_sstable_size_bytes > 0) {
    const double count = local_density_bytes / static_cast<double>(options.min_sstable_size_bytes);
    if (!(count >= static_cast<double>(base))) {
      const std::int64_t base_power = base & -base;
      return std::min(std::isnan(count) ? 1 : power_below(count), base_power);
    }
  }
  const auto target = static_cast<double>(options.target_sstable_size_bytes);
  if (options.sstable_growth == 1) return base;
  if (options.sstable_growth == 0) {
    const double count = local_density_bytes / (target * std::sqrt(0.5) * static_cast<double>(base));
    return base * (std::isnan(count) ? 1 : power_below(std::min(count, most_growth)));
  }
  const double doublings = std::log(local_density_bytes / (target * static_cast<double>(base))) *
                               (1.0 / std::log(2.0)) * (1 - options.sstable_growth) +
                           0.5;
  if (doublings >= most_doublings) return base << most_doublings;
  return doublings >= 0 ? base << static_cast<int>(doublings) : base;
}

}  // namespace windrow
