#include "sim/content/purge_limits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

std::shared_ptr<const SlotSet> some_slots(std::mt19937& dice, std::int64_t slots) {
  SlotSet set(static_cast<std::size_t>(slots));
  for (std::size_t slot = 0; slot < set.size(); ++slot) set[slot] = dice() % 3 != 0;
  return std::make_shared<const SlotSet>(std::move(set));
}

/// The rule, partition by partition: the minimum timestamp of the first source, by time, that has rows of it.
Micros limit_of(const ContentSpace& space, const std::vector<OverlapSource>& sources, std::int64_t bucket,
                std::int64_t slot, Micros newest_us) {
  for (const OverlapSource& source : sources) {
    if (source.min_timestamp_us > newest_us) break;
    if (source.any_key || space.presence(source.content->cohorts, 0, bucket).holds(slot))
      return source.min_timestamp_us;
  }
  return no_timestamp;
}

TEST_CASE("each partition of a cohort has one limit: that of the first source that has some of it") {
  std::mt19937 dice(18);
  int divided = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Case what{.entities = test::between(dice, 1, 300), .shards = test::between(dice, 1, 3), .bucket_s = 7'200};
    const TableWorkload workload = test::workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    const bool lattice = dice() % 2 == 0;
    if (lattice) space.use_lattice();
    const Writer& writer = workload.writers().front();
    const SubStream& sub = workload.sub_streams().front();
    const std::int64_t rows = sub.count_before_bucket(writer.bucket_of(0) + 3);
    std::vector<Content> contents;
    for (std::int64_t left = test::between(dice, 0, 12); left > 0; --left) {
      const std::int64_t from = test::between(dice, 0, rows - 1);
      const std::int64_t to = std::min(rows, from + test::between(dice, 1, 1 + writer.most_slots()));
      contents.push_back(test::content_of(workload, what, from, to, RowState::live));
      Cohort& cohort = contents.back().cohorts.front();
      const bool of_several_buckets = round % 3 == 0;
      if (!of_several_buckets)
        cohort.to = std::min(cohort.to, sub.count_before_bucket(writer.bucket_of(cohort.from) + 1));
      if (dice() % 4 == 0) cohort.slots = some_slots(dice, writer.most_slots());
    }
    std::vector<OverlapSource> sources;
    for (const Content& content : contents)
      sources.push_back({.min_timestamp_us = sub.timestamp(content.cohorts.front().from), .content = &content});
    if (dice() % 8 == 0)
      sources.push_back(
          {.min_timestamp_us = sub.timestamp(rows / 2), .content = &contents.emplace_back(), .any_key = true});
    for (std::size_t i = 0; i < contents.size(); ++i) sources[i].content = &contents[i];
    std::ranges::stable_sort(sources, {}, &OverlapSource::min_timestamp_us);
    std::vector<Cohort> cohorts;
    for (std::int64_t bucket = writer.bucket_of(0); bucket < writer.bucket_of(0) + 3; ++bucket) {
      Cohort cohort{.from = sub.count_before_bucket(bucket), .to = sub.count_before_bucket(bucket + 1)};
      cohorts.push_back(cohort);
      cohort.slots = some_slots(dice, writer.most_slots());
      cohorts.push_back(cohort);
      if (lattice) continue;
      const auto& tokens = space.tokens().of(writer, bucket).by_slot();
      const Token one = tokens[static_cast<std::size_t>(test::between(dice, 0, std::ssize(tokens) - 1))];
      const Token other = tokens[static_cast<std::size_t>(test::between(dice, 0, std::ssize(tokens) - 1))];
      std::tie(cohort.first_token, cohort.last_token) = std::minmax({one, other});
      cohorts.push_back(cohort);
    }
    PurgeLimits limits(space, sources, tokens_of(cohorts));
    for (const Cohort& cohort : cohorts) {
      const std::int64_t bucket = writer.bucket_of(sub.row(cohort.from));
      const Micros newest_us = sub.timestamp(test::between(dice, cohort.from, cohort.to - 1));
      const std::vector<PurgeLimit> found = limits.of(cohort, bucket, newest_us);
      if (found.size() > 1) ++divided;
      for (std::int64_t slot = 0; slot < writer.slots(bucket); ++slot) {
        if (!space.admits(cohort, bucket, slot)) continue;
        std::vector<Micros> its;
        for (const PurgeLimit& limit : found) {
          if (!limit.slots || (*limit.slots)[static_cast<std::size_t>(slot)]) its.push_back(limit.below_us);
        }
        CAPTURE(slot);
        REQUIRE(its.size() == 1);
        CHECK(its.front() == limit_of(space, sources, bucket, slot, newest_us));
      }
    }
  }
  CHECK(divided > 500);
}

}  // namespace
}  // namespace windrow
