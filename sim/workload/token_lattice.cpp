#include "sim/workload/token_lattice.h"

#include <cmath>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/stats/ring_share.h"

namespace windrow {

TokenLattice::TokenLattice(std::int64_t slots) : slots_(slots) {
  SIM_CHECK(slots >= 1, "a lattice without places");
  columns_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(slots))));
  rows_ = (slots + columns_ - 1) / columns_;
}

std::int64_t TokenLattice::places_up_to(Token token) const {
  // Place k has the token in the middle of the k-th of columns * rows equal parts of the ring.
  const auto above_least = tokens_between(min_token, token);
  const Int128 halves = (static_cast<Int128>(above_least) * 2 * columns_ * rows_) >> 64;
  return static_cast<std::int64_t>((halves + 1) / 2);
}

}  // namespace windrow
