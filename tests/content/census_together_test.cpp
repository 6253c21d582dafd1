#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "sim/content/census_partitions.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

constexpr Seconds one_day = seconds_per_day;
constexpr Seconds together_begin_s = 20'000 * one_day;
constexpr std::int64_t days = 60;

/// Entities that write a row every so many seconds in turn, a partition each a day.
TableWorkload by_day(std::int64_t entities, Seconds period_s, const FateRule& fate = {}) {
  Writer writer;
  writer.name = "w";
  writer.rhythm = Rhythm(together_begin_s, period_s, entities, true);
  writer.rhythm.stop_at(together_begin_s + days * one_day);
  writer.entities = entities;
  writer.bucket = BucketRule::every(one_day);
  writer.columns = {{.column = 0, .fixed_length = true, .sizes = {8}}};
  writer.keys = std::make_shared<test::Keys>();
  TableWorkload workload;
  workload.add(std::move(writer), fate, together_begin_s + 2 * days * one_day);
  workload.finish(0);
  return workload;
}

/// A file of rows of all sub-streams between two tokens, from and to days that differ from part to part, as those of a
/// leveled table that was merged with newer files here and there.
Content file_of(const TableWorkload& workload) {
  struct Part {
    double first_share;
    double last_share;
    double from_day;
    double to_day;
  };
  Content content;
  constexpr double ring = 0x1p64;
  const auto token = [](double share) { return static_cast<Token>((share - 0.5) * ring); };
  for (const Part& part : {Part{0.2, 0.21, 3.2, 41.7}, {0.21, 0.224, 3.2, 38}, {0.224, 0.26, 0, 41.7}}) {
    for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
      const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
      const auto member = [&](double of_day) {
        return sub.count_arrived_before_s(together_begin_s +
                                          static_cast<Seconds>(of_day * static_cast<double>(one_day)));
      };
      content.cohorts.push_back({.sub_stream = s,
                                 .from = member(part.from_day),
                                 .to = member(part.to_day),
                                 .first_token = token(part.first_share),
                                 .last_token = token(part.last_share) - 1});
    }
  }
  std::ranges::sort(content.cohorts, {}, [](const Cohort& c) { return std::tuple(c.sub_stream, c.from, c.to); });
  content.bases.see(workload.sub_streams()[0].timestamp(0));
  content.bases.columns = ColumnSet(1);
  return content;
}

/// What a file has of one bucket: nothing there to count together.
Content of_bucket(const ContentSpace& space, const Content& file, std::int64_t bucket) {
  Content some = file;
  for (Cohort& cohort : some.cohorts) std::tie(cohort.from, cohort.to) = space.members_in(cohort, bucket);
  std::erase_if(some.cohorts, [](const Cohort& cohort) { return cohort.from >= cohort.to; });
  return some;
}

struct BothWays {
  PartitionCensus together{};
  PartitionCensus one_by_one{};
};
BothWays counted(const TableWorkload& workload) {
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const Content file = file_of(workload);
  BothWays both;
  add_census_of_file(space, file, {}, both.together);
  for (std::int64_t bucket = together_begin_s / one_day; bucket < together_begin_s / one_day + days; ++bucket) {
    const Content some = of_bucket(space, file, bucket);
    if (some.empty()) continue;
    add_census_of_file(space, some, {}, both.one_by_one);
  }
  return both;
}

/// Partitions that lie in different bins.
std::int64_t apart(const EstimatedHistogram& a, const EstimatedHistogram& b) {
  std::int64_t apart = 0;
  for (std::size_t i = 0; i < a.counts().size(); ++i) apart += std::abs(a.counts()[i] - b.counts()[i]);
  return apart;
}

TEST_CASE("buckets that a cut file holds alike are counted together, as one by one") {
  const BothWays both = counted(by_day(20'000, 60));
  CHECK(both.together.partitions == both.one_by_one.partitions);
  CHECK(apart(both.together.rows_histogram, both.one_by_one.rows_histogram) == 0);
  CHECK(apart(both.together.cells_histogram, both.one_by_one.cells_histogram) == 0);
  CHECK(apart(both.together.bytes_histogram, both.one_by_one.bytes_histogram) == 0);
  CHECK(both.together.steps < both.one_by_one.steps / 2);
}

TEST_CASE("of partitions that are smaller than a part of a file, and of several sub-streams, nearly") {
  struct Shape {
    std::int64_t entities;
    Seconds period_s;
    std::int64_t late_every;
  };
  for (const Shape& shape : {Shape{40, 7, 0}, {3'000, 49, 0}, {3'000, 60, 10}, {50'000, 9 * 3'600, 0}}) {
    CAPTURE(shape.entities);
    CAPTURE(shape.late_every);
    const BothWays both = counted(by_day(shape.entities, shape.period_s, test::late_fate(shape.late_every, 3'600)));
    const auto near = [&](std::int64_t value) { return value <= 2 + both.one_by_one.partitions / 20; };
    CAPTURE(both.together.partitions);
    CAPTURE(both.one_by_one.partitions);
    CHECK(near(std::abs(both.together.partitions - both.one_by_one.partitions)));
    CHECK(near(apart(both.together.rows_histogram, both.one_by_one.rows_histogram) / 2));
    CHECK(near(apart(both.together.bytes_histogram, both.one_by_one.bytes_histogram) / 2));
  }
}

}  // namespace
}  // namespace windrow
