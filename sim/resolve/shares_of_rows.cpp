#include "sim/resolve/shares_of_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace windrow {

std::vector<LateShare> late_shares(const Lateness& late) {
  constexpr std::int64_t quantiles_of_range = 8;
  std::vector<LateShare> shares;
  for (const Lateness::Part& part : late.parts) {
    if (part.share_ppm == 0) continue;
    const std::int64_t quantiles = part.delay_us.varies() ? std::min(part.share_ppm, quantiles_of_range) : 1;
    const std::int64_t larger = part.share_ppm % quantiles;  // neighbours of one size, for RowShare::divide
    for (std::int64_t i = 0; i < quantiles; ++i) {
      shares.push_back({.share_ppm = part.share_ppm / quantiles + (i < larger ? 1 : 0),
                        .delay_us = std::llround(part.delay_us.mean_of_ranks(i, i + 1, quantiles))});
    }
  }
  return shares;
}

std::vector<TtlShare> ttl_shares(TtlMix mix) {
  std::erase_if(mix.parts, [](const TtlShare& part) { return part.share_ppm == 0; });
  return std::move(mix.parts);
}

}  // namespace windrow
