#include "sim/text/unit.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

TEST_CASE("a value beside its limit has as many digits as it takes to tell them apart") {
  constexpr double mib = 1024.0 * 1024.0;
  const auto both = [](Unit unit, double value, double bound) {
    return in_unit_beside(unit, value, bound) + " of " + in_unit_beside(unit, bound, value);
  };
  CHECK(both(Unit::bytes, 100 * mib + 105, 100 * mib) == "100.0001 MiB of 100 MiB");
  CHECK(both(Unit::bytes, 97.04 * mib, 97 * mib) == "97.04 MiB of 97 MiB");
  CHECK(both(Unit::bytes, 90 * mib, 100 * mib) == "90 MiB of 100 MiB");
  CHECK(both(Unit::bytes, 100 * mib, 100 * mib) == "100 MiB of 100 MiB");
  CHECK(both(Unit::share, 0.200004, 0.2) == "20.0004 % of 20 %");
  CHECK(both(Unit::share, 0.125004, 0.125) == "12.5004 % of 12.5 %");
  CHECK(both(Unit::rows, 1'440.3, 1'440) == "1,440.3 rows of 1,440 rows");
  CHECK(both(Unit::seconds, 14 * 86'400 - 3, 14 * 86'400) == "13.99997 d of 14 d");
  CHECK(both(Unit::count, 150, 150) == "150 of 150");
}

}  // namespace
}  // namespace windrow
