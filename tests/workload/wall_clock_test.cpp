#include "sim/workload/wall_clock.h"

#include <doctest/doctest.h>

#include "sim/workload/bucket_rule.h"

namespace windrow {
namespace {

// Seconds of UTC of 2026, by hand: 1 January is 1'767'225'600.
constexpr Seconds new_year = 1'767'225'600;
constexpr Seconds at(int day_of_year, int hour) { return new_year + (day_of_year - 1) * 86'400LL + hour * 3600LL; }

// Central Europe: +1, from 29 March 01:00 UTC (day 88) +2, from 25 October 01:00 UTC (day 298) +1 again.
WallClock berlin() {
  return WallClock({{.from_s = 0, .offset_s = 3600},
                    {.from_s = at(88, 1), .offset_s = 7200},
                    {.from_s = at(298, 1), .offset_s = 3600}});
}

TEST_CASE("days of a clock that is changed are 23 and 25 hours long") {
  const BucketRule days = BucketRule::every(86'400).by(berlin());
  const std::int64_t spring = days.number(at(88, 0));
  CHECK(days.begin(spring) == at(87, 23));
  CHECK(days.begin(spring + 1) == at(88, 22));
  const std::int64_t autumn = days.number(at(298, 12));
  CHECK(days.begin(autumn) == at(297, 22));
  CHECK(days.begin(autumn + 1) == at(298, 23));
  CHECK(days.label(autumn) == at(298, 0));
}

TEST_CASE("an hour that is left out is an empty bucket, one that comes twice is two hours long") {
  const BucketRule hours = BucketRule::every(3600).by(berlin());
  const std::int64_t before = hours.number(at(88, 0));
  CHECK(hours.number(at(88, 1)) == before + 2);
  CHECK(hours.begin(before + 1) == hours.begin(before + 2));
  const std::int64_t twice = hours.number(at(298, 0));
  CHECK(hours.number(at(298, 1)) == twice);
  CHECK(hours.begin(twice + 1) - hours.begin(twice) == 7200);
  CHECK(hours.is_whole_at(at(298, 1)));
  CHECK_FALSE(BucketRule::every(600).by(berlin()).is_whole_at(at(298, 1)));
}

TEST_CASE("months and years begin by the clock") {
  CHECK(BucketRule::month().by(berlin()).begin(2026 * 12 + 3) == at(90, 22));    // 1 April, +2
  CHECK(BucketRule::month().by(berlin()).begin(2026 * 12 + 10) == at(304, 23));  // 1 November, +1
  CHECK(BucketRule::year().by(WallClock(-5 * 3600)).begin(2026) == at(1, 5));
}

TEST_CASE("buckets of a changed clock begin where the one before ends") {
  for (const BucketRule& rule : {BucketRule::every(3600), BucketRule::every(86'400), BucketRule::month()}) {
    const BucketRule local = rule.by(berlin());
    for (Seconds second = at(80, 0); second < at(310, 0); second += 1'357) {
      const std::int64_t number = local.number(second);
      CHECK(local.begin(number) <= second);
      CHECK(second < local.begin(number + 1));
    }
  }
}

}  // namespace
}  // namespace windrow
