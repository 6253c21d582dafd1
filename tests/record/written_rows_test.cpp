#include "sim/record/written_rows.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/content/census_partitions.h"
#include "sim/engine/node.h"
#include "tests/record/made_scenario.h"
#include "tests/record/recorded_run.h"

namespace windrow {
namespace {

/// At every sample, partitions of what was written beside those of the files.
class LooksAtFilesToo final : public RunObserver {
 public:
  void flushed(const Node& node, const FlushEvent& event) override {
    written_.flushed(node.table(0).space(), *event.change);
  }
  void sampled(const Node& node) override {
    const TableStore& table = node.table(0);
    const std::optional<Content> all = written_.all(table);
    if (!all) return;
    ++known;
    std::vector<const Content*> files;
    for (const auto& [id, file] : table.sstables()) files.push_back(&file->content());
    most_files = std::max(most_files, files.size());
    const std::vector<const Content*> contents{&*all};
    const PartitionCensus by_files = census_of_partitions(table.space(), files, 20);
    const PartitionCensus by_writes = census_of_partitions(table.space(), contents, 20);
    CHECK(by_writes.partitions == by_files.partitions);
    CHECK(by_writes.rows == by_files.rows);
    CHECK(by_writes.cells == by_files.cells);
    CHECK(by_writes.bytes == by_files.bytes);
  }
  int known = 0;
  std::size_t most_files = 0;

 private:
  WrittenRows written_{};
};

LooksAtFilesToo looked_at(const Scenario& scenario) {
  LooksAtFilesToo looks;
  run_node(scenario, looks, {});
  return looks;
}

const OptionMap levels = {{"class", "LeveledCompactionStrategy"}, {"sstable_size_in_mb", "1"}};
const OptionMap tiers = {{"class", "SizeTieredCompactionStrategy"}};
const OptionMap unified = {
    {"class", "UnifiedCompactionStrategy"}, {"target_sstable_size", "1MiB"}, {"min_sstable_size", "0.2MiB"}};

/// Nothing goes by itself.
Scenario kept(const OptionMap& compaction, std::int64_t entities = 50) {
  Scenario scenario = test::made_scenario(12, entities);
  scenario.tables.front().schema = test::made_table("readings", compaction, 0, 864'000);
  return scenario;
}

TEST_CASE("what flushes wrote has the partitions that all files have together, however they are cut") {
  for (const OptionMap& compaction : {levels, tiers, unified}) {
    const LooksAtFilesToo looks = looked_at(kept(compaction));
    CHECK(looks.known == 13);
    CHECK(looks.most_files > 2);
  }
}

TEST_CASE("what flushes wrote is not what files have once rows expire, or go another way") {
  Scenario mixed = kept(levels);
  mixed.writers.front().ttl = {{.share_ppm = ppm / 10, .ttl_s = 3 * seconds_per_day}};
  CHECK(looked_at(mixed).known <= 1);  // as long as nothing was flushed
  Scenario nulls = kept(levels);       // compactions take them out after gc_grace, and keep the rows
  nulls.tables.front().schema = test::made_table("readings", levels, 0, static_cast<int>(seconds_per_day));
  nulls.writers.front().columns.front().null = true;
  CHECK(looked_at(nulls).known <= 1);
  Scenario truncated = kept(levels);
  truncated.actions.push_back(
      {.name = "once", .at_us = truncated.start_us + 5 * test::day_us, .kind = ActionSpec::Kind::truncate, .table = 0});
  CHECK(looked_at(truncated).known == 5);
}

TEST_CASE("sizes of partitions do not depend on the strategy, also where no key is hashed") {
  const auto samples_of = [](const OptionMap& compaction) {
    Scenario scenario = kept(compaction, 3'000);
    scenario.exact_partitions = 1'000;
    return test::recorded(scenario).tables.front().samples;
  };
  const std::vector<TableSample> expected = samples_of(tiers);
  for (const OptionMap& compaction : {levels, unified}) {
    const std::vector<TableSample> samples = samples_of(compaction);
    REQUIRE(samples.size() == expected.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      CHECK(samples[i].partitions == expected[i].partitions);
      CHECK(samples[i].partition_bytes_p50 == expected[i].partition_bytes_p50);
      CHECK(samples[i].partition_bytes_p99 == expected[i].partition_bytes_p99);
      CHECK(samples[i].partition_bytes_max == expected[i].partition_bytes_max);
    }
  }
}

}  // namespace
}  // namespace windrow
