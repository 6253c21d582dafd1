#include "sim/strategy/expiry.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/strategy/live_set.h"

namespace windrow {
namespace {

/// A file whose keys nobody may need: hashing them is the dearest question of all.
class Unasked final : public Estimates {
 public:
  double droppable_tombstone_ratio(Seconds) const override { return 0; }
  Seconds ratio_crosses_at(double) const override { return no_deletion_time; }
  std::int64_t estimated_keys() const override { return 1; }
  bool estimation_informative() const override { return false; }
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange>) const override { return 1; }
  std::int64_t cells_mean() const override { return 1; }
  std::int64_t cells_count() const override { return 1; }
  std::pair<Token, Token> token_span() const override {
    ++asked;
    return {1, 2};
  }
  mutable int asked = 0;
};

SSTableView file_of_day(std::int64_t day, const Estimates& estimates) {
  return {.id = day,
          .min_timestamp_us = day * 86'400 * us_per_s,
          .max_timestamp_us = (day + 1) * 86'400 * us_per_s - 1,
          .max_local_deletion_time_s = (day + 11) * 86'400,
          .estimates = &estimates};
}

TEST_CASE("files that were written after all that has expired are not asked for their tokens") {
  LiveSet live;
  live.use(TimeWindowOptions{});
  const Unasked estimates;
  for (const std::int64_t day : {1, 2, 3, 4}) {
    const SSTableView file = file_of_day(day, estimates);
    live.add({&file, 1});
  }
  const std::vector<std::int64_t> all{1, 2, 3, 4};
  const Seconds third_day_has_expired_s = 14 * 86'400 + 1;
  CHECK(fully_expired(live, all, third_day_has_expired_s, no_timestamp, false) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(estimates.asked == 0);
  // One that began before the end of the third day keeps it (rule 4.3 step 1), and the memtable may.
  SSTableView early = file_of_day(5, estimates);
  early.min_timestamp_us = 4 * 86'400 * us_per_s - 1;
  live.add({&early, 1});
  CHECK(fully_expired(live, all, third_day_has_expired_s, no_timestamp, false) == std::vector<std::int64_t>{1, 2});
  CHECK(estimates.asked > 0);
  CHECK(fully_expired(live, all, third_day_has_expired_s, 3 * 86'400 * us_per_s - 1, false) ==
        std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace windrow
