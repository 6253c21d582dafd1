#include "sim/content/swath.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>

#include "sim/base/check.h"

namespace windrow {

namespace {

/// As worth_counting_together (sim/content/counts_together.h).
constexpr std::size_t few_sub_streams = 8;

bool fits(const ContentSpace& space, int s) {
  const TableWorkload& workload = space.workload();
  const SubStream& sub = space.sub_stream(s);
  const Writer& writer = sub.writer();
  const RowShape& shape = space.shape(s, RowState::live);
  return !workload.keyed(s) && sub.brings() == Brings::rows && writer.statics.empty() && !born_with_dead(writer) &&
         !deletes_elements(writer) && !shape.dated_at_write() && (writer.insert || shape.live_cells > 0) &&
         space.values(s).bytes().size() == 1 && !writer.timestamp.add_row_number && !writer.timestamp.from_event;
}

std::optional<Micros> longest_delay_of(std::span<const SubStream> sub_streams) {
  Micros longest_us = 0;
  for (const SubStream& sub : sub_streams) {
    const Writer& writer = sub.writer();
    const std::int64_t delay = sub.arrival(0) - writer.event_units(sub.row(0));
    if (writer.arrivals || writer.pauses_delay || delay < 0) return {};
    longest_us = std::max(longest_us, delay * writer.unit_us);
  }
  return longest_us;
}

}  // namespace

std::shared_ptr<const SwathKinds> SwathKinds::of(const ContentSpace& space, Seconds default_ttl_s) {
  const TableWorkload& workload = space.workload();
  const std::size_t many = workload.sub_streams().size();
  if (many < few_sub_streams || 2 * workload.together().size() > many || space.lattice() == nullptr ||
      workload.draws_keys() || workload.deletes_partitions())
    return nullptr;
  for (int s = 0; s < static_cast<int>(many); ++s) {
    if (!fits(space, s)) return nullptr;
  }
  auto made = std::make_shared<SwathKinds>();
  made->space_ = &space;
  made->sub_stream_.resize(many);
  for (int s = 0; s < static_cast<int>(many); ++s) made->sub_stream_[workload.place_of(s)] = s;
  made->offsets_us_ = {INT64_MAX, INT64_MIN};
  made->longest_delay_us_ = longest_delay_of(workload.sub_streams());
  for (const int s : made->sub_stream_) {
    const SubStream& sub = space.sub_stream(s);
    const Kind kind{.writer = &sub.writer(),
                    .ttl_s = static_cast<std::int32_t>(sub.ttl_s(default_ttl_s)),
                    .shape = &space.shape(s, RowState::live),
                    .value_bytes = space.values(s).bytes().front()};
    const auto known = std::ranges::find_if(
        made->kinds_, [&](const Kind& other) { return other.writer == kind.writer && other.ttl_s == kind.ttl_s; });
    const std::size_t number = static_cast<std::size_t>(known - made->kinds_.begin());
    if (known == made->kinds_.end()) made->kinds_.push_back(kind);
    made->kinds_[number].places.push_back(made->kind_of_.size());
    made->kind_of_.push_back(static_cast<std::uint32_t>(number));
    const Micros offset_us = sub.writer().timestamp.offset_us;
    made->offsets_us_ = {std::min(made->offsets_us_.first, offset_us), std::max(made->offsets_us_.second, offset_us)};
    made->by_share_.push_back(made->by_share_.size());
  }
  made->sums_ = SumsByKind(made->kind_of_);
  std::ranges::stable_sort(made->by_share_, std::greater(), [&](std::size_t place) {
    const SubStream& sub = space.sub_stream(made->sub_stream_[place]);
    return sub.rank(sub.writer().rhythm.total());
  });
  for (const std::size_t place : made->by_share_) made->by_ttl_[made->ttl_s(place)].push_back(place);
  return made;
}

SwathKinds::ByKind SwathKinds::events_of(std::span<const std::int64_t> from, std::span<const std::int64_t> to) const {
  ByKind events(kinds_.size(), 0);
  add_by_kind(from, events.data());
  for (std::int64_t& each : events) each = -each;
  add_by_kind(to, events.data());
  return events;
}

Rows SwathKinds::rows_of(const ByKind& events) const {
  Rows sum = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) sum += events[kind] * kinds_[kind].writer->rows_per_event;
  return sum;
}

Content Swath::content() const {
  Content content{.bases = bases};
  content.cohorts.reserve(cohorts());
  const TableWorkload& workload = kinds->space().workload();
  for (int s = 0; s < static_cast<int>(kinds->places()); ++s) {
    const std::size_t place = workload.place_of(s);
    if (from[place] < to[place])
      content.cohorts.push_back({.sub_stream = s, .ttl_s = kinds->ttl_s(place), .from = from[place], .to = to[place]});
  }
  return content;
}

std::size_t Swath::cohorts() const {
  std::uint64_t some = 0;
  for (std::size_t place = 0; place < from.size(); ++place)
    some += static_cast<std::uint64_t>(from[place] - to[place]) >> 63;  // 1 where there are some
  return some;
}

Rows Swath::rows() const { return kinds->rows_of(kinds->events_of(from, to)); }

bool Swath::has_rows_of(const Swath& other) const {
  return kinds == other.kinds && from == other.from && to == other.to;
}

