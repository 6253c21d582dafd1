#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <span>

#include "sim/base/arithmetic.h"
#include "sim/content/content.h"
#include "sim/content/counts_together.h"
#include "sim/content/date_steps.h"
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

/// True if rows of a cohort, which bear `dates`, differ by the bytes of their timestamps alone: most files are written
/// in so short a time.
inline bool only_timestamps_differ(const SubStream& sub, const Cohort& cohort, const CohortDates& dates,
                                   const RowFormat& format, const RowBody& row) {
  const auto lasting = [&](std::int64_t times, Seconds after_write_s) {
    return times == 0 || !any_date_step(format.header().stats.min_local_deletion_time_s, dates.first_s + after_write_s,
                                        dates.last_s + after_write_s);
  };
  return row.times.before == 0 && !sub.writer().timestamp.add_row_number && lasting(row.times.expiry, cohort.ttl_s) &&
         lasting(row.times.death, 0);
}
/// Calls `each(first, last, bytes of dates)` for members [first, last) of such a cohort; `not_below(timestamp)` is the
/// first of its members that is not below one, or its end.
template <typename NotBelow, typename Each>
void each_timestamp_span(const Cohort& cohort, const CohortDates& dates, const RowFormat& format, const RowBody& row,
                         const NotBelow& not_below, const Each& each) {
  DateBytes bytes{.timestamp = format.timestamp(dates.oldest_us), .ttl = format.ttl(cohort.ttl_s)};
  if (row.times.expiry > 0) bytes.expiry = format.local_deletion_time(dates.first_s + cohort.ttl_s);
  if (row.times.death > 0) bytes.death = format.local_deletion_time(dates.first_s);
  std::int64_t first = cohort.from;
  each_step_row(format.header().stats.min_timestamp_us, dates.oldest_us, dates.newest_us, cohort.from, not_below,
                [&](Micros step_us, std::int64_t last) {
                  if (first < last) each(first, last, bytes);
                  first = last;
                  bytes.timestamp = format.timestamp(step_us);
                });
  if (first < cohort.to) each(first, cohort.to, bytes);
}

/// The spans of a whole cohort (storage rule 1.4): deltas are monotone in the row number, so their vint sizes change at
/// a few rows only. Where that is, `together` tells, if given; then no row may have dates outside of `dates`, and these
/// may be wider than the cohort's.
void find_row_spans(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    RowSpans& spans, CountsTogether* together = nullptr);

/// Calls `each(first, step, members)` for the members in [from, to) of every partition that a cohort has, which has
/// some of a bucket (by_slots).
template <typename Each>
void each_slot_of(const ContentSpace& space, const Cohort& cohort, std::int64_t from, std::int64_t to,
                  const Each& each) {
  const SubStream::Turn turn =
      space.sub_stream(cohort.sub_stream).turn(space.bucket_of(cohort.sub_stream, cohort.from));
  const std::int64_t slots = turn.slots();
  for (std::int64_t j = from; j < std::min(to, from + slots); ++j) {
    if ((*cohort.slots)[static_cast<std::size_t>(turn.slot(j))]) each(j, slots, ceil_div(to - j, slots));
  }
}

/// Calls `each(body without values, sizes of values, rows of each size)` for the rows of a cohort; rows of a size may
/// be none. Values repeat along row numbers. The cohort is whole, or has some partitions of a bucket (by_slots), or the
/// space is smooth: then each size has its share of the rows that are there. None of its members was asked for before.
/// `together` as for find_row_spans.
template <typename Each>
void each_row_span(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                   MembersInOrder& members, const Each& each, CountsTogether* together = nullptr) {
  static constexpr std::int64_t no_values[] = {0};
  RowSpans spans;
  const auto there = [&](const RowSpan& span) { return members.next_up_to(span.to); };
  find_row_spans(space, cohort, dates, format, spans, together);
  const RowValues* values = has_values(cohort.state) ? &space.values(cohort.sub_stream) : nullptr;
  const std::span<const std::int64_t> bytes = values != nullptr ? values->bytes() : no_values;
  if (bytes.size() == 1) {
    for (const RowSpan& span : spans) {
      const Rows rows = there(span);
      each(span.body, bytes, std::span<const Rows>(&rows, 1));
    }
    return;
  }
  boost::container::small_vector<Rows, 128> counts(bytes.size());
  SizeCounts few;
  for (const RowSpan& span : spans) {
    if (cohort.slots && space.own_tokens() != nullptr) {
      std::ranges::fill(counts, 0);
      each_slot_of(space, cohort, span.from, span.to, [&](std::int64_t first, std::int64_t step, std::int64_t of_slot) {
        values->count_every(first, step, of_slot, {counts.data(), counts.size()});
      });
      each(span.body, bytes, std::span<const Rows>(counts.data(), counts.size()));
      continue;
    }
    std::span<const std::int64_t> sizes = bytes;
    std::span<Rows> of_size(counts.data(), counts.size());
    if (span.to - span.from < std::ssize(bytes)) {
      values->count_few(span.from, span.to, few);
      sizes = {few.bytes.data(), few.bytes.size()};
      of_size = {few.rows.data(), few.rows.size()};
    } else {
      std::ranges::fill(counts, 0);
      values->count(span.from, span.to, of_size);
    }
    if (!cohort.whole()) {
      const Rows rows = there(span);
      if (rows == 0) continue;
      Rows seen = 0;
      Rows given = 0;
      for (Rows& count : of_size) {
        seen += count;
        const Rows upto = mul_div_floor(seen, rows, span.to - span.from);
        count = upto - given;
        given = upto;
      }
    }
    each(span.body, sizes, of_size);
  }
}

/// The same, `each(body bytes, rows)` of one size at a time.
template <typename Each>
void each_row_piece(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    MembersInOrder& members, const Each& each) {
  each_row_span(space, cohort, dates, format, members,
                [&](std::int64_t body, std::span<const std::int64_t> bytes, std::span<const Rows> counts) {
                  for (std::size_t k = 0; k < counts.size(); ++k) {
                    if (counts[k] > 0 || counts.size() == 1) each(body + bytes[k], counts[k]);
                  }
                });
}

}  // namespace windrow
