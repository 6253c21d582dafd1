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

std::int64_t TokenLattice::positions_up_to(Token token) const {
  // Position k has the token in the middle of the k-th of so many equal parts of the ring.
  const Int128 positions = static_cast<Int128>(places()) << fraction_bits;
  const Int128 halves = (static_cast<Int128>(tokens_between(min_token, token)) * 2 * positions) >> 64;
  return static_cast<std::int64_t>((halves + 1) / 2);
}

}  // namespace windrow
