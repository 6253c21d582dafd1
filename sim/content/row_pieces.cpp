#include "sim/content/row_pieces.h"

#include <algorithm>
#include <vector>

#include "sim/content/row_shape.h"

namespace windrow {

namespace {

/// From which rows of a cohort on a date takes how many bytes, as an unsigned vint of its distance from a base.
class DateSizes {
 public:
  /// For rows in ascending order. The first is the cohort's first row.
  void from(std::int64_t row, int bytes) {
    if (!steps_.empty() && steps_.back().row == row) {
      steps_.back().bytes = bytes;
    } else {
      steps_.push_back({row, bytes});
    }
  }
  /// Bytes at `row`; rows are asked for in ascending order.
  int at(std::int64_t row) {
    while (place_ + 1 < steps_.size() && steps_[place_ + 1].row <= row) ++place_;
    return steps_.empty() ? 0 : steps_[place_].bytes;
  }
  /// Where the bytes change after the row asked for last, else `end`.
  std::int64_t next(std::int64_t end) const {
    return place_ + 1 < steps_.size() ? std::min(end, steps_[place_ + 1].row) : end;
  }

 private:
  struct Step {
    std::int64_t row = 0;
    int bytes = 0;
  };
  boost::container::small_vector<Step, 10> steps_{};  // more only where timestamps are not monotone
  std::size_t place_ = 0;
};

/// From which row of a cohort on dates are not below one.
class FirstRows {
 public:
  FirstRows(const SubStream& sub, const Cohort& cohort, CountsTogether* counts)
      : sub_(sub), cohort_(cohort), counts_(counts) {}
  std::int64_t not_below(Micros timestamp_us) const {
    if (counts_ != nullptr) return within(counts_->count(cohort_.sub_stream, counts_->below_timestamp(timestamp_us)));
    return cohort_.from + sub_.count_below_timestamp(cohort_.from, cohort_.to, timestamp_us);
  }
  /// Each TTL has seconds of its own: they are not counted together.
  std::int64_t not_arrived_before(Seconds second) const { return within(sub_.count_arrived_before_s(second)); }

 private:
  std::int64_t within(std::int64_t member) const { return std::clamp(member, cohort_.from, cohort_.to); }

  const SubStream& sub_;
  const Cohort& cohort_;
  CountsTogether* counts_;
};

/// Of write timestamps less `earlier_us`.
void find_timestamp_sizes(const SubStream& sub, const Cohort& cohort, const CohortDates& dates, Micros earlier_us,
                          const RowFormat& format, const FirstRows& rows_from, DateSizes& sizes) {
  const Micros oldest_us = dates.oldest_us - earlier_us;
  const Micros newest_us = dates.newest_us - earlier_us;
  if (sub.writer().timestamp.add_row_number) {  // not monotone within a second
    std::vector<std::int64_t> rows{cohort.from};
    each_date_step(format.header().stats.min_timestamp_us, oldest_us, newest_us, [&](Micros step_us) {
      for (const SubStream::Part& part : sub.split_at_timestamp(cohort.from, cohort.to, step_us + earlier_us))
        rows.push_back(part.from);
    });
    std::ranges::sort(rows);
    for (const std::int64_t row : rows) sizes.from(row, format.timestamp(sub.timestamp(row) - earlier_us));
    return;
  }
  sizes.from(cohort.from, format.timestamp(oldest_us));
  each_date_step(format.header().stats.min_timestamp_us, oldest_us, newest_us, [&](Micros step_us) {
    sizes.from(rows_from.not_below(step_us + earlier_us), format.timestamp(step_us));
  });
}

/// Of local deletion times `after_write_s` after the write.
void find_deletion_sizes(const Cohort& cohort, const CohortDates& dates, Seconds after_write_s, const RowFormat& format,
                         const FirstRows& rows_from, DateSizes& sizes) {
  sizes.from(cohort.from, format.local_deletion_time(dates.first_s + after_write_s));
  each_step_row(
      format.header().stats.min_local_deletion_time_s, dates.first_s + after_write_s, dates.last_s + after_write_s,
      cohort.from, [&](Seconds step_s) { return rows_from.not_arrived_before(step_s - after_write_s); },
      [&](Seconds step_s, std::int64_t row) { sizes.from(row, format.local_deletion_time(step_s)); });
}

/// Where timestamps are not in the order of members.
CohortDates dates_of_all(const SubStream& sub, const Cohort& cohort) {
  const auto [oldest_us, newest_us] = sub.timestamp_range(cohort.from, cohort.to);
  return {oldest_us, newest_us, sub.arrival_s(cohort.from), sub.arrival_s(cohort.to - 1)};
}

}  // namespace

CohortDates dates_of(const ContentSpace& space, const Cohort& cohort, std::int64_t members) {
  if (!cohort.whole()) return dates_of_some(space, cohort, members);
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  if (sub.writer().timestamp.add_row_number) return dates_of_all(sub, cohort);
  const SubStream::Dates first = space.dates(cohort.sub_stream, cohort.from);
  const SubStream::Dates last = space.dates(cohort.sub_stream, cohort.to - 1);
  return {first.timestamp_us, last.timestamp_us, first.arrival_s, last.arrival_s};
}

CohortDates dates_of_some(const ContentSpace& space, const Cohort& cohort, std::int64_t members) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  if (sub.writer().timestamp.add_row_number) return dates_of_all(sub, cohort);
  // Few of them are asked for twice.
  const auto [first_member, last_member] = space.ends(cohort, members);
  const SubStream::Dates first = sub.dates(first_member);
  const SubStream::Dates last = sub.dates(last_member);
  return {first.timestamp_us, last.timestamp_us, first.arrival_s, last.arrival_s};
}

void find_row_spans(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, const RowFormat& format,
                    RowSpans& spans, CountsTogether* together) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const FirstRows rows_from(sub, cohort, together);
  const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
  const RowBody& row = shape.body(cohort.ttl_s);
  const int subset = format.subset(shape.present);
  const auto put = [&](std::int64_t first, std::int64_t last, const DateBytes& bytes) {
    spans.push_back({first, last, row.bytes(bytes) + subset});
  };
  if (only_timestamps_differ(sub, cohort, dates, format, row)) {
    each_timestamp_span(
        cohort, dates, format, row, [&](Micros step_us) { return rows_from.not_below(step_us); }, put);
    return;
  }
  DateBytes of_row{.ttl = format.ttl(cohort.ttl_s)};
  DateSizes timestamps;
  DateSizes before;  // of complex deletions, a microsecond before
  DateSizes expiry;  // of what expires
  DateSizes death;   // of what was dead from the start
  find_timestamp_sizes(sub, cohort, dates, 0, format, rows_from, timestamps);
  if (row.times.before > 0) find_timestamp_sizes(sub, cohort, dates, 1, format, rows_from, before);
  if (row.times.expiry > 0) find_deletion_sizes(cohort, dates, cohort.ttl_s, format, rows_from, expiry);
  if (row.times.death > 0) find_deletion_sizes(cohort, dates, 0, format, rows_from, death);
  std::int64_t to = cohort.to;
  for (std::int64_t from = cohort.from; from < cohort.to; from = to) {
    of_row.timestamp = timestamps.at(from);
    of_row.before = before.at(from);
    of_row.expiry = expiry.at(from);
    of_row.death = death.at(from);
    to = death.next(expiry.next(before.next(timestamps.next(cohort.to))));
    put(from, to, of_row);
  }
}

}  // namespace windrow
