#include "sim/workload/covering_deletes.h"

#include <algorithm>
#include <stdexcept>

#include "sim/base/arithmetic.h"

namespace windrow {

std::int64_t bucket_begin_ms(const Writer& writer, std::int64_t bucket) {
  return std::max<Seconds>(0, writer.bucket.begin(bucket)) * 1000;
}

std::vector<CoveringDelete> deletes_by_event(const Writer& writer, DeleteKind kind, std::int64_t age, std::int64_t from,
                                             std::int64_t end, std::int64_t most) {
  std::vector<CoveringDelete> deletes;
  const std::int64_t events = writer.rhythm.count_before(end);
  if (events > most) throw std::length_error("more deletes than can be held one by one");
  for (std::int64_t g = 0; g < events; ++g) {
    const std::int64_t arrival = writer.event_units(g);
    const std::int64_t written = arrival - age;
    if (written < from) continue;
    const std::int64_t bucket = writer.bucket.number(floor_div(written * writer.unit_us, us_per_s));
    const std::int64_t until_ms = written * writer.unit_us / 1000;
    // Nothing is older than the beginning of its bucket.
    if (kind == DeleteKind::range && until_ms <= bucket_begin_ms(writer, bucket)) continue;
    deletes.push_back(
        {.arrival = arrival, .sequence = g, .bucket = bucket, .slot = writer.slot(g), .until_ms = until_ms});
  }
  return deletes;
}

}  // namespace windrow
