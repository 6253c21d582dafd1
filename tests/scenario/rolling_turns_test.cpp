#include "sim/scenario/rolling_turns.h"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "sim/workload/rhythm.h"

namespace windrow {
namespace {

constexpr Micros hour_us = 3600 * us_per_s;

class Keys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t label, std::int64_t shard) const override {
    return std::to_string(entity) + ":" + std::to_string(label / 3600 % 24) + ":" + std::to_string(shard);
  }
};

WriterSpec rolling(std::int64_t rows, Micros period_us, Micros from_us, Micros until_us) {
  WriterSpec spec;
  spec.entities = 5;
  spec.keys = std::make_shared<Keys>();
  spec.from_us = from_us;
  spec.until_us = until_us;
  spec.rate = {{.from_us = from_us, .rows = rows, .period_us = period_us}};
  spec.bucket = BucketRule::every(3600);
  spec.rolling_buckets = 24;
  return spec;
}

Rhythm rhythm_of(const WriterSpec& spec) {
  Rhythm rhythm(spec.rate.front().from_us, spec.rate.front().period_us, spec.rate.front().rows, true);
  for (auto stretch = spec.rate.begin() + 1; stretch != spec.rate.end(); ++stretch)
    rhythm.change_at(stretch->from_us, stretch->period_us, stretch->rows);
  rhythm.stop_at(spec.until_us);
  return rhythm;
}

TEST_CASE("each number writes in its own hours, as many rows as the whole would") {
  WriterSpec spec = rolling(7, us_per_s, 90'000 * us_per_s, 10 * 24 * hour_us);
  spec.rate.push_back({.from_us = 5 * 24 * hour_us + 1000, .rows = 3, .period_us = us_per_s});
  const Rhythm whole = rhythm_of(spec);
  std::set<std::string> keys;
  for (const RollingTurn& turn : rolling_turns(spec)) {
    CAPTURE(turn.number);
    const Rhythm part = rhythm_of(turn.writer);
    for (Micros hour = 25; hour < 240; ++hour) {
      const std::int64_t here = part.count_before((hour + 1) * hour_us) - part.count_before(hour * hour_us);
      if (hour % 24 != turn.number) {
        CHECK(here == 0);
        continue;
      }
      const std::int64_t all = whole.count_before((hour + 1) * hour_us) - whole.count_before(hour * hour_us);
      CHECK(std::abs(here - all) <= 1);
    }
    CHECK(turn.writer.bucket.single());
    CHECK(turn.writer.keys->key(2, 0, 0) == "2:" + std::to_string(turn.number) + ":0");
    keys.insert(turn.writer.keys->key(2, 0, 0));
  }
  CHECK(keys.size() == 24);
}

TEST_CASE("what a turn could not make whole waits for the next") {
  const WriterSpec spec = rolling(1, 7 * hour_us, 0, 24 * 24 * hour_us);
  std::int64_t rows = 0;
  for (const RollingTurn& turn : rolling_turns(spec)) rows += rhythm_of(turn.writer).total();
  CHECK(rows >= rhythm_of(spec).total() - 24);
  CHECK(rows <= rhythm_of(spec).total() + 24);
}

TEST_CASE("too many buckets, and entities that all write at once, are refused") {
  WriterSpec spec = rolling(1, us_per_s, 0, 24 * hour_us);
  spec.spread = false;
  CHECK_THROWS_AS(rolling_turns(spec), std::invalid_argument);
  spec.spread = true;
  spec.rolling_buckets = 1001;
  CHECK_THROWS_AS(rolling_turns(spec), std::invalid_argument);
}

}  // namespace
}  // namespace windrow
