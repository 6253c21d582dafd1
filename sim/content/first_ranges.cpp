#include "sim/content/first_ranges.h"

#include <algorithm>

#include "sim/content/keyed_write.h"

namespace windrow {

FirstRanges::FirstRanges(const ContentSpace& space) {
  for (const KeyedArrival& arrival : space.workload().keyed_arrivals()) {
    const DeleteKind kind = space.workload().deletes_of(arrival.place.writer).kind;
    if (arrival.sub_stream >= 0 || kind != DeleteKind::range) continue;
    const KeyedPartition write = keyed_write(space, arrival, 0);
    for (const KeyedRange& range : write.ranges) ranges_[write.token].push_back({range.deletion, range.to});
  }
}

std::span<const FirstRanges::Range> FirstRanges::of(Token token) const {
  const auto found = ranges_.find(token);
  if (found == ranges_.end()) return {};
  return found->second;
}

Seconds FirstRanges::first_s(Token token, std::int64_t clustering, Micros written_us, Seconds last_s) const {
  const std::span<const Range> ranges = of(token);
  auto range = std::ranges::lower_bound(ranges, written_us, {}, [](const Range& r) { return r.deletion.timestamp_us; });
  while (range != ranges.end() && range->until_ms <= clustering) ++range;
  return range != ranges.end() ? std::min(last_s, range->deletion.local_deletion_time_s) : last_s;
}

}  // namespace windrow
