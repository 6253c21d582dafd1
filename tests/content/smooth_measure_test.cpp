#include "sim/content/smooth_measure.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/content/merge.h"
#include "sim/content/row_totals.h"
#include "sim/content/smooth_cut.h"
#include "tests/content/interval_case.h"
#include "tests/content/mix_case.h"

namespace windrow::test {
namespace {

/// Each cohort by itself, with nothing found before.
ClosedMeasure one_by_one(const ContentSpace& space, const Content& content) {
  ClosedMeasure measure;
  const RowFormat format = space.format(content.bases);
  TotalsByWriter totals;
  Rows rows = 0;
  for (const Cohort& cohort : content.cohorts) {
    MembersInOrder members(space, cohort);
    const CohortDates dates = dates_of(space, cohort, members.all());
    feed_extremes(space, cohort, dates, measure.extremes);
    const Rows a_member = space.writer_of(cohort).rows_per_event;
    rows += members.all() * a_member;
    measure.extremes.cells += members.all() * a_member * space.shape(cohort.sub_stream, cohort.state).columns_set;
    each_row_span(space, cohort, dates, format, members,
                  [&](std::int64_t body, std::span<const std::int64_t> sizes, std::span<const Rows> counts) {
                    add_rows(format, body, sizes, counts, a_member, totals.of(space.writer_of(cohort)).totals);
                  });
  }
  const CountedPartitions partitions = count_partitions(space, content.cohorts, nullptr, totals);
  close_measure(format, totals, rows, partitions, measure);
  return measure;
}

/// Returns how many cohorts it had.
std::size_t agree(const ContentSpace& space, const Content& content) {
  MeasureParts parts;
  const std::optional<ClosedMeasure> smooth = measure_smooth(space, content, &parts);
  REQUIRE(smooth.has_value());
  const ClosedMeasure each = one_by_one(space, content);
  CHECK(smooth->doubt == each.doubt);
  CHECK(all_of(smooth->extremes) == all_of(each.extremes));
  REQUIRE(parts.found.size() == content.cohorts.size());
  for (std::size_t i = 0; i < content.cohorts.size(); ++i) {
    const Cohort& cohort = content.cohorts[i];
    CHECK(parts.cohorts[i].members == space.members(cohort));
    Cohort half = cohort;
    half.last_token = cohort.first_token + (cohort.last_token / 2 - cohort.first_token / 2);
    CHECK(parts.found[i].up_to(half.last_token) == space.members(half));
  }
  return content.cohorts.size();
}

TEST_CASE("a measure of smooth content is that of its cohorts one by one, of files and of what is merged from them") {
  const std::vector<Case> cases = {
      {.entities = 5'000, .keys_alike = true},
      {.entities = 300, .bucket_s = 20'000, .keys_alike = true},
      {.entities = 5'000, .ttl_s = 90'000},
      {.entities = 300, .bucket_s = 7'000, .ttl_s = 90'000, .keys_alike = true},
      {.entities = 3'000, .ttl_s = 90'000, .sizes = {10, 11, 12, 13, 60}, .late_every = 5},
      {.entities = 7'000, .bucket_s = 0, .sizes = {110}, .keys_alike = true},
      {.entities = 3'000, .late_every = 7, .row_number_in_timestamp = true},
      {.entities = 3'000, .late_every = 7, .static_bytes = 9},
  };
  for (const Case& what : cases) {
    CAPTURE(what.entities);
    CAPTURE(what.late_every);
    const TableWorkload workload = workload_of(what);
    ContentSpace space(workload, 9, SSTableFormat::oa);
    space.use_lattice();
    const std::int64_t rows = what.entities * 1'500;
    std::vector<MergeInput> inputs;
    std::vector<Content> files;
    const Content older = content_of(workload, what, 0, rows, RowState::live);
    const Content newer = content_of(workload, what, rows, rows + rows / 4, RowState::live);
    for (const Content* all : {&older, &newer}) {
      CHECK_FALSE(measure_smooth(space, *all, nullptr).has_value());  // whole
      const double limit = static_cast<double>(measure_by_intervals(space, *all).extremes.uncompressed_bytes) / 5.3;
      for (const CutContent& output : cut_smooth(space, *all, limit)) files.push_back(output.whole());
    }
    for (const Content& file : files) {
      agree(space, file);
      inputs.push_back({.content = &file, .counted_rows = counted_rows(space, file)});
    }
    Content merged = merge_contents(space, inputs, {.now_s = 0, .gc_before_s = 0}, {}, true, nullptr);
    merged.bases = older.bases;
    agree(space, restrict_to(space, merged, min_token / 3, max_token / 3));
    // Some files of each: strips of tokens with the older rows, the newer ones or both.
    Content some = merge_contents(space, std::vector<MergeInput>{inputs[1], inputs[2], inputs[7], inputs[9]},
                                  {.now_s = 0, .gc_before_s = 0}, {}, true, nullptr);
    some.bases = older.bases;
    CHECK(agree(space, some) > 3);
    CHECK(agree(space, cut_smooth(space, some, 1e6).front().whole()) > 0);
  }
}

}  // namespace
}  // namespace windrow::test
