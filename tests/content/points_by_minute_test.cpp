#include "sim/content/points_by_minute.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <map>
#include <vector>

#include "tests/content/mix_case.h"

namespace windrow {
namespace {

using namespace test;

TEST_CASE("points by minute are those of the rows one by one") {
  TableWorkload workload;
  add_mix(workload, true, false, {20});
  add_mix(workload, true, false, {20}, 30, 1);
  workload.finish(1'000);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  CHECK(rc::check([&] {
    const Seconds second = *rc::gen::inRange(0, 60);
    std::vector<Cohort> cohorts;
    for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
      const std::int64_t all = space.sub_stream(s).rank(space.sub_stream(s).writer().rhythm.total());
      for (int parts = *rc::gen::inRange(0, 3); parts > 0; --parts) {
        const std::int64_t from = *rc::gen::inRange<std::int64_t>(0, all);
        const std::int64_t rows = *rc::gen::inRange<std::int64_t>(1, 2'000 >> *rc::gen::inRange(0, 11));
        cohorts.push_back({.sub_stream = s, .from = from, .to = std::min(all, from + rows)});
      }
    }
    std::vector<PointsByMinute::Dropping> all;
    std::map<Seconds, std::int64_t> expected;
    for (const Cohort& cohort : cohorts) {
      const Seconds after_write_s = *rc::gen::inRange<Seconds>(0, 4) * 86'400 + second;
      const std::int64_t points = *rc::gen::inRange(1, 3);
      all.push_back({&cohort, after_write_s, points});
      for (std::int64_t j = cohort.from; j < cohort.to; ++j)
        expected[(space.sub_stream(cohort.sub_stream).arrival_s(j) + after_write_s + 59) / 60 * 60] += points;
    }
    PointsByMinute points;
    points.add(space, all);
    std::map<Seconds, std::int64_t> counted;
    points.each([&](Seconds minute, std::int64_t count) { counted[minute] = count; });
    RC_ASSERT(counted == expected);
  }));
}

}  // namespace
}  // namespace windrow
