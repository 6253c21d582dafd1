#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "sim/record/read_recorder.h"
#include "sim/resolve/load_scenario.h"
#include "tests/support/seeds.h"
#include "tests/witness/lib/dice.h"
#include "tests/witness/lib/follower.h"
#include "tests/witness/lib/reader.h"
#include "tests/witness/lib/words.h"

namespace windrow::witness {
namespace {

using windrow_test::seeds;

struct CountedReads {
  std::int64_t requests = 0;
  std::int64_t tombstones = 0;
  std::int64_t older_buckets = 0;
};

ReadSpec some_read(Dice& dice, const WriterSpec& writer) {
  ReadSpec read{.stream = writer.stream, .table = writer.table};
  if (dice.percent(10)) {  // what `fetch` asks of a stream for each row that was found
    read.latest_rows = read.back_us = read.shards = 1;
    return read;
  }
  if (dice.percent(60)) {
    read.latest_rows = dice.one_of<std::int64_t>({1, 2, 5, 20, 100, 400});
    if (dice.percent(30)) read.back_us = dice.between(1, 60) * 3600 * us_per_s;
    if (read.back_us > 0 && dice.percent(50)) read.start = ReadSpec::Start::unknown;
  } else {
    read.range_us = dice.between(1, 200'000) * us_per_s;
    if (dice.percent(50)) read.ago_us = dice.between(1, 100'000) * us_per_s;
  }
  if (dice.percent(25)) read.shards = dice.between(1, 4);
  return read;
}

std::string disagreement(const ScenarioWords& words, CountedReads& counted) {
  try {
    const std::vector<std::string> often = {"run.sample=5h"};
    const LoadedScenario loaded = load_scenario("test.ini", ini_text(words), often,
                                                [&](const std::string& name) { return file_text(words, name); });
    const Scenario& scenario = loaded.scenario;
    std::string difference;
    Follower follower(words, scenario);
    follower.look_at_samples([&](const Node& node, int number, const Table& rows) {
      const TableStore& table = node.table(number);
      if (!difference.empty()) return;
      const Content memtable = table.memtable().empty() ? Content{} : table.memtable().content();
      const std::vector<ReadSource> sources = read_sources(table, memtable);
      Dice dice(static_cast<std::uint64_t>(node.now_s() + number));
      for (const WriterSpec& writer : scenario.writers) {
        if (writer.table != number) continue;
        const ReadSpec read = some_read(dice, writer);
        ReadRequest request = request_at(read, scenario.start_us, node.now_us(), table.gc_before(node.now_s()));
        request.spares_unrepaired = spares_unrepaired(table);
        for (const auto& parts : read_classes(scenario, table.space().workload(), read)) {
          ReadCosts costs;
          add_read_costs(table.space(), sources, parts, request, costs);
          const std::string cohorts = line_of(costs);
          const std::string by_rows = line_of(request_rows(rows, parts, request));
          ++counted.requests;
          counted.tombstones += costs.tombstones.max() > 0 ? 1 : 0;
          counted.older_buckets += costs.partitions.max() > 1 ? 1 : 0;
          if (cohorts == by_rows) continue;
          difference = fmt::format("{} h, stream {}, latest {}, {} s long, {} s ago: rows {}, cohorts {}",
                                   (node.now_us() - scenario.start_us) / us_per_s / 3600, read.stream, read.latest_rows,
                                   read.range_us / us_per_s, read.ago_us / us_per_s, by_rows, cohorts);
          return;
        }
      }
    });
    run_node(scenario, follower, {});
    return follower.difference().empty() ? difference : follower.difference();
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST_CASE("reads of streams that change and of shares cost what they cost read row by row") {
  for (ScenarioWords (*make)(std::uint64_t) : {random_words, random_words_of_shares}) {
    CountedReads counted;
    CountedReads unused;
    int failed = 0;
    for (std::uint64_t seed = 1; seed <= seeds(100) && failed < 3; ++seed) {
      const ScenarioWords words = make(seed);
      const std::string found = disagreement(words, counted);
      if (found.empty()) continue;
      ++failed;
      const ScenarioWords fewest =
          shrink_words(words, [&](const ScenarioWords& fewer) { return !disagreement(fewer, unused).empty(); });
      FAIL_CHECK("seed ", seed, ": ", found, "\nfewest words that fail:\n", cql_text(fewest), ini_text(fewest),
                 "there ", disagreement(fewest, unused));
    }
    MESSAGE(counted.requests, " requests, ", counted.tombstones, " met tombstones, ", counted.older_buckets,
            " asked for several buckets");
    CHECK(counted.requests > 500);
    CHECK(counted.tombstones > 50);
    CHECK(counted.older_buckets > 100);
  }
}

TEST_CASE("reads across expired rows meet a thousand tombstones from the sample on that rows say") {
  for (const char* compaction :
       {"'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': '4'",
        "'class': 'SizeTieredCompactionStrategy'", "'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '1'",
        "'class': 'UnifiedCompactionStrategy'"}) {
    CAPTURE(compaction);
    ScenarioWords words;
    words.hours = 60;
    words.tables.push_back({.name = "t0",
                            .options = fmt::format("compaction = {{{}}} AND default_time_to_live = 21600 AND "
                                                   "gc_grace_seconds = 86400 AND compression = {{'enabled': 'false'}}",
                                                   compaction),
                            .flush_bytes = 20'000});
    words.streams.push_back({.name = "a", .table = "t0", .entities = 3, .rows_per_day = {{1440, 0}}, .update = true});
    const std::vector<std::string> hourly = {"run.sample=1h"};
    const LoadedScenario loaded = load_scenario("test.ini", ini_text(words), hourly,
                                                [&](const std::string& name) { return file_text(words, name); });
    const ReadSpec read{.stream = "a", .range_us = 20 * 3600 * us_per_s};
    std::optional<Micros> by_cohorts;
    std::optional<Micros> by_rows;
    Follower follower(words, loaded.scenario);
    follower.look_at_samples([&](const Node& node, int, const Table& rows) {
      const TableStore& table = node.table(0);
      const Content memtable = table.memtable().empty() ? Content{} : table.memtable().content();
      const ReadRequest request =
          request_at(read, loaded.scenario.start_us, node.now_us(), table.gc_before(node.now_s()));
      ReadCosts costs;
      RequestRead row_by_row;
      for (const auto& parts : read_classes(loaded.scenario, table.space().workload(), read)) {
        add_read_costs(table.space(), read_sources(table, memtable), parts, request, costs);
        row_by_row = request_rows(rows, parts, request);
      }
      if (costs.tombstones.max() > 1000 && !by_cohorts) by_cohorts = node.now_us();
      const bool met = std::ranges::any_of(row_by_row.reads, [](const RowsRead& one) { return one.tombstones > 1000; });
      if (met && !by_rows) by_rows = node.now_us();
    });
    run_node(loaded.scenario, follower, {});
    CHECK(follower.difference().empty());
    REQUIRE(by_cohorts);
    CHECK(*by_cohorts > loaded.scenario.start_us + 6 * 3600 * us_per_s);
    CHECK(by_cohorts == by_rows);
  }
}

}  // namespace
}  // namespace windrow::witness
