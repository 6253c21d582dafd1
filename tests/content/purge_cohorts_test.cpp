#include "sim/content/purge_cohorts.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/content/merge.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

constexpr auto ttl_s = 600;

struct OnLattice {
  OnLattice() { space.use_lattice(); }
  const Case what{.entities = 2'000, .bucket_s = 36'000, .ttl_s = ttl_s};
  const TableWorkload workload = test::workload_of(what);
  ContentSpace space{workload, 9, SSTableFormat::oa};
};

TEST_CASE("between neighbours' tokens, where a cohort has no row, it is not cut; where it has some, they go") {
  const OnLattice lattice;
  const ContentSpace& space = lattice.space;
  const TableWorkload& workload = lattice.workload;
  const Writer& writer = workload.writers().front();
  const SubStream& sub = workload.sub_streams().front();
  const std::int64_t bucket = writer.bucket_of(sub.row(200'000));
  const std::int64_t first = sub.count_before_bucket(bucket);

  const Token middle = 1'000'000'000'000;
  for (const Token apart : {Token{1}, max_token / 1'000'000, max_token / 4}) {
    CAPTURE(apart);
    // Two neighbours in a run, of older rows of the same partitions.
    Content left = test::content_of(workload, lattice.what, first, first + 2'000, RowState::live);
    Content right = left;
    left.cohorts.front().last_token = middle;
    right.cohorts.front().first_token = middle + apart + 1;
    const Micros oldest_us = sub.timestamp(first);
    const std::vector<OverlapSource> sources{
        {.min_timestamp_us = oldest_us, .content = &left, .last_token = middle},
        {.min_timestamp_us = oldest_us, .content = &right, .first_token = middle + apart + 1}};

    std::vector<Cohort> cohorts =
        test::content_of(workload, lattice.what, first + 10'000, first + 10'120, RowState::live).cohorts;
    const Cohort whole = cohorts.front();
    Cohort between = whole;
    between.first_token = middle + 1;
    between.last_token = middle + apart;
    const Seconds written_s = sub.arrival_s(first + 10'119);
    const PurgeTimes times{.now_s = written_s + 100'000, .gc_before_s = written_s + 90'000};
    CHECK(purge_cohorts(space, cohorts, times, sources));

    CHECK(space.rows(std::span<const Cohort>(cohorts)) == space.rows(whole) - space.rows(between));
    for (const Cohort& cohort : cohorts) CHECK(cohort.state == RowState::cells_dead);
    CHECK(cohorts.size() == (space.rows(between) == 0 ? 1 : 2));

    // The same rows once more, in parts as they came of it.
    const std::vector<Cohort> before = cohorts;
    purge_cohorts(space, cohorts, times, sources);
    CHECK(cohorts.size() == before.size());
    CHECK(space.rows(std::span<const Cohort>(cohorts)) == space.rows(std::span<const Cohort>(before)));
  }
}

TEST_CASE("where the last rows in time are of other partitions, a cohort that is cut by tokens is not cut in time") {
  const OnLattice lattice;
  const ContentSpace& space = lattice.space;
  const TableWorkload& workload = lattice.workload;
  const SubStream& sub = workload.sub_streams().front();
  const Cohort whole = test::content_of(workload, lattice.what, 10'000, 10'120, RowState::live).cohorts.front();
  const Seconds last_s = sub.arrival_s(whole.to - 1);
  const std::int64_t expired = sub.count_arrived_before_s(last_s);  // all but those of the last second
  const PurgeTimes times{.now_s = last_s + ttl_s - 1, .gc_before_s = 0};

  constexpr int intervals = 64;
  constexpr Token width = max_token / (intervals / 2);
  Token next_token = min_token + 1;
  int without = 0;
  for (int i = 0; i < intervals; ++i) {
    CAPTURE(i);
    Cohort cohort = whole;
    cohort.first_token = next_token;
    cohort.last_token = next_token + (width - 1);
    if (i + 1 < intervals) next_token += width;
    Cohort late = cohort;
    late.from = expired;
    std::vector<Cohort> cohorts{cohort};
    if (!space.any(cohort)) continue;
    CHECK(purge_cohorts(space, cohorts, times, {}));
    without += space.any(late) ? 0 : 1;
    CHECK(cohorts.size() == (space.any(late) ? 2 : 1));
    CHECK(cohorts.front().state == RowState::cells_dead);
    CHECK(cohorts.front().to == (space.any(late) ? expired : whole.to));
    CHECK(space.rows(std::span<const Cohort>(cohorts)) == space.rows(cohort));
  }
  CHECK(without > 0);
  CHECK(without < intervals);
}

}  // namespace
}  // namespace windrow
