#include "sim/base/van_der_corput.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

TEST_CASE("terms below a limit are counted as if one by one") {
  for (std::int64_t limit = 0; limit < VanDerCorput::period; ++limit) {
    std::int64_t below = 0;
    for (std::int64_t n = 0; n < 3 * VanDerCorput::period; ++n) {
      REQUIRE(VanDerCorput::count_below(n, limit) == below);
      below += VanDerCorput::term(n) < limit ? 1 : 0;
    }
  }
}

TEST_CASE("terms are bits in reverse order") {
  CHECK(VanDerCorput::term(1) == 128);
  CHECK(VanDerCorput::term(6) == 96);
  CHECK(VanDerCorput::term(256) == 0);
}

}  // namespace
}  // namespace windrow
