#include "sim/content/lattice_places.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <optional>
#include <tuple>

#include "sim/content/content.h"
#include "sim/content/expected_span.h"
#include "sim/content/slots_in_turn.h"

namespace windrow {

namespace {

using Some = boost::container::small_vector<const Cohort*, 16>;

Some some(std::span<const Cohort> cohorts) {
  Some all;
  for (const Cohort& cohort : cohorts) all.push_back(&cohort);
  return all;
}

std::span<const Cohort* const> span_of(const Some& cohorts) { return {cohorts.data(), cohorts.size()}; }

/// Calls `each(cohorts)` for groups of cohorts that share no token with another group's, by token.
template <typename Each>
void for_groups_apart(std::span<const Cohort> cohorts, const Each& each) {
  Some by_token = some(cohorts);
  std::ranges::sort(by_token, {}, [](const Cohort* cohort) { return std::pair(cohort->first_token, cohort); });
  for (std::size_t first = 0; first < by_token.size();) {
    Token last_token = by_token[first]->last_token;
    std::size_t end = first + 1;
    for (; end < by_token.size() && by_token[end]->first_token <= last_token; ++end) {
      last_token = std::max(last_token, by_token[end]->last_token);
    }
    each(span_of(by_token).subspan(first, end - first));
    first = end;
  }
}

Rounds rounds_of(const SubStream& sub) {
  const Writer& writer = sub.writer();
  if (writer.bucket.single()) return {};
  const std::int64_t bucket = writer.bucket_of(sub.row(0));
  const auto turns_before = [&](std::int64_t other) { return sub.count_before_bucket(other) / writer.most_slots(); };
  const std::int64_t in_first = turns_before(bucket + 1);
  const std::int64_t turns = std::max<std::int64_t>({1, turns_before(bucket + 2) - in_first, in_first});
  return {turns, turns * (bucket - writer.bucket_of(0)) + turns - in_first};
}

}  // namespace

LatticePlaces::LatticePlaces(const TableWorkload& workload) {
  for (const Writer& writer : workload.writers()) lattices_.emplace_back(writer.most_slots());
  for (const SubStream& sub : workload.sub_streams()) rounds_.push_back(rounds_of(sub));
}

LatticePositions LatticePlaces::positions(const ContentSpace& space, const Cohort& cohort) const {
  const TokenLattice& lattice = lattices_[static_cast<std::size_t>(space.writer_of(cohort).index)];
  return {&lattice, &rounds_[static_cast<std::size_t>(cohort.sub_stream)],
          lattice.border(cohort.first_token == min_token ? 0 : lattice.positions_up_to(cohort.first_token - 1)),
          lattice.border(lattice.positions_up_to(cohort.last_token))};
}

bool LatticePlaces::admits(const ContentSpace&, const Cohort&, std::int64_t, std::int64_t) const {
  return true;  // its tokens are asked of rows, not here
}

std::int64_t LatticePlaces::members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                                    std::int64_t to) const {
  if (from >= to) return 0;
  if (!space.on_lattice(cohort)) return walked_members(space, cohort, from, to);
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  if (cohort.slots && !cohort.cut_by_tokens() && sub.in_turn())
    return count_in_turn(*cohort.slots, sub.slot(from), to - from);
  const LatticePositions held = positions(space, cohort);
  if (!cohort.slots) return held.count(from, to);
  const std::int64_t slots = sub.writer().most_slots();
  const auto holds = [&](std::int64_t j) {
    return (*cohort.slots)[static_cast<std::size_t>(sub.slot(j))] && held.hold(j);
  };
  // Slots, and within a round their positions, repeat after a period.
  const std::int64_t period = sub.in_turn() ? slots : slots * std::ssize(sub.share().residues());
  std::int64_t count = 0;
  while (from < to) {
    const std::int64_t end_turn = held.rounds->end_of_round(from / slots);
    const std::int64_t end = end_turn > to / slots ? to : end_turn * slots;
    const std::int64_t periods = (end - from) / period;
    if (periods > 1) {
      std::int64_t in_period = 0;
      for (std::int64_t j = from; j < from + period; ++j) in_period += holds(j) ? 1 : 0;
      count += in_period * periods;
      from += periods * period;
    }
    for (; from < end; ++from) count += holds(from) ? 1 : 0;
  }
  return count;
}

