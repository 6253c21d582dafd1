#include "sim/content/smooth_cut.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <tuple>

#include "sim/content/measure.h"
#include "sim/content/merge.h"
#include "tests/content/interval_case.h"

namespace {

using namespace windrow;
using namespace windrow::test;

template <typename Number>
Number sum_of(const std::vector<CutContent>& outputs, Number FileExtremes::*field) {
  return std::accumulate(outputs.begin(), outputs.end(), Number{0},
                         [&](Number sum, const CutContent& output) { return sum + (*output.extremes).*field; });
}

void near(std::int64_t ours, std::int64_t other, double share, std::int64_t least) {
  CHECK(std::abs(ours - other) <= std::max<std::int64_t>(least, std::llround(share * static_cast<double>(other))));
}

/// Outputs hold what the whole holds, lie apart, and what is said of each is what is found when it is measured alone.
void cut_well(const ContentSpace& space, const Content& whole, const std::vector<CutContent>& outputs, double limit) {
  const FileExtremes all = measure_by_intervals(space, whole).extremes;
  CHECK(sum_of(outputs, &FileExtremes::rows) == all.rows);
  CHECK(sum_of(outputs, &FileExtremes::cells) == all.cells);
  CHECK(sum_of(outputs, &FileExtremes::uncompressed_bytes) == all.uncompressed_bytes);
  near(sum_of(outputs, &FileExtremes::partitions), all.partitions, 0.001, 2);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    CAPTURE(i);
    const FileExtremes& extremes = *outputs[i].extremes;
    if (i > 0) CHECK(outputs[i - 1].token_span->second < outputs[i].token_span->first);
    if (i + 1 < outputs.size()) CHECK(std::abs(static_cast<double>(extremes.uncompressed_bytes) / limit - 1) < 0.02);
    const Content content = outputs[i].whole();
    const FileExtremes alone = measure_by_intervals(space, content).extremes;
    CHECK(extremes.rows == counted_rows(space, content));
    CHECK(*outputs[i].token_span == space.token_span(content));
    CHECK(extremes.rows == alone.rows);
    CHECK(extremes.cells == alone.cells);
    CHECK(extremes.min_timestamp_us == alone.min_timestamp_us);
    CHECK(extremes.max_timestamp_us == alone.max_timestamp_us);
    CHECK(extremes.min_local_deletion_time_s == alone.min_local_deletion_time_s);
    CHECK(extremes.max_local_deletion_time_s == alone.max_local_deletion_time_s);
    CHECK(extremes.max_ttl_s == alone.max_ttl_s);
    near(extremes.uncompressed_bytes, alone.uncompressed_bytes, 0.01, 100);
    near(extremes.partitions, alone.partitions, 0.02, 3);
  }
}

TEST_CASE("files cut from smooth content hold together what it holds, each what is said of it, also when cut again") {
  const std::vector<Case> cases = {
      {.entities = 5'000},
      {.entities = 5'000, .ttl_s = 90'000},
      {.entities = 3'000, .ttl_s = 90'000, .sizes = {10, 11, 12, 13, 60}, .late_every = 5},
      {.entities = 7'000, .bucket_s = 0},
  };
  for (const Case& what : cases) {
    CAPTURE(what.entities);
    CAPTURE(what.late_every);
    const TableWorkload workload = workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    const Content older = content_of(workload, what, 0, 500'000, RowState::live);
    const double limit = static_cast<double>(measure_by_intervals(space, older).extremes.uncompressed_bytes) / 7.3;
    const std::vector<CutContent> outputs = cut_smooth(space, older, limit);
    CHECK(outputs.size() == 8);
    cut_well(space, older, outputs, limit);

    // Newer rows meet three of the outputs, and what comes of it is cut once more.
    const Content newer = content_of(workload, what, 500'000, 600'000, RowState::live);
    std::vector<MergeInput> inputs;
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}, std::size_t{4}})
      inputs.push_back({.counted_rows = outputs[i].extremes->rows, .rows = outputs[i].piece.rows});
    const Content part = restrict_to(space, newer, outputs[3].token_span->first, outputs[4].token_span->first);
    inputs.push_back({.content = &part, .counted_rows = counted_rows(space, part)});
    MergeLedger ledger;
    Content merged = merge_contents(space, inputs, {.now_s = 0, .gc_before_s = 0}, {}, true, &ledger);
    // The same as if each file had said for itself what it holds.
    const Content wholes[] = {outputs[2].whole(), outputs[3].whole(), outputs[4].whole()};
    for (std::size_t i = 0; i < 3; ++i) inputs[i] = {.content = &wholes[i], .counted_rows = inputs[i].counted_rows};
    const Content again = merge_contents(space, inputs, {.now_s = 0, .gc_before_s = 0}, {}, true, &ledger);
    REQUIRE(again.cohorts.size() == merged.cohorts.size());
    for (std::size_t i = 0; i < merged.cohorts.size(); ++i) {
      CHECK(alike(again.cohorts[i], merged.cohorts[i]));
      CHECK(again.cohorts[i].from == merged.cohorts[i].from);
      CHECK(again.cohorts[i].to == merged.cohorts[i].to);
    }
    merged.bases = older.bases;
    CHECK(ledger.out == counted_rows(space, merged));
    CHECK(ledger.out == ledger.in);
    cut_well(space, merged, cut_smooth(space, merged, limit), limit);
  }
}

