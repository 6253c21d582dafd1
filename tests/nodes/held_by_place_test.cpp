#include "sim/reads/held_by_place.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/content/interval_case.h"

namespace windrow {
namespace {

TEST_CASE("cohorts that are found by the place of a member are those that have it between their tokens") {
  std::mt19937 dice(18);
  int found = 0;
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const test::Case what{.entities = test::between(dice, 1, 700), .bucket_s = 7'200};
    const TableWorkload workload = test::workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    const std::int64_t rows =
        workload.sub_streams().front().count_before_bucket(workload.writers().front().bucket_of(0) + 3);
    std::vector<Cohort> cohorts;
    for (std::int64_t left = test::between(dice, 1, 40); left > 0; --left) {
      Cohort cohort = test::content_of(workload, what, 0, rows, RowState::live).cohorts.front();
      if (dice() % 4 != 0) {
        const std::int64_t first = test::between(dice, -1'000, 999);
        constexpr Token step = max_token / 1'000;
        cohort.first_token = first * step;
        cohort.last_token = std::min<std::int64_t>(999, first + test::between(dice, 0, 300)) * step + (step - 1);
      }
      cohorts.push_back(cohort);
    }
    std::vector<const Cohort*> each;
    for (const Cohort& cohort : cohorts) each.push_back(&cohort);
    const HeldByPlace held(space, each);
    for (int question = 0; question < 50; ++question) {
      const std::int64_t member = test::between(dice, 0, rows - 1);
      std::vector<std::uint32_t> by_place;
      for (const std::uint32_t cohort : held.around(member)) {
        if (held.holds(cohort, member)) by_place.push_back(cohort);
      }
      std::vector<std::uint32_t> by_members;
      for (std::uint32_t i = 0; i < cohorts.size(); ++i) {
        if (space.members_between(cohorts[i], member, member + 1) > 0) by_members.push_back(i);
      }
      CHECK(by_place == by_members);
      found += static_cast<int>(by_place.size());
    }
  }
  CHECK(found > 1'000);
}

}  // namespace
}  // namespace windrow