std::optional<Swath> joined(std::span<const MeasuredSwath> swaths) {
  boost::container::small_vector<MeasuredSwath, 4> parts(swaths.begin(), swaths.end());
  std::ranges::sort(parts, {}, [](const MeasuredSwath& part) { return part.extremes->min_timestamp_us; });
  const Swath& first = *parts.front().swath;
  Swath all{.kinds = first.kinds, .from = first.from, .to = first.to, .bases = {}, .dates = FileExtremes{}};
  for (const MeasuredSwath& part : parts) {
    const Swath& next = *part.swath;
    if (next.kinds != all.kinds) return {};
    all.dates->feed_timestamp(part.extremes->min_timestamp_us);
    all.dates->feed_timestamp(part.extremes->max_timestamp_us);
    all.dates->feed_deletion_time(part.extremes->min_local_deletion_time_s);
    all.dates->feed_deletion_time(part.extremes->max_local_deletion_time_s);
    all.dates->feed_ttl(part.extremes->min_ttl_s);
    all.dates->feed_ttl(part.extremes->max_ttl_s);
    if (&next == &first) continue;
    for (std::size_t place = 0; place < all.from.size(); ++place) {
      if (next.from[place] >= next.to[place]) continue;
      if (all.from[place] >= all.to[place]) {
        all.from[place] = next.from[place];
      } else if (all.to[place] != next.from[place]) {
        return {};
      }
      all.to[place] = next.to[place];
    }
  }
  return all;
}

SwathEnds::SwathEnds(const SwathKinds& kinds, std::span<const std::int64_t> from, std::span<const std::int64_t> to)
    : kinds_(&kinds),
      from_(from),
      to_(to),
      counts_(kinds.space().workload().room_for_ranks(), boost::container::default_init) {}

// Of the largest one is likely to be at the end. Of others, counts tell whether they have earlier or later ones.
template <bool last, typename Date, typename Rows>
std::int64_t SwathEnds::end_of(std::span<const std::size_t> places, std::int64_t bound, const Date& date,
                               const Rows& rows_before) {
  const ContentSpace& space = kinds_->space();
  const auto date_at = [&](std::size_t place) {
    return date(space.dates(kinds_->sub_stream(place), last ? to_[place] - 1 : from_[place]));
  };
  const auto first = std::ranges::find_if(places, [&](std::size_t place) { return !empty(place); });
  SIM_CHECK(first != places.end(), "the ends of no rows");
  std::int64_t end = date_at(*first);
  for (bool found = false; !found && end != bound;) {
    const auto before = [&](const SubStream& sub, Rhythm::Counter& counter) {
      return rows_before(sub, last ? end + 1 : end, counter);
    };
    space.workload().ranks(before, {counts_.data(), counts_.size()});
    found = true;
    for (const std::size_t place : places) {
      if (last ? counts_[place] >= to_[place] : counts_[place] <= from_[place]) continue;
      if (empty(place)) continue;
      // Whatever lies beyond it is beyond all that was compared: the next round finds it.
      end = last ? std::max(end, date_at(place)) : std::min(end, date_at(place));
      found = false;
    }
  }
  return end;
}

namespace {

Micros timestamp_of(const SubStream::Dates& dates) { return dates.timestamp_us; }
Seconds arrival_of(const SubStream::Dates& dates) { return dates.arrival_s; }
std::int64_t rows_stamped_below(const SubStream& any, Micros timestamp_us, Rhythm::Counter& counter) {
  return any.rows_below_timestamp(timestamp_us, counter);
}
std::int64_t rows_arrived_before_s(const SubStream& any, Seconds second, Rhythm::Counter& counter) {
  return any.rows_arrived_before(second * us_per_s / any.writer().unit_us, counter);
}

}  // namespace

Micros SwathEnds::oldest_us() { return end_of<false>(kinds_->by_share(), INT64_MIN, timestamp_of, rows_stamped_below); }

Micros SwathEnds::newest_us(Micros not_above_us) {
  return end_of<true>(kinds_->by_share(), not_above_us, timestamp_of, rows_stamped_below);
}

std::pair<Seconds, Seconds> SwathEnds::arrivals_within_s(Micros oldest_us, Micros newest_us) const {
  const auto [least_us, most_us] = kinds_->offsets_us();
  return {(oldest_us - most_us) / us_per_s, (newest_us - least_us) / us_per_s};
}

Seconds SwathEnds::first_s(std::int32_t ttl_s, Seconds not_before_s) {
  return end_of<false>(kinds_->by_ttl().at(ttl_s), not_before_s, arrival_of, rows_arrived_before_s);
}

Seconds SwathEnds::last_s(std::int32_t ttl_s, Seconds not_after_s) {
  return end_of<true>(kinds_->by_ttl().at(ttl_s), not_after_s, arrival_of, rows_arrived_before_s);
}

boost::container::small_vector<std::int32_t, 16> SwathEnds::ttls() const {
  boost::container::small_vector<std::int32_t, 16> ttls;
  for (const auto& [ttl_s, places] : kinds_->by_ttl()) {
    if (std::ranges::any_of(places, [&](std::size_t place) { return !empty(place); })) ttls.push_back(ttl_s);
  }
  return ttls;
}

}  // namespace windrow
