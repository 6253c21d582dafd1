#include "evidence/recordings/trace_estimates.h"

#include <algorithm>
#include <cmath>

namespace windrow {
namespace {

constexpr Seconds last_gc_before_s = 2'147'483'647;  // the estimate stops moving there (rule 2.3)

bool in_range(Token token, const TokenRange& range) {
  if (range.left >= range.right) return range.left == range.right || token > range.left || token <= range.right;
  return range.left < token && token <= range.right;
}

/// Whether one range holds the whole file between tokens that are certain: then no partition need be known.
bool covers(const TokenRange& range, Token first, Token last) {
  return range.left == range.right || (range.left < first && last < range.right);
}

DropTimes drop_times_of(const TraceSSTable& file) {
  std::vector<DropTimes::Bin> bins;
  for (const auto& [point_s, count] : file.drop_times) bins.push_back({.point_s = point_s, .count = count});
  return DropTimes(std::move(bins));
}

}  // namespace

TraceEstimates::TraceEstimates(const TraceSSTable& file, bool is_bti, std::int64_t min_index_interval,
                               const TokensOf* tokens, std::int64_t& guesses)
    : file_(file),
      drop_times_(drop_times_of(file)),
      is_bti_(is_bti),
      min_index_interval_(min_index_interval),
      tokens_(tokens),
      guesses_(&guesses) {
  for (const auto& [offset, count] : file.cell_counts) cells_count_ += count;
  if (cells_count_ > 0) cells_mean_ = file.cells_estimate / cells_count_;
}

SSTableView TraceEstimates::view() const {
  SSTableView view;
  view.id = file_.id;
  view.generation = file_.generation;
  view.hash = file_.hash;
  view.data_bytes = file_.data_bytes;
  view.bytes_on_disk = file_.bytes_on_disk;
  view.min_timestamp_us = file_.min_timestamp_us;
  view.max_timestamp_us = file_.max_timestamp_us;
  view.max_local_deletion_time_s = file_.max_local_deletion_time_s;
  view.created_ms = file_.created_ms;
  view.level = file_.level;
  if (file_.stored_coverage) view.stored_coverage = *file_.stored_coverage;
  view.estimates = this;
  return view;
}

double TraceEstimates::droppable_tombstone_ratio(Seconds gc_before_s) const {
  if (file_.cells_estimate <= 0) return 0.0;
  return drop_times_.sum(gc_before_s) / static_cast<double>(file_.cells_estimate);
}

Seconds TraceEstimates::ratio_crosses_at(double threshold) const {
  const auto bins = drop_times_.bins();
  if (bins.empty() || !(droppable_tombstone_ratio(last_gc_before_s) > threshold)) return no_deletion_time;
  Seconds below = bins.front().point_s - 1;
  Seconds above = std::min(bins.back().point_s, last_gc_before_s);
  if (droppable_tombstone_ratio(below) > threshold) return below;
  while (above - below > 1) {
    const Seconds middle = below + (above - below) / 2;
    (droppable_tombstone_ratio(middle) > threshold ? above : below) = middle;
  }
  return above;
}

std::int64_t TraceEstimates::estimated_keys_for_ranges(std::span<const TokenRange> ranges) const {
  const FileTokens* tokens = tokens_ == nullptr ? nullptr : tokens_->tokens_of(file_.id);
  const bool enough = tokens != nullptr && (!is_bti_ || !tokens->uncompressed_bytes.empty());
  if (enough) return is_bti_ ? keys_by_bytes(*tokens, ranges) : keys_by_samples(*tokens, ranges);
  const bool covered = std::ranges::any_of(
      ranges, [&](const TokenRange& range) { return covers(range, file_.first_token, file_.last_token); });
  if (!covered) {
    ++*guesses_;
    return is_bti_ ? 0 : 1;
  }
  if (is_bti_) return file_.partitions;
  const std::int64_t samples = (file_.partitions + min_index_interval_ - 1) / min_index_interval_;
  return std::max<std::int64_t>(1, samples * min_index_interval_);
}

// Rule 1.7: index-summary samples are partitions 0, m, 2m, ...
std::int64_t TraceEstimates::keys_by_samples(const FileTokens& tokens, std::span<const TokenRange> ranges) const {
  std::int64_t samples = 0;
  const auto step = static_cast<std::size_t>(min_index_interval_);
  for (std::size_t i = 0; i < tokens.tokens.size(); i += step) {
    const Token token = tokens.tokens[i];
    if (std::ranges::any_of(ranges, [&](const TokenRange& range) { return in_range(token, range); })) ++samples;
  }
  return std::max<std::int64_t>(1, samples * min_index_interval_);
}

// Rule 1.7: by the bytes of the partitions with left <= token < right.
std::int64_t TraceEstimates::keys_by_bytes(const FileTokens& tokens, std::span<const TokenRange> ranges) const {
  Bytes covered_bytes = 0;
  for (const TokenRange& range : ranges) {
    if (range.left == range.right || (range.left <= file_.first_token && range.right > file_.last_token)) {
      return file_.partitions;
    }
    const auto begin = std::ranges::lower_bound(tokens.tokens, range.left) - tokens.tokens.begin();
    const auto end = std::ranges::lower_bound(tokens.tokens, range.right) - tokens.tokens.begin();
    for (auto i = begin; i < end; ++i) covered_bytes += tokens.uncompressed_bytes[static_cast<std::size_t>(i)];
  }
  std::int64_t sum = 0;
  std::int64_t count = 0;
  for (const auto& [offset, partitions] : file_.partition_sizes) {
    sum += offset.value_or(0) * partitions;
    count += partitions;
  }
  const double raw_mean = static_cast<double>(sum) / static_cast<double>(count);
  return static_cast<std::int64_t>(std::floor(static_cast<double>(covered_bytes) / raw_mean + 0.5));
}

}  // namespace windrow
