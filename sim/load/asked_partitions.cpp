#include <algorithm>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/load/cluster_load.h"

namespace windrow {

// Which nodes answer the reads of a stream, as ClusterLoad tells it.

std::pair<double, double> ClusterLoad::asked_of(const Placed& placed, const AskedBuckets& asked, int node) const {
  const Writer& writer = placed.load.writer();
  const BucketRule& rule = writer.turn >= 0 ? placed.spec->bucket : writer.bucket;
  double of_node = 0;
  double of_all = 0;
  const auto add = [&](std::int64_t number, double weight) {
    std::int64_t bucket = number;
    if (writer.turn >= 0) {  // a bucket number that comes round again
      if (number - floor_div(number, placed.spec->rolling_buckets) * placed.spec->rolling_buckets != writer.turn)
        return;
      bucket = writer.bucket.number(rule.begin(number));
    }
    of_node += static_cast<double>(placed.shares->slots(bucket, node)) * weight;
    of_all += static_cast<double>(placed.shares->slots_of_all(bucket)) * weight;
  };
  std::int64_t number = rule.number(floor_div(asked.to_us - 1, us_per_s));
  if (asked.newest > 0) {
    for (double left = asked.newest; left > 0; left -= 1, --number) add(number, std::min(1.0, left));
  } else {
    const std::int64_t first = rule.number(floor_div(asked.from_us, us_per_s));
    for (; number >= first; --number) add(number, 1);
  }
  return {of_node, of_all};
}

double ClusterLoad::read_share(const std::string& stream, const AskedBuckets& asked, const AskedBuckets& reference,
                               int hour, int node) const {
  const auto alike = [](const DataCenter& center) { return center.placement == DataCenter::Placement::alike; };
  if (std::ranges::any_of(scenario_->data_centers, alike)) return stream_share(stream, hour, node);
  double of_node = 0;
  double of_all = 0;
  for (const Placed& placed : writers_) {
    if (placed.spec->stream != stream || !placed.shares) continue;
    of_node += asked_of(placed, asked, node).first;
    of_all += asked_of(placed, reference, node).second;
  }
  return of_all > 0 ? of_node / of_all : stream_share(stream, hour, node);
}

}  // namespace windrow
