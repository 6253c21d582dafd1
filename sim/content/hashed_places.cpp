#include "sim/content/hashed_places.h"

#include <algorithm>

#include "sim/content/content.h"

namespace windrow {

bool HashedPlaces::admits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                          std::int64_t slot) const {
  const Token token = space.tokens().of(space.writer_of(cohort), bucket).by_slot()[static_cast<std::size_t>(slot)];
  return cohort.first_token <= token && token <= cohort.last_token;
}

std::int64_t HashedPlaces::members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                                   std::int64_t to) const {
  return walked_members(space, cohort, from, to);
}

bool HashedPlaces::any(const ContentSpace& space, const Cohort& cohort) const { return walked_any(space, cohort); }

std::pair<std::int64_t, std::int64_t> HashedPlaces::ends(const ContentSpace& space, const Cohort& cohort,
                                                         std::optional<std::int64_t>) const {
  return walked_ends(space, cohort);
}

std::pair<std::int64_t, std::int64_t> HashedPlaces::outer_ends(const ContentSpace& space, const Cohort& cohort) const {
  return walked_ends(space, cohort);
}

void HashedPlaces::add_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                std::int64_t first, std::int64_t last, std::int64_t enough, Presence& presence) const {
  walk_presence(space, cohort, bucket, first, last, enough, presence);
}

bool HashedPlaces::each_part_of_ring(const ContentSpace&, std::span<const Cohort>,
                                     const std::function<void(const PartitionsBetween&)>&) const {
  return false;
}

std::pair<Token, Token> HashedPlaces::span(const ContentSpace& space, const Content& content) const {
  std::pair<Token, Token> span{max_token, min_token};
  const auto widen = [&span](Token first, Token last) {
    span.first = std::min(span.first, first);
    span.second = std::max(span.second, last);
  };
  space.each_bucket(content.cohorts, [&](const Writer& writer, std::int64_t bucket, const Presence& held) {
    if (writer.drawn_keys > 0) return widen(min_token + 1, max_token);  // many keys: all of the ring
    const TokenIndex::Bucket& tokens = space.tokens().of(writer, bucket);
    if (held.all()) return widen(tokens.span().first, tokens.span().second);
    const auto there = [&held](std::int32_t slot) { return held.holds(slot); };
    const std::vector<std::int32_t>& slots = tokens.in_order();
    widen(tokens.of(*std::ranges::find_if(slots, there)),
          tokens.of(*std::find_if(slots.rbegin(), slots.rend(), there)));
  });
  if (content.keyed && !content.keyed->empty()) widen(content.keyed->front().token, content.keyed->back().token);
  return span;
}

}  // namespace windrow
