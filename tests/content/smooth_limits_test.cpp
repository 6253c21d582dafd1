#include "sim/content/smooth_limits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

/// Tokens of a grid, so that intervals begin and end at the same ones.
constexpr std::int64_t grid = 24;
constexpr Token step = max_token / grid * 2;
Token begin_of(std::int64_t place) { return place == 0 ? min_token : (place - grid / 2) * step; }

std::pair<Token, Token> some_tokens(std::mt19937& dice) {
  const std::int64_t first = test::between(dice, 0, grid - 1);
  const std::int64_t last = test::between(dice, first, std::min(grid - 1, first + 8));
  return {begin_of(first), last == grid - 1 ? max_token : begin_of(last + 1) - 1};
}

/// The rule at one token: the minimum timestamp of the first source, by time, that has rows of the bucket around it.
Micros limit_at(const ContentSpace& space, const std::vector<OverlapSource>& sources, std::int64_t bucket, Token token,
                Micros newest_us) {
  for (const OverlapSource& source : sources) {
    if (source.min_timestamp_us > newest_us) break;
    if (source.any_key && source.first_token <= token && token <= source.last_token) return source.min_timestamp_us;
    for (const Cohort& cohort : source.content->cohorts) {
      const auto [from, to] = space.members_in(cohort, bucket);
      if (from < to && cohort.first_token <= token && token <= cohort.last_token) return source.min_timestamp_us;
    }
  }
  return no_timestamp;
}

TEST_CASE("on a lattice each token of a cohort has the limit of the first source that has rows around it") {
  std::mt19937 dice(18);
  int cut = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Case what{.entities = test::between(dice, 200, 2'000), .bucket_s = 7'200};
    const TableWorkload workload = test::workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    const SubStream& sub = workload.sub_streams().front();
    const std::int64_t first_bucket = workload.writers().front().bucket_of(0);
    const std::int64_t rows = sub.count_before_bucket(first_bucket + 4);
    const auto some_rows = [&] {
      const std::int64_t from = test::between(dice, 0, rows - 1);
      Cohort cohort =
          test::content_of(workload, what, from, std::min(rows, from + test::between(dice, 1, rows)), RowState::live)
              .cohorts.front();
      std::tie(cohort.first_token, cohort.last_token) = some_tokens(dice);
      return cohort;
    };
    std::vector<Content> contents(static_cast<std::size_t>(test::between(dice, 1, 10)));
    for (Content& content : contents) {
      for (std::int64_t left = test::between(dice, 1, 6); left > 0; --left) content.cohorts.push_back(some_rows());
    }
    std::vector<OverlapSource> sources;
    std::vector<std::shared_ptr<const TokensByBucket>> kept(contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
      Micros oldest_us = no_timestamp;
      for (const Cohort& cohort : contents[i].cohorts)
        oldest_us = std::min(oldest_us, sub.timestamp_range(cohort.from, cohort.to).first);
      sources.push_back({.min_timestamp_us = oldest_us,
                         .content = &contents[i],
                         .any_key = dice() % 16 == 0,
                         .kept_tokens = dice() % 2 == 0 ? &kept[i] : nullptr});
    }
    std::ranges::sort(sources, {}, &OverlapSource::min_timestamp_us);

    const std::vector<Cohort> cohorts{some_rows(), some_rows()};
    SmoothLimits limits(space, sources, tokens_of(cohorts));
    for (int again = 0; again < 2; ++again) {  // what the sources keep says the same
      for (const Cohort& cohort : cohorts) {
        for (auto [bucket, last] = space.buckets(cohort); bucket <= last; ++bucket) {
          const Micros newest_us = sub.timestamp_range(0, test::between(dice, 1, rows)).second;
          const std::vector<PurgeLimit> told = limits.of(cohort, bucket, newest_us);
          cut += told.size() > 1 ? 1 : 0;
          REQUIRE(!told.empty());
          CHECK(told.front().first_token == cohort.first_token);
          CHECK(told.back().last_token == cohort.last_token);
          for (std::size_t i = 0; i < told.size(); ++i) {
            if (i > 0) {
              CHECK(told[i].first_token == told[i - 1].last_token + 1);
              CHECK(told[i].below_us != told[i - 1].below_us);
            }
            for (std::int64_t place = 0; place < grid; ++place) {
              const Token token = begin_of(place) + step / 2;
              if (token < told[i].first_token || token > told[i].last_token) continue;
              CHECK(told[i].below_us == limit_at(space, sources, bucket, token, newest_us));
            }
          }
        }
      }
    }
  }
  CHECK(cut > 100);
}

TEST_CASE("what a content holds of a bucket is told once, by joined intervals") {
  const Case what{.entities = 2'000, .bucket_s = 7'200};
  const TableWorkload workload = test::workload_of(what);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const SubStream& sub = workload.sub_streams().front();
  const std::int64_t first_bucket = workload.writers().front().bucket_of(0);
  const std::int64_t second = sub.count_before_bucket(first_bucket + 1);
  Cohort left = test::content_of(workload, what, 0, second + 10, RowState::live).cohorts.front();
  Cohort right = test::content_of(workload, what, second, second + 20, RowState::live).cohorts.front();
  left.last_token = 0;
  right.first_token = 1;
  const TokensByBucket tokens(space, std::vector<Cohort>{right, left});
  const auto held = [&](std::int64_t bucket) {
    std::vector<TokensByBucket::Interval> all;
    tokens.each_of(bucket, [&](int sub_stream, std::span<const TokensByBucket::Interval> each) {
      CHECK(sub_stream == 0);
      all.assign(each.begin(), each.end());
    });
    return all;
  };
  CHECK(held(first_bucket) == std::vector<TokensByBucket::Interval>{{min_token, 0}});
  CHECK(held(first_bucket + 1) == std::vector<TokensByBucket::Interval>{{min_token, max_token}});
  CHECK(held(first_bucket + 2).empty());
}

}  // namespace
}  // namespace windrow
