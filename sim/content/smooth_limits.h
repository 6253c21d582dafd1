#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/merge.h"
#include "sim/content/purge_limits.h"
#include "sim/content/tokens_by_bucket.h"

namespace windrow {

/// CompactionController.getPurgeEvaluator (rule 3.7) for the cohorts of one merge on the lattice, where partitions are
/// told by tokens: whoever has rows of a bucket is taken to have some of every partition between its tokens.
class SmoothLimits {
 public:
  /// `sources` ascend by minimum timestamp, and must stay while limits are asked for; `tokens` of the merge.
  SmoothLimits(const ContentSpace& space, const std::vector<OverlapSource>& sources, std::pair<Token, Token> tokens);

  /// Of one bucket, over all of the cohort's tokens; neighbours differ. Sources whose minimum timestamp is above
  /// `newest_us` cannot block.
  std::vector<PurgeLimit> of(const Cohort& cohort, std::int64_t bucket, Micros newest_us);

 private:
  /// What a source has, between tokens of the merge.
  struct Held {
    Token first_token = min_token;
    Token last_token = max_token;
    Micros since_us = 0;
  };
  /// Up to the next piece's first token: no_timestamp where no source has anything.
  struct Piece {
    Token first_token = min_token;
    Micros earliest_us = no_timestamp;
  };
  const TokensByBucket& held_by(const OverlapSource& source) const;
  /// `all` ascend by time.
  std::vector<Piece> earliest(std::span<const Held> all) const;
  std::vector<Piece> look(const Writer& writer, std::int64_t bucket) const;
  const std::vector<Piece>& pieces(const Writer& writer, std::int64_t bucket);
  bool parts_nothing(const Cohort& cohort, std::int64_t bucket, const PurgeLimit& limit) const;

  const ContentSpace& space_;
  const std::vector<OverlapSource>& sources_;
  std::pair<Token, Token> tokens_{};
  std::map<std::pair<int, std::int64_t>, std::vector<Piece>> by_bucket_{};  // writer, bucket; ascending
};

}  // namespace windrow
