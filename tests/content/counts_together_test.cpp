#include "sim/content/counts_together.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/content/measure.h"
#include "tests/content/mix_case.h"

namespace windrow {
namespace {

using namespace test;

/// What arrives from one time to the other, but for a cohort now and then, or some of its rows.
Content arrived_between(const TableWorkload& workload, Micros from_us, Micros to_us) {
  Content content;
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
    std::int64_t first = sub.count_arrived_before(from_us);
    std::int64_t last = sub.count_arrived_before(to_us);
    if (*rc::gen::inRange(0, 8) == 0) first += (last - first) / *rc::gen::inRange(1, 9);
    if (*rc::gen::inRange(0, 8) == 0) last -= (last - first) / *rc::gen::inRange(1, 9);
    if (first >= last) continue;
    const RowState state = *rc::gen::element(RowState::live, RowState::live, RowState::live, RowState::cells_dead);
    const auto ttl_s = static_cast<std::int32_t>(sub.ttl_s());
    content.cohorts.push_back({.sub_stream = s, .state = state, .ttl_s = ttl_s, .from = first, .to = last});
    content.bases.see(sub.timestamp(first));
    content.bases.see_deletion(sub.arrival_s(first));
    if (ttl_s > 0) content.bases.see_ttl(ttl_s);
  }
  content.bases.columns = ColumnSet(1);
  return content;
}

TEST_CASE("ends and counts of cohorts together are those of each") {
  const auto with = [](bool from_event) {
    const TableWorkload workload = mix(true, from_event, {8});
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    CHECK(rc::check([&] {
      const Micros from_us = start_us + *rc::gen::inRange<std::int64_t>(0, 30 * 86'400) * us_per_s;
      const Micros took_us = *rc::gen::inRange<std::int64_t>(1, 30 * 86'400) * (us_per_s >> *rc::gen::inRange(0, 10));
      const Content content = arrived_between(workload, from_us, from_us + took_us);
      if (content.cohorts.empty()) return;
      Micros oldest = INT64_MAX;
      Micros newest = INT64_MIN;
      Seconds first = INT64_MAX;
      Seconds last = INT64_MIN;
      CountsTogether counts(space);
      const Micros at_us = from_us + *rc::gen::inRange<std::int64_t>(0, took_us + 1);
      for (const Cohort& cohort : content.cohorts) {
        const SubStream& sub = space.sub_stream(cohort.sub_stream);
        oldest = std::min(oldest, sub.timestamp(cohort.from));
        newest = std::max(newest, sub.timestamp(cohort.to - 1));
        first = std::min(first, sub.arrival_s(cohort.from));
        last = std::max(last, sub.arrival_s(cohort.to - 1));
        RC_ASSERT(counts.count(cohort.sub_stream, counts.arrived_before_s(at_us / us_per_s)) ==
                  sub.count_arrived_before_s(at_us / us_per_s));
        RC_ASSERT(counts.count(cohort.sub_stream, counts.below_timestamp(at_us)) ==
                  sub.count_below_timestamp(0, INT64_MAX, at_us));
      }
      const auto any = [](const Cohort&) { return true; };
      EndsOfCohorts ends(space, content.cohorts);
      RC_ASSERT(ends.oldest_us() == oldest);
      RC_ASSERT(ends.oldest_us(oldest) == oldest);
      RC_ASSERT(ends.newest_us() == newest);
      RC_ASSERT(ends.first_s(any) == first);
      RC_ASSERT(ends.last_s(any) == last);
      RC_ASSERT(ends.arrivals_within_s(oldest, newest) == std::pair(first, last));
    }));
  };
  with(false);
  with(true);
}

TEST_CASE("a mix measured together is measured as cohort by cohort") {
  const auto of = [](bool insert, bool from_event, const std::vector<std::int32_t>& sizes) {
    const TableWorkload workload = mix(insert, from_event, sizes);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    CHECK(rc::check([&] {
      const Micros from_us = start_us + *rc::gen::inRange<std::int64_t>(0, 30 * 86'400) * us_per_s;
      const Micros took_us = *rc::gen::inRange<std::int64_t>(1, 20 * 86'400) * (us_per_s >> *rc::gen::inRange(0, 8));
      const Content content = arrived_between(workload, from_us, from_us + took_us);
      if (content.cohorts.empty()) return;
      MeasureParts parts;
      const ClosedMeasure each = measure_by_intervals(space, content, &parts);
      const ClosedMeasure together = measure_by_intervals(space, content);
      RC_ASSERT(together.doubt == each.doubt);
      RC_ASSERT(all_of(together.extremes) == all_of(each.extremes));
    }));
  };
  of(true, false, {8});
  of(false, true, {20, 90, 300});
  of(true, true, {100});
}

}  // namespace
}  // namespace windrow
