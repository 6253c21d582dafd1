#include "sim/workload/sub_stream.h"

#include <algorithm>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

SubStream::SubStream(const Writer& writer, Brings brings, RowShare share, bool in_turn, std::int64_t delay_units,
                     std::int64_t ttl_s)
    : writer_(&writer),
      brings_(brings),
      share_(std::move(share)),
      whole_(share_.whole()),
      in_turn_(whole_ || (in_turn && share_.residues().empty())),
      first_row_(share_.row(0)),
      delay_units_(delay_units),
      ttl_s_(ttl_s) {
  if (brings_ == Brings::rows && !writer.pauses_delay) {
    for (const Pause& pause : writer.pauses) {
      const std::int64_t first = rank(writer.rhythm.count_before(pause.from - delay_units_));
      const std::int64_t last = rank(writer.rhythm.count_before(pause.to - delay_units_));
      if (first < last) unsent_.emplace_back(first, last);
    }
  }
}

SubStream::Turn SubStream::turn(std::int64_t bucket_number) const {
  if (!writer_->slots_differ()) return {writer_->most_slots(), first_row_, in_turn_ ? nullptr : &share_};
  const NodeSlots::Bucket& bucket = writer_->node->of(bucket_number);
  SIM_CHECK(bucket.slots > 0 && in_turn_, "rows of partitions that the node owns");
  if (const OwnedMembers* owned = share_.owned()) {
    const std::int64_t first = owned->mine_before(bucket_number);
    return {bucket.slots, owned->start(bucket_number) + ceil_div(first, bucket.slots) * bucket.slots - first, nullptr};
  }
  const std::int64_t before = writer_->bucket.single() ? 0 : count_before_bucket(bucket_number);
  return {bucket.slots, bucket.start + ceil_div(before, bucket.slots) * bucket.slots - before, nullptr};
}

void SubStream::send_only(std::int64_t from, std::int64_t until) {
  const std::int64_t all = rank(writer_->rhythm.total());
  const std::int64_t first = std::min(all, count_arrived_before(from));
  const std::int64_t last = std::clamp(count_arrived_before(until), first, all);
  unsent_.clear();
  if (first > 0) unsent_.emplace_back(0, first);
  if (last < all) unsent_.emplace_back(last, all);
}

std::int64_t SubStream::arrival_of(std::int64_t g, std::int64_t event) const {
  if (writer_->arrivals) return writer_->arrivals->event(g) + delay_units_;
  const std::int64_t due = event + delay_units_;
  if (brings_ == Brings::rows && writer_->pauses_delay) {
    for (const Pause& pause : writer_->pauses) {
      if (pause.from <= due && due < pause.to) return pause.to;
    }
  }
  return due;
}

std::int64_t SubStream::arrival(std::int64_t j) const {
  const std::int64_t g = row(j);
  return arrival_of(g, writer_->arrivals ? 0 : writer_->event_units(g));
}

std::int64_t SubStream::before_pauses(std::int64_t time) const {
  for (const Pause& pause : writer_->pauses) {
    if (pause.from < time && time <= pause.to) time = pause.from;
  }
  return time;
}

std::int64_t SubStream::count_before_bucket(std::int64_t bucket_number) const {
  if (writer_->bucket.single()) return bucket_number <= 0 ? 0 : rank(writer_->rhythm.total());
  return rank(writer_->rows_before_bucket(bucket_number));
}

std::int64_t SubStream::timestamp_base(std::int64_t j) const {
  return stamped_at_event() ? writer_->event_units(row(j)) : arrival(j);
}

Micros SubStream::timestamp(std::int64_t j) const { return dates(j).timestamp_us; }

SubStream::Dates SubStream::dates(std::int64_t j) const {
  const std::int64_t g = row(j);
  return dates_of(g, writer_->event_units(g));
}

SubStream::Dates SubStream::dates_of(std::int64_t g, std::int64_t event) const {
  const std::int64_t arrival = arrival_of(g, event);
  Dates dates{.timestamp_us = (stamped_at_event() ? event : arrival) * writer_->unit_us,
              .arrival_s = arrival * writer_->unit_us / us_per_s};
  if (brings_ == Brings::rows) dates.timestamp_us += writer_->timestamp.offset_us;
  if (writer_->timestamp.add_row_number) dates.timestamp_us += g % 1000;
  return dates;
}

std::vector<SubStream::Part> SubStream::split_at_timestamp(std::int64_t from, std::int64_t to,
                                                           Micros timestamp_us) const {
  std::vector<Part> parts;
  const auto put = [&parts](std::int64_t first, std::int64_t last, bool below) {
    if (first >= last) return;
    if (!parts.empty() && parts.back().below == below) {
      parts.back().to = last;
    } else {
      parts.push_back({.from = first, .to = last, .below = below});
    }
  };
  const Micros offset_us = brings_ == Brings::rows ? writer_->timestamp.offset_us : 0;
  const std::int64_t spread_us = writer_->timestamp.add_row_number ? 999 : 0;
  // Bases whose every timestamp is below, and from where on none is.
  const std::int64_t surely = ceil_div(timestamp_us - offset_us - spread_us, writer_->unit_us);
  const std::int64_t never = ceil_div(timestamp_us - offset_us, writer_->unit_us);
  const std::int64_t mixed_from = std::clamp(count_base_below(surely), from, to);
  const std::int64_t mixed_to = std::clamp(count_base_below(never), mixed_from, to);
  put(from, mixed_from, true);
  for (std::int64_t j = mixed_from; j < mixed_to; ++j) put(j, j + 1, timestamp(j) < timestamp_us);
  put(mixed_to, to, false);
  return parts;
}

std::int64_t SubStream::count_of_parts_below(std::int64_t from, std::int64_t to, Micros timestamp_us) const {
  std::int64_t count = 0;
  for (const Part& part : split_at_timestamp(from, to, timestamp_us)) count += part.below ? part.to - part.from : 0;
  return count;
}

std::pair<Micros, Micros> SubStream::timestamp_range(std::int64_t from, std::int64_t to) const {
  SIM_CHECK(from < to, "the timestamps of no rows");
  if (!writer_->timestamp.add_row_number) return {timestamp(from), timestamp(to - 1)};
  const std::int64_t first_end = std::min(to, count_base_below(timestamp_base(from) + 1));
  const std::int64_t last_begin = std::max(from, count_base_below(timestamp_base(to - 1)));
  std::pair<Micros, Micros> range{timestamp(from), timestamp(to - 1)};
  for (std::int64_t j = from; j < first_end; ++j) range.first = std::min(range.first, timestamp(j));
  for (std::int64_t j = last_begin; j < to; ++j) range.second = std::max(range.second, timestamp(j));
  return range;
}

}  // namespace windrow
