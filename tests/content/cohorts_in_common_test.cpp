#include "sim/content/cohorts_in_common.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <vector>

namespace windrow {
namespace {

rc::Gen<Cohort> some_cohort() {
  return rc::gen::exec([] {
    Cohort cohort;
    cohort.from = *rc::gen::inRange(0, 50);
    cohort.to = cohort.from + *rc::gen::inRange(1, 20);
    if (*rc::gen::arbitrary<bool>()) {
      cohort.first_token = *rc::gen::inRange(-100, 100);
      cohort.last_token = cohort.first_token + *rc::gen::inRange(0, 60);
    }
    return cohort;
  });
}

TEST_CASE("cohorts with rows in common are found as by looking at all of them, in their order") {
  CHECK(rc::check([] {
    const auto cohorts = *rc::gen::container<std::vector<Cohort>>(some_cohort());
    std::vector<const Cohort*> all;
    for (const Cohort& cohort : cohorts) all.push_back(&cohort);
    CohortsInCommon found(all);
    for (int i = 0; i < 3; ++i) {
      const Cohort other = *some_cohort();
      std::vector<const Cohort*> plain;
      for (const Cohort* cohort : all) {
        if (may_have_rows_in_common(*cohort, other)) plain.push_back(cohort);
      }
      const auto with = found.with(other);
      RC_ASSERT(std::vector(with.begin(), with.end()) == plain);
    }
  }));
}

}  // namespace
}  // namespace windrow
