#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/resolve/rate_classes.h"
#include "sim/words/setting.h"
#include "sim/workload/rhythm.h"

using namespace windrow;

namespace {

Timed<StreamRate> rate_of(const std::string& text) { return *Setting<Timed<StreamRate>>(text); }

double total(const std::vector<EntityClass>& classes) {
  double sum = 0;
  for (const EntityClass& each : classes) sum += static_cast<double>(each.entities) * each.parts.front().rows_per_s;
  return sum;
}

// As the engine plays stretches.
Rhythm rhythm_of(const std::vector<RateStretch>& stretches, Micros until_us) {
  Rhythm rhythm(stretches.front().from_us, stretches.front().period_us, stretches.front().rows, true);
  for (std::size_t i = 1; i < stretches.size(); ++i)
    rhythm.change_at(stretches[i].from_us, stretches[i].period_us, stretches[i].rows);
  rhythm.stop_at(until_us);
  return rhythm;
}

EntityClass one_class(const std::string& rate) { return make_classes(1, rate_of(rate)).front(); }

const Micros start_us = 1'767'225'600 * us_per_s;

}  // namespace

TEST_CASE("a rate may be of several seconds, hours, days, and is exact") {
  const auto one = [](const std::string& text) { return *Setting<Rate>(text); };
  CHECK(one("1/36240s").rows == 1);
  CHECK(one("1/36240s").period_us == 36'240 * us_per_s);
  CHECK(one("3/1.5min").rows == 1);
  CHECK(one("3/1.5min").period_us == 30 * us_per_s);
  CHECK(one("0.25/h").period_us == 4 * 3600 * us_per_s);
  CHECK(one("1/0.1s").per_s() == doctest::Approx(10));
  for (const char* text : {"870.198675/y", "1/0s", "1/5000y"}) {
    CAPTURE(text);
    CHECK_THROWS(one(text));
  }
}

TEST_CASE("classes of a skewed fleet bring n times the distribution's mean") {
  const double sigma = std::log(100.0) / 2.3263478740408408;
  struct Case {
    std::string rate;
    double mean_per_day;
  };
  for (const Case& each :
       {Case{"lognormal(4/day, 400/day)", 4 * std::exp(sigma * sigma / 2)}, Case{"uniform(2/day, 10/day)", 6},
        Case{"pareto(1/day, 1.5)", 3}, Case{"zipf(1.1, 5/day)", 5}, Case{"normal(100/day, 10/day)", 100}}) {
    for (const std::int64_t count : {1, 7, 40, 41, 1000, 50'000, 100'000'000}) {
      CAPTURE(each.rate);
      CAPTURE(count);
      const auto classes = make_classes(count, rate_of(each.rate));
      CHECK(total(classes) == doctest::Approx(static_cast<double>(count) * each.mean_per_day / 86'400).epsilon(1e-7));
      CHECK(classes.size() <= static_cast<std::size_t>(most_classes + most_singles));
      std::int64_t next = 0;
      double slowest = 0;
      for (const EntityClass& one : classes) {
        CHECK(one.first == next);
        CHECK(one.parts.front().rows_per_s >= slowest * (1 - 1e-9));
        next += one.entities;
        slowest = one.parts.front().rows_per_s;
      }
      CHECK(next == count);
    }
  }
}

TEST_CASE("a single rate is one class, exact") {
  const auto classes = make_classes(20'000, rate_of("1/min"));
  REQUIRE(classes.size() == 1);
  const auto stretches = make_stretches(classes.front(), 20'000, {}, start_us, start_us + us_per_day, 10);
  CHECK(*stretches == std::vector<RateStretch>{{.from_us = start_us, .rows = 1, .period_us = 3000}});
}

TEST_CASE("a rate that changes goes on with the row that was due") {
  // 1/h for 90 minutes leaves half a row; at 4/h it is there after 7.5 minutes.
  const auto whole =
      make_stretches(one_class("1/h then 4/h from 2026-01-01T01:30:00"), 1, {}, start_us, start_us + us_per_day, 10);
  REQUIRE(whole->size() == 2);
  CHECK(rhythm_of(*whole, start_us + us_per_day).total() == 2 + 90);
  const auto second = stretches_between(*whole, start_us + 90 * 60 * us_per_s, start_us + us_per_day);
  REQUIRE(second.size() == 1);
  CHECK(second.front().from_us == start_us + (90 * 60 + 450) * us_per_s);
  CHECK(rhythm_of(second, start_us + us_per_day).total() == 90);
  CHECK(stretches_between(*whole, start_us + us_per_s, start_us + 3600 * us_per_s).empty());
}

TEST_CASE("a value list with `then` equals the two halves") {
  const auto whole =
      make_stretches(one_class("6/min then 1/min from 2026-01-11"), 1, {}, start_us, start_us + 20 * us_per_day, 10);
  const auto first = make_stretches(one_class("6/min"), 1, {}, start_us, start_us + 10 * us_per_day, 10);
  const auto second =
      make_stretches(one_class("1/min"), 1, {}, start_us + 10 * us_per_day, start_us + 20 * us_per_day, 10);
  CHECK(whole->at(0) == first->front());
  CHECK(whole->at(1) == second->front());
}

TEST_CASE("rows of any rate, shape and growth are the integral, and add up over any cut") {
  CHECK(rc::check("stretches", [] {
    const auto per_day = *rc::gen::inRange<int>(1, 100'000);
    const auto shape = *rc::gen::element<std::string>("flat", "daily(peak 20:00, 3x)", "weekly(peak sat, 2x)",
                                                      "burst(10x, 1h, every 2d)");
    const auto growth = *rc::gen::element<std::string>("0%/y", "40%/y", "-50%/y");
    const auto days = *rc::gen::inRange<int>(1, 40);
    const auto cut_hours = *rc::gen::unique<std::vector<int>>(rc::gen::inRange(1, 24 * 40));
    Pace pace;
    pace.shape = *Setting<Shape>(shape);
    pace.growth = *Setting<Growth>(growth);
    const EntityClass rate = one_class(std::to_string(per_day) + "/day");
    const Micros until_us = start_us + days * us_per_day;
    std::vector<Micros> cuts = {start_us, until_us};
    for (const int hour : cut_hours) {
      if (hour < 24 * days) cuts.push_back(start_us + hour * 3600 * us_per_s);
    }
    std::sort(cuts.begin(), cuts.end());
    const auto whole = make_stretches(rate, 1, pace, start_us, until_us, 100'000);
    const std::int64_t rows = rhythm_of(*whole, until_us).total();
    std::int64_t rows_of_parts = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const auto part = stretches_between(*whole, cuts[i], cuts[i + 1]);
      if (!part.empty()) rows_of_parts += rhythm_of(part, cuts[i + 1]).total();
    }
    // A part begins on a whole microsecond: a row on a border may fall on its other side.
    RC_ASSERT(std::abs(rows - rows_of_parts) <= static_cast<std::int64_t>(cuts.size()) - 2);
    const bool whole_cycles = shape == "flat" || shape.starts_with("daily");
    if (whole_cycles && growth == "0%/y") RC_ASSERT(std::abs(rows - std::int64_t{per_day} * days) <= 1);
  }));
}

TEST_CASE("growth by 40 % a year brings the rows of continuous growth") {
  Pace pace;
  pace.growth = *Setting<Growth>("40%/y");
  const Micros until_us = start_us + us_per_year;
  const auto stretches = make_stretches(one_class("1/s"), 1, pace, start_us, until_us, 100);
  CHECK(stretches->size() == 12);
  CHECK(static_cast<double>(rhythm_of(*stretches, until_us).total()) ==
        doctest::Approx(365 * 86'400 * 0.4 / std::log(1.4)).epsilon(1e-6));
}

TEST_CASE("growth in smaller steps brings as many rows, and no leap of a month") {
  const Micros until_us = start_us + us_per_year;
  const auto grown = [&](const std::string& growth) {
    Pace pace;
    pace.growth = *Setting<Growth>(growth);
    return *make_stretches(one_class("1/s"), 1, pace, start_us, until_us, 1'000);
  };
  const auto per_s = [](const RateStretch& stretch) {
    return static_cast<double>(stretch.rows) * 1e6 / static_cast<double>(stretch.period_us);
  };
  CHECK(grown("40%/y by month") == grown("40%/y"));
  const std::vector<RateStretch> days = grown("40%/y by day");
  CHECK(days.size() == 365);
  CHECK(grown("40%/y by week").size() == 53);
  for (const char* growth : {"40%/y by day", "40%/y by week"}) {
    CHECK(static_cast<double>(rhythm_of(grown(growth), until_us).total()) ==
          doctest::Approx(365 * 86'400 * 0.4 / std::log(1.4)).epsilon(1e-3));
  }
  for (std::size_t i = 1; i < days.size(); ++i)  // (1.4) ^ (1 / 365)
    CHECK(per_s(days[i]) / per_s(days[i - 1]) == doctest::Approx(1.000922).epsilon(1e-5));
  CHECK_THROWS(Setting<Growth>("40%/y by hour"));
}

TEST_CASE("a daily shape has its peak where it is said, and the stated mean") {
  Pace pace;
  pace.shape = *Setting<Shape>("daily(peak 20:00, 3x)");
  const auto stretches = make_stretches(one_class("40/s"), 1, pace, start_us, start_us + us_per_day, 100);
  double fastest = 0;
  Micros at_us = 0;
  for (const RateStretch& stretch : *stretches) {
    const double per_s =
        stretch.rows == 0 ? 0 : static_cast<double>(stretch.rows) * 1e6 / static_cast<double>(stretch.period_us);
    if (per_s <= fastest) continue;
    fastest = per_s;
    at_us = stretch.from_us;
  }
  CHECK(fastest == doctest::Approx(120).epsilon(1e-6));
  CHECK((at_us - start_us) / (3600 * us_per_s) == 19);  // the hour around 20:00
  CHECK(std::abs(rhythm_of(*stretches, start_us + us_per_day).total() - 40 * 86'400) <= 1);
}

TEST_CASE("copies multiply rows, and an interval bounds a derived stream") {
  Pace pace;
  pace.copies = 3;
  CHECK(
      rhythm_of(*make_stretches(one_class("2/s"), 1, pace, start_us, start_us + us_per_day, 10), start_us + us_per_day)
          .total() == 6 * 86'400);
  pace = {};
  pace.most_per_s = 1.0 / 60;
  CHECK(
      rhythm_of(*make_stretches(one_class("2/s"), 1, pace, start_us, start_us + us_per_day, 10), start_us + us_per_day)
          .total() == 1440);
  CHECK(
      rhythm_of(*make_stretches(one_class("1/h"), 1, pace, start_us, start_us + us_per_day, 10), start_us + us_per_day)
          .total() == 24);
}

TEST_CASE("a deck of sizes has the distribution's mean") {
  const Distribution sizes{.kind = Distribution::Kind::lognormal, .first = 90, .second = 280};
  const auto deck = deck_of(sizes, 127);
  const double mean = std::accumulate(deck.begin(), deck.end(), 0.0) / 127;
  const double sigma = std::log(280.0 / 90) / 2.3263478740408408;
  CHECK(std::abs(mean - 90 * std::exp(sigma * sigma / 2)) <= 0.5 / 127);
  CHECK(std::is_sorted(deck.begin(), deck.end()));
  CHECK(deck_of({.first = 20}, 127) == std::vector<std::int32_t>{20});
}
