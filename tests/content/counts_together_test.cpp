#include "sim/content/counts_together.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/content/measure.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using namespace test;

constexpr std::int64_t start_us = 1'767'225'600 * us_per_s;

/// Three latenesses by four TTLs, at rates that change.
TableWorkload mix(bool insert, bool from_event, std::vector<std::int32_t> sizes) {
  Writer writer;
  writer.name = "w";
  writer.unit_us = 1;
  writer.rhythm = Rhythm(start_us, 86'400 * us_per_s, 700'000, true);
  writer.rhythm.change_at(start_us + 40'000 * us_per_s, 86'400 * us_per_s, 900'001);
  writer.rhythm.stop_at(start_us + 40 * 86'400 * us_per_s);
  writer.entities = 50;
  writer.bucket = BucketRule::every(86'400);
  writer.insert = insert;
  writer.timestamp.from_event = from_event;
  writer.columns = {{.column = 0, .fixed_length = false, .sizes = std::move(sizes), .step = 7919}};
  writer.clustering.bytes = 9;
  writer.keys = std::make_shared<Keys>(0);
  FateRule fate{.shares = {}};
  const std::vector<RowShare> late = RowShare().divide({5'000, 20'000, 975'000}, 0x100);
  for (std::size_t l = 0; l < late.size(); ++l) {
    const std::vector<RowShare> ttls = late[l].divide({30'000, 10'000, 60'000, 900'000}, 0x200);
    for (std::size_t t = 0; t < ttls.size(); ++t)
      fate.shares.push_back({.rows = ttls[t],
                             .late_units = static_cast<std::int64_t>(2 - l) * 7'777 * us_per_s,
                             .ttl_s = static_cast<Seconds>(t) * 86'400 * 3});
  }
  TableWorkload workload;
  workload.add(std::move(writer), std::move(fate), start_us + 50 * 86'400 * us_per_s);
  workload.finish(1'000);
  return workload;
}

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

auto all_of(const FileExtremes& e) {
  return std::tuple(e.uncompressed_bytes, e.rows, e.static_rows, e.cells, e.partitions, e.key_bytes, e.min_timestamp_us,
                    e.max_timestamp_us, e.min_local_deletion_time_s, e.max_local_deletion_time_s, e.min_ttl_s,
                    e.max_ttl_s);
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
