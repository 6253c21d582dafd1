#include "sim/cost/expected_cost.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "sim/keys/sections.h"
#include "sim/record/recorder.h"
#include "sim/resolve/endless.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/not_modelled.h"
#include "sim/resolve/table_months.h"
#include "sim/words/scenario_error.h"
#include "tests/cost/lib/counted_work.h"
#include "tests/cost/lib/random_run.h"

namespace windrow {
namespace {

std::optional<Scenario> accepted(const RandomRun& run) {
  try {
    LoadedScenario loaded = load_scenario("random.ini", run.ini, {}, [&](const std::string& name) {
      const auto found = run.files.find(name);
      return found == run.files.end() ? std::nullopt : std::optional(found->second);
    });
    refuse_what_is_not_modelled(loaded);
    refuse_what_does_not_end(loaded);
    split_months(loaded.scenario);
    return std::move(loaded.scenario);
  } catch (const ScenarioError&) {
    return std::nullopt;
  }
}

/// "stream.rate" of every key that a text gives a value.
void add_words(const std::string& ini, std::set<std::string>& words) {
  std::istringstream lines(ini);
  std::string kind;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      kind = line.substr(1, line.find_first_of(".]") - 1);
      continue;
    }
    const std::string key = line.substr(0, line.find(' '));
    words.insert(kind + "." + key);
    const std::size_t dot = key.find('.');
    if (dot != std::string::npos) words.insert(kind + "." + key.substr(0, dot) + ".*");
    if (kind == "table" && key == "gc_grace_seconds") words.insert("table.*");
  }
}

/// Plays so many scenarios of a draw; those whose estimate is over a second are for bench_estimate --random.
void play_draw(int draw, int wanted, std::set<std::string>& words, std::int64_t times = 1) {
  int played = 0;
  for (std::uint64_t seed = 1; played < wanted && seed < 20 * static_cast<std::uint64_t>(wanted); ++seed) {
    const RandomRun run = random_run(seed, 3 + static_cast<std::int64_t>(seed % 4), draw, times);
    const std::optional<Scenario> scenario = accepted(run);
    if (!scenario) continue;
    Work done;
    ExpectedCost expected;
    try {
      expected = expected_cost(*scenario);
      constexpr double for_the_bench = 2e7;
      if (expected.steps() > for_the_bench) continue;
      done = counted_work(*scenario);
    } catch (const std::invalid_argument&) {
      continue;
    } catch (const std::length_error&) {
      continue;
    }
    add_words(run.ini, words);
    ++played;
    Work only_counted = expected.work;
    only_counted.keys = 0;
    only_counted.stops = 0;
    only_counted.sketched = 0;
    const double counted = steps_of(done);
    // Below a hundredth of a second nobody asks.
    constexpr double too_few_to_ask = 200'000;
    if (counted < too_few_to_ask) continue;
    CHECK_MESSAGE(counted <= 3 * steps_of(only_counted), "draw ", draw, ", seed ", seed, ", ", times,
                  " times as many entities: ", counted, " steps counted, ", steps_of(only_counted), " expected\n",
                  run.ini, run.files.at("t.cql"));
  }
  CHECK(played == wanted);
}

TEST_CASE("no run of any words takes more than three times what is expected of it") {
  constexpr int wanted = 300;
  std::set<std::string> words;
  play_draw(0, wanted, words);
  for (const SectionInfo& section : all_sections()) {
    for (const KeyInfo& key : section.keys)
      CHECK_MESSAGE(words.contains(section.kind + "." + key.name), section.kind, ".", key.name, " was never said");
  }
  play_draw(1, wanted / 10, words);
  const char* draws = std::getenv("COST_DRAWS");  // as many more, each as long as the first
  for (int more = 0; draws != nullptr && more < std::stoi(draws); ++more) play_draw(2 + more, wanted, words);
}

