#include "sim/engine/row_estimate.h"

#include <cstdint>
#include <vector>

#include "sim/stats/vint.h"

namespace windrow {

namespace {

double mean_of(const std::vector<std::int32_t>& sizes) {
  double sum = 0;
  for (const std::int32_t size : sizes) sum += size;
  return sum / static_cast<double>(sizes.size());
}

}  // namespace

double data_bytes_of(const SubStream& sub, Seconds ttl_s) {
  const Writer& writer = sub.writer();
  double data = 1 + writer.clustering.bytes + 2 + 6 + (ttl_s == 0 ? 0 : 4);
  if (sub.brings() != Brings::rows) return data + 4;  // when it was deleted; a tombstone has no values
  for (const ColumnWrite& write : writer.columns) {
    const double mean = mean_of(write.sizes);
    if (write.elements) {
      const auto elements = static_cast<double>(write.elements->count);
      const std::int32_t path =
          write.elements->path_bytes + unsigned_vint_size(static_cast<std::uint64_t>(write.elements->path_bytes));
      data += 1 + elements * (2 + mean + path) + (write.elements->whole ? 10 : 0);
    } else {
      data += 1 + mean + (write.fixed_length ? 0 : 1) + (writer.insert ? 0 : 6);
    }
  }
  return data;
}

}  // namespace windrow
