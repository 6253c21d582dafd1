#include "sim/workload/writer.h"

#include <algorithm>
#include <cmath>

namespace windrow {

std::int64_t Writer::different_keys(std::int64_t writes_made) const {
  if (drawn_in_turn) return std::min(drawn_keys, writes_made);
  if (zipf != nullptr) return std::llround(zipf->different(writes_made));
  const auto keys_there = static_cast<double>(drawn_keys);
  return std::llround(keys_there * -std::expm1(-static_cast<double>(writes_made) / keys_there));
}

}  // namespace windrow
