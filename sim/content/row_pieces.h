#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "sim/base/arithmetic.h"
#include "sim/content/content.h"
#include "sim/content/members_in_order.h"
#include "sim/content/row_shape.h"

namespace windrow {

/// Extremes of what the rows of a cohort carry.
struct CohortDates {
  Micros oldest_us = 0;  // write timestamps
  Micros newest_us = 0;
  Seconds first_s = 0;  // arrivals
  Seconds last_s = 0;
};
/// `members` are those that the cohort holds (ContentSpace::members): counting them is dear where it is cut by tokens.
CohortDates dates_of(const ContentSpace& space, const Cohort& cohort, std::int64_t members);
/// Of `members` that lie evenly among those of the cohort.
CohortDates dates_of_some(const ContentSpace& space, const Cohort& cohort, std::int64_t members);
inline CohortDates dates_of(const ContentSpace& space, const Cohort& cohort) {
  return dates_of(space, cohort, space.members(cohort));
}

/// Members [from, to) of a cohort whose bodies differ by their values alone; `body` has none of them.
struct RowSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t body = 0;
};
using RowSpans = boost::container::small_vector<RowSpan, 16>;  // five, as a rule

/// The spans of a whole cohort (storage rule 1.4): deltas are monotone in the row number, so their vint sizes change at
/// a few rows only.
void find_row_spans(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    RowSpans& spans);

/// Calls `each(body bytes, rows)` for the rows of a cohort, by the size of their bodies. Values repeat along row
/// numbers. The cohort is whole, or the space smooth: then each size has its share of the rows that are there. None of
/// its members was asked for before.
template <typename Each>
void each_row_piece(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    MembersInOrder& members, const Each& each) {
  RowSpans spans;
  const auto there = [&](const RowSpan& span) { return members.next_up_to(span.to); };
  find_row_spans(space, cohort, dates, format, spans);
  if (!has_values(cohort.state)) {
    for (const RowSpan& span : spans) each(span.body, there(span));
    return;
  }
  const RowValues& values = space.values(cohort.sub_stream);
  if (values.bytes().size() == 1) {
    for (const RowSpan& span : spans) each(span.body + values.bytes()[0], there(span));
    return;
  }
  boost::container::small_vector<Rows, 128> counts(values.bytes().size());
  for (const RowSpan& span : spans) {
    std::ranges::fill(counts, 0);
    values.count(span.from, span.to, {counts.data(), counts.size()});
    const Rows rows = there(span);
    Rows seen = 0;
    Rows given = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      seen += counts[k];
      const Rows upto = cohort.whole() ? seen : mul_div_floor(seen, rows, span.to - span.from);
      if (upto > given) each(span.body + values.bytes()[k], upto - given);
      given = upto;
    }
  }
}

}  // namespace windrow
