#include "sim/content/cohort.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <tuple>

#include "sim/base/check.h"
#include "sim/content/plain_rows.h"
#include "sim/content/token_sweep.h"

namespace windrow {

namespace {

bool same_slots(const Cohort& a, const Cohort& b) {
  if (a.slots == b.slots) return true;
  return a.slots && b.slots && *a.slots == *b.slots;
}

bool same_sets(const Cohort& a, const Cohort& b) {
  if (a.sets == b.sets) return true;
  return a.sets && b.sets && *a.sets == *b.sets;
}

/// Two subsets of the same rows become one, without `slots` if together they are all. Of fewer rows than slots both may
/// name slots that have none of them.
void unite(Cohort& into, const Cohort& other) {
  const bool each_has_one = other.to - other.from >= std::ssize(*other.slots);
  SIM_CHECK(!each_has_one || !into.slots->intersects(*other.slots), "a row is held twice");
  SlotSet slots = *into.slots | *other.slots;
  into.slots = slots.all() ? nullptr : std::make_shared<const SlotSet>(std::move(slots));
}

/// Rows of the same kind, in whatever intervals of tokens, as disjoint intervals of tokens with the rows of each; as
/// few as there are different neighbours. `pieces` are of one kind and without slots, ascending in rows.
template <typename Piece, typename Pieces>
void divide_by_tokens(std::span<const Piece> pieces, Pieces& out) {
  boost::container::small_vector<Piece, 8> lists[2];
  auto* here = &lists[0];
  auto* before = &lists[1];  // of the interval before
  const auto same_rows = [](const Piece& a, const Piece& b) { return a.from == b.from && a.to == b.to; };
  sweep_tokens(pieces, [&](Token first, Token last, std::span<const std::size_t> inside) {
    here->clear();
    for (const std::size_t place : inside) {  // ascending in rows
      const Piece& piece = pieces[place];
      if (!here->empty() && here->back().to >= piece.from) {
        SIM_CHECK(here->back().to == piece.from, "a row is held twice");
        here->back().to = piece.to;
        continue;
      }
      here->push_back(piece);
      here->back().first_token = first;
      here->back().last_token = last;
    }
    if (!before->empty() && before->front().last_token + 1 == first && std::ranges::equal(*before, *here, same_rows)) {
      for (Piece& piece : *before) piece.last_token = last;
      return;
    }
    out.insert(out.end(), before->begin(), before->end());
    std::swap(before, here);
  });
  out.insert(out.end(), before->begin(), before->end());
}

/// Cohorts that are cut by tokens, in the fewest disjoint intervals.
void unite_tokens(std::vector<Cohort>& cohorts) {
  const auto kind = [](const Cohort& c) { return std::tuple(c.sub_stream, c.state, c.ttl_s); };
  const auto order = [&](const Cohort& c) {
    return std::tuple(kind(c), c.slots != nullptr, c.from, c.to, c.first_token);
  };
  std::ranges::sort(cohorts, {}, order);
  std::vector<Cohort> united;
  united.reserve(cohorts.size());
  for (auto first = cohorts.begin(); first != cohorts.end();) {
    const auto last = std::find_if(first, cohorts.end(), [&](const Cohort& c) {
      return kind(c) != kind(*first) || (c.slots != nullptr) != (first->slots != nullptr);
    });
    if (!first->slots && last - first > 1 && std::any_of(first, last, std::mem_fn(&Cohort::cut_by_tokens))) {
      divide_by_tokens(std::span<const Cohort>(first, last), united);
    } else {
      united.insert(united.end(), first, last);
    }
    first = last;
  }
  cohorts = std::move(united);
}

/// Those of each sub-stream together, sub-streams ascending; there are `most` and less.
void put_by_sub_stream(ManyRows& rows, std::size_t most) {
  std::vector<std::size_t> places(most + 2);
  for (const PlainRows& each : rows) ++places[static_cast<std::size_t>(each.sub_stream) + 1];
  for (std::size_t s = 1; s < places.size(); ++s) places[s] += places[s - 1];
  ManyRows ordered(rows.size());
  for (const PlainRows& each : rows) ordered[places[static_cast<std::size_t>(each.sub_stream)]++] = each;
  rows.swap(ordered);
}

/// Sorts by `key`, which begins with the sub-stream: many rows of many sub-streams each by itself.
template <typename Key>
void sort_by_sub_stream(ManyRows& rows, const Key& key) {
  constexpr std::size_t many = 64;
  const auto before = [&key](const PlainRows& a, const PlainRows& b) { return key(a) < key(b); };
  if (std::is_sorted(rows.begin(), rows.end(), before)) return;
  std::size_t most = 0;
  for (const PlainRows& each : rows) most = std::max(most, static_cast<std::size_t>(each.sub_stream));
  if (rows.size() < many || most > rows.size()) {
    std::sort(rows.begin(), rows.end(), before);
    return;
  }
  put_by_sub_stream(rows, most);
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(),
                                   [first](const PlainRows& each) { return each.sub_stream != first->sub_stream; });
    std::sort(first, last, before);
    first = last;
  }
}

