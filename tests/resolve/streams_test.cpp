#include <doctest/doctest.h>

#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

const std::string three_tables =
    "CREATE TABLE metrics_raw (service text, hour text, metric_name text, at timestamp, value double, PRIMARY KEY "
    "((service, hour), metric_name, at));"
    "CREATE TABLE metrics_1min (service text, date date, metric_name text, minute timestamp, mean double, PRIMARY KEY "
    "((service, date), metric_name, minute));"
    "CREATE TABLE metrics_1hour (service text, month text, metric_name text, hour timestamp, mean double, PRIMARY KEY "
    "((service, month), metric_name, hour));";

const std::string multi_resolution =
    "[run]\nschema = metrics.cql\nlength = 1y\n"
    "[stream.raw]\ntable = metrics_raw\nentities = pattern(service-%03d, 200)\nrate = 6/min\ncolumn.hour = "
    "hour\ncolumn.metric_name = each(50, text(20))\n"
    "[stream.minutes]\ntable = metrics_1min\nof = raw\nper = 1min\ndelay = 30s\ncolumn.date = day\ncolumn.minute = "
    "start\n"
    "[stream.hours]\ntable = metrics_1hour\nof = minutes\nper = 1h\ndelay = 5min\ncolumn.month = month\ncolumn.hour = "
    "start\n"
    "[limits.metrics_raw]\nheld_back_share = 20%\n";

}  // namespace

TEST_CASE("indexes and views of a table are named as what is not counted") {
  const std::string cql =
      small_files.at("t.cql") +
      "CREATE INDEX by_value ON readings (value) USING 'sai'; CREATE INDEX by_note ON readings (note);"
      "CREATE MATERIALIZED VIEW by_day AS SELECT * FROM readings WHERE device IS NOT NULL AND day IS NOT "
      "NULL AND at IS NOT NULL PRIMARY KEY ((day), device, at);";
  const auto missing = [](const std::string& text) {
    return load(small_scenario("rate = 1/s\ncolumn.device = entity\ncolumn.day = day\ncolumn.note = text(20)\n"),
                {{"t.cql", text}})
        .scenario.tables.front()
        .not_counted;
  };
  CHECK(missing(cql) == std::vector<std::string>{"index by_note", "SAI index by_value", "materialized view by_day"});
  CHECK(missing(small_files.at("t.cql")).empty());
}

TEST_CASE("derived streams write one row per entity, series and interval that has data") {
  const Scenario scenario = load(multi_resolution, {{"metrics.cql", three_tables}}).scenario;
  REQUIRE(scenario.writers.size() == 3);
  CHECK(scenario.writers[0].rows_per_s() == doctest::Approx(200 * 6 * 50 / 60.0));
  CHECK(scenario.writers[1].rows_per_s() == doctest::Approx(200 * 50 / 60.0));
  CHECK(scenario.writers[2].rows_per_s() == doctest::Approx(200 * 50 / 3600.0));
  CHECK(scenario.writers[1].delay_us == 90 * us_per_s);
  CHECK(scenario.writers[2].entities == 200);
  CHECK(scenario.writers[2].bucket_text == "month");
  CHECK(scenario.limits.front().table == 0);
}

TEST_CASE("copies write every event to so many entities") {
  const Scenario scenario =
      load(small_scenario("entities = 1000\nrate = 2/h\ncopies = 50\ncolumn.day = day\ncolumn.note = text(20)\n"),
           small_files)
          .scenario;
  CHECK(scenario.writers.front().rows_per_s() == doctest::Approx(1000 * 2 * 50 / 3600.0));
}

TEST_CASE("a fleet from a file: classes by name, or by rate with the largest singly") {
  const std::string stream = "entities = from(fleet.csv)\ncolumn.day = day\ncolumn.note = text(20)\n";
  auto files = small_files;
  files["fleet.csv"] = "id,rate,class\nb,1/min,small\n\"a, quoted\",3/min,small\nc,1/s,big\n";
  const Scenario named = load(small_scenario(stream), files).scenario;
  REQUIRE(named.writers.size() == 2);
  CHECK(named.writers[0].entities == 2);
  CHECK(named.writers[0].rows_per_s() == doctest::Approx(4 / 60.0));
  CHECK(named.writers[0].names->name(1) == "a, quoted");
  CHECK(named.writers[1].names->name(0) == "c");
  files["fleet.csv"] = "id,rate\r\nb,1/min\r\na,3/min\r\nc,1\r\n";
  const Scenario sampled = load(small_scenario(stream), files).scenario;
  REQUIRE(sampled.writers.size() == 3);
  CHECK(sampled.writers[2].single);
  CHECK(sampled.writers[2].names->name(0) == "c");
  CHECK(sampled.writers[2].rows_per_s() == doctest::Approx(1));
  files["fleet.csv"] = "id\nx\ny\n";
  CHECK(load(small_scenario(stream + "rate = 1/s\n"), files).scenario.writers.front().entities == 2);
}