TEST_CASE("where a cohort has rows of some of each bucket's partitions, all buckets have what each has by itself") {
  const Case what{.entities = 20'000, .late_every = 40};
  const TableWorkload workload = workload_of(what);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  for (const Token width : {Token{1} << 50, Token{1} << 56, Token{1} << 61}) {
    CAPTURE(width);
    Content content = content_of(workload, what, 0, 20'000'000, RowState::live);
    for (Cohort& cohort : content.cohorts) cohort.last_token = cohort.first_token + width;
    for (const Cohort& cohort : content.cohorts) {
      const auto [first, last] = space.buckets(cohort);
      REQUIRE(last - first > 10);
      std::int64_t one_by_one = 0;
      for (std::int64_t bucket = first; bucket <= last; ++bucket) {
        Cohort part = cohort;
        std::tie(part.from, part.to) = space.members_in(cohort, bucket);
        if (space.any(part)) one_by_one += space.count_partitions({&part, 1}).first;
      }
      const std::int64_t together = space.count_partitions({&cohort, 1}).first;
      // Partitions are whole numbers: each bucket may be half of one off. Buckets that differ by a hundredth count
      // alike.
      const std::int64_t rounded = (last - first + 1) / 2;
      CHECK(together <= space.members(cohort) * 101 / 100 + rounded);
      near(together, one_by_one, 0.02, rounded);
    }
  }
}

TEST_CASE("members of some of the partitions of a cohort that is cut by token, in one bucket or in many") {
  for (const Seconds bucket_s : {Seconds{0}, Seconds{3'600}}) {
    CAPTURE(bucket_s);
    const Case what{.entities = 3'000, .bucket_s = bucket_s};
    const TableWorkload workload = workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    Content content = content_of(workload, what, 190'000, 320'000, RowState::live);
    Cohort& cohort = content.cohorts.front();
    cohort.last_token = cohort.first_token + (Token{1} << 61);
    SlotSet some(3'000);
    for (std::size_t slot = 0; slot < some.size(); ++slot) some[slot] = slot % 3 == 0;
    cohort.slots = std::make_shared<const SlotSet>(some);
    std::int64_t one_by_one = 0;
    for (std::int64_t member = cohort.from; member < cohort.to; ++member) {
      Cohort one = cohort;
      one.from = member;
      one.to = member + 1;
      one.slots = nullptr;
      if (some[static_cast<std::size_t>(member % 3'000)]) one_by_one += space.members(one);
    }
    CHECK(one_by_one > 1'000);
    CHECK(space.members(cohort) == one_by_one);

    // Of all tokens, from within a turn to within another, or around the end of one.
    Cohort whole = cohort;
    whole.last_token = max_token;
    REQUIRE_FALSE(whole.cut_by_tokens());
    for (const auto& [from, to] :
         {std::pair(190'500, 319'999), std::pair(191'900, 193'100), std::pair(192'001, 192'002)}) {
      std::int64_t in_set = 0;
      for (std::int64_t member = from; member < to; ++member)
        in_set += some[static_cast<std::size_t>(member % 3'000)] ? 1 : 0;
      whole.from = from;
      whole.to = to;
      CHECK(space.members(whole) == in_set);
    }
  }
}

TEST_CASE("drop times of a file that was cut: no more bins than the engine has, and every point in them") {
  const Case what{.entities = 5'000, .ttl_s = 90'000, .late_every = 5};
  const TableWorkload workload = workload_of(what);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const Content whole = content_of(workload, what, 0, 500'000, RowState::live);
  for (const CutContent& output : cut_smooth(space, whole, 2e6)) {
    const FileHistograms histograms = histograms_by_intervals(space, output.whole());
    const auto bins = histograms.drop_times.bins();
    CHECK(bins.size() <= 100);
    CHECK(bins.size() > 80);
    std::int64_t points = 0;
    for (const DropTimes::Bin& bin : bins) points += bin.count;
    CHECK(points == 2 * output.extremes->rows);  // liveness and a cell
    CHECK(bins.front().point_s >= output.extremes->min_local_deletion_time_s);
    CHECK(bins.back().point_s >= output.extremes->max_local_deletion_time_s);
  }
}

}  // namespace
