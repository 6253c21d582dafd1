#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>

#include "sim/content/content.h"
#include "sim/stats/ring_share.h"

namespace windrow {

// What ContentSpace answers where tokens are a lattice's (see use_lattice): counts by arithmetic, extremes of so many
// evenly spread partitions.

namespace {

/// Calls `each(first, last)` for runs of buckets that the cohorts hold alike, but for changes of pace.
template <typename Each>
void for_runs_of_buckets(const ContentSpace& space, std::span<const Cohort> cohorts, const Each& each) {
  boost::container::small_vector<std::int64_t, 16> borders;
  for (const Cohort& cohort : cohorts) {
    const auto [first, last] = space.buckets(cohort);
    for (const std::int64_t border : {first, first + 1, last, last + 1}) borders.push_back(border);
  }
  std::ranges::sort(borders);
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    if (borders[i] < borders[i + 1]) each(borders[i], borders[i + 1] - 1);
  }
}

/// Calls `each(cohorts)` for groups of cohorts that share no token with another group's.
template <typename Each>
void for_groups_apart(std::span<const Cohort> cohorts, const Each& each) {
  std::vector<Cohort> by_token(cohorts.begin(), cohorts.end());
  std::ranges::stable_sort(by_token, {}, &Cohort::first_token);
  for (std::size_t first = 0; first < by_token.size();) {
    Token last_token = by_token[first].last_token;
    std::size_t end = first + 1;
    for (; end < by_token.size() && by_token[end].first_token <= last_token; ++end) {
      last_token = std::max(last_token, by_token[end].last_token);
    }
    each(std::span<const Cohort>(by_token).subspan(first, end - first));
    first = end;
  }
}

}  // namespace

void ContentSpace::use_lattice() {
  lattices_.clear();
  for (const Writer& writer : workload_->writers()) lattices_.emplace_back(writer.slots());
}

ContentSpace::Places ContentSpace::places(const Cohort& cohort) const {
  const TokenLattice& lattice = lattices_[static_cast<std::size_t>(writer_of(cohort).index)];
  return {&lattice, cohort.first_token == min_token ? 0 : lattice.places_up_to(cohort.first_token - 1),
          lattice.places_up_to(cohort.last_token)};
}

std::int64_t ContentSpace::members_between(const Cohort& cohort, std::int64_t from, std::int64_t to) const {
  if (cohort.whole()) return to - from;
  const Places held = places(cohort);
  if (!cohort.slots) return held.count(from, to);
  const SubStream& sub = sub_stream(cohort.sub_stream);
  const std::int64_t slots = sub.writer().slots();
  const auto holds = [&](std::int64_t j) {
    return (*cohort.slots)[static_cast<std::size_t>(sub.row(j) % slots)] && held.hold(j);
  };
  // Slots, and places, repeat after a period.
  const std::int64_t period = sub.whole() ? slots : slots * static_cast<std::int64_t>(sub.residues().size());
  std::int64_t count = 0;
  if (to - from > period) {
    for (std::int64_t j = from; j < from + period; ++j) count += holds(j) ? 1 : 0;
    count *= (to - from) / period;
    from += (to - from) / period * period;
  }
  for (std::int64_t j = from; j < to; ++j) count += holds(j) ? 1 : 0;
  return count;
}

std::pair<std::int64_t, std::int64_t> ContentSpace::ends(const Cohort& cohort) const {
  // Expected order statistics of so many evenly spread members.
  const std::int64_t gap = (cohort.to - cohort.from) / (members(cohort) + 1);
  const std::int64_t first = std::min(cohort.from + gap, cohort.to - 1);
  return {first, std::max(first, cohort.to - 1 - gap)};
}

std::int64_t ContentSpace::smooth_partitions(std::span<const Cohort> cohorts, std::int64_t bucket) const {
  if (cohorts.size() == 1 && !cohorts.front().slots) {
    const auto [first, last] = members_in(cohorts.front(), bucket);
    const Places one = places(cohorts.front());
    return one.count(first, std::min(last, first + one.lattice->slots()));
  }
  struct Held {
    Places places{};
    std::int64_t members_from = 0;
    std::int64_t members_to = 0;
    bool full = false;
  };
  std::vector<Held> held;
  std::vector<std::int64_t> borders;
  for (const Cohort& cohort : cohorts) {
    const auto [first, last] = members_in(cohort, bucket);
    if (first >= last) continue;
    held.push_back({places(cohort), first, last, last - first >= writer_of(cohort).slots() && !cohort.slots});
    borders.insert(borders.end(), {held.back().places.first, held.back().places.last});
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::int64_t partitions = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const TokenLattice& lattice = *held.front().places.lattice;
    const std::int64_t there = lattice.count(0, lattice.slots(), borders[i], borders[i + 1]);
    if (there == 0) continue;
    double missing = 1;  // share of these partitions of which none has a row: cohorts meet by chance
    for (const Held& each : held) {
      if (each.places.first > borders[i] || each.places.last < borders[i + 1]) continue;
      if (each.full) {
        missing = 0;
        break;
      }
      const std::int64_t rows = lattice.count(each.members_from, each.members_to, borders[i], borders[i + 1]);
      missing *= 1 - static_cast<double>(std::min(rows, there)) / static_cast<double>(there);
    }
    partitions += std::llround(static_cast<double>(there) * (1 - missing));
  }
  return partitions;
}

std::pair<std::int64_t, Bytes> ContentSpace::count_smooth_partitions(const Writer& writer,
                                                                     std::span<const Cohort> cohorts) const {
  std::int64_t partitions = 0;
  Bytes key_bytes = 0;
  const int constant_bytes = writer.keys->constant_length();
  const auto add = [&](std::int64_t bucket, std::int64_t buckets, std::int64_t each) {
    partitions += each * buckets;
    key_bytes += constant_bytes > 0
                     ? each * buckets * constant_bytes
                     : each * buckets * tokens_.all_key_bytes(writer, bucket) / std::max<std::int64_t>(1, writer.slots());
  };
  for_groups_apart(cohorts, [&](std::span<const Cohort> together) {
    for_runs_of_buckets(*this, together, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t in_first = smooth_partitions(together, first);
      if (first == last || smooth_partitions(together, last) == in_first) {
        add(first, last - first + 1, in_first);
      } else {
        for (std::int64_t bucket = first; bucket <= last; ++bucket) add(bucket, 1, smooth_partitions(together, bucket));
      }
    });
  });
  return {partitions, key_bytes};
}

std::pair<Token, Token> ContentSpace::smooth_token_span(const Content& content) const {
  std::pair<Token, Token> span{max_token, min_token};
  for (const Cohort& cohort : content.cohorts) {
    const auto width = tokens_between(cohort.first_token, cohort.last_token);
    const auto [first_bucket, last_bucket] = buckets(cohort);
    const std::int64_t most = sub_stream(cohort.sub_stream).writer().slots() * (last_bucket - first_bucket + 1);
    const auto partitions = static_cast<std::uint64_t>(std::min(most, members(cohort)));
    const auto gap = static_cast<std::int64_t>(width / (partitions + 1));
    span.first = std::min(span.first, cohort.first_token + gap);
    span.second = std::max(span.second, cohort.last_token - gap);
  }
  if (content.keyed && !content.keyed->empty()) {
    span.first = std::min(span.first, content.keyed->front().token);
    span.second = std::max(span.second, content.keyed->back().token);
  }
  return span;
}

}  // namespace windrow