TEST_CASE("deletes from a fleet whose file has rates come at their own rate, or at the file's") {
  auto files = small_files;
  files["fleet.csv"] = "id,rate\nb,1/min\na,3/min\nc,1\n";
  const auto deletes = [&](const std::string& rate) {
    return load(small_scenario("entities = from(fleet.csv)\ncolumn.day = day\ncolumn.note = text(20)\n[stream.erased]\n"
                               "like = readings\nop = delete(row, 2d)\n" +
                               rate),
                files)
        .scenario.writers;
  };
  const auto hourly = deletes("rate = 1/h\n");
  CHECK(hourly.back().op == WriteOp::remove);
  CHECK(hourly.back().entities == 3);
  CHECK(hourly.back().rows_per_s() == doctest::Approx(3 / 3600.0));
  CHECK(hourly.back().entity_group == hourly.front().entity_group);
  CHECK(deletes({}).back().rows_per_s() == doctest::Approx(1));
}

TEST_CASE("a profile from a file is a rate in time, silent before its first line") {
  auto files = small_files;
  files["profile.csv"] = "time,rate\n1d,10/min\n2026-01-05,0\n2026-01-06,1\n";
  const Scenario scenario =
      load(small_scenario("rate = from(profile.csv)\ncolumn.day = day\ncolumn.note = text(20)\n"), files).scenario;
  const auto& rate = scenario.writers.front().rate;
  REQUIRE(rate.size() == 4);
  CHECK(rate[0].rows == 0);
  CHECK(rate[1].from_us == scenario.start_us + seconds_per_day * us_per_s);
  CHECK(rate[2].rows == 0);
  CHECK(rate[3].period_us == us_per_s);
}