bool LatticePlaces::any(const ContentSpace& space, const Cohort& cohort) const {
  if (!space.on_lattice(cohort)) return walked_any(space, cohort);
  return members(space, cohort, cohort.from, cohort.to) > 0;
}

std::pair<std::int64_t, std::int64_t> LatticePlaces::ends(const ContentSpace& space, const Cohort& cohort,
                                                          std::optional<std::int64_t> members) const {
  const std::int64_t gap = (cohort.to - cohort.from) / ((members ? *members : space.members(cohort)) + 1);
  const std::int64_t first = std::min(cohort.from + gap, cohort.to - 1);
  return {first, std::max(first, cohort.to - 1 - gap)};
}

std::pair<std::int64_t, std::int64_t> LatticePlaces::outer_ends(const ContentSpace& space, const Cohort& cohort) const {
  if (!space.on_lattice(cohort)) return walked_ends(space, cohort);
  return {cohort.from, cohort.to - 1};
}

void LatticePlaces::add_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                 std::int64_t first, std::int64_t last, std::int64_t enough, Presence& presence) const {
  if (!space.on_lattice(cohort)) return walk_presence(space, cohort, bucket, first, last, enough, presence);
  const LatticePositions held = positions(space, cohort);
  const SubStream::Turn turn = space.sub_stream(cohort.sub_stream).turn(bucket);
  const bool any_token = !cohort.cut_by_tokens();
  for (std::int64_t j = first; j < enough && !presence.all(); ++j) {
    const std::int64_t slot = turn.slot(j);
    if ((any_token || held.hold(j)) && (!cohort.slots || (*cohort.slots)[static_cast<std::size_t>(slot)]))
      presence.add(slot);
  }
}

namespace {

/// Partitions that one writer's cohorts hold rows of, by bucket, in the intervals of positions that the cohorts make.
class SmoothPartitions {
 public:
  SmoothPartitions(const ContentSpace& space, const LatticePlaces& places, std::span<const Cohort* const> cohorts)
      : space_(space), writer_(space.writer_of(*cohorts.front())) {
    for (const Cohort* cohort : cohorts) {
      const auto [first, last] = space.buckets(*cohort);
      held_.push_back({.cohort = cohort,
                       .first_bucket = first,
                       .last_bucket = last,
                       .positions = places.positions(space, *cohort)});
      borders_.push_back(held_.back().positions.first);
      borders_.push_back(held_.back().positions.last);
    }
    std::ranges::sort(borders_, {}, &TokenLattice::Border::position);
    const auto same = [](const auto& a, const auto& b) { return a.position == b.position; };
    borders_.erase(std::unique(borders_.begin(), borders_.end(), same), borders_.end());
  }

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
  std::int64_t in_run(std::int64_t first, std::int64_t last) {
    choose(first, last);
    if (chosen_.empty()) return 0;
    if (first == last) return in_chosen(first);
    const std::int64_t buckets = last - first + 1;
    look(last);
    const bool clear_at_last = all_or_none();
    look(first);
    if (clear_at_last && all_or_none()) {
      std::int64_t partitions = 0;
      for (std::size_t i = first_interval_; i < end_interval_; ++i) {
        if (share_of(i) == Share::all) partitions += count(first, last, i);
      }
      return partitions;
    }
    const std::int64_t at_first = in_chosen(first);
    const std::int64_t at_last = in_chosen(last);
    if (std::abs(at_last - at_first) <= 2 + std::max(at_first, at_last) / 100)
      return (at_first + at_last) * buckets / 2;
    std::int64_t partitions = 0;
    for (std::int64_t bucket = first; bucket <= last; ++bucket) partitions += in_chosen(bucket);
    return partitions;
  }

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

