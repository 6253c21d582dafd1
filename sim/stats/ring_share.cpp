#include "sim/stats/ring_share.h"

namespace windrow {

double ring_share(Token left, Token right) {
  const auto distance = static_cast<Token>(tokens_between(left, right));
  const double share = static_cast<double>(distance) * 0x1p-64;
  return share > 0 ? share : share + 1;
}

double covered_share(Token first, Token last) {
  return ring_share(first, static_cast<Token>(static_cast<std::uint64_t>(last) + 1));
}

}  // namespace windrow
