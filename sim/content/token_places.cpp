#include "sim/content/token_places.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/content/content.h"

namespace windrow {

namespace {

/// ContentSpace::admits of one cohort's slots, for slot after slot of one bucket: its tokens are sought once.
class AdmittedSlots {
 public:
  AdmittedSlots(const ContentSpace& space, const Cohort& cohort) : space_(space), cohort_(cohort) {}
  AdmittedSlots(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket) : AdmittedSlots(space, cohort) {
    turn_to(bucket);
  }

  void turn_to(std::int64_t bucket) {
    if (bucket == bucket_) return;
    bucket_ = bucket;
    const bool by_tokens_alone = cohort_.cut_by_tokens() && !cohort_.slots && !cohort_.sets;
    TokenIndex* own = by_tokens_alone ? space_.own_tokens() : nullptr;
    tokens_ = own != nullptr ? own->of(space_.writer_of(cohort_), bucket).by_slot() : std::span<const Token>{};
    if (cohort_.sets && !cohort_.slots && !cohort_.cut_by_tokens()) sets_ = space_.writer_of(cohort_).sets->of(bucket);
  }
  bool operator()(std::int64_t slot) const {
    if (!sets_.empty()) return cohort_.sets->holds(sets_[static_cast<std::size_t>(slot)]);
    if (tokens_.empty()) return space_.admits(cohort_, bucket_, slot);
    const Token token = tokens_[static_cast<std::size_t>(slot)];
    return cohort_.first_token <= token && token <= cohort_.last_token;
  }
  /// As SetCounts::before, where nothing but replica sets is asked for.
  std::optional<std::span<const std::int32_t>> counted(bool worth) const {
    if (sets_.empty()) return {};
    return space_.set_counts().before(space_.writer_of(cohort_).sets->of(bucket_), *cohort_.sets, worth);
  }

 private:
  const ContentSpace& space_;
  const Cohort& cohort_;
  std::int64_t bucket_ = INT64_MIN;
  std::span<const Token> tokens_{};        // of the bucket's slots, where nothing else is to be asked
  std::span<const std::uint16_t> sets_{};  // likewise
};

}  // namespace

std::int64_t TokenPlaces::walked_members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                                         std::int64_t to) {
  if (from >= to) return 0;
  if (from != cohort.from || to != cohort.to) {
    Cohort part = cohort;
    part.from = from;
    part.to = to;
    return walked_members(space, part, from, to);
  }
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  std::int64_t count = 0;
  space.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
    const SubStream::Turn turn = sub.turn(bucket);
    const std::int64_t slots = turn.slots();
    const auto add = [&count](std::int64_t, std::int64_t, std::int64_t of_slot) { count += of_slot; };
    if (space.each_slot_inside(cohort, bucket, first, last, add)) return;
    const AdmittedSlots admits(space, cohort, bucket);
    if (!sub.in_turn()) {
      for (std::int64_t j = first; j < last; ++j) count += admits(turn.slot(j)) ? 1 : 0;
      return;
    }
    const std::int64_t rounds = (last - first) / slots;
    const std::int64_t more = (last - first) % slots;  // of the slots from the first on
    std::int64_t slot = turn.slot(first);
    constexpr std::int64_t many = 8;
    if (const auto before = admits.counted(last - first > slots / many)) {
      const auto upto = [&](std::int64_t n) { return std::int64_t{(*before)[static_cast<std::size_t>(n)]}; };
      const std::int64_t end = slot + more;
      count += (rounds + (end > slots ? 1 : 0)) * upto(slots) + upto(end > slots ? end - slots : end) - upto(slot);
      return;
    }
    for (std::int64_t k = 0; k < (rounds > 0 ? slots : more); ++k) {
      if (admits(slot)) count += rounds + (k < more ? 1 : 0);
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  });
  return count;
}

bool TokenPlaces::walked_any(const ContentSpace& space, const Cohort& cohort) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  bool found = false;
  space.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
    if (found) return;
    const SubStream::Turn turn = sub.turn(bucket);
    const std::int64_t enough = sub.in_turn() ? std::min(last, first + turn.slots()) : last;
    const AdmittedSlots admits(space, cohort, bucket);
    for (std::int64_t j = first; j < enough && !found; ++j) found = admits(turn.slot(j));
  });
  return found;
}

std::pair<std::int64_t, std::int64_t> TokenPlaces::walked_ends(const ContentSpace& space, const Cohort& cohort) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  AdmittedSlots admits(space, cohort);
  const auto there = [&](std::int64_t j) {
    const std::int64_t bucket = space.bucket_of(cohort.sub_stream, j);
    admits.turn_to(bucket);
    return admits(sub.turn(bucket).slot(j));
  };
  std::int64_t first = cohort.from;
  std::int64_t last = cohort.to - 1;
  while (first < last && !there(first)) ++first;
  while (last > first && !there(last)) --last;
  return {first, last};
}

void TokenPlaces::walk_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                std::int64_t first, std::int64_t last, std::int64_t enough, Presence& presence) {
  const auto add = [&presence](std::int64_t slot, std::int64_t, std::int64_t) { presence.add(slot); };
  if (space.each_slot_inside(cohort, bucket, first, last, add)) return;
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const SubStream::Turn turn = sub.turn(bucket);
  const AdmittedSlots admits(space, cohort, bucket);
  if (sub.in_turn()) {
    for (std::int64_t j = first; j < enough && !presence.all(); ++j) {
      if (admits(turn.slot(j))) presence.add(turn.slot(j));
    }
    return;
  }
  // From one member to the next without divisions: this is where long runs of few rows spend their time.
  const std::int64_t slots = turn.slots();
  const std::vector<std::int64_t>& residues = sub.share().residues();
  const bool whole = cohort.whole();
  std::size_t place = static_cast<std::size_t>(first) % residues.size();
  std::int64_t slot = sub.row(first) % slots;
  for (std::int64_t j = first; j < enough && !presence.all(); ++j) {
    if (whole || admits(slot)) presence.add(slot);
    const bool wraps = ++place == residues.size();
    slot += wraps ? residues.front() + sub.share().modulus() - residues.back() : residues[place] - residues[place - 1];
    if (wraps) place = 0;
    if (slot >= slots) slot %= slots;
  }
}

}  // namespace windrow
