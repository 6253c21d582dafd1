#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "bench/year_case.h"
#include "sim/content/measure.h"
#include "sim/engine/node.h"
#include "tests/content/mix_case.h"

namespace windrow {
namespace {

/// Holds each file that is written to its cohorts, one by one.
class HeldToCohorts final : public RunObserver {
 public:
  void flushed(const Node& node, const FlushEvent& event) override { see(node, *event.change, flushes); }
  void committed(const Node& node, const CommitEvent& event) override { see(node, *event.change, commits); }
  struct Seen {
    int files = 0;
    int swaths = 0;
    int cohorts_at_most = 0;
  };
  Seen flushes{};
  Seen commits{};

 private:
  static void see(const Node& node, const Change& change, Seen& seen) {
    const ContentSpace& space = node.table(0).space();
    for (const SSTablePtr& file : change.added) {
      ++seen.files;
      seen.cohorts_at_most = std::max(seen.cohorts_at_most, static_cast<int>(file->cohort_count()));
      if (file->swath() == nullptr) continue;
      ++seen.swaths;
      MeasureParts parts;
      const ClosedMeasure each = measure_by_intervals(space, file->content(), &parts);
      REQUIRE(test::all_of(file->extremes()) == test::all_of(each.extremes));
      REQUIRE(file->counted_rows() == space.rows(file->content().cohorts));
      REQUIRE(file->cohort_count() == file->content().cohorts.size());
    }
  }
};

/// 500 devices, a row each half a minute, of which some are late and some live for a day: size tiers, then windows.
Scenario mix(const CompactionOptions& then) {
  constexpr Micros day_us = 86'400 * us_per_s;
  Scenario scenario = windrow_bench::scenario_of(
      {.name = "mix", .compaction = SizeTieredOptions{}, .ttl_s = 3 * 86'400}, 10 * 86'400.0);
  scenario.exact_partitions = 100;
  scenario.tables.front().flush_size_bytes = 200'000;
  WriterSpec& writer = scenario.writers.front();
  writer.entities = 500;
  writer.rate = {{.from_us = scenario.start_us, .rows = 500, .period_us = 30 * us_per_s},
                 {.from_us = scenario.start_us + 4 * day_us, .rows = 700, .period_us = 30 * us_per_s}};
  writer.late = {{.share_ppm = 5'000, .delay_us = 600 * us_per_s}, {.share_ppm = 20'000, .delay_us = day_us / 7}};
  writer.ttl = {
      {.share_ppm = 30'000, .ttl_s = 86'400}, {.share_ppm = 10'000, .ttl_s = 2 * 86'400}, {.share_ppm = 960'000}};
  ChangeSpec change{.at_us = scenario.start_us + 5 * day_us, .after = scenario.tables[0].schema};
  change.after.options.compaction = {{"class", "Another"}};
  change.after.options.compaction_options = then;
  scenario.changes.push_back(std::move(change));
  return scenario;
}

TEST_CASE("files that are written as swaths are what their cohorts one by one would be") {
  for (const CompactionOptions& then : {CompactionOptions(TimeWindowOptions{}), CompactionOptions(LeveledOptions{}),
                                        CompactionOptions(UnifiedOptions{})}) {
    HeldToCohorts seen;
    run_node(mix(then), seen, {});
    CHECK(seen.flushes.files > 2'000);
    CHECK(seen.flushes.cohorts_at_most == 9);
    CHECK(seen.flushes.swaths > seen.flushes.files / 2);  // what unified flushes is cut by shards
    CHECK(seen.commits.files > 500);
    CHECK(seen.commits.swaths > 300);
    CHECK(seen.commits.cohorts_at_most > 9);  // rows that have expired beside those that have not
  }
}

}  // namespace
}  // namespace windrow
