#include "sim/content/lattice_places.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "sim/content/content.h"
#include "sim/content/expected_span.h"
#include "sim/content/slots_in_turn.h"
#include "sim/content/smooth_partitions.h"

namespace windrow {

namespace {

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

LatticeCohort LatticePlaces::found(const ContentSpace& space, const Cohort& cohort) const {
  LatticeCohort found{.held = positions(space, cohort)};
  const LatticePositions& held = found.held;
  found.from = held.lattice->dealt(cohort.from);
  found.to = held.lattice->dealt(cohort.to);
  found.below_first = held.lattice->ranks_between(found.from, found.to, held.first, *held.rounds);
  found.members = held.lattice->ranks_between(found.from, found.to, held.last, *held.rounds) - found.below_first;
  std::tie(found.first_bucket, found.last_bucket) = space.buckets(cohort);
  return found;
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

std::int64_t LatticePlaces::partitions(const ContentSpace& space, std::span<const Cohort> cohorts,
                                       std::int64_t first_bucket, std::int64_t last_bucket) const {
  const Cohort& front = cohorts.front();
  if (space.on_lattice(front)) {
    const SomeCohorts all = some(cohorts);
    return SmoothPartitions(space, {cohorts}, {all.data(), all.size()}).in_run(first_bucket, last_bucket);
  }
  std::int64_t partitions = 0;
  for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket)
    partitions += space.presence(cohorts, space.writer_of(front).index, bucket).count();
  return partitions;
}

LatticePlaces::Alone LatticePlaces::alone(const ContentSpace& space, const Cohort& cohort, std::int64_t first_bucket,
                                          std::int64_t last_bucket) const {
  if (const auto held = AloneOnLattice(space, cohort, found(space, cohort)).count_in(first_bucket, last_bucket))
    return *held;
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
  if (space.on_lattice(cohorts.front())) {
    for_groups_apart(cohorts, [&](std::span<const Cohort* const> together) {
      for_smooth_runs(space, {cohorts}, together, [&](std::int64_t first, std::int64_t last, std::int64_t there) {
        each({together, first, last, there});
      });
    });
    return;
  }
  const SomeCohorts together = some(cohorts);
  space.each_bucket(cohorts, [&](const Writer&, std::int64_t bucket, const Presence& held) {
    each({{together.data(), together.size()}, bucket, bucket, held.count()});
  });
}

bool LatticePlaces::each_part_of_ring(const ContentSpace& space, std::span<const Cohort> cohorts,
                                      const std::function<void(const PartitionsBetween&)>& each) const {
  if (!space.on_lattice(cohorts.front()) || all_whole(cohorts)) return false;
  std::vector<PartitionsBetween> parts;
  parts.reserve(cohorts.size());
  add_parts_of_ring(space, {cohorts}, parts);
  for (const PartitionsBetween& part : parts) each(part);
  return true;
}

// Of cohorts that share no token with others; of those that do, together.
void LatticePlaces::add_parts_of_ring(const ContentSpace& space, const CohortsOfWriter& all,
                                      std::vector<PartitionsBetween>& parts) const {
  const Writer& writer = space.writer_of(all.cohorts.front());
  const std::size_t before = parts.size();
  const int constant_bytes = writer.keys->constant_length();
  const auto add = [&](PartitionsBetween& part, std::int64_t bucket, std::int64_t there) {
    part.partitions += there;
    part.key_bytes += constant_bytes > 0 ? there * constant_bytes
                                         : there * space.tokens().all_key_bytes(writer, bucket) /
                                               std::max<std::int64_t>(1, writer.slots(bucket));
  };
  for_groups_apart(all.cohorts, [&](std::span<const Cohort* const> together) {
    const Cohort& front = *together.front();
    Token last_token = min_token;
    for (const Cohort* cohort : together) last_token = std::max(last_token, cohort->last_token);
    PartitionsBetween& part = parts.emplace_back();
    part.first_token = front.first_token;
    part.last_token = last_token;
    const LatticeCohort* found = all.found_of(front);
    if (together.size() == 1 && found != nullptr && constant_bytes > 0) {
      if (const auto there = AloneOnLattice(space, front, *found).count_whole())
        return add(part, found->first_bucket, *there);
    }
    for_smooth_runs(space, all, together,
                    [&](std::int64_t first, std::int64_t, std::int64_t there) { add(part, first, there); });
  });
  // Few rows may lie where by the count of partitions there is none.
  const auto here = std::span(parts).subspan(before);
  if (std::ranges::all_of(here, [](const PartitionsBetween& part) { return part.partitions == 0; }))
    add(here.front(), space.buckets(all.cohorts.front()).first, 1);
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
