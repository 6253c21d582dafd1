#include "sim/content/cohort.h"

#include <algorithm>
#include <tuple>

#include "sim/base/check.h"

namespace windrow {

namespace {

bool same_slots(const Cohort& a, const Cohort& b) {
  if (a.slots == b.slots) return true;
  return a.slots && b.slots && *a.slots == *b.slots;
}

/// Two subsets of the same rows become one, without `slots` if together they are all.
void unite(Cohort& into, const Cohort& other) {
  SlotSet slots = *into.slots;
  bool all = true;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    SIM_CHECK(!(slots[i] && (*other.slots)[i]), "a row is held twice");
    slots[i] = slots[i] || (*other.slots)[i];
    all = all && slots[i];
  }
  into.slots = all ? nullptr : std::make_shared<const SlotSet>(std::move(slots));
}

}  // namespace

bool alike(const Cohort& a, const Cohort& b) {
  return a.sub_stream == b.sub_stream && a.state == b.state && a.ttl_s == b.ttl_s && a.first_token == b.first_token &&
         a.last_token == b.last_token && same_slots(a, b);
}

void join_cohorts(std::vector<Cohort>& cohorts) {
  if (cohorts.size() < 2) return;
  const auto order = [](const Cohort& c) {
    return std::tie(c.sub_stream, c.state, c.ttl_s, c.first_token, c.last_token, c.from, c.to);
  };
  // Most inputs are in order, or nearly: looking is cheaper than sorting.
  const auto sort_by = [&cohorts](const auto& key) {
    const auto before = [&key](const Cohort& a, const Cohort& b) { return key(a) < key(b); };
    if (!std::ranges::is_sorted(cohorts, before)) std::ranges::stable_sort(cohorts, before);
  };
  sort_by(order);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < cohorts.size(); ++i) {
    Cohort& last = cohorts[kept];
    Cohort& next = cohorts[i];
    if (last.slots && next.slots && order(last) == order(next)) {
      unite(last, next);
    } else if (last.to == next.from && alike(last, next) && !last.slots) {
      last.to = next.to;
    } else {
      if (++kept != i) cohorts[kept] = std::move(next);
      continue;
    }
    // What was united may now continue its predecessor.
    while (kept > 0 && cohorts[kept - 1].to == cohorts[kept].from && alike(cohorts[kept - 1], cohorts[kept]) &&
           !cohorts[kept].slots) {
      cohorts[kept - 1].to = cohorts[kept].to;
      --kept;
    }
  }
  cohorts.resize(kept + 1);
  sort_by([](const Cohort& c) { return std::tie(c.sub_stream, c.from); });
}

}  // namespace windrow
