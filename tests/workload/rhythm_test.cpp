#include "sim/workload/rhythm.h"

#include <doctest/doctest.h>

#include "sim/workload/bucket_rule.h"
#include "sim/workload/row_share.h"

using windrow::BucketRule;
using windrow::Rhythm;

namespace {

/// Row g happens at event(g), and before event(g) + 1 there are more than g rows.
void event_and_count_agree(const Rhythm& rhythm, std::int64_t rows) {
  for (std::int64_t g = 0; g < rows; ++g) {
    const std::int64_t event = rhythm.event(g);
    REQUIRE(rhythm.count_before(event) <= g);
    REQUIRE(rhythm.count_before(event + 1) > g);
    if (g > 0) REQUIRE(rhythm.event(g - 1) <= event);
  }
}

TEST_CASE("rhythm: where no row ever happens, one that is asked for is at the begin") {
  Rhythm rhythm(1'000, 60, 0, true);
  rhythm.change_at(5'000, 60, 0);
  CHECK(rhythm.event(0) == 1'000);
  CHECK(rhythm.count_before(10'000) == 0);
}

}  // namespace

TEST_CASE("events and counts are each other's inverse") {
  event_and_count_agree(Rhythm(1'000, 60, 7, true), 500);
  event_and_count_agree(Rhythm(1'000, 3'600, 40, false), 500);
  event_and_count_agree(Rhythm(0, 1'000'000, 3, true), 500);
}

TEST_CASE("a rhythm that changes carries fractions of rows over: a slow writer with a daily shape loses none") {
  Rhythm rhythm(0, 86'400'000'000, 5, true);  // five rows a day, in microseconds
  for (int hour = 1; hour < 24 * 30; ++hour)
    rhythm.change_at(hour * 3'600'000'000LL, 86'400'000'000, hour % 2 == 0 ? 8 : 2);
  event_and_count_agree(rhythm, 140);
  CHECK(rhythm.count_before(30 * 86'400'000'000LL) >= 149);
  CHECK(rhythm.count_before(30 * 86'400'000'000LL) <= 151);
}

TEST_CASE("a stretch of silence has no rows, and the next one goes on") {
  Rhythm rhythm(0, 10, 1, true);
  rhythm.change_at(100, 1, 0);
  rhythm.change_at(200, 10, 1);
  CHECK(rhythm.count_before(100) == 10);
  CHECK(rhythm.count_before(200) == 10);
  CHECK(rhythm.event(10) == 200);
  event_and_count_agree(rhythm, 60);
}

TEST_CASE("stretches of any lengths, and none at all, are found by their times") {
  Rhythm rhythm(0, 10, 1, true);
  std::int64_t begin = 0;
  for (const std::int64_t length : {3, 1, 900, 1, 1, 0, 0, 7, 50'000, 2, 11}) {
    begin += length;
    rhythm.change_at(begin, 10, 1 + begin % 4);
  }
  event_and_count_agree(rhythm, 20'000);
}

TEST_CASE("a cursor tells what its rhythm tells, whatever it is asked before") {
  Rhythm daily(0, 86'400'000'000, 5, true);
  for (int hour = 1; hour < 24 * 30; ++hour)
    daily.change_at(hour * 3'600'000'000LL, 86'400'000'000, hour % 3 == 0 ? 0 : 2 * hour);
  Rhythm bursts(0, 3'600, 40, false);
  bursts.follow_with(7'200, 80, 60, 7);
  for (const Rhythm& rhythm : {daily, bursts, Rhythm(1'000, 60, 7, true)}) {
    Rhythm::Cursor forwards(rhythm);
    Rhythm::Cursor about(rhythm);
    for (std::int64_t g = 0; g < 2'000; ++g) {
      REQUIRE(forwards.event(g) == rhythm.event(g));
      REQUIRE(about.event(g * 769 % 2'000) == rhythm.event(g * 769 % 2'000));
    }
  }
}

TEST_CASE("a counter counts what its rhythm counts, whatever it is asked before") {
  std::uint64_t drawn = 1;
  const auto draw = [&](std::int64_t below) {
    drawn = windrow::split_mix_64(drawn);
    return static_cast<std::int64_t>(drawn % static_cast<std::uint64_t>(below));
  };
  for (int round = 0; round < 200; ++round) {
    Rhythm rhythm(draw(50), 1 + draw(40), draw(5), true);
    std::int64_t begin = rhythm.begin();
    for (std::int64_t left = draw(6); left > 0; --left)  // some begin where the one before does
      rhythm.change_at(begin += draw(4) * draw(60), 1 + draw(40), draw(5));
    if (round % 3 == 0) rhythm.stop_at(begin + draw(200));
    Rhythm::Counter counter(rhythm);
    for (int question = 0; question < 200; ++question) {
      const std::int64_t time = draw(800) - 20;
      REQUIRE(counter.count_before(time) == rhythm.count_before(time));
    }
  }
}

TEST_CASE("a row's way that no 64 bits hold is exact, too") {
  Rhythm rhythm(0, 86'400'000'000, 5'000'000'000, true);
  rhythm.change_at(1'234'567, 604'800'000'000, 35'000'000'011);
  for (std::int64_t g = 71'446; g < 40'000'000'000'000; g += 12'345'678'901) {
    const std::int64_t event = rhythm.event(g);
    REQUIRE(rhythm.count_before(event) <= g);
    REQUIRE(rhythm.count_before(event + 1) > g);
  }
}

TEST_CASE("buckets begin where the one before ends") {
  for (const BucketRule& rule :
       {BucketRule::every(3'600), BucketRule::every(604'800, 345'600), BucketRule::month(), BucketRule::year()}) {
    for (windrow::Seconds second = 1'700'000'000; second < 1'800'000'000; second += 1'234'567) {
      const std::int64_t number = rule.number(second);
      CHECK(rule.begin(number) <= second);
      CHECK(second < rule.begin(number + 1));
      CHECK(rule.number(rule.begin(number)) == number);
    }
  }
  CHECK(BucketRule::month().label(BucketRule::month().number(1'767'225'600)) == 202601);
}
