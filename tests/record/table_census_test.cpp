#include "sim/record/table_census.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/engine/node.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

/// At every sample, what a census says that has seen all samples before, and what one says that has seen none.
class LooksTwice final : public RunObserver {
 public:
  void sampled(const Node& node) override {
    const TableStore& table = node.table(0);
    const StoreCensus again = census_.take(table, node.now_s(), true);
    const StoreCensus first = TableCensus().take(table, node.now_s(), true);
    CAPTURE(node.now_s());
    CHECK(again.files.live.rows == first.files.live.rows);
    CHECK(again.files.live.bytes == first.files.live.bytes);
    CHECK(again.files.waiting.rows == first.files.waiting.rows);
    CHECK(again.files.waiting.bytes == first.files.waiting.bytes);
    CHECK(again.files.purgeable.rows == first.files.purgeable.rows);
    CHECK(again.files.purgeable.bytes == first.files.purgeable.bytes);
    CHECK(again.files.tombstone_count() == first.files.tombstone_count());
    CHECK(again.files.droppable_tombstones() == first.files.droppable_tombstones());
    CHECK(again.files.dated_before_gc == first.files.dated_before_gc);
    purgeable_samples += first.files.purgeable.rows > 0 ? 1 : 0;
  }
  std::int64_t purgeable_samples = 0;

 private:
  TableCensus census_{};
};

TEST_CASE("files that wait or may go are counted once, and say at each sample what a new count says") {
  struct Times {
    int ttl_s;
    int grace_s;
  };
  constexpr int day = 86'400;
  for (const bool enabled : {true, false}) {
    for (const Times& of : {Times{3 * day, day}, Times{2 * day, 5 * day}, Times{4 * day, 4 * day}}) {
      CAPTURE(of.ttl_s);
      Scenario scenario = test::made_scenario(14);
      scenario.sample_us = 3'600 * us_per_s;  // files are some hours old before all of them may go
      OptionMap compaction = test::time_windows(1);
      if (!enabled) compaction["enabled"] = "false";
      scenario.tables.front().schema = test::made_table("readings", compaction, of.ttl_s, of.grace_s);
      LooksTwice looks;
      run_node(scenario, looks, {});
      if (!enabled) CHECK(looks.purgeable_samples > 5);
    }
  }
}

/// Of every file at every sample: what is known without a look inside, and what a look finds.
class LooksInside final : public RunObserver {
 public:
  void sampled(const Node& node) override {
    const TableStore& table = node.table(0);
    const CensusTime time{.now_s = node.now_s(), .gc_grace_s = table.settings().gc_grace_s};
    const Shadows none;
    for (const auto& [id, file] : table.sstables()) {
      CAPTURE(id);
      const auto [cohorts, found] = file->look_once([&](const Content& content) {
        return std::pair(content.cohorts.size(), take_census(table.space(), content, time, 0, none));
      });
      CHECK(cohorts == file->cohort_count());
      cut += file->cut_by_tokens() ? 1 : 0;
      const std::optional<Rows> readable = surely_readable(*file, node.now_s(), none);
      CHECK(readable.has_value() == (file->extremes().min_local_deletion_time_s > node.now_s()));
      if (readable) CHECK(*readable == found.live.rows);
      known += readable ? 1 : 0;
    }
  }
  std::int64_t cut = 0;
  std::int64_t known = 0;
};

TEST_CASE("rows of files in which nothing has expired can be read, without a look inside") {
  for (const bool leveled : {true, false}) {
    for (const int ttl_s : {0, 2 * 86'400}) {
      Scenario scenario = test::made_scenario(6);
      scenario.sample_us = 3'600 * us_per_s;
      scenario.exact_partitions = 1;
      const OptionMap levels = {{"class", "LeveledCompactionStrategy"}, {"sstable_size_in_mb", "1"}};
      scenario.tables.front().schema =
          test::made_table("readings", leveled ? levels : test::time_windows(1), ttl_s, 86'400);
      LooksInside looks;
      run_node(scenario, looks, {});
      CHECK((looks.cut > 100) == leveled);
      CHECK(looks.known > 100);
    }
  }
}

}  // namespace
}  // namespace windrow
