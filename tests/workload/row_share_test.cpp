#include "sim/workload/row_share.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/workload/share_forest.h"

namespace windrow {
namespace {

/// rank and row of a share, held to its members one by one.
void check_members(const RowShare& share, std::int64_t rows) {
  std::int64_t rank = 0;
  for (std::int64_t g = 0; g < rows; ++g) {
    REQUIRE(share.rank(g) == rank);
    if (share.rank(g + 1) == rank) continue;
    REQUIRE(share.rank(g + 1) == rank + 1);
    REQUIRE(share.row(rank) == g);
    ++rank;
  }
}

TEST_CASE("parts of a mix are all rows, each its share to a row a division") {
  const std::vector<std::vector<std::int64_t>> mixes = {
      {30'000, 970'000},
      {400, 999'600},
      {1, 999'999},
      {500'000, 500'000},
      {999'999, 1},
      {1'250, 1'250, 1'250, 1'250, 1'250, 1'250, 1'250, 1'250, 990'000},
      {100'000, 90'000, 80'000, 130'000, 7, 3, 99'990, 200'000, 200'000, 200'000},
      {1, 1},
      {2, 3, 5},
      {7, 7, 7},
      {90, 30, 30, 30, 30, 20, 20, 20, 1},
  };
  for (const std::vector<std::int64_t>& weights : mixes) {
    CAPTURE(weights);
    const double all = static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
    const std::vector<RowShare> parts = RowShare().divide(weights, 1);
    REQUIRE(parts.size() == weights.size());
    for (const RowShare& part : parts) check_members(part, 5'000);
    for (const std::int64_t g : {1LL, 999LL, 1'000'000LL, 123'456'789LL, 4'000'000'000'000LL}) {
      std::int64_t rows = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::int64_t here = parts[i].rank(g);
        rows += here;
        const double due = static_cast<double>(g) * (static_cast<double>(weights[i]) / all);
        CHECK(std::abs(static_cast<double>(here) - due) < 4 + due * 1e-12);
        if (here > 0) CHECK(parts[i].rank(parts[i].row(here - 1)) == here - 1);
        CHECK(parts[i].row(here) >= g);
      }
      CHECK(rows == g);
    }
  }
}

TEST_CASE("what is divided again keeps both shares, and one tells nothing of the other") {
  const std::vector<RowShare> late = RowShare().divide({10'000, 990'000}, 0x100);
  std::int64_t with_ttl = 0;
  for (const RowShare& each : late) {
    const std::vector<RowShare> ttl = each.divide({400, 999'600}, 0x200);
    with_ttl += ttl.front().rank(1'000'000'000);
    for (const RowShare& both : ttl) check_members(both, 3'000);
  }
  CHECK(std::abs(with_ttl - 400'000) <= 2);
  const std::int64_t late_with_ttl = late.front().divide({400, 999'600}, 0x200).front().rank(1'000'000'000);
  CHECK(std::abs(late_with_ttl - 4'000) <= 2);
}

TEST_CASE("a share of few rows goes through all remainders") {
  // Every hundredth row of fifty devices that take turns: not always the same device.
  const RowShare share = RowShare().split(1, 100, 7).first;
  std::vector<int> hits(50, 0);
  for (std::int64_t j = 0; j < 5'000; ++j) ++hits[static_cast<std::size_t>(share.row(j) % 50)];
  CHECK(*std::ranges::min_element(hits) > 60);
  CHECK(*std::ranges::max_element(hits) < 140);
}

TEST_CASE("shares counted together are each counted alone") {
  std::vector<RowShare> parts;
  for (const RowShare& late : RowShare().divide({1'250, 1'250, 1'250, 5'000, 991'250}, 0x100)) {
    for (RowShare& each : late.divide({30'000, 30'000, 20, 20, 20, 20, 1, 939'919}, 0x200))
      parts.push_back(std::move(each));
  }
  parts.erase(parts.begin() + 5);  // not all of them
  parts.emplace_back();
  parts.push_back(RowShare::remainders(12, {3, 5, 11}));
  std::vector<const RowShare*> shares;
  for (const RowShare& part : parts) shares.push_back(&part);
  const ShareForest tree(shares);
  std::vector<std::int64_t> ranks(parts.size());
  for (std::int64_t g = 0; g < 4'000'000'000'000; g += 1 + g / 3) {
    tree.ranks(g, ranks);
    for (std::size_t i = 0; i < parts.size(); ++i) REQUIRE(ranks[i] == parts[i].rank(g));
  }
}

TEST_CASE("shares of several groups counted at once are each counted alone, by the rows of its group") {
  std::vector<RowShare> parts;
  for (const RowShare& late : RowShare().divide({1'250, 1'250, 1'250, 5'000, 991'250}, 0x100)) {
    for (RowShare& each : late.divide({30'000, 30'000, 20, 20, 20, 20, 1, 939'919}, 0x200))
      parts.push_back(std::move(each));
  }
  parts.push_back(RowShare::remainders(12, {3, 5, 11}));
  parts.emplace_back();
  std::vector<std::vector<const RowShare*>> groups(4);
  for (std::size_t i = 0; i < parts.size(); ++i) groups[i < 6 ? 0 : i < 7 ? 1 : i < 13 ? 2 : 3].push_back(&parts[i]);
  const ShareForest forest(groups);
  std::vector<std::int64_t> ranks(parts.size());
  for (std::int64_t g = 0; g < 4'000'000'000'000; g += 1 + g / 3) {
    const std::vector<std::int64_t> rows = {g, g / 2, g + 12'345, g / 7};
    forest.ranks(rows, ranks);
    std::size_t i = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (const RowShare* share : groups[group]) REQUIRE(ranks[i++] == share->rank(rows[group]));
    }
  }
}

TEST_CASE("several row numbers of each group are counted at once as one after the other") {
  std::vector<RowShare> parts = RowShare().divide({3, 3, 3, 3, 70, 18}, 0x100);
  for (RowShare& each : parts[4].divide({1, 1, 5}, 0x200)) parts.push_back(std::move(each));
  parts.erase(parts.begin() + 4);
  parts.push_back(RowShare::remainders(12, {3, 5, 11}));
  parts.push_back(parts[1]);  // counted twice
  std::vector<std::vector<const RowShare*>> groups(2);
  for (std::size_t i = 0; i < parts.size(); ++i) groups[i < 3 ? 0 : 1].push_back(&parts[i]);
  const ShareForest forest(groups);
  for (const std::size_t wide : {1, 2, 63, 64, 65, 150}) {
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < 2 * wide; ++i) rows.push_back(static_cast<std::int64_t>(i * i * 977));
    std::vector<std::int64_t> ranks(parts.size() * wide);
    forest.ranks(rows, ranks);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (std::size_t i = 0; i < wide; ++i)
        REQUIRE(ranks[part * wide + i] == parts[part].rank(rows[(part < 3 ? 0 : wide) + i]));
    }
  }
}

TEST_CASE("remainders are every k-th row") {
  check_members(RowShare::remainders(12, {3, 5, 11}), 1'000);
  CHECK(RowShare::remainders(3, {0, 1, 2}).whole());
  CHECK(RowShare::remainders(5, {4}).row(7) == 39);
}

}  // namespace
}  // namespace windrow
