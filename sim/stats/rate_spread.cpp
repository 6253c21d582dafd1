#include "sim/stats/rate_spread.h"

#include <algorithm>

namespace windrow {

double RateSpread::factor_at(const std::vector<double>& upto, const std::vector<double>& factors, double place) {
  const auto run = std::min<std::ptrdiff_t>(std::ranges::upper_bound(upto, place) - upto.begin(),
                                            static_cast<std::ptrdiff_t>(factors.size()) - 1);
  return factors[static_cast<std::size_t>(run)];
}

}  // namespace windrow
