#include "sim/base/van_der_corput.h"

namespace windrow {

VanDerCorput::Tables::Tables() {
  for (std::size_t n = 0; n < period; ++n) {
    for (int bit = 0; bit < bits; ++bit) {
      terms[n] = static_cast<std::uint8_t>(terms[n] | ((n >> bit & 1) << (bits - 1 - bit)));
    }
  }
  for (std::size_t n = 1; n < period; ++n) {
    for (std::size_t limit = 0; limit < period; ++limit) {
      below[n][limit] = static_cast<std::uint8_t>(below[n - 1][limit] + (terms[n - 1] < limit ? 1 : 0));
    }
  }
}

const VanDerCorput::Tables VanDerCorput::tables;

}  // namespace windrow
