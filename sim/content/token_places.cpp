#include "sim/content/token_places.h"

#include <algorithm>

#include "sim/content/content.h"

namespace windrow {

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
    if (sub.in_turn() && last - first >= slots) {
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        if (!space.admits(cohort, bucket, slot)) continue;
        const std::int64_t skip = (slot - turn.slot(first) + slots) % slots;
        count += (last - first - skip + slots - 1) / slots;
      }
      return;
    }
    for (std::int64_t j = first; j < last; ++j) count += space.admits(cohort, bucket, turn.slot(j)) ? 1 : 0;
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
    for (std::int64_t j = first; j < enough && !found; ++j) found = space.admits(cohort, bucket, turn.slot(j));
  });
  return found;
}

std::pair<std::int64_t, std::int64_t> TokenPlaces::walked_ends(const ContentSpace& space, const Cohort& cohort) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const auto there = [&](std::int64_t j) {
    const std::int64_t bucket = space.bucket_of(cohort.sub_stream, j);
    return space.admits(cohort, bucket, sub.turn(bucket).slot(j));
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
  if (sub.in_turn()) {
    for (std::int64_t j = first; j < enough && !presence.all(); ++j) {
      if (space.admits(cohort, bucket, turn.slot(j))) presence.add(turn.slot(j));
    }
    return;
  }
  // From one member to the next without divisions: this is where long runs of few rows spend their time.
  const std::int64_t slots = turn.slots();
  const std::vector<std::int64_t>& residues = sub.share().residues();
  std::size_t place = static_cast<std::size_t>(first) % residues.size();
  std::int64_t slot = sub.row(first) % slots;
  for (std::int64_t j = first; j < enough && !presence.all(); ++j) {
    if (cohort.whole() || space.admits(cohort, bucket, slot)) presence.add(slot);
    const bool wraps = ++place == residues.size();
    slot += wraps ? residues.front() + sub.share().modulus() - residues.back() : residues[place] - residues[place - 1];
    if (wraps) place = 0;
    if (slot >= slots) slot %= slots;
  }
}

}  // namespace windrow
