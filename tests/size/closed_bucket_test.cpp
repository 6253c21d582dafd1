#include "sim/size/closed_bucket.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/cql/script.h"
#include "sim/engine/node.h"
#include "sim/resolve/load_scenario.h"
#include "sim/size/matrix.h"

namespace windrow {
namespace {

/// What a run leaves of its last closed day: one SSTable.
class LastWindow final : public RunObserver {
 public:
  explicit LastWindow(Micros from_us, Micros to_us) : from_us_(from_us), to_us_(to_us) {}
  void sampled(const Node& node) override {
    files_ = 0;
    for (const auto& [id, file] : node.table(0).sstables()) {
      const FileExtremes& all = file->extremes();
      if (all.min_timestamp_us < from_us_ || all.max_timestamp_us >= to_us_) continue;
      ++files_;
      extremes_ = all;
    }
  }
  int files() const { return files_; }
  const FileExtremes& extremes() const { return extremes_; }

 private:
  Micros from_us_ = 0;
  Micros to_us_ = 0;
  int files_ = 0;
  FileExtremes extremes_{};
};

struct RegularWriter {
  std::string name{};
  std::string cql{};
  std::string entities{};
  std::string rate{};
  std::string columns{};  // lines of the stream
  std::string node = "nb";
  int ttl_s = 0;
};

const std::vector<RegularWriter>& regular_writers() {
  static const std::vector<RegularWriter> all{
      {.name = "text keys, a double and a text",
       .cql = "device text, day text, at timestamp, v double, note text, PRIMARY KEY ((device, day), at)",
       .entities = "pattern(device-%03d, 20)",
       .rate = "6/min",
       .columns = "column.note = text(17)\n",
       .ttl_s = 864'000},
      {.name = "one entity, a row a second",
       .cql = "device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at)",
       .entities = "named(boiler-7)",
       .rate = "1/s",
       .columns = ""},
      {.name = "timeuuid, blobs of 1 KB, no expiry",
       .cql = "id int, day date, at timeuuid, payload blob, PRIMARY KEY ((id, day), at)",
       .entities = "12",
       .rate = "1/min",
       .columns = "column.payload = blob(1000)\n",
       .node = "oa"},
      {.name = "key columns only",
       .cql = "id int, day date, at timestamp, PRIMARY KEY ((id, day), at)",
       .entities = "5",
       .rate = "30/min",
       .columns = "",
       .node = "da"},
      {.name = "each scrape five rows",
       .cql = "id int, day text, at timestamp, metric text, v double, PRIMARY KEY ((id, day), at, metric)",
       .entities = "4",
       .rate = "4/min",
       .columns = "column.metric = each(5, text(12))\n",
       .node = "oa",
       .ttl_s = 7'776'000},
  };
  return all;
}

std::string schema_of(const RegularWriter& writer) {
  return fmt::format(
      "CREATE TABLE readings ({}) WITH default_time_to_live = {} AND compaction = {{'class': "
      "'TimeWindowCompactionStrategy', "
      "'compaction_window_unit': 'DAYS', 'compaction_window_size': 1}};",
      writer.cql, writer.ttl_s);
}

/// Three days and some hours, with flushes in between and at every midnight.
LoadedScenario scenario_of(const RegularWriter& writer) {
  std::string ini = fmt::format(
      "[run]\nschema = t.cql\nlength = 78h\nsample = 1h\n[node]\nformat = {}\n[stream.s]\ntable = readings\nentities = "
      "{}\nrate = {}\n"
      "column.day = day\n{}",
      writer.node, writer.entities, writer.rate, writer.columns);
  int number = 0;
  for (const char* at :
       {"2026-01-02", "2026-01-03", "2026-01-03T05:00:00", "2026-01-03T11:30:00", "2026-01-03T17:10:00", "2026-01-04"})
    ini += fmt::format("[action.a{}]\nat = {}\ndo = flush\n", number++, at);
  return load_scenario("t.ini", ini, {}, [&](const std::string&) { return std::optional(schema_of(writer)); });
}

constexpr Micros day_us = seconds_per_day * us_per_s;

TEST_CASE("a closed bucket is, to the byte, what a run's closed window is on disk before compression") {
  for (const RegularWriter& writer : regular_writers()) {
    CAPTURE(writer.name);
    const LoadedScenario loaded = scenario_of(writer);
    const Micros from_us = loaded.scenario.start_us + 2 * day_us;
    LastWindow window(from_us, from_us + day_us);
    run_node(loaded.scenario, window, {});
    REQUIRE(window.files() == 1);
    const ClosedBucket closed = closed_bucket(loaded.scenario, 0);
    CHECK(closed.bytes == window.extremes().uncompressed_bytes);
    CHECK(closed.rows == window.extremes().rows);
    CHECK(closed.partitions == window.extremes().partitions);
    if (closed.exact) CHECK(closed.partition_bytes.max * closed.partitions == window.extremes().uncompressed_bytes);
  }
}

TEST_CASE("the matrix asks for the same bytes") {
  for (const RegularWriter& writer : regular_writers()) {
    CAPTURE(writer.name);
    SizeQuestion question;
    question.schema = read_schema(schema_of(writer));
    question.rates = {writer.rate};
    question.buckets = {"day"};
    question.entities = writer.entities;
    question.format = writer.node;
    if (const std::size_t equals = writer.columns.find(" = "); equals != std::string::npos) {
      question.columns[writer.columns.substr(7, equals - 7)] =
          writer.columns.substr(equals + 3, writer.columns.size() - equals - 4);
    }
    const SizeMatrix matrix = size_matrix(question);
    REQUIRE(matrix.cells.size() == 1);
    const ClosedBucket closed = closed_bucket(scenario_of(writer).scenario, 0);
    CHECK(matrix.cells.front().size.bytes == closed.bytes);
    CHECK(matrix.cells.front().size.rows == closed.rows);
  }
}

TEST_CASE("of a fleet of different rates, median, p99 and largest are those of the entities") {
  const std::string cql =
      "CREATE TABLE readings (id int, day date, at timestamp, v double, PRIMARY KEY ((id, day), at));";
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = readings\nentities = from(fleet.csv)\ncolumn.day = "
      "day\n";
  std::string fleet = "id,rate\n";
  for (int id = 0; id < 100; ++id) fleet += fmt::format("{},{}\n", id, id < 98 ? "1/min" : id == 98 ? "10/min" : "1/s");
  const LoadedScenario loaded = load_scenario(
      "t.ini", ini, {}, [&](const std::string& name) { return std::optional(name == "fleet.csv" ? fleet : cql); });
  const ClosedBucket closed = closed_bucket(loaded.scenario, 0);
  CHECK(closed.partitions == 100);
  CHECK(closed.partition_rows.p50 == 1'440);
  CHECK(closed.partition_rows.p99 == 14'400);
  CHECK(closed.partition_rows.max == 86'400);
  CHECK(closed.partitions_per_year == doctest::Approx(36'500));
}

TEST_CASE("without a bucket a partition holds the whole run; a run shorter than its bucket shows what there is") {
  const auto closed = [](const std::string& columns, const std::string& key, const std::string& lines) {
    const std::string cql =
        fmt::format("CREATE TABLE readings ({}, at timestamp, v double, PRIMARY KEY ({}, at));", columns, key);
    const std::string ini = "[run]\nschema = t.cql\nlength = 10d\n[stream.s]\ntable = readings\nrate = 1/min\n" + lines;
    return closed_bucket(
        load_scenario("t.ini", ini, {}, [&](const std::string&) { return std::optional(cql); }).scenario, 0);
  };
  CHECK(closed("id int", "id", "").partition_rows.max == 14'400);
  CHECK(closed("id int, month text", "(id, month)", "column.month = month\n").partition_rows.max == 14'400);
  CHECK(closed("id int, day text", "(id, day)", "column.day = day\n").partition_rows.max == 1'440);
}

}  // namespace
}  // namespace windrow
