#include "sim/content/members_in_order.h"

#include <doctest/doctest.h>

#include "sim/content/smooth_cut.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using namespace test;

TEST_CASE("members that are asked for one part after the other are those of each part") {
  const Case what{.entities = 3'000, .late_every = 5};
  const TableWorkload workload = workload_of(what);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  Content whole = content_of(workload, what, 0, 100'000, RowState::live);
  std::vector<Cohort> cohorts = whole.cohorts;
  for (const CutContent& output : cut_smooth(space, whole, 1e6)) {
    const Content content = output.whole();
    cohorts.insert(cohorts.end(), content.cohorts.begin(), content.cohorts.end());
  }
  REQUIRE(cohorts.size() > 4);
  for (const Cohort& cohort : cohorts) {
    MembersInOrder in_order(space, cohort);
    CHECK(in_order.all() == space.members(cohort));
    std::int64_t seen = 0;
    std::int64_t from = cohort.from;
    for (std::int64_t part = 1; part <= 7; ++part) {
      const std::int64_t to = cohort.from + (cohort.to - cohort.from) * part / 7;
      const std::int64_t there = in_order.next_up_to(to);
      CHECK(there == space.members_between(cohort, from, to));
      seen += there;
      from = to;
    }
    CHECK(seen == in_order.all());
  }
}

}  // namespace
}  // namespace windrow