  /// The cohorts that have rows in some of these buckets, and the intervals that these lie in: all that counts there.
  void choose(std::int64_t first, std::int64_t last) {
    chosen_.clear();
    std::int64_t first_position = INT64_MAX;
    std::int64_t last_position = INT64_MIN;
    for (Held& held : held_) {
      if (held.first_bucket > last || held.last_bucket < first) continue;
      chosen_.push_back(&held);
      first_position = std::min(first_position, held.positions.first.position);
      last_position = std::max(last_position, held.positions.last.position);
    }
    const auto place_of = [&](std::int64_t position) {
      const auto at = std::ranges::lower_bound(borders_, position, {}, &TokenLattice::Border::position);
      return static_cast<std::size_t>(at - borders_.begin());
    };
    first_interval_ = place_of(first_position);
    end_interval_ = place_of(last_position);
  }
  std::int64_t in_chosen(std::int64_t bucket) {
    look(bucket);
    std::int64_t partitions = 0;
    for (std::size_t i = first_interval_; i < end_interval_; ++i) partitions += in_interval(bucket, i);
    return partitions;
  }
  void look(std::int64_t bucket) {
    for (Held* held : chosen_) {
      std::tie(held->from, held->to) = space_.members_in(*held->cohort, bucket);
      const bool full = held->to - held->from >= writer_.most_slots() && !held->cohort->slots;
      held->share = held->from >= held->to ? Share::none : full ? Share::all : Share::some;
    }
  }
  bool covers(const Held& held, std::size_t interval) const {
    return held.positions.first.position <= borders_[interval].position &&
           held.positions.last.position >= borders_[interval + 1].position;
  }
  Share share_of(std::size_t interval) const {
    Share most = Share::none;
    for (const Held* held : chosen_) {
      if (covers(*held, interval)) most = std::max(most, held->share);
    }
    return most;
  }
  bool all_or_none() const {
    for (std::size_t i = first_interval_; i < end_interval_; ++i) {
      if (share_of(i) == Share::some) return false;
    }
    return true;
  }
  std::int64_t count(std::int64_t first, std::int64_t last, std::size_t interval) const {
    const std::int64_t round = writer_.bucket_of(0);
    return held_.front().positions.lattice->count_partitions(first - round, last + 1 - round, borders_[interval],
                                                             borders_[interval + 1]);
  }
  std::int64_t in_interval(std::int64_t bucket, std::size_t interval) const {
    const Share share = share_of(interval);
    if (share == Share::none) return 0;
    const std::int64_t there = count(bucket, bucket, interval);
    if (share == Share::all || there == 0) return there;
    double missing = 1;  // share of these partitions of which none has a row: cohorts meet by chance
    for (const Held* held : chosen_) {
      if (held->share == Share::none || !covers(*held, interval)) continue;
      LatticePositions inside = held->positions;
      inside.first = borders_[interval];
      inside.last = borders_[interval + 1];
      const std::int64_t rows = inside.count(held->from, held->to);
      missing *= 1 - static_cast<double>(std::min(rows, there)) / static_cast<double>(there);
    }
    return std::llround(static_cast<double>(there) * (1 - missing));
  }

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
  AloneOnLattice(const ContentSpace& space, const LatticePlaces& places, const Cohort& cohort)
      : space_(space), cohort_(cohort), writer_(space.writer_of(cohort)), positions_(places.positions(space, cohort)) {}

  /// Calls `add(first, last, partitions)` for its buckets, all that it holds whole together. False, and no call, where
  /// that is no arithmetic.
  template <typename Add>
  bool count(const Add& add) const {
    const auto [first, last] = space_.buckets(cohort_);
    if (first == last) {
      add(first, first, part(first, cohort_.from, cohort_.to));
      return true;
    }
    const std::int64_t slots = writer_.most_slots();
    const auto before = [&](std::int64_t bucket) { return space_.count_before_bucket(cohort_.sub_stream, bucket); };
    const std::int64_t first_end = before(first + 1);
    const std::int64_t last_begin = before(last);
    if (last - first > 1) {
      const bool steady = before(first + 2) - first_end >= slots && last_begin - before(last - 1) >= slots;
      if (!steady) return false;
      add(first + 1, last - 1, whole(first + 1, last - 1));
    }
    add(first, first, part(first, cohort_.from, first_end));
    add(last, last, part(last, last_begin, cohort_.to));
    return true;
  }

