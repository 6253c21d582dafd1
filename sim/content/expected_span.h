#pragma once

#include <utility>

#include "sim/content/content.h"
#include "sim/stats/ring_share.h"

namespace windrow {

/// Smooth: partitions that a cohort has at most, whatever its tokens. Of a writer's buckets, and of those it has rows
/// in.
inline std::int64_t most_partitions(const Writer& writer, std::int64_t first_bucket, std::int64_t last_bucket) {
  return writer.mean_slots() * (last_bucket - first_bucket + 1);
}
inline std::int64_t most_partitions(const ContentSpace& space, const Cohort& cohort) {
  const auto [first_bucket, last_bucket] = space.buckets(cohort);
  return most_partitions(space.writer_of(cohort), first_bucket, last_bucket);
}

/// First and last of so many tokens, evenly spread from `first` to `last`, on average.
inline std::pair<Token, Token> expected_ends(Token first, Token last, std::int64_t many) {
  const std::uint64_t gap = tokens_between(first, last) / (static_cast<std::uint64_t>(many) + 1);  // up to 2^64
  return {static_cast<Token>(static_cast<std::uint64_t>(first) + gap),
          static_cast<Token>(static_cast<std::uint64_t>(last) - gap)};
}

}  // namespace windrow
