#include "sim/content/measure_swath.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <span>
#include <tuple>
#include <vector>

#include "sim/base/check.h"
#include "sim/content/date_steps.h"
#include "sim/content/row_bodies.h"
#include "sim/content/row_totals.h"

namespace windrow {

namespace {

/// Timestamps, deletion times and TTLs of all rows; bounds of their dates.
CohortDates find_dates(const Swath& swath, FileExtremes& extremes) {
  SwathEnds ends(*swath.kinds, swath.from, swath.to);
  CohortDates dates;
  if (swath.dates) {
    extremes = *swath.dates;
    dates.oldest_us = extremes.min_timestamp_us;
    dates.newest_us = extremes.max_timestamp_us;
    std::tie(dates.first_s, dates.last_s) = ends.arrivals_within_s(dates.oldest_us, dates.newest_us);
    return dates;
  }
  dates.oldest_us = swath.bases.min_timestamp_us();
  dates.newest_us = ends.newest_us(swath.not_above_us);
  std::tie(dates.first_s, dates.last_s) = ends.arrivals_within_s(dates.oldest_us, dates.newest_us);
  extremes.feed_timestamp(dates.oldest_us);
  extremes.feed_timestamp(dates.newest_us);
  boost::container::small_vector<std::int32_t, 16> ttls = ends.ttls();
  extremes.feed_ttl(ttls.front());
  extremes.feed_ttl(ttls.back());
  if (ttls.back() > 0) extremes.feed_deletion_time(swath.bases.get().min_local_deletion_time_s);
  if (ttls.front() == 0) {
    extremes.feed_deletion_time(no_deletion_time);
    return dates;
  }
  for (; !ttls.empty() && dates.last_s + ttls.back() > extremes.max_local_deletion_time_s; ttls.pop_back())
    extremes.feed_deletion_time(ends.last_s(ttls.back(), dates.last_s) + ttls.back());
  return dates;
}

/// By step, and of each by place, the first members whose timestamps are not below it; then the ends of all.
using MembersAtSteps = boost::container::small_vector<std::int64_t, 2048>;
MembersAtSteps members_at(const Swath& swath, std::span<const Micros> steps) {
  const ContentSpace& space = swath.kinds->space();
  const std::vector<Together>& groups = space.workload().together();
  const std::size_t places = swath.kinds->places();
  MembersAtSteps members((steps.size() + 1) * places, boost::container::default_init);
  std::copy_n(swath.to.data(), places, members.data() + steps.size() * places);
  const std::int64_t* const from = swath.from.data();
  std::int64_t outside = 0;  // below 0 if any is, which is rare
  // Where a step has none before it, no earlier one has.
  boost::container::small_vector<const Together*, 32> holding;
  for (const Together& group : groups) holding.push_back(&group);
  for (std::size_t step = steps.size(); step-- > 0;) {
    std::int64_t* const before = members.data() + step * places;
    const std::int64_t* const after = before + places;
    const auto none_after = [&](const Together* group) {
      for (std::size_t place = group->first_place; place < group->first_place + group->sub_streams.size(); ++place) {
        if (after[place] > from[place]) return false;
      }
      return true;
    };
    holding.erase(std::remove_if(holding.begin(), holding.end(), none_after), holding.end());
    constexpr std::size_t few_groups = 2;
    if (holding.size() > few_groups) {
      const auto below = [&](const SubStream& sub, Rhythm::Counter& counter) {
        return sub.rows_below_timestamp(steps[step], counter);
      };
      space.workload().ranks(below, {before, places});
    } else {
      std::copy_n(after, places, before);
      for (const Together* group : holding) {
        const SubStream& front = space.sub_stream(group->sub_streams.front());
        group->shares.ranks(front.rows_below_timestamp(steps[step]),
                            {before + group->first_place, group->sub_streams.size()});
      }
    }
    for (std::size_t place = 0; place < places; ++place) outside |= after[place] - before[place];
  }
  for (std::size_t place = 0; place < places; ++place) outside |= members[place] - from[place];
  for (std::size_t step = steps.size(); outside < 0 && step-- > 0;) {
    std::int64_t* const before = members.data() + step * places;
    for (std::size_t place = 0; place < places; ++place)
      before[place] = std::clamp(before[place], from[place], before[place + places]);
  }
  return members;
}

/// Rows, cells and bodies.
Rows take_rows(const Swath& swath, const CohortDates& dates, const RowFormat& format, FileExtremes& extremes,
               RowsOfBodies& of_bodies) {
  const SwathKinds& kinds = *swath.kinds;
  boost::container::small_vector<Micros, RowBodies::most_steps> steps;
  boost::container::small_vector<std::int64_t, RowBodies::most_steps + 1> bytes{format.timestamp(dates.oldest_us)};
  each_date_step(format.header().stats.min_timestamp_us, dates.oldest_us, dates.newest_us, [&](Micros step_us) {
    steps.push_back(step_us);
    bytes.push_back(format.timestamp(step_us));
  });
  const MembersAtSteps members = members_at(swath, {steps.data(), steps.size()});
  const std::size_t places = kinds.places();
  const std::size_t all_kinds = kinds.kinds().size();
  boost::container::small_vector<RowBodies, 4> bodies(all_kinds);
  for (std::size_t i = 0; i < all_kinds; ++i) {
    const SwathKinds::Kind& kind = kinds.kinds()[i];
    bodies[i].find(format, *kind.shape, kind.ttl_s, kind.value_bytes, dates, {bytes.data(), bytes.size()});
  }
  // Up to each step, of each kind; before the first, what comes before all.
  boost::container::small_vector<std::int64_t, 64> sums((steps.size() + 2) * all_kinds, 0);
  kinds.add_by_kind(swath.from, sums.data());
  for (std::size_t step = 0; step <= steps.size(); ++step)
    kinds.add_by_kind({members.data() + step * places, places}, sums.data() + (step + 1) * all_kinds);
  // All of a kind are divided at the same times: they are counted as one.
  const std::size_t room = kinds.space().workload().room_for_ranks();
  boost::container::small_vector<std::int64_t, 512> counts(room, boost::container::default_init);
  const auto arrived_before = [&](std::size_t kind, Seconds second) {
    const auto rows = [second](const SubStream& sub, Rhythm::Counter& counter) {
      return sub.rows_arrived_before(second * us_per_s / sub.writer().unit_us, counter);
    };
    kinds.space().workload().ranks(rows, {counts.data(), room});
    std::int64_t sum = 0;
    for (const std::size_t place : kinds.kinds()[kind].places)
      sum += std::clamp(counts[place], swath.from[place], swath.to[place]);
    return sum;
  };
  for (std::size_t i = 0; i < all_kinds; ++i) {
    RowBodies::StepMembers timestamps;
    for (std::size_t step = 0; step <= steps.size(); ++step) timestamps[step] = sums[(step + 1) * all_kinds + i];
    bodies[i].add(sums[i], {timestamps.data(), steps.size() + 1},
                  [&](Seconds second) { return arrived_before(i, second); });
  }
  Rows all = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SwathKinds::Kind& kind = kinds.kinds()[i];
    const Rows rows = bodies[i].give(*kind.writer, of_bodies);
    extremes.cells += rows * kind.shape->columns_set;
    all += rows;
  }
  return all;
}

/// Slots [first, last) of a bucket.
struct SlotsOfBucket {
  std::int64_t bucket = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend auto operator<=>(const SlotsOfBucket&, const SlotsOfBucket&) = default;
};
using Parts = boost::container::small_vector<SlotsOfBucket, 256>;

/// The partitions of members [from, to) of a sub-stream, whose rows take turns.
void add_slots(const ContentSpace& space, int s, std::int64_t from, std::int64_t to, Parts& parts) {
  const SubStream& sub = space.sub_stream(s);
  SIM_CHECK(sub.in_turn(), "a swath's rows of a writer that take turns beside some that do not");
  const auto add = [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
    const SubStream::Turn turn = sub.turn(bucket);
    const std::int64_t slots = turn.slots();
    const std::int64_t slot = last - first < slots ? turn.slot(first) : 0;
    const std::int64_t end = slot + std::min(last - first, slots);
    parts.push_back({bucket, slot, std::min(end, slots)});
    if (end > slots) parts.push_back({bucket, 0, end - slots});
  };
  const Cohort cohort{.sub_stream = s, .from = from, .to = to};
  const bool likely = !parts.empty();  // in the bucket of those before
  if (likely && space.members_in(cohort, parts.back().bucket) == std::pair(from, to))
    return add(parts.back().bucket, from, to);
  space.each_part(cohort, add);
}

/// Adds the partitions of a writer's rows that lie in other buckets than these.
void add_outside(const Swath& swath, const Writer& writer, std::int64_t first_bucket, std::int64_t last_bucket,
                 CountedPartitions& partitions) {
  const SwathKinds& kinds = *swath.kinds;
  const ContentSpace& space = kinds.space();
  const TableWorkload& workload = space.workload();
  boost::container::small_vector<std::int64_t, 1024> before(2 * kinds.places(), boost::container::default_init);
  const std::span<std::int64_t> firsts(before.data(), kinds.places());
  const std::span<std::int64_t> lasts(before.data() + kinds.places(), kinds.places());
  const auto count = [&](std::int64_t bucket, std::span<std::int64_t> ranks) {
    const std::int64_t rows = writer.rows_before_bucket(bucket);
    workload.ranks([rows](const SubStream&, Rhythm::Counter&) { return rows; }, ranks);
  };
  count(first_bucket, firsts);
  count(last_bucket + 1, lasts);
  Parts parts;
  for (std::size_t place = 0; place < kinds.places(); ++place) {
    if (swath.from[place] >= swath.to[place] || kinds.kinds()[kinds.kind_of(place)].writer != &writer) continue;
    const std::int64_t first = std::clamp(firsts[place], swath.from[place], swath.to[place]);
    const std::int64_t last = std::clamp(lasts[place], first, swath.to[place]);
    if (swath.from[place] < first) add_slots(space, kinds.sub_stream(place), swath.from[place], first, parts);
    if (last < swath.to[place]) add_slots(space, kinds.sub_stream(place), last, swath.to[place], parts);
  }
  std::ranges::sort(parts);
  for (auto part = parts.begin(); part != parts.end();) {
    const auto [bucket, first, end] = *part;
    std::int64_t last = end;
    for (++part; part != parts.end() && part->bucket == bucket && part->first <= last; ++part)
      last = std::max(last, part->last);
    partitions.number += last - first;
    partitions.key_bytes += space.tokens().key_bytes(writer, bucket, first, last);
  }
}

/// Adds the partitions of a writer's rows where the interval of its largest share has all of each bucket that it has
/// rows in. False, and nothing, of others.
bool add_full_buckets(const Swath& swath, const Writer& writer, const CohortDates& dates,
                      CountedPartitions& partitions) {
  const SwathKinds& kinds = *swath.kinds;
  const ContentSpace& space = kinds.space();
  const auto has_some = [&](std::size_t place) {
    return swath.from[place] < swath.to[place] && kinds.kinds()[kinds.kind_of(place)].writer == &writer;
  };
  const auto found = std::ranges::find_if(kinds.by_share(), has_some);
  if (found == kinds.by_share().end()) return true;
  const std::size_t largest = *found;
  const int s = kinds.sub_stream(largest);
  if (!space.sub_stream(s).in_turn()) return false;
  std::int64_t first_bucket = INT64_MAX;
  std::int64_t last_bucket = INT64_MIN;
  std::int64_t buckets = 0;
  bool full = true;
  space.each_part({.sub_stream = s, .from = swath.from[largest], .to = swath.to[largest]},
                  [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
                    first_bucket = std::min(first_bucket, bucket);
                    last_bucket = bucket;
                    ++buckets;
                    full = full && last - first >= writer.slots(bucket);
                  });
  if (!full || buckets != last_bucket - first_bucket + 1) return false;
  for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
    partitions.number += writer.slots(bucket);
    partitions.key_bytes += space.tokens().key_bytes(writer, bucket, 0, writer.slots(bucket));
  }
  const auto [least_us, most_us] = kinds.offsets_us();
  const std::optional<Micros> delay_us = kinds.longest_delay_us();
  const bool inside =
      writer.bucket.single() ||
      (delay_us && dates.oldest_us - most_us - *delay_us >= writer.bucket.begin(first_bucket) * us_per_s &&
       dates.newest_us - least_us < writer.bucket.begin(last_bucket + 1) * us_per_s);
  if (inside) return true;
  add_outside(swath, writer, first_bucket, last_bucket, partitions);
  return true;
}

