#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <map>
#include <vector>

#include "sim/content/cohort.h"

namespace windrow {
namespace {

constexpr std::int64_t rows_of_all = 12;
constexpr std::int64_t stretches = 8;  // of tokens

Token begin_of(std::int64_t stretch) { return stretch == 0 ? min_token : stretch * 1000 - 4000; }
Token end_of(std::int64_t stretch) { return stretch + 1 == stretches ? max_token : begin_of(stretch + 1) - 1; }

/// Which rows are held in which stretch of tokens.
using Held = std::vector<std::vector<int>>;

Held held_by(const std::vector<Cohort>& cohorts) {
  Held held(stretches, std::vector<int>(rows_of_all, 0));
  for (const Cohort& cohort : cohorts) {
    for (std::int64_t s = 0; s < stretches; ++s) {
      if (cohort.first_token > begin_of(s) || cohort.last_token < end_of(s)) continue;
      for (std::int64_t row = cohort.from; row < cohort.to; ++row)
        ++held[static_cast<std::size_t>(s)][static_cast<std::size_t>(row)];
    }
  }
  return held;
}

TEST_CASE("joined cohorts hold what the parts held, in disjoint intervals of tokens, as few as there are") {
  CHECK(rc::check([] {
    // Every cell of the grid once at most, in rectangles of random size.
    Held wanted(stretches, std::vector<int>(rows_of_all, 0));
    std::vector<Cohort> parts;
    const auto count = *rc::gen::inRange(1, 12);
    for (int i = 0; i < count; ++i) {
      const std::int64_t s1 = *rc::gen::inRange<std::int64_t>(0, stretches);
      const std::int64_t s2 = *rc::gen::inRange<std::int64_t>(s1, stretches);
      const std::int64_t r1 = *rc::gen::inRange<std::int64_t>(0, rows_of_all);
      const std::int64_t r2 = *rc::gen::inRange<std::int64_t>(r1 + 1, rows_of_all + 1);
      bool free = true;
      for (std::int64_t s = s1; s <= s2; ++s) {
        for (std::int64_t r = r1; r < r2; ++r)
          free = free && wanted[static_cast<std::size_t>(s)][static_cast<std::size_t>(r)] == 0;
      }
      if (!free) continue;
      for (std::int64_t s = s1; s <= s2; ++s) {
        for (std::int64_t r = r1; r < r2; ++r) wanted[static_cast<std::size_t>(s)][static_cast<std::size_t>(r)] = 1;
      }
      parts.push_back({.from = r1, .to = r2, .first_token = begin_of(s1), .last_token = end_of(s2)});
    }
    std::vector<Cohort> joined = parts;
    join_cohorts(joined);
    RC_ASSERT(held_by(joined) == wanted);
    for (const Cohort& a : joined) {
      for (const Cohort& b : joined) {
        const bool same_tokens = a.first_token == b.first_token && a.last_token == b.last_token;
        const bool apart = a.last_token < b.first_token || b.last_token < a.first_token;
        RC_ASSERT(same_tokens || apart);
        if (same_tokens && a.from < b.from) RC_ASSERT(a.to < b.from);
      }
    }
    std::vector<Cohort> again = joined;
    join_cohorts(again);
    RC_ASSERT(again.size() == joined.size());
  }));
}

}  // namespace
}  // namespace windrow
