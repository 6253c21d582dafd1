#include "sim/content/swath.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "sim/content/measure_swath.h"
#include "tests/content/mix_case.h"

namespace windrow {
namespace {

using namespace test;

/// What a flush would write of all that arrives from one time to the other; some sub-streams may lack rows at an end.
Swath arrived_between(const ContentSpace& space, const std::shared_ptr<const SwathKinds>& kinds, Micros from_us,
                      Micros to_us, bool whole) {
  Swath swath{.kinds = kinds, .not_above_us = to_us - 1};
  for (std::size_t place = 0; place < kinds->places(); ++place) {
    const SubStream& sub = space.sub_stream(kinds->sub_stream(place));
    std::int64_t first = sub.count_arrived_before(from_us);
    std::int64_t last = sub.count_arrived_before(to_us);
    if (!whole && *rc::gen::inRange(0, 8) == 0) first += (last - first) / *rc::gen::inRange(1, 9);
    if (!whole && *rc::gen::inRange(0, 8) == 0) last -= (last - first) / *rc::gen::inRange(1, 9);
    swath.from.push_back(first);
    swath.to.push_back(last);
    if (first >= last) continue;
    swath.bases.see(sub.timestamp(first));
    if (kinds->ttl_s(place) == 0) continue;
    swath.bases.see_ttl(kinds->ttl_s(place));
    swath.bases.see_deletion(sub.arrival_s(first) + kinds->ttl_s(place));
  }
  swath.bases.columns = ColumnSet(1);
  return swath;
}

ClosedMeasure by_cohorts(const ContentSpace& space, const Swath& swath) {
  MeasureParts parts;
  return measure_by_intervals(space, swath.content(), &parts);
}

TEST_CASE("a swath is measured as its cohorts one by one") {
  for (const Seconds default_ttl_s : {0, 86'400}) {
    const TableWorkload workload = mix(true, false, {20});
    ContentSpace space(workload, 9, SSTableFormat::oa);
    CHECK(SwathKinds::of(space, default_ttl_s) == nullptr);  // where keys are hashed
    space.use_lattice();
    const auto kinds = SwathKinds::of(space, default_ttl_s);
    REQUIRE(kinds != nullptr);
    CHECK(kinds->kinds().size() == 4);
    CHECK(rc::check([&] {
      const Micros from_us = start_us + *rc::gen::inRange<std::int64_t>(0, 30 * 86'400) * us_per_s;
      const Micros took_us = *rc::gen::inRange<std::int64_t>(1, 20 * 86'400) * (us_per_s >> *rc::gen::inRange(0, 12));
      const Swath swath = arrived_between(space, kinds, from_us, from_us + took_us, false);
      const Content content = swath.content();
      if (content.cohorts.empty()) return;
      RC_ASSERT(swath.cohorts() == content.cohorts.size());
      RC_ASSERT(swath.rows() == space.rows(content.cohorts));
      const ClosedMeasure each = by_cohorts(space, swath);
      const ClosedMeasure together = measure_swath(swath);
      RC_ASSERT(together.doubt == each.doubt);
      RC_ASSERT(all_of(together.extremes) == all_of(each.extremes));
    }));
  }
}

TEST_CASE("of two writers, one of long rows and one of short rows of which a swath has a part of the partitions") {
  TableWorkload workload;
  add_mix(workload, true, false, {140});
  constexpr std::int64_t very_many = 400'000;
  add_mix(workload, true, false, {20}, very_many, 1);
  workload.finish(1'000);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const auto kinds = SwathKinds::of(space, 0);
  REQUIRE(kinds != nullptr);
  CHECK(rc::check([&] {
    const Micros from_us = start_us + *rc::gen::inRange<std::int64_t>(0, 30 * 86'400) * us_per_s;
    const Micros took_us = *rc::gen::inRange<std::int64_t>(600, 10 * 86'400) * us_per_s;
    const Swath swath = arrived_between(space, kinds, from_us, from_us + took_us, true);
    const ClosedMeasure together = measure_swath(swath);
    RC_ASSERT(together.doubt > 0);
    RC_ASSERT(all_of(together.extremes) == all_of(by_cohorts(space, swath).extremes));
  }));
}

TEST_CASE("swaths that follow each other are one, in whatever order they are given") {
  const TableWorkload workload = mix(true, false, {100});
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const auto kinds = SwathKinds::of(space, 0);
  REQUIRE(kinds != nullptr);
  CHECK(rc::check([&] {
    Micros at_us = start_us + *rc::gen::inRange<std::int64_t>(0, 20 * 86'400) * us_per_s;
    const Micros from_us = at_us;
    std::vector<Swath> parts;
    for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
      const Micros took_us = *rc::gen::inRange<std::int64_t>(1, 5 * 86'400) * (us_per_s >> *rc::gen::inRange(0, 12));
      Swath part = arrived_between(space, kinds, at_us, at_us + took_us, true);
      at_us += took_us;
      if (part.rows() > 0) parts.push_back(std::move(part));
    }
    if (parts.empty()) return;
    std::vector<FileExtremes> extremes;
    for (const Swath& part : parts) extremes.push_back(measure_swath(part).extremes);
    std::vector<MeasuredSwath> swaths;
    for (std::size_t i = 0; i < parts.size(); ++i) swaths.push_back({&parts[i], &extremes[i]});
    // clang 14 knows no ranges::rotate
    std::rotate(swaths.begin(), swaths.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(swaths)),
                swaths.end());
    std::optional<Swath> all = joined(swaths);
    RC_ASSERT(all.has_value());
    const Swath whole = arrived_between(space, kinds, from_us, at_us, true);
    RC_ASSERT(all->rows() == whole.rows());
    all->bases = whole.bases;
    RC_ASSERT(all_of(measure_swath(*all).extremes) == all_of(by_cohorts(space, whole).extremes));
    if (parts.size() < 3) return;
    std::erase_if(swaths, [&](const MeasuredSwath& part) { return part.swath == &parts[1]; });
    const auto missing = [&](std::size_t place) {  // between rows of the first and of those after it
      const Swath& gap = parts[1];
      return gap.from[place] < gap.to[place] && parts[0].from[place] < parts[0].to[place] &&
             std::ranges::any_of(parts.begin() + 2, parts.end(),
                                 [&](const Swath& part) { return part.from[place] < part.to[place]; });
    };
    bool any = false;
    for (std::size_t place = 0; place < kinds->places(); ++place) any = any || missing(place);
    if (any) RC_ASSERT(!joined(swaths).has_value());
  }));
}

TEST_CASE("no swath is of rows whose sizes, dates or deletes differ one by one") {
  const auto of = [](const TableWorkload& workload) {
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    return SwathKinds::of(space, 0);
  };
  CHECK(of(mix(true, false, {8})) != nullptr);
  CHECK(of(mix(false, false, {8})) != nullptr);
  CHECK(of(mix(true, true, {8})) == nullptr);
  CHECK(of(mix(true, false, {20, 90, 300})) == nullptr);
  CHECK(of(workload_of({.late_every = 5})) == nullptr);  // two sub-streams
}

}  // namespace
}  // namespace windrow
