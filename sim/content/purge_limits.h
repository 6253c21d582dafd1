#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/merge.h"

namespace windrow {

/// Largest write timestamp that may go (exclusive), for partitions of one bucket: no_timestamp where nothing blocks.
struct PurgeLimit {
  Micros below_us = no_timestamp;
  std::shared_ptr<const SlotSet> slots{};  // null: all that the cohort's tokens admit
  Token first_token = min_token;           // on a lattice partitions are told by tokens
  Token last_token = max_token;
};

/// The least and the greatest that any of them may hold.
std::pair<Token, Token> tokens_of(std::span<const Cohort> cohorts);

/// Buckets of one writer, from the first to the last, that a source may have partitions of.
struct BucketsOfSource {
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
};

/// Which source of a merge has each partition of one bucket first, by time: looked at once, whoever asks.
class FirstSources {
 public:
  /// `buckets`: of `writer`, by source. `tokens`: what lies outside is not asked for.
  FirstSources(const ContentSpace& space, const std::vector<OverlapSource>& sources,
               std::span<const BucketsOfSource> buckets, const Writer& writer, std::int64_t bucket,
               std::pair<Token, Token> tokens);

  /// Of a cohort's partitions, where only the first `blocking` sources can block.
  std::vector<PurgeLimit> limits(const Cohort& cohort, std::size_t blocking);

 private:
  void look_at(std::size_t blocking);
  void list_slots();
  /// Partitions that a source has, and none before it; of the first `blocking` sources those that have some.
  struct Group {
    std::size_t source = 0;
    std::shared_ptr<const SlotSet> slots{};
  };
  std::span<const Group> groups(std::size_t blocking) const;
  SlotSet nobodys(std::span<const Group> groups) const;
  std::optional<SlotSet> admitted(const Cohort& cohort) const;
  void divide(const SlotSet& admitted, std::size_t blocking, std::vector<PurgeLimit>& limits) const;
  void divide_one_by_one(const SlotSet& admitted, std::size_t blocking, std::vector<PurgeLimit>& limits) const;
  Presence held_by(const OverlapSource& source) const;
  void add_false_positives(const OverlapSource& source, Presence& held) const;

  static constexpr std::int32_t nobody = INT32_MAX;

  const ContentSpace& space_;
  const std::vector<OverlapSource>& sources_;  // ascending by minimum timestamp
  std::span<const BucketsOfSource> buckets_{};
  const Writer& writer_;
  std::int64_t bucket_ = 0;
  std::pair<Token, Token> tokens_{};
  std::size_t looked_at_ = 0;          // sources
  std::int32_t of_all_ = nobody;       // has every partition, and no source before it has any
  std::vector<std::int32_t> first_{};  // by slot; empty until a source has some partitions
  std::vector<Group> groups_{};        // ascending by source
  std::int64_t open_ = 0;              // slots that nobody has yet
};

/// CompactionController.getPurgeEvaluator (rule 3.7) for the cohorts of one merge.
class PurgeLimits {
 public:
  /// `sources` ascend by minimum timestamp, and must stay while limits are asked for; `tokens` of the merge.
  PurgeLimits(const ContentSpace& space, const std::vector<OverlapSource>& sources, std::pair<Token, Token> tokens);

  /// For all partitions of one bucket that a cohort may hold. Sources whose minimum timestamp is above `newest_us`
  /// cannot block.
  const std::vector<PurgeLimit>& of(const Cohort& cohort, std::int64_t bucket, Micros newest_us);

 private:
  FirstSources& first_sources(const Writer& writer, std::int64_t bucket);
  std::span<const BucketsOfSource> buckets_of(const Writer& writer);

  const ContentSpace& space_;
  const std::vector<OverlapSource>& sources_;
  std::pair<Token, Token> tokens_{};
  static constexpr std::int64_t most_listed = 4'000'000;              // slots: some 30 MB
  std::map<std::pair<int, std::int64_t>, FirstSources> by_bucket_{};  // writer, bucket
  std::int64_t listed_slots_ = 0;                                     // of these buckets
  std::map<int, std::vector<BucketsOfSource>> buckets_of_{};          // by writer, of each source
  // Whole cohorts of a writer that the same sources may block have the same: writer, bucket, sources.
  std::map<std::tuple<int, std::int64_t, std::size_t>, std::vector<PurgeLimit>> of_whole_{};
  std::vector<PurgeLimit> of_part_{};  // what was asked for last
};

}  // namespace windrow