/// Joins neighbours; in the order of a content.
void join_plain(ManyRows& pieces, ManyRows& joined) {
  sort_by_sub_stream(
      pieces, [](const PlainRows& r) { return std::tie(r.sub_stream, r.state, r.ttl_s, r.from, r.to, r.first_token); });
  for (std::size_t first = 0, last = 0; first < pieces.size(); first = last) {
    bool cut = false;
    for (; last < pieces.size() && same_kind(pieces[last], pieces[first]); ++last)
      cut = cut || pieces[last].cut_by_tokens();
    if (cut && last - first > 1) {
      divide_by_tokens(std::span<const PlainRows>(pieces.data() + first, last - first), joined);
      continue;
    }
    for (std::size_t i = first; i < last; ++i) {
      if (i > first && joined.back().to == pieces[i].from) {
        joined.back().to = pieces[i].to;
      } else {
        joined.push_back(pieces[i]);
      }
    }
  }
  sort_by_sub_stream(joined, [](const PlainRows& r) {
    return std::tie(r.sub_stream, r.from, r.state, r.ttl_s, r.first_token, r.last_token, r.to);
  });
}

/// The same for less, of whole cohorts of one kind, as those of a steady writer's files are. False, and nothing is
/// joined, of others.
bool join_whole_of_a_kind(std::span<const PlainRows> rows, std::vector<Cohort>& cohorts) {
  if (rows.empty()) return false;
  const PlainRows& front = rows.front();
  for (const PlainRows& each : rows) {
    if (!same_kind(each, front) || each.cut_by_tokens()) return false;
  }
  boost::container::small_vector<std::pair<std::int64_t, std::int64_t>, 32> members;
  for (const PlainRows& each : rows) members.emplace_back(each.from, each.to);
  std::sort(members.begin(), members.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (members[last].second == members[i].first) {
      members[last].second = members[i].second;
    } else {
      members[++last] = members[i];
    }
  }
  cohorts.reserve(last + 1);
  for (std::size_t i = 0; i <= last; ++i) {
    Cohort& cohort = cohorts.emplace_back(cohort_of(front));
    std::tie(cohort.from, cohort.to) = members[i];
  }
  return true;
}

void join_plain(std::vector<Cohort>& cohorts) {
  ManyRows pieces;
  pieces.reserve(cohorts.size());
  for (const Cohort& cohort : cohorts) pieces.push_back(plain_rows(cohort));
  ManyRows joined;
  join_plain(pieces, joined);
  cohorts.resize(joined.size());
  for (std::size_t i = 0; i < joined.size(); ++i) cohorts[i] = cohort_of(joined[i]);
}

}  // namespace

std::vector<Cohort> joined_cohorts(ManyRows& rows) {
  std::vector<Cohort> cohorts;
  if (join_whole_of_a_kind({rows.data(), rows.size()}, cohorts)) return cohorts;
  ManyRows joined;
  joined.reserve(rows.size());
  join_plain(rows, joined);
  cohorts.reserve(joined.size());
  for (const PlainRows& each : joined) cohorts.push_back(cohort_of(each));
  return cohorts;
}

bool all_whole(std::span<const Cohort> cohorts) { return std::ranges::all_of(cohorts, &Cohort::whole); }

bool alike(const Cohort& a, const Cohort& b) {
  return a.sub_stream == b.sub_stream && a.state == b.state && a.ttl_s == b.ttl_s && a.first_token == b.first_token &&
         a.last_token == b.last_token && same_slots(a, b) && same_sets(a, b);
}

void join_cohorts(std::vector<Cohort>& cohorts) {
  const auto of_earlier = [](const Cohort& a, const Cohort& b) { return a.sub_stream >= b.sub_stream; };
  if (std::ranges::adjacent_find(cohorts, of_earlier) == cohorts.end()) return;  // one of each sub-stream, in order
  if (std::ranges::all_of(cohorts, [](const Cohort& cohort) { return plain(cohort); })) return join_plain(cohorts);
  if (std::ranges::any_of(cohorts, &Cohort::cut_by_tokens)) unite_tokens(cohorts);
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
    if (last.slots && next.slots && order(last) == order(next) && same_sets(last, next)) {
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
