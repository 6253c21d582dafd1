#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "sim/content/content.h"
#include "sim/content/lattice_places.h"

namespace windrow {

using SomeCohorts = boost::container::small_vector<const Cohort*, 16>;
inline SomeCohorts some(std::span<const Cohort> cohorts) {
  SomeCohorts all;
  for (const Cohort& cohort : cohorts) all.push_back(&cohort);
  return all;
}

/// Calls `each(cohorts)` for groups of cohorts that share no token with another group's, by token.
template <typename Each>
void for_groups_apart(std::span<const Cohort> cohorts, const Each& each) {
  SomeCohorts by_token = some(cohorts);
  std::ranges::sort(by_token, {}, [](const Cohort* cohort) { return std::pair(cohort->first_token, cohort); });
  for (std::size_t first = 0; first < by_token.size();) {
    Token last_token = by_token[first]->last_token;
    std::size_t end = first + 1;
    for (; end < by_token.size() && by_token[end]->first_token <= last_token; ++end) {
      last_token = std::max(last_token, by_token[end]->last_token);
    }
    each(std::span<const Cohort* const>(by_token.data() + first, end - first));
    first = end;
  }
}

/// Partitions that one writer's cohorts hold rows of, by bucket, in the intervals of positions that the cohorts make.
class SmoothPartitions {
 public:
  SmoothPartitions(const ContentSpace& space, const CohortsOfWriter& all, std::span<const Cohort* const> cohorts);
  SmoothPartitions(const SmoothPartitions&) = delete;  // it points into itself
  SmoothPartitions& operator=(const SmoothPartitions&) = delete;

  /// Calls `each(first, last)` for runs of buckets that the cohorts hold alike, but for changes of pace.
  template <typename Each>
  void for_runs_of_buckets(const Each& each) const {
    boost::container::small_vector<std::int64_t, 64> borders;
    for (const Held& held : held_) {
      for (const std::int64_t border :
           {held.first_bucket, held.first_bucket + 1, held.last_bucket, held.last_bucket + 1})
        borders.push_back(border);
    }
    std::ranges::sort(borders);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      if (borders[i] < borders[i + 1]) each(borders[i], borders[i + 1] - 1);
    }
  }

  /// Of buckets [first, last], all held alike but for changes of pace.
  std::int64_t in_run(std::int64_t first, std::int64_t last);

 private:
  enum class Share { none, some, all };
  struct Held {
    const Cohort* cohort = nullptr;
    std::int64_t first_bucket = 0;
    std::int64_t last_bucket = 0;
    LatticePositions positions{};
    std::int64_t from = 0;  // members in the bucket that is looked at
    std::int64_t to = 0;
    Share share = Share::none;  // of its partitions there
  };

  void choose(std::int64_t first, std::int64_t last);
  std::int64_t in_chosen(std::int64_t bucket);
  void look(std::int64_t bucket);
  bool covers(const Held& held, std::size_t interval) const;
  Share share_of(std::size_t interval) const;
  bool all_or_none() const;
  std::int64_t count(std::int64_t first, std::int64_t last, std::size_t interval) const;
  std::int64_t in_interval(std::int64_t bucket, std::size_t interval) const;

  const ContentSpace& space_;
  const Writer& writer_;
  boost::container::small_vector<Held, 8> held_{};
  boost::container::small_vector<TokenLattice::Border, 16> borders_{};
  boost::container::small_vector<Held*, 8> chosen_{};
  std::size_t first_interval_ = 0;  // that chosen ones lie in
  std::size_t end_interval_ = 0;
};

/// Partitions of a cohort without slots that shares its tokens with no other.
class AloneOnLattice {
 public:
  AloneOnLattice(const ContentSpace& space, const Cohort& cohort, const LatticeCohort& found)
      : space_(space), cohort_(cohort), writer_(space.writer_of(cohort)), found_(found) {}