  /// All its members lie in these buckets; nothing if it holds several of them otherwise than whole.
  std::optional<LatticePlaces::Alone> count_in(std::int64_t first, std::int64_t last) const {
    const std::int64_t members = positions_.count(cohort_.from, cohort_.to);
    const std::int64_t there = whole(first, last);
    const std::int64_t slots = writer_.most_slots();
    if (first == last) return {{members, cohort_.to - cohort_.from >= slots ? there : std::min(there, members)}};
    const auto before = [&](std::int64_t bucket) { return space_.count_before_bucket(cohort_.sub_stream, bucket); };
    if (before(first + 1) - cohort_.from < slots || cohort_.to - before(last) < slots) return {};
    return {{members, there}};
  }

 private:
  /// Of buckets [first, last], and of one bucket of which it has members [from, to).
  std::int64_t whole(std::int64_t first, std::int64_t last) const {
    const std::int64_t round = writer_.bucket_of(0);
    return positions_.lattice->count_partitions(first - round, last + 1 - round, positions_.first, positions_.last);
  }
  std::int64_t part(std::int64_t bucket, std::int64_t from, std::int64_t to) const {
    const std::int64_t there = whole(bucket, bucket);
    return to - from >= writer_.most_slots() ? there : std::min(there, positions_.count(from, to));
  }

  const ContentSpace& space_;
  const Cohort& cohort_;
  const Writer& writer_;
  LatticePositions positions_;
};

/// Calls `each(cohorts, first bucket, last bucket, partitions)` for one writer's cohorts in groups that share no token,
/// and runs of buckets that a group holds alike, but for changes of pace.
template <typename Each>
void for_smooth_runs(const ContentSpace& space, const LatticePlaces& places, std::span<const Cohort> cohorts,
                     const Each& each) {
  if (!space.on_lattice(cohorts.front())) {
    const Some together = some(cohorts);
    space.each_bucket(cohorts, [&](const Writer&, std::int64_t bucket, const Presence& held) {
      each(span_of(together), bucket, bucket, held.count());
    });
    return;
  }
  for_groups_apart(cohorts, [&](std::span<const Cohort* const> together) {
    const auto add = [&](std::int64_t first, std::int64_t last, std::int64_t there) {
      each(together, first, last, there);
    };
    const Cohort& front = *together.front();
    if (together.size() == 1 && !front.slots && AloneOnLattice(space, places, front).count(add)) return;
    SmoothPartitions held(space, places, together);
    held.for_runs_of_buckets(
        [&](std::int64_t first, std::int64_t last) { add(first, last, held.in_run(first, last)); });
  });
}

}  // namespace

std::int64_t LatticePlaces::partitions(const ContentSpace& space, std::span<const Cohort> cohorts,
                                       std::int64_t first_bucket, std::int64_t last_bucket) const {
  const Cohort& front = cohorts.front();
  if (space.on_lattice(front))
    return SmoothPartitions(space, *this, span_of(some(cohorts))).in_run(first_bucket, last_bucket);
  std::int64_t partitions = 0;
  for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket)
    partitions += space.presence(cohorts, space.writer_of(front).index, bucket).count();
  return partitions;
}

LatticePlaces::Alone LatticePlaces::alone(const ContentSpace& space, const Cohort& cohort, std::int64_t first_bucket,
                                          std::int64_t last_bucket) const {
  if (const auto held = AloneOnLattice(space, *this, cohort).count_in(first_bucket, last_bucket)) return *held;
  return {space.members(cohort), partitions(space, {&cohort, 1}, first_bucket, last_bucket)};
}

bool LatticePlaces::Parted::at(Token token) const {
  if (token == min_token) return false;
  const TokenLattice::Border border = lattice_->border(lattice_->positions_up_to(token - 1));
  if (border.fraction == 0 || border.slot >= lattice_->slots()) return false;
  return least_ < border.fraction && border.fraction <= most_;
}