TEST_CASE("nor of large tables, of which no key is hashed") {
  constexpr int wanted = 100;
  std::set<std::string> words;
  play_draw(0, wanted, words, 100);
  const char* draws = std::getenv("COST_DRAWS");
  for (int more = 0; draws != nullptr && more < std::stoi(draws); ++more) play_draw(1 + more, wanted, words, 400);
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Scenario shipped(const std::string& name) {
  LoadedScenario loaded =
      load_scenario(name + ".ini", text_of("scenarios/" + name + ".ini"), {},
                    [](const std::string& file) { return std::optional(text_of("scenarios/" + file)); });
  split_months(loaded.scenario);
  return std::move(loaded.scenario);
}

TEST_CASE("keys that replace each other, and keys that many compactions meet, are not paid for again and again") {
  const std::string overwritten =
      "[table.t]\nflush_size = 64KiB\n[stream.s]\ntable = t\nentities = pattern(device-%04d, 200)\n"
      "rate = 2/h\ncolumn.device = entity\ncolumn.metric = text(12)\nop = overwrite(4000, cyclic)\n";
  const std::string bucketed =
      "[table.t]\nflush_size = 32KiB\n[stream.s]\ntable = t\nentities = pattern(device-%04d, 200)\n"
      "rate = 2/h\ncolumn.device = entity\ncolumn.day = day\ncolumn.at = time\n";
  const auto table = [](const std::string& columns, const std::string& options) {
    return "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\nCREATE TABLE "
           "k.t (" +
           columns + ") WITH " + options + ";\n";
  };
  const std::string levels = "compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '1'}";
  const std::string expiring_tiers =
      "default_time_to_live = 2592000 AND compaction = {'class': 'SizeTieredCompactionStrategy'}";
  for (const auto& shape : {
           std::pair(overwritten, table("device text, metric text, v double, PRIMARY KEY (device, metric)", levels)),
           std::pair(bucketed, table("device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at)",
                                     expiring_tiers)),
       }) {
    const std::string& cql = shape.second;
    const RandomRun run{.ini = "[run]\nschema = t.cql\nlength = 120d\n" + shape.first, .files = {{"t.cql", cql}}};
    const std::optional<Scenario> scenario = accepted(run);
    REQUIRE(scenario);
    const ExpectedCost expected = expected_cost(*scenario);
    Work done = counted_work(*scenario);
    done.sketched = expected.work.sketched;
    CAPTURE(cql);
    CHECK(expected.steps() < 3 * steps_of(done));
    CHECK(expected.steps() > steps_of(done) / 3);
  }
}

TEST_CASE("reads for the newest rows on each of several nodes are counted, and expected in the newest buckets alone") {
  const std::string cql =
      "CREATE TABLE t (device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at)) "
      "WITH default_time_to_live = 432000 AND compaction = {'class': 'LeveledCompactionStrategy', "
      "'sstable_size_in_mb': '2'};\n";
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 10d\nexact_partitions = 400\n[dc.main]\nnodes = 6\nreplication_factor = 3\n"
      "[table.t]\nflush_size = 8MiB\n[stream.s]\ntable = t\nentities = pattern(device-%04d, 500)\nrate = 60/h\n"
      "column.day = day\nlate = 2% by 5min..2h\n[read.newest]\nof = s\nlatest = 10\nrate = 1/s\n";
  const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
  REQUIRE(scenario);
  const Work expected = expected_cost(*scenario).work;
  const Work done = counted_work(*scenario);
  CHECK(done.read_pieces > 10 * done.read_partitions);
  CHECK(expected.read_partitions > done.read_partitions / 3);
  CHECK(expected.read_partitions < done.read_partitions * 3);
  CHECK(expected.read_pieces > done.read_pieces / 3);
  CHECK(expected.read_pieces < done.read_pieces * 3);
}

TEST_CASE("rows of large files of which partitions are purged one by one are not looked at") {
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 12d\n[table.t]\nflush_size = 64KiB\n[stream.s]\ntable = t\n"
      "entities = pattern(device-%03d, 60)\nrate = 12/h\ncolumn.device = entity\ncolumn.day = day\n"
      "ttl = 1d 5% + table\nlate = 1% by 1h..1d\n";
  const auto looked = [&](const std::string& more) {
    const std::string cql =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
        "CREATE TABLE k.t (device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at)) "
        "WITH default_time_to_live = 345600 AND gc_grace_seconds = 10800 AND compaction = "
        "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': 8" +
        more + "};\n";
    const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
    REQUIRE(scenario);
    return counted_work(*scenario).looked_rows;
  };
  CHECK(looked("") == 0);
  CHECK(looked(", 'unchecked_tombstone_compaction': 'true', 'tombstone_compaction_interval': '3600', "
               "'tombstone_threshold': '0.01'") == 0);
}

TEST_CASE(
    "SSTables of which nothing may go are expected to be rewritten each tombstone_compaction_interval, if unchecked") {
  const auto events = [](const std::string& unchecked) {
    const std::string cql =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
        "CREATE TABLE k.t (device text, hour int, at timestamp, v double, note text, "
        "PRIMARY KEY ((device, hour), at)) WITH gc_grace_seconds = 10800 AND compaction = "
        "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': 6, "
        "'unchecked_tombstone_compaction': '" +
        unchecked + "'};\n";
    const std::string ini =
        "[run]\nschema = t.cql\nlength = 30d\n[table.t]\nflush_size = 256KiB\n[stream.s]\ntable = t\n"
        "entities = pattern(device-%03d, 200)\nrate = 50/day\ncolumn.device = entity\n"
        "column.hour = rolling(24, 1h)\ncolumn.note = null\n";
    const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
    REQUIRE(scenario);
    return std::pair(expected_cost(*scenario).work.events, counted_work(*scenario).events);
  };
  const auto [expected, done] = events("true");
  CHECK(expected > done / 2);
  CHECK(expected < done * 2);
  CHECK(done > 4 * events("false").second);
  CHECK(expected > 4 * events("false").first);
}

TEST_CASE("rows that are looked at for what their sizes cost are counted, and expected") {
  const auto run = [](const std::string& text, const std::string& compaction) {
    const std::string cql =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
        "CREATE TABLE k.t (device text, day text, at timestamp, note text, PRIMARY KEY ((device, day), at)) "
        "WITH compaction = {'class': '" +
        compaction + "'};\n";
    const std::string ini =
        "[run]\nschema = t.cql\nlength = 3d\n[table.t]\nflush_size = 32KiB\n[stream.s]\ntable = t\n"
        "entities = pattern(device-%03d, 20)\nrate = 1/min\ncolumn.device = entity\ncolumn.day = day\ncolumn.note = " +
        text + "\n";
    const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
    REQUIRE(scenario);
    return std::pair(counted_work(*scenario), expected_cost(*scenario).work);
  };
  for (const std::string compaction : {"SizeTieredCompactionStrategy", "LeveledCompactionStrategy"}) {
    CAPTURE(compaction);
    const auto [counted, expected] = run("text(lognormal(90, 280))", compaction);
    CHECK(counted.looked_rows > 50'000);
    CHECK(expected.looked_rows > counted.looked_rows / 3);
    CHECK(expected.looked_rows < counted.looked_rows * 3);
    // All of them as long as can be written in one byte.
    const auto [short_counted, short_expected] = run("text(40)", compaction);
    CHECK(short_counted.looked_rows == 0);
    CHECK(short_expected.looked_rows < expected.looked_rows / 3);
  }
}

/// What the run of a stream, and of those that follow it, into a leveled table counts, and what is expected of it.
std::pair<Work, Work> leveled(const std::string& run, const std::string& stream, const std::string& options) {
  const std::string cql =
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
      "CREATE TABLE k.t (device text, day text, at timestamp, note text, PRIMARY KEY ((device, day), at)) "
      "WITH compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '2'" +
      options + ";\n";
  const std::string ini = "[run]\nschema = t.cql\n" + run + "[stream.s]\ntable = t\n" + stream;
  const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
  REQUIRE(scenario);
  return {counted_work(*scenario), expected_cost(*scenario).work};
}

TEST_CASE("a few rows held one by one make leveled compactions look at all rows, which is expected") {
  const auto run = [](const std::string& ttl) {
    return leveled("length = 3d\nexact_partitions = 1000\n[table.t]\nflush_size = 1MiB\n",
                   "entities = named(a, b)\nrate = 200/day\ncolumn.device = entity\ncolumn.day = month\n"
                   "column.note = text(40)\nttl = " +
                       ttl +
                       "\n[stream.many]\ntable = t\nentities = pattern(device-%05d, 4000)\nrate = 2/h\n"
                       "column.device = entity\ncolumn.day = day\ncolumn.note = text(40)\n",
                   "}");
  };
  const auto [counted, expected] = run("3d then 1d from 2026-01-02");
  CHECK(counted.rows > 0);
  CHECK(counted.looked_rows > 100'000);
  CHECK(expected.looked_rows > counted.looked_rows / 3);
  const auto [plain, plain_expected] = run("3d");
  CHECK(plain.rows == 0);
  CHECK(plain.looked_rows < counted.looked_rows / 10);
  CHECK(plain_expected.looked_rows < expected.looked_rows / 3);
}

void check_within(double factor, double expected, double counted) {
  CHECK(expected < counted * factor);
  CHECK(expected > counted / factor);
}

TEST_CASE("what a leveled table writes is expected nearly, and what flushes say of all partitions") {
  struct Case {
    std::string flush{};
    std::string options{};
  };
  for (const Case& of : {Case{"16MiB", "}"}, Case{"4MiB", "}"}, Case{"1MiB", "}"},
                         Case{"4MiB", "} AND default_time_to_live = 1296000"}}) {
    CAPTURE(of.flush);
    CAPTURE(of.options);
    const auto [counted, expected] =
        leveled("length = 60d\n[table.t]\nflush_size = " + of.flush + "\n",
                "entities = pattern(device-%05d, 20000)\nrate = 2/h\ncolumn.device = entity\ncolumn.day = day\n"
                "column.note = text(40)\n",
                of.options);
    constexpr double nearly = 1.5;
    check_within(nearly, expected.events, counted.events);
    check_within(nearly, expected.sstables, counted.sstables);
    if (of.options == "}") {
      check_within(nearly, expected.looks, counted.looks);
      check_within(2, expected.cohorts, counted.cohorts);
    }
  }
}

TEST_CASE("rows of a backfill into many buckets, cut at hashed tokens, are sought bucket by bucket: it is expected") {
  // They expire, and since nothing is repaired no compaction purges them: levels hold ever more of them.
  const auto [counted, expected] = leveled(
      "length = 1d\n[table.t]\nflush_size = 8MiB\n",
      "entities = pattern(device-%03d, 40)\nbackfill = from 2025-11-01 to 2025-12-01 at 2/s\n"
      "rate = lognormal(40/day, 400/day)\ncolumn.device = entity\ncolumn.day = 10min\ncolumn.note = text(2000)\n",
      ", 'only_purge_repaired_tombstones': 'true'} AND default_time_to_live = 3600 AND gc_grace_seconds = 10800");
  CHECK(counted.parts > 1e6);
  CHECK(counted.rows > 1e6);
  check_within(2, expected.parts, counted.parts);
  check_within(2, expected.rows, counted.rows);
  check_within(3, expected.sstables, counted.sstables);
}

TEST_CASE("partitions that reads look at are counted, and expected") {
  const auto read = [](const std::string& what) {
    const std::string cql =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
        "CREATE TABLE k.t (device text, day text, part int, at timestamp, PRIMARY KEY ((device, day, part), at)) "
        "WITH compaction = {'class': 'TimeWindowCompactionStrategy'};\n";
    const std::string ini =
        "[run]\nschema = t.cql\nlength = 10d\nsample = 6h\n[table.t]\nflush_size = 1MiB\n[stream.s]\ntable = t\n"
        "entities = pattern(device-%03d, 200)\nrate = 1/min\ncolumn.device = entity\ncolumn.day = 10min\n"
        "column.part = shard(4)\n[read.r]\nof = s\nrate = 1/s\n" +
        what;
    const std::optional<Scenario> scenario = accepted({.ini = ini, .files = {{"t.cql", cql}}});
    REQUIRE(scenario);
    return std::pair(counted_work(*scenario).read_partitions, expected_cost(*scenario).work.read_partitions);
  };
  const auto [few_counted, few_expected] = read("range = 1h\n");
  const auto [many_counted, many_expected] = read("range = 3d\n");
  CHECK(many_counted > 20 * few_counted);
  check_within(4, few_expected, few_counted);
  check_within(4, many_expected, many_counted);
}

TEST_CASE("what grows with the borders of purges, with shards that reads look at and with turns is expected") {
  const auto of = [](std::uint64_t seed, std::int64_t days, int draw, std::int64_t times) {
    const std::optional<Scenario> scenario = accepted(random_run(seed, days, draw, times));
    REQUIRE(scenario);
    return std::pair(counted_work(*scenario), expected_cost(*scenario).work);
  };
  constexpr double nearly = 3;
  // A map is replaced under levels with gc_grace_seconds = 0, between the rows of a backfill.
  const auto [purged, purges] = of(15, 1, 9, 30);
  CHECK(purged.purged_cohorts > 1e5);
  check_within(nearly, purges.purged_cohorts, purged.purged_cohorts);
  check_within(nearly, purges.cohorts, purged.cohorts);
  check_within(nearly, purges.met_cohorts, purged.met_cohorts);
  // Leveled partitions of 16 shards.
  const auto [read, reads] = of(144, 5, 7, 200);
  CHECK(read.read_partitions > 1e4);
  check_within(nearly, reads.read_partitions, read.read_partitions);
  check_within(nearly, reads.read_pieces, read.read_pieces);
  // Rolling buckets.
  const auto [walked, walks] = of(3, 3, 7, 100);
  check_within(nearly, walks.sub_streams, walked.sub_streams);
}

TEST_CASE("da looks at the sizes of partitions where tombstones may be dropped: that is expected") {
  std::optional<Scenario> scenario = accepted(random_run(431, 5, 13, 30));  // size tiers, TTL 1 d, gc_grace_seconds = 0
  REQUIRE(scenario);
  REQUIRE(scenario->node.format == SSTableFormat::da);
  const double looked = expected_cost(*scenario).work.looked_rows;
  scenario->node.format = SSTableFormat::oa;
  CHECK(looked > 1e6 + expected_cost(*scenario).work.looked_rows);
}

TEST_CASE("partitions of several shards are looked at together") {
  // Four shards a day of 50,000 accounts: a look at each would take a minute, and the run takes two seconds.
  const Scenario scenario = shipped("tweet-stream");
  CHECK(expected_cost(scenario).steps() * seconds_per_step < 5);
}

TEST_CASE("after a tenth of the work the time left is known within a factor of two") {
  for (const char* name : {"adaptive-buckets", "alter-to-twcs", "app-events", "events-hourly", "iot-sensors",
                           "metrics-daily", "sensor-by-day", "stcs-three-months", "table-per-month", "traces"}) {
    const Scenario scenario = shipped(name);
    const ExpectedCost expected = expected_cost(scenario);
    Recorder recorder(scenario, {}, {});
    const auto length = static_cast<double>(scenario.end_us - scenario.start_us);
    std::vector<std::pair<double, double>> seen;  // share of the work that is said, steps that are done
    const RunOptions options{.go_on = [&](Micros now_us) {
      seen.emplace_back(expected.share_after(static_cast<double>(now_us - scenario.start_us) / length),
                        steps_of(recorder.done()));
      return true;
    }};
    run_node(scenario, recorder, options);
    const double all = steps_of(recorder.done());
    const auto tenth = std::ranges::find_if(seen, [&](const auto& at) { return at.second >= all / 10; });
    REQUIRE(tenth != seen.end());
    const double said_left = tenth->second / tenth->first - tenth->second;
    const double left = all - tenth->second;
    CAPTURE(std::string(name));
    CHECK(said_left < 2 * left);
    CHECK(said_left > left / 2);
  }
}

TEST_CASE("a run of less than a minute says nothing, a longer one why it is long") {
  const Scenario scenario = shipped("iot-sensors");
  ExpectedCost cost = expected_cost(scenario);
  CHECK(why_it_takes_long(scenario, cost).empty());
  for (double& steps : cost.until) steps = steps / cost.until.back() * 200 / seconds_per_step;
  cost.tables.front().flushes = 49'275;
  cost.tables.front().sstables = 640'000;
  cost.tables.front().strategy = "LeveledCompactionStrategy";
  CHECK(why_it_takes_long(scenario, cost) ==
        "about 3 minutes of one processor core: 49,275 flushes of table sensor_data make 640,000 SSTables under "
        "LeveledCompactionStrategy");
  cost.tables.front().work.looked_rows = 1e9;
  CHECK(why_it_takes_long(scenario, cost)
            .ends_with(", whose rows are looked at one by one: in small SSTables, or where "
                       "each partition may be purged by itself"));
  cost.tables.front().work.parts = 1e10;
  CHECK(why_it_takes_long(scenario, cost).ends_with("each SSTable has partitions of many buckets"));
  cost.tables.front().work.read_partitions = 2e10;
  CHECK(why_it_takes_long(scenario, cost).ends_with(", where reads look at 20,000,000,000 partitions"));
}

}  // namespace
}  // namespace windrow
