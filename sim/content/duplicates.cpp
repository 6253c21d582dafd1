#include "sim/content/duplicates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "sim/content/row_sets.h"

namespace windrow {

namespace {

/// A cohort of one of several contents.
struct Placed {
  const Cohort* rows = nullptr;
  std::size_t place = 0;
};

/// Calls `each(first, last)` for stretches of `all`, which are in the order of sub-streams and members, of which no two
/// have members in common.
template <typename All, typename RowsOf, typename Each>
void each_stretch(const All& all, const RowsOf& rows_of, const Each& each) {
  for (auto first = all.begin(); first != all.end();) {
    std::int64_t reach = rows_of(*first).to;
    auto last = first + 1;
    for (; last != all.end() && rows_of(*last).sub_stream == rows_of(*first).sub_stream && rows_of(*last).from < reach;
         ++last)
      reach = std::max(reach, rows_of(*last).to);
    each(first, last);
    first = last;
  }
}

bool share_tokens(const Cohort& a, const Cohort& b) {
  return a.first_token <= b.last_token && b.first_token <= a.last_token;
}

/// True if some member is of two, as far as tokens and slots tell.
template <typename Iterator, typename RowsOf>
bool some_meet(Iterator first, Iterator last, const RowsOf& rows_of) {
  for (auto one = first; one != last; ++one) {
    for (auto other = one + 1; other != last && rows_of(*other).from < rows_of(*one).to; ++other) {
      if (share_tokens(rows_of(*one), rows_of(*other)) && rows_in_both(rows_of(*one), rows_of(*other))) return true;
    }
  }
  return false;
}

void leave_out_empty(const ContentSpace& space, std::vector<Cohort>& rows) {
  std::erase_if(rows, [&](const Cohort& part) { return !part.whole() && !space.any(part); });
}

std::int32_t merged_ttl(const Cohort& one, const Cohort& other) { return std::max(one.ttl_s, other.ttl_s); }

bool same_state(const Cohort& one, const Cohort& other) { return one.state == other.state && one.ttl_s == other.ttl_s; }

/// Adds a cohort to disjoint ones of its sub-stream: also what they name and have no row of is named once, since what
/// is cut by tokens or slots is joined by these.
void absorb(const ContentSpace& space, std::vector<Cohort>& disjoint, const Cohort& more) {
  std::vector<Cohort> fresh{more};
  const std::size_t before = disjoint.size();
  for (std::size_t i = 0; i < before && !fresh.empty(); ++i) {
    const Cohort known = disjoint[i];
    if (known.from >= more.to || more.from >= known.to || !share_tokens(known, more)) continue;
    Cohort merged = known;
    merged.state = merged_state(known.state, more.state);
    merged.ttl_s = merged_ttl(known, more);
    if (same_state(merged, known)) {
      fresh = rows_without(space, std::move(fresh), std::span(&known, 1));
      continue;
    }
    // Of the known rows those that `more` has as well change their state.
    std::vector<Cohort> both = rows_within(std::span(&known, 1), fresh);
    fresh = rows_without(space, std::move(fresh), std::span(&known, 1));
    leave_out_empty(space, both);
    if (both.empty()) continue;
    std::vector<Cohort> rest = rows_without(space, {known}, both);
    leave_out_empty(space, rest);
    for (Cohort& part : both) {
      part.state = merged.state;
      part.ttl_s = merged.ttl_s;
    }
    rest.insert(rest.end(), std::make_move_iterator(both.begin()), std::make_move_iterator(both.end()));
    disjoint[i] = std::move(rest.front());
    disjoint.insert(disjoint.end(), std::make_move_iterator(rest.begin() + 1), std::make_move_iterator(rest.end()));
  }
  leave_out_empty(space, fresh);
  disjoint.insert(disjoint.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
}

const Cohort& rows_of(const Placed& placed) { return *placed.rows; }

std::vector<Placed> in_order_of_rows(std::span<const Content* const> contents) {
  std::vector<Placed> all;
  for (std::size_t place = 0; place < contents.size(); ++place) {
    for (const Cohort& cohort : contents[place]->cohorts) all.push_back({&cohort, place});
  }
  std::ranges::stable_sort(all, {}, [](const Placed& placed) {
    return std::tuple(placed.rows->sub_stream, placed.rows->from, placed.rows->to, placed.place);
  });
  return all;
}

bool has_cells_without_value(RowState state) {
  return state == RowState::cells_dead || state == RowState::nulls_left_dead || state == RowState::settled_dead;
}
/// With all that was dead from the start; with its nulls at least.
bool has_born_dead(RowState state) { return state == RowState::live || state == RowState::cells_dead; }
bool has_nulls(RowState state) {
  return has_born_dead(state) || state == RowState::nulls_left || state == RowState::nulls_left_dead;
}

}  // namespace

RowState merged_state(RowState one, RowState other) {
  if (one == other || other == RowState::skeleton) return one;
  if (one == RowState::skeleton) return other;
  const bool dead = has_cells_without_value(one) || has_cells_without_value(other);
  if (has_born_dead(one) || has_born_dead(other)) return dead ? RowState::cells_dead : RowState::live;
  if (has_nulls(one) || has_nulls(other)) return dead ? RowState::nulls_left_dead : RowState::nulls_left;
  return dead ? RowState::settled_dead : RowState::settled;
}

namespace {

using Members = std::pair<std::int64_t, std::int64_t>;

bool named_by_slots(const Cohort& cohort) { return cohort.slots && !cohort.cut_by_tokens() && !cohort.sets; }

/// Of one bucket's rows of a kind, by slot the members, in order, neighbours joined.
std::vector<std::vector<Members>> members_by_slot(std::span<const Cohort> rows) {
  std::vector<std::vector<Members>> by_slot(rows.front().slots->size());
  for (const Cohort& cohort : rows) {
    for (auto slot = cohort.slots->find_first(); slot != SlotSet::npos; slot = cohort.slots->find_next(slot)) {
      std::vector<Members>& own = by_slot[slot];
      if (!own.empty() && own.back().second == cohort.from) {
        own.back().second = cohort.to;
      } else {
        own.emplace_back(cohort.from, cohort.to);
      }
    }
  }
  return by_slot;
}

/// Members at which all slots are there are taken out of them and returned.
std::vector<Members> take_whole(std::vector<std::vector<Members>>& by_slot) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const std::vector<Members>& own : by_slot) {
    for (const auto& [from, to] : own) {
      ++changes[from];
      --changes[to];
    }
  }
  std::vector<Members> whole;
  std::int64_t there = 0;
  for (auto next = changes.begin(); next != changes.end(); ++next) {
    there += next->second;
    if (there == std::ssize(by_slot)) whole.emplace_back(next->first, std::next(next)->first);
  }
  if (whole.empty()) return whole;
  for (std::vector<Members>& own : by_slot) {
    std::vector<Members> left;
    for (auto [from, to] : own) {
      for (const auto& [first, last] : whole) {
        if (last <= from || to <= first) continue;
        if (from < first) left.emplace_back(from, first);
        from = last;
      }
      if (from < to) left.emplace_back(from, to);
    }
    own = std::move(left);
  }
  return whole;
}

/// Rows of one kind and bucket that slots name, in few cohorts: whole where all slots are there, and slots together
/// whose members are the same.
std::vector<Cohort> renamed(std::span<const Cohort> rows) {
  std::vector<std::vector<Members>> by_slot = members_by_slot(rows);
  std::vector<Cohort> few;
  const auto add = [&](const Members& members, std::shared_ptr<const SlotSet> slots) {
    Cohort& cohort = few.emplace_back(rows.front());
    std::tie(cohort.from, cohort.to) = members;
    cohort.slots = std::move(slots);
  };
  for (const Members& members : take_whole(by_slot)) add(members, nullptr);
  std::map<std::vector<Members>, SlotSet> alike;
  for (std::size_t slot = 0; slot < by_slot.size(); ++slot) {
    if (by_slot[slot].empty()) continue;
    alike.try_emplace(by_slot[slot], by_slot.size()).first->second[slot] = true;
  }
  for (const auto& [members, slots] : alike) {
    const auto shared = std::make_shared<const SlotSet>(slots);
    for (const Members& each : members) add(each, shared);
  }
  return few;
}

/// Many repairs leave many subsets of the same rows, which together are few or all.
void rename_slots(const ContentSpace& space, std::vector<Cohort>& cohorts) {
  const auto slotted =
      std::partition(cohorts.begin(), cohorts.end(), [](const Cohort& cohort) { return !named_by_slots(cohort); });
  if (cohorts.end() - slotted < 2) return;
  const auto bucket_of = [&](const Cohort& cohort) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    return sub.writer().bucket_of(sub.row(cohort.from));
  };
  const auto kind = [&](const Cohort& c) { return std::tuple(c.sub_stream, c.state, c.ttl_s, bucket_of(c)); };
  std::ranges::sort(slotted, cohorts.end(), {}, [&](const Cohort& c) { return std::tuple(kind(c), c.from, c.to); });
  std::vector<Cohort> few;
  for (auto first = slotted; first != cohorts.end();) {
    const auto last = std::find_if(first, cohorts.end(), [&](const Cohort& c) { return kind(c) != kind(*first); });
    std::vector<Cohort> other = renamed({first, last});
    if (std::ssize(other) < last - first) {
      few.insert(few.end(), std::make_move_iterator(other.begin()), std::make_move_iterator(other.end()));
    } else {
      few.insert(few.end(), first, last);
    }
    first = last;
  }
  cohorts.erase(slotted, cohorts.end());
  cohorts.insert(cohorts.end(), std::make_move_iterator(few.begin()), std::make_move_iterator(few.end()));
}

}  // namespace

