#include "sim/content/row_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/check.h"
#include "sim/content/cohorts_in_common.h"

namespace windrow {

namespace {

/// Adds [from, to) of `cohort` unless empty.
void keep(std::vector<Cohort>& kept, const Cohort& cohort, std::int64_t from, std::int64_t to) {
  if (from >= to) return;
  kept.push_back(cohort);
  kept.back().from = from;
  kept.back().to = to;
}

/// The rows of `cohort` (within one bucket) whose slots `other` does not hold.
void keep_other_slots(const ContentSpace& space, std::vector<Cohort>& kept, const Cohort& cohort, const Cohort& other,
                      std::int64_t bucket, std::int64_t from, std::int64_t to) {
  const auto slots = static_cast<std::size_t>(space.writer_of(cohort).slots(bucket));
  // Of which replica sets they are `cohort` goes on to say.
  const bool by_slots = !cohort.cut_by_tokens() && !other.cut_by_tokens();
  SlotSet others(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto number = static_cast<std::int64_t>(slot);
    const bool left = by_slots ? !(*other.slots)[slot] && (!cohort.slots || (*cohort.slots)[slot])
                               : space.admits(cohort, bucket, number) && !space.admits(other, bucket, number);
    others[slot] = left;
  }
  if (others.none()) return;
  Cohort rest = cohort;
  rest.slots = std::make_shared<const SlotSet>(std::move(others));
  keep(kept, rest, from, to);
}

/// What of the cohort's rows [from, to), of replica sets that `other` has all of, `other` does not hold.
void subtract_within(const ContentSpace& space, const Cohort& cohort, const Cohort& other, std::int64_t from,
                     std::int64_t to, std::vector<Cohort>& kept) {
  if (!other.slots) {
    Cohort beside = cohort;
    if (other.first_token > cohort.first_token) {
      beside.last_token = std::min(cohort.last_token, other.first_token - 1);
      keep(kept, beside, from, to);
    }
    beside = cohort;
    if (other.last_token < cohort.last_token) {
      beside.first_token = std::max(cohort.first_token, other.last_token + 1);
      keep(kept, beside, from, to);
    }
  } else {
    Cohort both = cohort;
    both.from = from;
    both.to = to;
    const auto [first_bucket, last_bucket] = space.buckets(both);
    for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
      const auto [first, last] = space.members_in(both, bucket);
      keep_other_slots(space, kept, cohort, other, bucket, first, last);
    }
  }
}

}  // namespace

void subtract_rows(const ContentSpace& space, const Cohort& cohort, const Cohort& other, std::vector<Cohort>& kept) {
  if (!may_have_rows_in_common(cohort, other)) {
    kept.push_back(cohort);
    return;
  }
  const std::int64_t from = std::max(cohort.from, other.from);
  const std::int64_t to = std::min(cohort.to, other.to);
  if (other.sets) {
    SIM_CHECK(cohort.sets != nullptr, "of which replica sets rows are");
    SetMask rest = cohort.sets->without(*other.sets);
    if (rest == *cohort.sets) {
      kept.push_back(cohort);
      return;
    }
    if (!rest.none()) {
      Cohort beside = cohort;
      beside.sets = std::make_shared<const SetMask>(std::move(rest));
      Cohort shared = cohort;
      shared.sets = std::make_shared<const SetMask>(*cohort.sets & *other.sets);
      keep(kept, beside, from, to);
      keep(kept, cohort, cohort.from, from);
      subtract_within(space, shared, other, from, to, kept);
      keep(kept, cohort, to, cohort.to);
      return;
    }
  }
  keep(kept, cohort, cohort.from, from);
  subtract_within(space, cohort, other, from, to, kept);
  keep(kept, cohort, to, cohort.to);
}

std::optional<Cohort> rows_in_both(const Cohort& cohort, const Cohort& other) {
  if (!may_have_rows_in_common(cohort, other)) return std::nullopt;
  Cohort both = cohort;
  both.from = std::max(cohort.from, other.from);
  both.to = std::min(cohort.to, other.to);
  both.first_token = std::max(cohort.first_token, other.first_token);
  both.last_token = std::min(cohort.last_token, other.last_token);
  if (other.sets) {
    if (!cohort.sets || cohort.sets == other.sets || other.sets->within(*cohort.sets)) {
      both.sets = other.sets;
    } else if (!cohort.sets->within(*other.sets)) {
      SetMask sets = *cohort.sets & *other.sets;
      if (sets.none()) return std::nullopt;
      both.sets = std::make_shared<const SetMask>(std::move(sets));
    }
  }
  if (!other.slots) return both;
  if (!cohort.slots) {
    both.slots = other.slots;
    return both;
  }
  if (!cohort.slots->intersects(*other.slots)) return std::nullopt;
  both.slots = std::make_shared<const SlotSet>(*cohort.slots & *other.slots);
  return both;
}

std::vector<Cohort> rows_within(std::span<const Cohort> cohorts, std::span<const Cohort> others) {
  std::vector<Cohort> both;
  for (const Cohort& cohort : cohorts) {
    for (const Cohort& other : others) {
      if (auto part = rows_in_both(cohort, other)) both.push_back(std::move(*part));
    }
  }
  return both;
}

std::vector<Cohort> rows_without(const ContentSpace& space, std::vector<Cohort> cohorts,
                                 std::span<const Cohort> others) {
  for (const Cohort& other : others) {
    // Of many others most have nothing in common with the few that are asked for: those are left where they are.
    const auto meets = [&](const Cohort& cohort) { return may_have_rows_in_common(cohort, other); };
    auto cohort = std::ranges::find_if(cohorts, meets);
    if (cohort == cohorts.end()) continue;
    std::vector<Cohort> kept(std::make_move_iterator(cohorts.begin()), std::make_move_iterator(cohort));
    for (; cohort != cohorts.end(); ++cohort) {
      if (meets(*cohort)) {
        subtract_rows(space, *cohort, other, kept);
      } else {
        kept.push_back(std::move(*cohort));
      }
    }
    cohorts = std::move(kept);
  }
  return cohorts;
}

}  // namespace windrow
