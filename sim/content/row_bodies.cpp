#include "sim/content/row_bodies.h"

#include <algorithm>

#include "sim/content/date_steps.h"

namespace windrow {

void RowsOfBodies::add(const Writer& writer, std::int64_t body, Rows rows) {
  const auto known =
      std::ranges::find_if(rows_, [&](const OfBody& each) { return each.body == body && each.writer == &writer; });
  if (known != rows_.end()) {
    known->rows += rows;
  } else {
    rows_.push_back({&writer, body, rows});
  }
}

void RowBodies::find(const RowFormat& format, const CohortDates& dates, std::int64_t times, Seconds after_write_s,
                     DeletionSteps& steps) {
  if (times == 0) {
    steps.bytes.push_back(0);
    return;
  }
  const Seconds first_s = dates.first_s + after_write_s;
  steps.bytes.push_back(format.local_deletion_time(first_s));
  each_date_step(format.header().stats.min_local_deletion_time_s, first_s, dates.last_s + after_write_s,
                 [&](Seconds step_s) {
                   steps.arrivals_s.push_back(step_s - after_write_s);
                   steps.bytes.push_back(format.local_deletion_time(step_s));
                 });
}

void RowBodies::find(const RowFormat& format, const RowShape& shape, std::int32_t ttl_s, std::int64_t value_bytes,
                     const CohortDates& dates, std::span<const std::int64_t> timestamp_bytes) {
  const RowBody& row = shape.body(ttl_s);
  find(format, dates, row.times.expiry, ttl_s, expiry_);
  find(format, dates, row.times.death, 0, death_);
  DateBytes of_row{.ttl = format.ttl(ttl_s)};
  const std::int64_t others = format.subset(shape.present) + value_bytes;
  for (const std::int64_t death : death_.bytes) {
    of_row.death = death;
    for (const std::int64_t expiry : expiry_.bytes) {
      of_row.expiry = expiry;
      for (const std::int64_t timestamp : timestamp_bytes) {
        of_row.timestamp = timestamp;
        bodies_.push_back(row.bytes(of_row) + others);
      }
    }
  }
  timestamps_ = timestamp_bytes.size();
  members_.resize(bodies_.size());
}

Rows RowBodies::give(const Writer& writer, RowsOfBodies& bodies) const {
  Rows all = 0;
  for (std::size_t step = 0; step < members_.size(); ++step) {
    const Rows rows = members_[step] * writer.rows_per_event;
    if (rows == 0) continue;
    bodies.add(writer, bodies_[step], rows);
    all += rows;
  }
  return all;
}

}  // namespace windrow