  /// Calls `add(first, last, partitions)` for its buckets, all that it holds whole together. False, and no call, where
  /// that is no arithmetic.
  template <typename Add>
  bool count(const Add& add) const {
    const std::int64_t first = found_.first_bucket;
    const std::int64_t last = found_.last_bucket;
    if (first == last) {
      const std::int64_t there = whole(first, first);
      add(first, first, cohort_.to - cohort_.from >= writer_.most_slots() ? there : std::min(there, found_.members));
      return true;
    }
    if (!steady_between(first, last)) return false;
    if (last - first > 1) add(first + 1, last - 1, whole(first + 1, last - 1));
    add(first, first, part(first, cohort_.from, before(first + 1)));
    add(last, last, part(last, before(last), cohort_.to));
    return true;
  }

  /// All of them, where it holds each bucket whole.
  std::optional<std::int64_t> count_whole() const {
    const std::int64_t first = found_.first_bucket;
    const std::int64_t last = found_.last_bucket;
    if (!whole_at_ends(first, last) || !steady_between(first, last)) return {};
    return whole(first, last);
  }

  /// All its members lie in these buckets; nothing if it holds several of them otherwise than whole.
  std::optional<LatticePlaces::Alone> count_in(std::int64_t first, std::int64_t last) const {
    const std::int64_t members = found_.members;
    const std::int64_t there = whole(first, last);
    if (whole_at_ends(first, last)) return {{members, there}};
    if (first == last) return {{members, std::min(there, members)}};
    return {};
  }

 private:
  std::int64_t before(std::int64_t bucket) const { return space_.count_before_bucket(cohort_.sub_stream, bucket); }
  /// It has rows of all partitions of the first bucket, and of the last.
  bool whole_at_ends(std::int64_t first, std::int64_t last) const {
    const std::int64_t slots = writer_.most_slots();
    if (first == last) return cohort_.to - cohort_.from >= slots;
    return before(first + 1) - cohort_.from >= slots && cohort_.to - before(last) >= slots;
  }
  /// Of all those between them, since the outermost have so many.
  bool steady_between(std::int64_t first, std::int64_t last) const {
    const std::int64_t slots = writer_.most_slots();
    return last - first <= 1 ||
           (before(first + 2) - before(first + 1) >= slots && before(last) - before(last - 1) >= slots);
  }
  /// Of buckets [first, last], and of one bucket of which it has members [from, to).
  std::int64_t whole(std::int64_t first, std::int64_t last) const {
    const std::int64_t round = writer_.bucket_of(0);
    return found_.held.lattice->count_partitions(first - round, last + 1 - round, found_.held.first, found_.held.last);
  }
  std::int64_t part(std::int64_t bucket, std::int64_t from, std::int64_t to) const {
    const std::int64_t there = whole(bucket, bucket);
    return to - from >= writer_.most_slots() ? there : std::min(there, found_.held.count(from, to));
  }

  const ContentSpace& space_;
  const Cohort& cohort_;
  const Writer& writer_;
  const LatticeCohort& found_;
};

/// AloneOnLattice::count of one of them.
template <typename Add>
bool count_alone(const ContentSpace& space, const CohortsOfWriter& all, const Cohort& cohort, const Add& add) {
  if (const LatticeCohort* found = all.found_of(cohort)) return AloneOnLattice(space, cohort, *found).count(add);
  return AloneOnLattice(space, cohort, space.lattice()->found(space, cohort)).count(add);
}

/// Calls `each(first bucket, last bucket, partitions)` for runs of buckets that some of a writer's cohorts, which share
/// no token with its others, hold alike but for changes of pace.
template <typename Each>
void for_smooth_runs(const ContentSpace& space, const CohortsOfWriter& all, std::span<const Cohort* const> together,
                     const Each& each) {
  const Cohort& front = *together.front();
  if (together.size() == 1 && !front.slots && count_alone(space, all, front, each)) return;
  SmoothPartitions held(space, all, together);
  held.for_runs_of_buckets([&](std::int64_t first, std::int64_t last) { each(first, last, held.in_run(first, last)); });
}

}  // namespace windrow