void absorb_duplicates(const ContentSpace& space, std::vector<Cohort>& cohorts) {
  std::ranges::stable_sort(cohorts, {},
                           [](const Cohort& c) { return std::tuple(c.sub_stream, c.from, c.first_token); });
  const auto itself = [](const Cohort& cohort) -> const Cohort& { return cohort; };
  std::vector<Cohort> all;
  all.reserve(cohorts.size());
  each_stretch(cohorts, itself, [&](auto first, auto last) {
    if (last - first == 1 || !some_meet(first, last, itself)) {
      all.insert(all.end(), first, last);
      return;
    }
    std::vector<Cohort> disjoint;
    for (auto next = first; next != last; ++next) absorb(space, disjoint, *next);
    all.insert(all.end(), std::make_move_iterator(disjoint.begin()), std::make_move_iterator(disjoint.end()));
  });
  rename_slots(space, all);
  join_cohorts(all);
  cohorts = std::move(all);
}

std::vector<std::vector<Cohort>> duplicates_in(const ContentSpace& space, std::span<const Content* const> contents) {
  const std::vector<Placed> all = in_order_of_rows(contents);
  std::vector<std::vector<Cohort>> found;
  each_stretch(all, rows_of, [&](auto first, auto last) {
    if (last - first == 1 || !some_meet(first, last, rows_of)) return;
    std::vector<Placed> in_order(first, last);
    std::ranges::stable_sort(in_order, {}, &Placed::place);
    std::vector<Cohort> before;
    for (const Placed& next : in_order) {
      std::vector<Cohort> both = rows_within(std::span(next.rows, 1), before);
      leave_out_empty(space, both);
      std::vector<Cohort> fresh = rows_without(space, {*next.rows}, before);
      leave_out_empty(space, fresh);
      before.insert(before.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
      if (both.empty()) continue;
      found.resize(contents.size());
      found[next.place].insert(found[next.place].end(), both.begin(), both.end());
    }
  });
  return found;
}

std::vector<Cohort> rows_twice(std::span<const Cohort> cohorts, std::span<const Cohort> duplicates) {
  std::vector<Cohort> twice;
  for (const Cohort& cohort : cohorts) {
    for (const Cohort& copy : duplicates) {
      if (copy.sub_stream != cohort.sub_stream || !same_state(copy, cohort)) continue;
      if (auto part = rows_in_both(cohort, copy)) twice.push_back(std::move(*part));
    }
  }
  return twice;
}

std::vector<Cohort> rows_once(const ContentSpace& space, std::span<const Cohort> cohorts,
                              std::span<const Cohort> duplicates) {
  std::vector<Cohort> once;
  for (const Cohort& cohort : cohorts) {
    std::vector<Cohort> rest = rows_without(space, {cohort}, rows_twice(std::span(&cohort, 1), duplicates));
    leave_out_empty(space, rest);
    once.insert(once.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  }
  return once;
}

bool may_share_rows(std::span<const Cohort> some, std::span<const Cohort> others) {
  return std::ranges::any_of(some, [&](const Cohort& a) {
    return std::ranges::any_of(others,
                               [&](const Cohort& b) { return a.sub_stream == b.sub_stream && rows_in_both(a, b); });
  });
}

bool may_share_rows(std::span<const Content* const> contents) {
  bool any = false;
  each_stretch(in_order_of_rows(contents), rows_of,
               [&](auto first, auto last) { any = any || some_meet(first, last, rows_of); });
  return any;
}

}  // namespace windrow
