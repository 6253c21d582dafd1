#include "sim/content/row_sets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

/// How many of the cohorts hold a member.
std::int64_t holders(const ContentSpace& space, const std::vector<Cohort>& cohorts, std::int64_t member) {
  return std::ranges::count_if(cohorts, [&](Cohort cohort) {
    if (member < cohort.from || member >= cohort.to) return false;
    cohort.from = member;
    cohort.to = member + 1;
    return space.any(cohort);
  });
}

TEST_CASE("what is left of rows without others is theirs alone, once, and whole where they have nothing in common") {
  const Case what{.entities = 60, .bucket_s = 7'200};
  const TableWorkload workload = test::workload_of(what);
  std::mt19937 dice(18);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    if (dice() % 2 == 0) space.use_lattice();
    constexpr std::int64_t members = 400;
    const auto cohort = [&](std::int64_t first, std::int64_t last) {
      Cohort some{.from = test::between(dice, first, last)};
      some.to = test::between(dice, some.from, last);
      if (dice() % 3 == 0) return some;
      const Token one = test::between(dice, min_token, max_token);
      const Token other = test::between(dice, min_token, max_token);
      std::tie(some.first_token, some.last_token) = std::minmax(one, other);
      return some;
    };
    const std::vector<Cohort> rows{cohort(0, members / 2), cohort(members / 2, members)};
    std::vector<Cohort> others;
    for (std::int64_t left = test::between(dice, 1, 5); left > 0; --left) others.push_back(cohort(0, members));
    const std::vector<Cohort> rest = rows_without(space, rows, others);
    for (std::int64_t member = 0; member < members; ++member) {
      const bool expected = holders(space, rows, member) > 0 && holders(space, others, member) == 0;
      REQUIRE(holders(space, rest, member) == (expected ? 1 : 0));
    }
    const auto apart = [&](const Cohort& other) {
      return std::ranges::none_of(rows, [&](const Cohort& mine) { return rows_in_both(mine, other).has_value(); });
    };
    if (std::ranges::all_of(others, apart)) CHECK(rest.size() == rows.size());
  }
}

TEST_CASE("members that some replica sets hold are as many as those that are looked at one by one") {
  const Case what{.entities = 60, .bucket_s = 7'200};
  constexpr int sets = 7;
  std::mt19937 dice(21);
  Writer writer = test::writer_of(what);
  const std::int64_t first_bucket = writer.bucket_of(0);
  std::vector<SlotSets::Bucket> buckets(20);
  for (SlotSets::Bucket& bucket : buckets) {
    for (std::int64_t slot = 0; slot < writer.most_slots(); ++slot)
      bucket.push_back(static_cast<std::uint16_t>(test::between(dice, 0, sets)));
  }
  writer.sets = std::make_shared<const SlotSets>(first_bucket, std::move(buckets));
  TableWorkload workload;
  workload.add(std::move(writer), test::late_fate(0, 5'000), 1'767'225'600 + 300'000);
  workload.finish(1'000);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    SetMask some(sets);
    for (std::size_t set = 0; set < sets; ++set) {
      if (dice() % 3 == 0) some.add(set);
    }
    Cohort cohort{.from = test::between(dice, 0, 900)};
    cohort.to = cohort.from + (round % 2 == 0 ? test::between(dice, 0, 12) : test::between(dice, 0, 400));
    cohort.sets = std::make_shared<const SetMask>(some);
    std::int64_t expected = 0;
    for (std::int64_t member = cohort.from; member < cohort.to; ++member) {
      Cohort one = cohort;
      one.from = member;
      one.to = member + 1;
      expected += space.any(one) ? 1 : 0;
    }
    CHECK(space.members(cohort) == expected);
  }
}

}  // namespace
}  // namespace windrow