TEST_CASE("a distribution from a file's column") {
  auto files = small_files;
  files["rates.csv"] = "name,rows\nx,2/day\ny,4/day\nz,6/day\n";
  const Scenario scenario =
      load(
          small_scenario("entities = 300\nrate = from(rates.csv:rows)\ncolumn.day = day\ncolumn.note = "
                         "text(from(sizes.csv:bytes))\n"),
          {{"t.cql", small_files.at("t.cql")}, {"rates.csv", files["rates.csv"]}, {"sizes.csv", "bytes\n10\n20\n90\n"}})
          .scenario;
  double sum = 0;
  for (const WriterSpec& writer : scenario.writers) sum += writer.rows_per_s();
  CHECK(sum == doctest::Approx(300 * 4 / 86'400.0).epsilon(1e-9));
  CHECK(scenario.writers.front().columns.front().mean_bytes() == doctest::Approx(40).epsilon(0.01));
}

TEST_CASE("backfill: the stream's history at a pace of its own, then the live rows beside it") {
  const Scenario scenario =
      load(small_scenario("entities = 10\nrate = 1/min\nbackfill = from 2025-01-01 to 2025-01-11 at 10/s\ntimestamp = "
                          "event\ncolumn.day = day\ncolumn.note = text(20)\n"),
           small_files)
          .scenario;
  REQUIRE(scenario.writers.size() == 2);
  const WriterSpec& old = scenario.writers[1];
  REQUIRE(old.backfill.has_value());
  CHECK(old.until_us - old.from_us == 10 * 1440 * 10 / 10 * us_per_s);
  CHECK(old.timestamp.from_event);
  CHECK(old.rows_per_s() == doctest::Approx(10));
}

TEST_CASE("late rows are at most eight delays a part") {
  const Scenario scenario =
      load(
          small_scenario("rate = 1/min\nlate = 2% by 1h..2d + 0.1% by 10d\ncolumn.day = day\ncolumn.note = text(20)\n"),
          small_files)
          .scenario;
  const auto& late = scenario.writers.front().late;
  REQUIRE(late.size() == 9);
  std::int64_t share = 0;
  for (const LateShare& each : late) share += each.share_ppm;
  CHECK(share == 21'000);
  CHECK(late[0].delay_us > 3600 * us_per_s);
  CHECK(late[7].delay_us < 2 * seconds_per_day * us_per_s);
  CHECK(late[8].delay_us == 10 * seconds_per_day * us_per_s);

  const Scenario few =
      load(small_scenario("rate = 1/min\nlate = 0.0011% by 1h..2d\ncolumn.day = day\ncolumn.note = text(20)\n"),
           small_files)
          .scenario;
  std::vector<std::int64_t> shares_ppm;
  for (const LateShare& each : few.writers.front().late) shares_ppm.push_back(each.share_ppm);
  CHECK(shares_ppm == std::vector<std::int64_t>{2, 2, 2, 1, 1, 1, 1, 1});
}

TEST_CASE("table options go over the schema's, --set over both, and ALTERs over all in order of time") {
  const std::string ini =
      small_scenario("rate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\n") +
      "[table.readings]\ngc_grace_seconds = 3600\ncompaction.class = "
      "TimeWindowCompactionStrategy\ncompaction.compaction_window_size = 3\nspeculative_retry = 95p\n"
      "[change.second]\nat = 2026-01-08\ncql = ALTER TABLE readings WITH gc_grace_seconds = 0\n"
      "[change.first]\nat = 2026-01-05\ncql = ALTER TABLE readings WITH default_time_to_live = 86400\n";
  const Scenario scenario =
      load(ini, small_files,
           {"table.readings.compaction.compaction_window_size=7", "table.readings.bloom_filter_fp_chance=0.1"})
          .scenario;
  const TableOptions& options = scenario.tables.front().schema.options;
  CHECK(options.gc_grace_seconds == 3600);
  CHECK(options.bloom_filter_fp_chance == 0.1);
  CHECK(options.speculative_retry == "95p");
  REQUIRE(std::holds_alternative<TimeWindowOptions>(options.compaction_options));
  CHECK(std::get<TimeWindowOptions>(options.compaction_options).window_size == 7);
  REQUIRE(scenario.changes.size() == 2);
  CHECK(scenario.changes[0].name == "first");
  CHECK(scenario.changes[0].after.options.gc_grace_seconds == 3600);
  CHECK(scenario.changes[1].after.options.default_time_to_live == 86'400);
  CHECK(scenario.changes[1].after.options.gc_grace_seconds == 0);
}

TEST_CASE("--set goes over the file, like copies what is not given, and both survive in the resolved scenario") {
  const std::string ini = small_scenario("entities = 10\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\n") +
                          "[stream.other]\nlike = readings\nentities = named(x)\ncolumn.note = text(30)\n";
  const LoadedScenario loaded = load(ini, small_files, {"stream.readings.rate=7/s", "stream.other.column.day=hour"});
  const Scenario& scenario = loaded.scenario;
  CHECK(scenario.writers[0].rows_per_s() == doctest::Approx(70));
  CHECK(scenario.writers[1].rows_per_s() == doctest::Approx(7));
  CHECK(scenario.writers[1].bucket.length() == 3600);
  CHECK(scenario.writers[1].columns.front().sizes_bytes.front() == 30);
}

TEST_CASE("windows line ends, a byte order mark and comments") {
  const std::string ini =
      "\xEF\xBB\xBF# first\r\n[run]   # here\r\nschema = t.cql # there\r\nlength=10d\r\n\r\n[stream.readings]\r\ntable "
      "= readings\r\nrate=1/min\r\ncolumn.day=day\r\ncolumn.note =  text(20)\r\n";
  CHECK(mistake_in(ini, small_files) == "");
}

TEST_CASE("quoted column names, and names that Program_options would misread") {
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 1d\n[stream.s]\ntable = t\nrate = 1/s\ncolumn.\"a,b = c*\" = "
      "text(3)\ncolumn.\"Mixed Case\" = text(4)\n";
  const Scenario scenario =
      load(ini,
           {{"t.cql",
             "CREATE TABLE t (k text, at timestamp, \"a,b = c*\" text, \"Mixed Case\" text, PRIMARY KEY (k, at));"}})
          .scenario;
  CHECK(scenario.writers.front().columns.size() == 2);
}

TEST_CASE("what entity and shard give to the length of a key is told without the key") {
  const auto check = [](const std::string& types, const std::string& columns, const std::string& stream) {
    CAPTURE(columns);
    const std::string cql = "CREATE TABLE t (" + types + ", at timestamp, PRIMARY KEY ((" + columns + "), at));";
    const std::string ini = "[run]\nschema = t.cql\nlength = 1y\n[stream.s]\ntable = t\nrate = 1/min\n" + stream;
    const Scenario scenario = load(ini, {{"t.cql", cql}}).scenario;
    const WriterSpec& writer = scenario.writers.front();
    const std::optional<int> first = writer.keys->varying_length(0, 0);
    REQUIRE(first);
    for (const std::int64_t bucket : {0, 5, 11}) {
      const std::int64_t label = writer.bucket.label(writer.bucket.number(scenario.start_us / us_per_s) + bucket);
      const auto length = [&](std::int64_t entity, std::int64_t shard) {
        return static_cast<int>(writer.keys->key(entity, label, shard).size());
      };
      for (std::int64_t entity = 0; entity < writer.entities; ++entity) {
        for (std::int64_t shard = 0; shard < writer.shards; ++shard)
          CHECK(length(entity, shard) - length(0, 0) == *writer.keys->varying_length(entity, shard) - *first);
      }
    }
  };
  check("k text, day text, shard text", "k, day, shard",
        "entities = named(a, bcd, e, longer-than-all)\ncolumn.day = day\ncolumn.shard = shard(16)\n");
  check("k varint, month int, part text", "k, month, part",
        "entities = 300\ncolumn.month = month\ncolumn.part = each(11, text(1))\n");
  check("k text", "k", "entities = pattern(d%d, 120)\n");
  check("k text", "k", "entities = pattern(d%02d-x, 120)\n");
  check("k text", "k", "entities = 120\n");
}
