#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/load/cluster_load.h"
#include "sim/record/read_recorder.h"
#include "sim/resolve/load_scenario.h"
#include "sim/scenario/held_keys.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/schema/compaction_options.h"
#include "tests/support/seeds.h"
#include "tests/witness/lib/dice.h"
#include "tests/witness/lib/follower.h"
#include "tests/witness/lib/reader.h"
#include "tests/witness/lib/words.h"

// A cluster of rows: each node has those whose keys hash to it.

namespace windrow::witness {
namespace {

using windrow_test::seeds;

struct PlayedRing {
  std::string difference{};
  std::int64_t nodes = 0;
  std::int64_t rows = 0;
  std::int64_t picks = 0;
  std::int64_t fields = 0;
  std::int64_t requests = 0;
  std::int64_t of_shards = 0;   // the newest rows, from several buckets, all shards of each
  std::int64_t several = 0;     // met a partition in several files
  std::int64_t tombstones = 0;  // met some
  std::set<std::string> strategies{};
};

/// What is alive of each partition of a table at a time, whoever holds it: by key, when rows come and expire.
class AliveRows {
 public:
  AliveRows(const ScenarioWords& words, const std::string& table, Seconds default_ttl_s)
      : default_ttl_s_(default_ttl_s) {
    for (const MeantRow& row : meant_rows(words, table)) rows_[row.key].push_back(row);
  }
  std::int64_t of(const std::string& key, Micros now_us, std::int64_t limit) const {
    const auto found = rows_.find(key);
    if (found == rows_.end()) return 0;
    const auto alive = std::ranges::count_if(found->second, [&](const MeantRow& row) {
      const Seconds ttl_s = row.ttl_s < 0 ? default_ttl_s_ : row.ttl_s;
      const bool expired = ttl_s > 0 && row.arrival_us / us_per_s + ttl_s <= now_us / us_per_s;
      return row.arrival_us < now_us && !expired;
    });
    return limit > 0 ? std::min(alive, limit) : alive;
  }

