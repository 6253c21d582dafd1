#include "sim/strategy/expiry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "sim/strategy/live_set.h"
#include "sim/strategy/overlap.h"

namespace windrow {
namespace {

/// A file that says no more of itself than its tokens.
class Spanned : public Estimates {
 public:
  explicit Spanned(std::pair<Token, Token> span) : span_(span) {}
  double droppable_tombstone_ratio(Seconds) const override { return 0; }
  Seconds ratio_crosses_at(double) const override { return no_deletion_time; }
  std::int64_t estimated_keys() const override { return 1; }
  bool estimation_informative() const override { return false; }
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange>) const override { return 1; }
  std::int64_t cells_mean() const override { return 1; }
  std::int64_t cells_count() const override { return 1; }
  std::pair<Token, Token> token_span() const override { return span_; }

 private:
  std::pair<Token, Token> span_;
};

/// A file whose keys nobody may need: hashing them is the dearest question of all.
class Unasked final : public Spanned {
 public:
  Unasked() : Spanned({1, 2}) {}
  std::pair<Token, Token> token_span() const override {
    ++asked;
    return Spanned::token_span();
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
  CHECK(FullyExpired(live, third_day_has_expired_s, no_timestamp, false).among(all) ==
        std::vector<std::int64_t>{1, 2, 3});
  CHECK(estimates.asked == 0);
  // One that began before the end of the third day keeps it (rule 4.3 step 1), and the memtable may.
  SSTableView early = file_of_day(5, estimates);
  early.min_timestamp_us = 4 * 86'400 * us_per_s - 1;
  live.add({&early, 1});
  CHECK(FullyExpired(live, third_day_has_expired_s, no_timestamp, false).among(all) == std::vector<std::int64_t>{1, 2});
  CHECK(estimates.asked > 0);
  CHECK(FullyExpired(live, third_day_has_expired_s, 3 * 86'400 * us_per_s - 1, false).among(all) ==
        std::vector<std::int64_t>{1});
}

/// CompactionController.getFullyExpiredSSTables as it is written, of files none of which a memtable blocks.
std::vector<std::int64_t> plainly_expired(const std::vector<SSTableView>& live, const std::vector<std::int64_t>& ids,
                                          Seconds gc_before_s) {
  const auto is_input = [&](const SSTableView& file) { return std::ranges::find(ids, file.id) != ids.end(); };
  const auto meets_an_input = [&](const SSTableView& file) {
    return std::ranges::any_of(live, [&](const SSTableView& input) { return is_input(input) && overlap(input, file); });
  };
  Micros blocking_us = no_timestamp;
  for (const SSTableView& file : live) {
    if (file.max_local_deletion_time_s >= gc_before_s && (is_input(file) || meets_an_input(file)))
      blocking_us = std::min(blocking_us, file.min_timestamp_us);
  }
  std::vector<std::int64_t> expired;
  for (const std::int64_t id : ids) {
    const auto file = std::ranges::find(live, id, &SSTableView::id);
    if (file->max_local_deletion_time_s < gc_before_s && file->max_timestamp_us < blocking_us) expired.push_back(id);
  }
  return expired;
}

void check_what_has_expired(const CompactionOptions& options) {
  std::mt19937 random(18);
  std::mt19937 lost(52);
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  std::deque<Spanned> estimates;
  std::vector<SSTableView> files;
  LiveSet live;
  live.use(options);
  std::size_t some = 0;
  std::size_t not_all = 0;
  for (std::int64_t minute = 1; minute <= 1'500; ++minute) {
    const Token first = up_to(900);
    estimates.emplace_back(std::pair(first, first + up_to(100)));
    const std::int64_t before = up_to(50) == 0 ? up_to(minute) : 1;  // a few hold old writes
    files.push_back({.id = minute,
                     .data_bytes = 1 + up_to(50),
                     .min_timestamp_us = (minute - before) * 60 * us_per_s,
                     .max_timestamp_us = minute * 60 * us_per_s,
                     .max_local_deletion_time_s = up_to(100) == 0 ? no_deletion_time : (minute + 200) * 60,
                     .estimates = &estimates.back()});
    live.add({&files.back(), 1});
    if (minute % 10 != 0) continue;
    const auto gone = files.begin() + up_to(std::ssize(files));
    live.remove({&gone->id, 1});
    files.erase(gone);
    const std::size_t oldest = static_cast<std::size_t>(up_to(8)) * files.size() / 8;
    std::vector<std::int64_t> ids;
    for (std::size_t i = oldest; i < files.size() && ids.size() < 5; ++i) ids.push_back(files[i].id);
    const Seconds gc_before_s = (minute - up_to(300)) * 60;
    const std::vector<std::int64_t> expected = plainly_expired(files, ids, gc_before_s);
    FullyExpired of_fewer(live, gc_before_s, no_timestamp, false);
    CHECK(of_fewer.among(ids) == expected);
    for (std::vector<std::int64_t> fewer = ids; fewer.size() > 1;) {
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(lost() % fewer.size()));
      CHECK(of_fewer.among(fewer) == plainly_expired(files, fewer, gc_before_s));
    }
    some += expected.empty() ? 0 : 1;
    not_all += std::ranges::any_of(files,
                                   [&](const SSTableView& file) {
                                     return std::ranges::find(ids, file.id) != ids.end() &&
                                            file.max_local_deletion_time_s < gc_before_s &&
                                            std::ranges::find(expected, file.id) == expected.end();
                                   })
                   ? 1
                   : 0;
  }
  CHECK(some > 15);
  CHECK(not_all > 5);
}

TEST_CASE("what has expired of many files is what the plain rule says, whoever is left out") {
  SUBCASE("in a long level 0") { check_what_has_expired(LeveledOptions{}); }
  SUBCASE("in time windows") { check_what_has_expired(TimeWindowOptions{}); }
}

}  // namespace
}  // namespace windrow
