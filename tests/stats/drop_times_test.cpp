#include "sim/stats/drop_times.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "sim/stats/murmur3.h"
#include "sim/stats/random_stream.h"
#include "tests/stats/data.h"

namespace windrow {

TEST_CASE("sums interpolate between bins") {
  DropTimesBuilder builder;
  builder.add(541, 10);
  builder.add(1200, 30);
  const DropTimes two = builder.build();
  REQUIRE(two.bins().size() == 2);
  CHECK(two.bins()[0] == DropTimes::Bin{.point_s = 600, .count = 10});
  CHECK(two.sum(599) == 0);
  CHECK(two.sum(600) == 5);
  CHECK(two.sum(900) == 12.5);
  CHECK(two.sum(1199) == 24.950027777777777);
  CHECK(two.sum(1200) == 40);
  CHECK(builder.build().bins().empty());
}

TEST_CASE("more than a hundred minutes are merged in the engine's order") {
  constexpr Seconds t0 = 1'700'000'000;
  DropTimesBuilder builder;
  for (Seconds minute = 0; minute < 1440; ++minute) builder.add(t0 + 60 * minute);
  const DropTimes day = builder.build();
  CHECK(day.bins().size() == 100);
  CHECK(day.sum(t0) == 0);
  CHECK(day.sum(t0 + 3600) == 56.151920438957475);
  CHECK(day.sum(t0 + 21600) == 356.80864197530866);
  CHECK(day.sum(t0 + 43200) == 715.7536008230453);
  CHECK(day.sum(t0 + 64800) == 1076.19341563786);
  CHECK(day.sum(t0 + 86399) == 1440);

  for (Seconds hour = 0; hour < 8760; ++hour) builder.add(t0 + 3600 * hour, 7);
  const DropTimes year = builder.build();
  CHECK(year.bins().size() == 100);
  CHECK(year.sum(t0 + 30 * seconds_per_day) == 5041.874493346523);
  CHECK(year.sum(t0 + 180 * seconds_per_day) == 30242.58862995937);
  CHECK(year.sum(t0 + 364 * seconds_per_day) == 61320);
}

TEST_CASE("points beyond January 2038 are never counted") {
  DropTimesBuilder builder;
  builder.add(2'147'483'640);
  builder.add(2'147'490'000, 5);
  const DropTimes times = builder.build();
  CHECK(times.sum(4'000'000'000) == times.sum(2'147'483'647));
  CHECK(times.sum(4'000'000'000) < 6);
}

TEST_CASE("a spool that is full is emptied into the bins and goes on") {
  DropTimesBuilder builder;
  constexpr std::int64_t points = 300'000;
  for (std::int64_t i = 0; i < points; ++i) builder.add(60 * i);
  const DropTimes times = builder.build();
  std::int64_t sum = 0;
  for (const auto& bin : times.bins()) sum += bin.count;
  CHECK(sum == points);
  CHECK(times.bins().size() == 100);
  CHECK(std::ranges::is_sorted(times.bins(), {}, &DropTimes::Bin::point_s));
}

namespace {

constexpr std::size_t plain_spool = 131'072;

Seconds up_to_a_minute(Seconds point_s) { return (point_s + 59) / 60 * 60; }

/// StreamingTombstoneHistogramBuilder.flushHistogram as it reads: cell by cell, all neighbours compared each time.
void flush_plainly(std::vector<std::pair<Seconds, std::int64_t>>& spool, std::vector<DropTimes::Bin>& bins) {
  for (auto& [point_s, count] : spool) {
    if (count == 0) continue;
    auto place = std::ranges::lower_bound(bins, point_s, {}, &DropTimes::Bin::point_s);
    if (place != bins.end() && place->point_s == point_s) {
      place->count += count;
    } else {
      bins.insert(place, {.point_s = point_s, .count = count});
    }
    count = 0;
    if (bins.size() <= 100) continue;
    auto left = bins.begin();
    for (auto pair = left + 1; pair + 1 != bins.end(); ++pair) {
      if ((pair + 1)->point_s - pair->point_s < (left + 1)->point_s - left->point_s) left = pair;
    }
    const DropTimes::Bin right = *(left + 1);
    const std::int64_t both = left->count + right.count;
    const Seconds mean_s = (left->point_s * left->count + right.point_s * right.count) / both;
    const Seconds between_s = std::min(std::max(mean_s, left->point_s + 1), right.point_s);
    *left = {.point_s = up_to_a_minute(between_s), .count = both};
    bins.erase(left + 1);
  }
}

std::vector<DropTimes::Bin> plain_bins(const std::vector<std::pair<Seconds, std::int64_t>>& points) {
  std::vector<std::pair<Seconds, std::int64_t>> spool(2 * plain_spool);
  std::size_t used = 0;
  std::vector<DropTimes::Bin> bins;
  const auto put = [&](Seconds point_s, std::int64_t count) {
    const std::size_t first = static_cast<std::uint32_t>(static_cast<std::uint64_t>(point_s) * 948'701'839U);
    for (std::size_t attempt = 0; used <= plain_spool && attempt < 100; ++attempt) {
      auto& cell = spool[(first % plain_spool + attempt) % spool.size()];
      if (cell.second > 0 && cell.first != point_s) continue;
      used += cell.second == 0 ? 1 : 0;
      cell = {point_s, cell.second + count};
      return true;
    }
    return false;
  };
  for (const auto& [point_s, count] : points) {
    if (put(up_to_a_minute(point_s), count)) continue;
    flush_plainly(spool, bins);
    used = 0;
    put(up_to_a_minute(point_s), count);
  }
  flush_plainly(spool, bins);
  return bins;
}

}  // namespace

TEST_CASE("bins are those of the engine's class as it reads, however many points there are and in whatever order") {
  RandomStream random(11, "points");
  const auto below = [&random](std::int64_t end) {
    return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(end));
  };
  constexpr Seconds t0 = 1'767'225'600;
  for (const std::int64_t minutes : {60, 100, 101, 140, 1'440, 7'000, 20'000, 150'000}) {
    for (int run = 0; run < 4; ++run) {
      CAPTURE(minutes);
      CAPTURE(run);
      std::vector<std::pair<Seconds, std::int64_t>> points;
      for (std::int64_t i = 0; i < minutes; ++i) {
        const Seconds at_s = run == 0   ? 60 * i
                             : run == 1 ? 60 * below(minutes)
                             : run == 2 ? 60 * (i + i / 500 * 3'000)
                                        : below(60 * minutes * (1 + below(5)));
        points.emplace_back(t0 + at_s, 1 + (run % 2 == 0 ? 0 : below(10'000)));
      }
      DropTimesBuilder builder;
      for (const auto& [point_s, count] : points) builder.add(point_s, count);
      const DropTimes built = builder.build();
      CHECK(std::ranges::equal(built.bins(), plain_bins(points)));
    }
  }
}

TEST_CASE("no sum is above what it is said to stay below; whatever the points") {
  RandomStream random(7, "spans of points");
  const auto below = [&random](std::int64_t end) {
    return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(end));
  };
  int waited = 0;  // for more than the first point
  for (int run = 0; run < 400; ++run) {
    DropTimesBuilder builder;
    std::vector<PointsWithin> spans;
    std::int64_t all = 0;
    Seconds first_s = INT64_MAX;
    Seconds last_s = INT64_MIN;
    for (std::int64_t i = 0; i <= below(4); ++i) {
      const Seconds at_s = 1'767'225'600 + below(90 * seconds_per_day);
      const Seconds length_s = 1 + below(run % 2 == 0 ? 3'600 : 10 * seconds_per_day);
      const std::int64_t places = 1 + below(800);
      const std::int64_t most = 1 + below(run % 3 == 0 ? 5 : 10'000'000);
      spans.push_back({.first_s = at_s, .last_s = at_s + length_s, .points = 0});
      for (std::int64_t k = 0; k < places; ++k) {
        const std::int64_t points = 1 + below(most);
        builder.add(at_s + below(length_s + 1), points);
        spans.back().points += points;
      }
      all += spans.back().points;
      first_s = std::min(first_s, at_s);
      last_s = std::max(last_s, at_s + length_s);
    }
    const DropTimes times = builder.build();
    for (const double share : {0.001, 0.02, 0.1, 0.2, 0.5, 0.9, 0.999, 1.0}) {
      const double points = share * static_cast<double>(all);
      const Seconds until_s = std::min(sum_stays_below_until(spans, points), last_s + 60);
      CAPTURE(run);
      CAPTURE(share);
      CHECK(until_s >= first_s - 1);
      CHECK(times.sum(until_s) <= points * (1 + 1e-9));
      waited += until_s > first_s + 3'600 ? 1 : 0;
    }
  }
  CHECK(waited > 800);
}

TEST_CASE("three hundredths that expire after a week do not reach a fifth for six more") {
  constexpr Seconds day = seconds_per_day;
  const std::vector<PointsWithin> spans = {{.first_s = 7 * day, .last_s = 17 * day, .points = 3},
                                           {.first_s = 90 * day, .last_s = 100 * day, .points = 97}};
  CHECK(sum_stays_below_until(spans, 20) / day == 7 + 49);  // 3 + 97 / 2 * (49 / 83)^2 is 20
  CHECK(sum_stays_below_until(spans, 2) == 7 * day - 1);
  CHECK(sum_stays_below_until(spans, 60) == 90 * day - 1);
  CHECK(sum_stays_below_until(spans, 100) == no_deletion_time);
  CHECK(sum_stays_below_until({}, 0) == no_deletion_time);
}

// The table behind the data: see tests/data/stats/README.md.
DropTimes drop_times_of_rows(Seconds from_s, Seconds to_s) {
  constexpr Seconds start = 1'767'225'600;
  std::vector<std::tuple<Token, Seconds>> rows;  // partition, time of event
  for (std::int64_t row = 0;; ++row) {
    const std::int64_t entity = row % 40;
    const Seconds event = start + entity * 15 + row / 40 * 600;
    if (event > to_s) break;
    if (event <= from_s) continue;
    const std::string key =
        "m" + std::to_string(entity) + ":" + std::to_string(event / seconds_per_day * seconds_per_day);
    rows.emplace_back(murmur3_token(key), event);
  }
  std::sort(rows.begin(), rows.end());
  DropTimesBuilder builder;
  for (const auto& [token, event] : rows) {
    builder.add(event + 1'728'000);  // row liveness
    builder.add(event + 1'728'000);  // its one cell
  }
  return builder.build();
}

TEST_CASE("flushed and compacted rows give the recorded bins") {
  for (const std::string& line : data_lines("tests/data/stats/drop_times.csv")) {
    const auto fields = split(line, ',');
    std::vector<DropTimes::Bin> expected;
    for (const std::string& bin : split(fields[2], ';')) {
      const auto parts = split(bin, ':');
      expected.push_back({.point_s = std::stoll(parts[0]), .count = std::stoll(parts[1])});
    }
    const DropTimes ours = drop_times_of_rows(std::stoll(fields[0]), std::stoll(fields[1]));
    CHECK_MESSAGE(std::ranges::equal(ours.bins(), expected), line.substr(0, 40));
  }
}

}  // namespace windrow