 private:
  Seconds default_ttl_s_ = 0;
  std::map<std::string, std::vector<MeantRow>> rows_{};
};

ReadSpec some_ring_read(Dice& dice, const WriterSpec& writer) {
  ReadSpec read{.stream = writer.stream, .table = writer.table};
  if (dice.percent(10)) {  // what `fetch` asks of a stream for each row that was found
    read.latest_rows = read.back_us = read.shards = 1;
    return read;
  }
  if (dice.percent(35)) read.shards = dice.between(1, writer.shards + 3);
  // Not more partitions than are asked for one by one, if nobody wrote any of them.
  const std::int64_t of_bucket = writer.entities * std::max(writer.shards, read.shards);
  const std::int64_t hours = std::min<std::int64_t>(55, most_looked_at / of_bucket - 2);
  if (dice.percent(60)) {
    read.latest_rows = dice.one_of<std::int64_t>({1, 2, 5, 20, 100, 400});
    if (dice.percent(40)) read.back_us = dice.one_of<Micros>({1, 3600 * us_per_s, 90'000 * us_per_s});
    if (read.back_us == 0 && hours < 55) read.back_us = hours * 3600 * us_per_s;
    read.back_us = std::min(read.back_us, hours * 3600 * us_per_s);
    if (read.back_us > 0 && dice.percent(50)) read.start = ReadSpec::Start::unknown;
  } else {
    read.range_us = dice.between(1, hours * 3600) * us_per_s;
    if (dice.percent(50)) read.ago_us = dice.between(1, 100'000) * us_per_s;
  }
  return read;
}

double most_bytes(const RequestRead& read) {
  double most = 0;
  for (const RowsRead& one : read.reads) most = std::max(most, one.bytes);
  return most;
}

/// What a node holds; of one that is a replica of every range, the whole ring.
HeldRanges ranges_of(const RingWords& ring, int node) {
  HeldRanges held;
  bool every_range = true;
  for (std::size_t i = 0; i < ring.tokens.size(); ++i) {
    const Token left = ring.tokens[i > 0 ? i - 1 : ring.tokens.size() - 1].first;
    const Token right = ring.tokens[i].first;
    std::vector<int> holders;
    for (std::size_t k = i; std::ssize(holders) < ring.copies; k = (k + 1) % ring.tokens.size()) {
      if (std::ranges::find(holders, ring.tokens[k].second) == holders.end()) holders.push_back(ring.tokens[k].second);
    }
    if (std::ranges::find(holders, node) == holders.end()) {
      every_range = false;
      continue;
    }
    if (left < right) {
      held.ranges.emplace_back(left, right);
    } else {
      held.ranges.emplace_back(left, min_token);
      if (right != min_token) held.ranges.emplace_back(min_token, right);
    }
  }
  if (every_range) return {};
  std::ranges::sort(held.ranges);
  return held;
}

PlayedRing play_ring(const RingWords& ring) {
  PlayedRing played;
  try {
    const std::vector<std::string> often = {"run.sample=5h"};
    const LoadedScenario loaded = load_scenario("test.ini", ini_text(ring.words), often, [&](const std::string& name) {
      return name == "ring.csv" ? std::optional(ring_csv(ring)) : file_text(ring.words, name);
    });
    const Scenario& scenario = loaded.scenario;
    const ClusterLoad load(scenario);
    const TableWorkload undivided_rows = scenario_workload(undivided(scenario), 0);
    for (int number = 0; number < ring.nodes && played.difference.empty(); ++number) {
      HeldKeys own(*scenario.ring, number);
      const auto held = [&](const std::string& key) {
        const std::vector<int> nodes = holders(ring, key);
        return std::ranges::find(nodes, number) != nodes.end();
      };
      Follower follower(ring.words, scenario, held, ranges_of(ring, number));
      std::string difference;
      follower.look_at_samples([&](const Node& node, int, const Table& rows) {
        const TableStore& table = node.table(0);
        played.strategies.insert(std::string(strategy_name(table.settings().compaction)));
        const Content memtable = table.memtable().empty() ? Content{} : table.memtable().content();
        const std::vector<ReadSource> sources = read_sources(table, memtable);
        const AliveRows alive(ring.words, "t0", table.settings().default_ttl_s);
        Dice dice(static_cast<std::uint64_t>(node.now_s() + number));
        for (const WriterSpec& writer : scenario.writers) {
          if (!difference.empty()) return;
          const ReadSpec read = some_ring_read(dice, writer);
          ReadRequest request = request_at(read, scenario.start_us, node.now_us(), table.gc_before(node.now_s()));
          request.spares_unrepaired = spares_unrepaired(table);
          ReadCosts costs;
          Scenario reading = scenario;
          reading.reads = {read};
          const TableWorkload whole = whole_workload(reading, 0);
          AskedTable asked{.table = 0, .workload = &table.space().workload()};
          asked.whole = ring.copies == ring.nodes ? nullptr : &whole;
          asked.default_ttl_s = table.settings().default_ttl_s;
          asked.held = &own;
          for (const auto& parts : read_classes(scenario, {&asked, 1}, read))
            add_read_costs(table.space(), sources, parts, request, costs);
          RequestRead by_rows;
          for (const auto& parts : read_classes(scenario, undivided_rows, read)) {
            const auto live = [&](const std::string& key, std::int64_t limit) {
              return alive.of(key, node.now_us(), limit);
            };
            const RequestRead of_class = ring.copies == ring.nodes ? request_rows(rows, parts, request)
                                                                   : request_rows_on(rows, parts, request, held, live);
            by_rows.partitions.insert(by_rows.partitions.end(), of_class.partitions.begin(), of_class.partitions.end());
            by_rows.reads.insert(by_rows.reads.end(), of_class.reads.begin(), of_class.reads.end());
          }
          if (costs.sstables.total() == 0 && by_rows.reads.empty()) continue;
          ++played.requests;
          played.of_shards +=
              read.latest_rows > 0 && writer.shards > 1 && costs.partitions.max() > writer.shards ? 1 : 0;
          played.several += costs.sstables.max() > 1 ? 1 : 0;
          played.tombstones += costs.tombstones.max() > 0 ? 1 : 0;
          const std::string ours = line_of(costs) + fmt::format(", {} bytes at the most", costs.bytes.max());
          const double bytes = most_bytes(by_rows);
          const std::string expected = line_of(by_rows) + fmt::format(", {} bytes at the most", bytes);
          // Whole bytes: half a byte goes up or down by the order in which it was summed.
          const bool as_many_bytes = std::abs(static_cast<double>(costs.bytes.max()) - bytes) < 0.51;
          if (line_of(costs) == line_of(by_rows) && as_many_bytes) continue;
          difference =
              fmt::format("{} h, stream {}, latest {}, back {} s, {} s long, {} s ago: rows {}, cohorts {}",
                          (node.now_us() - scenario.start_us) / us_per_s / 3600, read.stream, read.latest_rows,
                          read.back_us / us_per_s, read.range_us / us_per_s, read.ago_us / us_per_s, expected, ours);
        }
      });
      const Workloads workloads = {std::make_shared<const TableWorkload>(load.workload(0, number))};
      run_node(scenario, workloads, follower, {.local_ranges = load.local_ranges(number)});
      ++played.nodes;
      played.rows += follower.rows();
      played.picks += follower.picks();
      played.fields += follower.fields();
      if (!follower.difference().empty()) difference = follower.difference();
      if (!difference.empty()) played.difference = fmt::format("node {}: {}", number + 1, difference);
    }
  } catch (const std::exception& error) {
    played.difference = error.what();
  }
  return played;
}

TEST_CASE("every file of every node of a ring has the rows whose keys hash to it, and reads of it cost what they say") {
  PlayedRing all;
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= seeds(1000) && failed < 3; ++seed) {
    RingWords ring = random_ring_words(seed);
    const PlayedRing played = play_ring(ring);
    all.nodes += played.nodes;
    all.rows += played.rows;
    all.picks += played.picks;
    all.fields += played.fields;
    all.requests += played.requests;
    all.of_shards += played.of_shards;
    all.several += played.several;
    all.tombstones += played.tombstones;
    all.strategies.insert(played.strategies.begin(), played.strategies.end());
    if (played.difference.empty()) continue;
    ++failed;
    const ScenarioWords words = ring.words;
    ring.words = shrink_words(words, [&](const ScenarioWords& fewer) {
      ring.words = fewer;
      return !play_ring(ring).difference.empty();
    });
    FAIL_CHECK("seed ", seed, ": ", played.difference, "\nfewest words that fail:\n", cql_text(ring.words),
               ini_text(ring.words), ring_csv(ring), "there ", play_ring(ring).difference);
  }
  MESSAGE(all.nodes, " nodes, ", all.rows, " rows, ", all.picks, " picks, ", all.fields, " fields, ", all.requests,
          " requests, ", all.of_shards, " of them for the newest rows of shards in several buckets, ", all.several,
          " met several SSTables, ", all.tombstones, " tombstones");
  CHECK(all.strategies.size() == 4);
  CHECK(all.picks > 30'000);
  CHECK(all.requests > 50'000);
  CHECK(all.of_shards > 5000);
  CHECK(all.several > 10'000);
  CHECK(all.tombstones > 10'000);
}

}  // namespace
}  // namespace windrow::witness