LatticePlaces::Parted LatticePlaces::parted(const ContentSpace& space, std::span<const Cohort> cohorts,
                                            std::int64_t first_bucket, std::int64_t last_bucket) const {
  const Writer& writer = space.writer_of(cohorts.front());
  Parted parted;
  parted.lattice_ = &lattices_[static_cast<std::size_t>(writer.index)];
  if (first_bucket < last_bucket) return parted;
  parted.least_ = parted.most_ = VanDerCorput::term(first_bucket - writer.bucket_of(0));
  const std::int64_t slots = parted.lattice_->slots();
  for (const Cohort& cohort : cohorts) {
    if (cohort.from >= cohort.to) continue;
    const Rounds& rounds = rounds_[static_cast<std::size_t>(cohort.sub_stream)];
    const std::int64_t first = rounds.round_of(cohort.from / slots);
    const std::int64_t last = rounds.round_of((cohort.to - 1) / slots);
    for (std::int64_t round = first; round <= std::min(last, first + VanDerCorput::period - 1); ++round) {
      parted.least_ = std::min(parted.least_, VanDerCorput::term(round));
      parted.most_ = std::max(parted.most_, VanDerCorput::term(round));
    }
  }
  return parted;
}

void LatticePlaces::each_run(const ContentSpace& space, std::span<const Cohort> cohorts,
                             const std::function<void(const SmoothRun&)>& each) const {
  for_smooth_runs(
      space, *this, cohorts,
      [&](std::span<const Cohort* const> together, std::int64_t first, std::int64_t last, std::int64_t there) {
        each({together, first, last, there});
      });
}

// Of cohorts that share no token with others; of those that do, together.
bool LatticePlaces::each_part_of_ring(const ContentSpace& space, std::span<const Cohort> cohorts,
                                      const std::function<void(const PartitionsBetween&)>& each) const {
  if (!space.on_lattice(cohorts.front()) || all_whole(cohorts)) return false;
  const Writer& writer = space.writer_of(cohorts.front());
  std::vector<PartitionsBetween> parts;
  parts.reserve(cohorts.size());
  const int constant_bytes = writer.keys->constant_length();
  const auto add = [&](PartitionsBetween& part, std::int64_t bucket, std::int64_t there) {
    part.partitions += there;
    part.key_bytes += constant_bytes > 0 ? there * constant_bytes
                                         : there * space.tokens().all_key_bytes(writer, bucket) /
                                               std::max<std::int64_t>(1, writer.slots(bucket));
  };
  const Cohort* group = nullptr;  // the first of those that share tokens
  for_smooth_runs(space, *this, cohorts,
                  [&](std::span<const Cohort* const> together, std::int64_t first, std::int64_t, std::int64_t there) {
                    if (group != together.front()) {
                      group = together.front();
                      Token last_token = min_token;
                      for (const Cohort* cohort : together) last_token = std::max(last_token, cohort->last_token);
                      parts.push_back({.first_token = group->first_token, .last_token = last_token});
                    }
                    add(parts.back(), first, there);
                  });
  // Few rows may lie where by the count of partitions there is none.
  if (std::ranges::all_of(parts, [](const PartitionsBetween& part) { return part.partitions == 0; }))
    add(parts.front(), space.buckets(cohorts.front()).first, 1);
  for (const PartitionsBetween& part : parts) each(part);
  return true;
}

std::pair<Token, Token> LatticePlaces::span(const ContentSpace& space, const Content& content) const {
  std::pair<Token, Token> span{max_token, min_token};
  for (const Cohort& cohort : content.cohorts) {
    if (space.writer_of(cohort).drawn_keys > 0) return {min_token + 1, max_token};
    const auto [first, last] = expected_ends(cohort.first_token, cohort.last_token,
                                             std::min(most_partitions(space, cohort), space.members(cohort)));
    span.first = std::min(span.first, first);
    span.second = std::max(span.second, last);
  }
  if (content.keyed && !content.keyed->empty()) {
    span.first = std::min(span.first, content.keyed->front().token);
    span.second = std::max(span.second, content.keyed->back().token);
  }
  return span;
}

}  // namespace windrow
