#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "sim/content/content.h"
#include "sim/content/row_shape.h"

namespace windrow {

/// Extremes of what the rows of a cohort carry.
struct CohortDates {
  Micros oldest_us = 0;  // write timestamps
  Micros newest_us = 0;
  Seconds first_s = 0;  // arrivals
  Seconds last_s = 0;
};
CohortDates dates_of(const SubStream& sub, const Cohort& cohort);

/// Members [from, to) of a cohort whose bodies differ by their values alone; `body` has none of them.
struct RowSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t body = 0;
};
using RowSpans = boost::container::small_vector<RowSpan, 16>;  // five, as a rule

/// The spans of a whole cohort (storage rule 1.4): deltas are monotone in the row number, so their vint sizes change at
/// a few rows only.
void find_row_spans(const SubStream& sub, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    RowSpans& spans);

/// Calls `each(body bytes, rows)` for the rows of a whole cohort, by the size of their bodies. Values repeat along row
/// numbers.
template <typename Each>
void each_row_piece(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    const Each& each) {
  RowSpans spans;
  find_row_spans(space.sub_stream(cohort.sub_stream), cohort, dates, format, spans);
  if (!has_values(cohort.state)) {
    for (const RowSpan& span : spans) each(span.body, span.to - span.from);
    return;
  }
  const RowValues& values = space.values(cohort.sub_stream);
  if (values.bytes().size() == 1) {
    for (const RowSpan& span : spans) each(span.body + values.bytes()[0], span.to - span.from);
    return;
  }
  boost::container::small_vector<Rows, 128> counts(values.bytes().size());
  for (const RowSpan& span : spans) {
    std::ranges::fill(counts, 0);
    values.count(span.from, span.to, {counts.data(), counts.size()});
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) each(span.body + values.bytes()[k], counts[k]);
    }
  }
}

}  // namespace windrow