CountedPartitions count_partitions(const Swath& swath, const CohortDates& dates, TotalsByWriter& totals) {
  CountedPartitions partitions;
  const ContentSpace& space = swath.kinds->space();
  const bool full = std::ranges::all_of(space.workload().writers(), [&](const Writer& writer) {
    const std::int64_t before = partitions.number;
    const bool added = add_full_buckets(swath, writer, dates, partitions);
    if (partitions.number > before) totals.of(writer).partitions = partitions.number - before;
    return added;
  });
  if (full) return partitions;
  return count_partitions(space, swath.content().cohorts, nullptr, totals);
}

}  // namespace

ClosedMeasure measure_swath(const Swath& swath) {
  ClosedMeasure measure;
  const CohortDates dates = find_dates(swath, measure.extremes);
  const RowFormat format = swath.kinds->space().format(swath.bases);
  RowsOfBodies of_bodies;
  const Rows rows = take_rows(swath, dates, format, measure.extremes, of_bodies);
  TotalsByWriter totals;
  of_bodies.each([&](const Writer& writer, std::int64_t body, Rows of_body) {
    constexpr std::int64_t no_value = 0;
    add_rows(format, body, {&no_value, 1}, {&of_body, 1}, 1, totals.of(writer).totals);
  });
  const CountedPartitions partitions = count_partitions(swath, dates, totals);
  close_measure(format, totals, rows, partitions, measure);
  return measure;
}

}  // namespace windrow
