#pragma once

#include "sim/content/token_places.h"

namespace windrow {

/// Each partition at the murmur3 hash of its key (Murmur3Partitioner), found slot by slot: ContentSpace::tokens.
class HashedPlaces : public TokenPlaces {
 public:
  bool admits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t slot) const override;
  std::int64_t members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                       std::int64_t to) const override;
  bool any(const ContentSpace& space, const Cohort& cohort) const override;
  std::pair<std::int64_t, std::int64_t> ends(const ContentSpace& space, const Cohort& cohort,
                                             std::optional<std::int64_t> members) const override;
  std::pair<std::int64_t, std::int64_t> outer_ends(const ContentSpace& space, const Cohort& cohort) const override;
  void add_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t first,
                    std::int64_t last, std::int64_t enough, Presence& presence) const override;
  bool each_part_of_ring(const ContentSpace& space, std::span<const Cohort> cohorts,
                         const std::function<void(const PartitionsBetween&)>& each) const override;
  std::pair<Token, Token> span(const ContentSpace& space, const Content& content) const override;
};

}  // namespace windrow
