#include "sim/strategy/unified_order.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>

#include "sim/stats/ring_share.h"
#include "sim/strategy/overlap_sets.h"

namespace windrow {
namespace {

constexpr double least_coverage = 0x1p-48;
constexpr double least_flush_bytes = 0x1p20;
constexpr double base_share = 0.9;

UnifiedOrder::Member member_of(const SSTableView& file) {
  const auto [first, last] = file.estimates->token_span();
  return {.first = first, .last = last, .id = file.id, .file = &file};
}

/// Size of the largest overlap set (rule 9.6): most members that share a token.
std::int64_t largest_overlap(std::span<const UnifiedOrder::Member> members) {
  boost::container::small_vector<Token, 64> ends;  // of members that share a token with the one looked at
  Token earliest = max_token;
  std::size_t largest = 0;
  for (const UnifiedOrder::Member& member : members) {
    if (earliest < member.first) {
      ends.erase(std::remove_if(ends.begin(), ends.end(), [&](Token end) { return end < member.first; }), ends.end());
      earliest = ends.empty() ? max_token : std::ranges::min(ends);
    }
    ends.push_back(member.last);
    earliest = std::min(earliest, member.last);
    largest = std::max(largest, ends.size());
  }
  return largest == 0 ? -1 : static_cast<std::int64_t>(largest);
}

void find_buckets(UnifiedOrder::Level& level, UnifiedOptions::Overlap inclusion) {
  level.sets.clear();
  level.buckets.clear();
  level.tasks = 0;
  if (level.overlap < level.scaling.threshold) return;
  const auto threshold = static_cast<std::size_t>(level.scaling.threshold);
  level.sets = overlap_sets(spans_of(level));
  level.buckets = overlap_buckets(level.sets, threshold, inclusion);
  for (const OverlapBucket& bucket : level.buckets)
    level.tasks += static_cast<std::int64_t>(bucket.overlap / threshold);
}

}  // namespace

std::vector<std::pair<Token, Token>> spans_of(const UnifiedOrder::Level& level) {
  std::vector<std::pair<Token, Token>> spans;
  spans.reserve(level.members.size());
  for (const UnifiedOrder::Member& member : level.members.look_at_all()) spans.emplace_back(member.first, member.last);
  return spans;
}

UnifiedScaling scaling_of_level(const UnifiedOptions& options, std::size_t level) {
  const auto& parameters = options.scaling_parameters;
  const int parameter = parameters[std::min(level, parameters.size() - 1)];
  return {.parameter = parameter, .fanout = 2 + std::abs(parameter), .threshold = parameter <= 0 ? 2 : 2 + parameter};
}

double token_coverage(const SSTableView& file) {
  const double coverage = file.stored_coverage > 0 ? file.stored_coverage : file.estimates->spanned();
  return coverage >= least_coverage ? coverage : 1.0;
}

double density(const SSTableView& file) { return static_cast<double>(file.data_bytes) / token_coverage(file); }

double first_max_density(const UnifiedOptions& options, Bytes flush_size_bytes, double local_coverage) {
  const int fanout = scaling_of_level(options, 0).fanout;
  const double base_bytes =
      std::max(least_flush_bytes, static_cast<double>(flush_size_bytes)) * (1.0 - base_share / fanout);
  return std::floor(base_bytes / local_coverage * fanout);
}

std::size_t UnifiedOrder::level_of(double density) const {
  const auto level = std::ranges::partition_point(levels_, [&](const Level& l) { return l.max_density <= density; });
  return static_cast<std::size_t>(level - levels_.begin());
}

void UnifiedOrder::place(const Member& member) const {
  const double member_density = density(*member.file);
  while (levels_.empty() || member_density >= levels_.back().max_density) {
    Level level{.scaling = scaling_of_level(options_, levels_.size())};
    level.max_density = levels_.empty() ? first_max_density(options_, flush_size_bytes_, local_coverage_)
                                        : std::floor(levels_.back().max_density * level.scaling.fanout);
    levels_.push_back(std::move(level));
  }
  Level& level = levels_[level_of(member_density)];
  level.members.add(member);
  level.outdated = true;
}

void UnifiedOrder::add(const SSTableView& file) { place(member_of(file)); }

void UnifiedOrder::remove(const SSTableView& file) {
  Level& level = levels_[level_of(density(file))];
  level.members.remove(member_of(file));
  level.outdated = true;
}

void UnifiedOrder::divide(Bytes flush_size_bytes, double local_coverage) const {
  const std::vector<Level> levels = std::move(levels_);
  levels_.clear();
  flush_size_bytes_ = flush_size_bytes;
  local_coverage_ = local_coverage;
  for (const Level& level : levels) {
    for (const Member& member : level.members.look_at_all()) place(member);
  }
}

std::span<const UnifiedOrder::Level> UnifiedOrder::levels(Bytes flush_size_bytes, double local_coverage) const {
  if (flush_size_bytes != flush_size_bytes_ || local_coverage != local_coverage_)
    divide(flush_size_bytes, local_coverage);
  for (Level& level : levels_) {
    if (!level.outdated) continue;
    level.overlap = largest_overlap(level.members.look_at_all());
    find_buckets(level, options_.overlap_inclusion_method);
    level.outdated = false;
  }
  return levels_;
}

}  // namespace windrow
