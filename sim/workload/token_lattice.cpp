#include "sim/workload/token_lattice.h"

#include <cmath>

#include "sim/base/arithmetic.h"
#include "sim/stats/ring_share.h"

namespace windrow {

TokenLattice::TokenLattice(std::int64_t slots)
    : slots_(slots),
      columns_(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(slots))))),
      rows_(ceil_div(slots, columns_.number())) {
  all_ = hand(slots);
}

std::int64_t TokenLattice::places_up_to(Token token) const {
  // Place k has the token in the middle of the k-th of columns * rows equal parts of the ring.
  const auto above_least = tokens_between(min_token, token);
  const Int128 halves = (static_cast<Int128>(above_least) * 2 * columns_.number() * rows_.number()) >> 64;
  return static_cast<std::int64_t>((halves + 1) / 2);
}

}  // namespace windrow
