#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "sim/scenario/scenario_workload.h"
#include "tests/resolve/support.h"

// `row`, udt(…), adaptive shards, several each(n), and `unique` in a partition key.

using namespace windrow;
using namespace windrow::test;

namespace {

const std::string place = "CREATE TYPE place (street text, zip int, city text);";

std::map<std::string, std::string> schema(const std::string& table) {
  return {{"t.cql", place + "CREATE TABLE t (" + table + ");"}};
}

std::string scenario(const std::string& stream) {
  return "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\nrate = 1/min\n" + stream;
}

std::vector<WriterSpec> writers(const std::string& table, const std::string& stream) {
  return load(scenario(stream), schema(table)).scenario.writers;
}

std::string complaint(const std::string& table, const std::string& stream) {
  return mistake_in(scenario(stream), schema(table));
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

using Sizes = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("row: what values of known size leave is shared by the others") {
  const std::string table = "k int, at timestamp, a text, b double, c blob, d text, PRIMARY KEY (k, at)";
  const auto columns = writers(table, "row = 101B\ncolumn.d = text(20)").front().columns;
  REQUIRE(columns.size() == 4);
  CHECK(columns[0].sizes_bytes == Sizes{37});  // 101 - 8 - 20 = 73
  CHECK(columns[1].sizes_bytes == Sizes{8});
  CHECK(columns[2].sizes_bytes == Sizes{36});
  CHECK(columns[3].sizes_bytes == Sizes{20});
  CHECK(says(complaint(table, "row = 20B\ncolumn.d = text(20)"), "is less than its columns of known size, 28 bytes"));
  CHECK(says(complaint("k int, at timestamp, b double, PRIMARY KEY (k, at)", "row = 20B"), "has nothing to size"));
  CHECK(says(complaint(table, "row = 0"), "at least 1B"));
}

TEST_CASE("udt: a size for each field that has none of its own; one value where it is frozen") {
  const std::string fields = "k int, at timestamp, p place, PRIMARY KEY (k, at)";
  const ColumnValue cells = writers(fields, "column.p = udt(text(20), text(10))").front().columns.front();
  CHECK(cells.collection);
  CHECK(cells.elements == 3);
  CHECK(cells.sizes_bytes == Sizes{4, 10, 20});
  CHECK(writers(fields, "column.p = udt(text(7))").front().columns.front().sizes_bytes == Sizes{4, 7, 7});
  const std::string frozen = "k int, at timestamp, p frozen<place>, PRIMARY KEY (k, at)";
  const ColumnValue value = writers(frozen, "column.p = udt(text(20), text(10))").front().columns.front();
  CHECK_FALSE(value.collection);
  CHECK(value.sizes_bytes == Sizes{3 * 4 + 20 + 4 + 10});
  CHECK(says(complaint(fields, "column.p = udt(1, 2, 3)"), "has 3 sizes, but 2 fields of"));
  CHECK(says(complaint("k int, at timestamp, p text, PRIMARY KEY (k, at)", "column.p = udt(20)"),
             "is a udt, but the column is a text"));
}

TEST_CASE("a collection of no elements deletes what was there, as null does") {
  const std::string table = "k int, at timestamp, s set<text>, PRIMARY KEY (k, at)";
  const ColumnValue empty = writers(table, "column.s = set(0)").front().columns.front();
  CHECK(empty.null);
  CHECK(empty.collection);
  CHECK(says(complaint(table, "column.s = append(set(0))"), "appends nothing"));
}

TEST_CASE("adaptive shards: entities above the rate have more of them") {
  const std::string table = "k text, day date, shard int, at timestamp, PRIMARY KEY ((k, day, shard), at)";
  const auto with = [](const std::string& rule) {
    return "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\nentities = 1000\nrate = lognormal(100/day, "
           "20000/day)\ncolumn.k = entity\ncolumn.day = day\ncolumn.shard = " +
           rule;
  };
  const auto made = load(with("adaptive(shard(1), shard(4) above 5000/day)"), schema(table)).scenario.writers;
  CHECK(made.front().shards == 1);
  CHECK(made.back().shards == 4);
  CHECK(made.back().keys->key(0, 0, 3) != made.back().keys->key(0, 0, 0));
  CHECK(says(mistake_in(with("adaptive(shard(1), day above 5000/day)"), schema(table)), "is no number of shards"));
  CHECK(says(mistake_in(with("adaptive(shard(1), shard(4))"), schema(table)), "needs `above` and a rate"));
}

TEST_CASE("several each(n) in the partition key are all their combinations") {
  const auto made =
      writers("k int, a text, b text, at timestamp, PRIMARY KEY ((k, a, b), at)",
              "entities = 4\ncolumn.k = entity\ncolumn.a = each(3, text(6))\ncolumn.b = each(5, text(9))");
  REQUIRE(made.size() == 1);
  CHECK(made.front().entities == 4 * 3 * 5);
  std::set<std::string> keys;
  for (std::int64_t e = 0; e < made.front().entities; ++e) keys.insert(made.front().keys->key(e, 0, 0));
  CHECK(keys.size() == 60);
}

TEST_CASE("unique in the partition key: every write has a partition of its own, whatever the rhythm") {
  for (const std::string type : {"uuid", "timeuuid", "text", "bigint", "int", "blob"}) {
    for (const std::string rate : {"rate = 7/s", "rate = 3/min\nshape = daily(peak 20:00, 3x)\ngrowth = 900%/y",
                                   "rate = 1/s then 40/s from 2026-01-01T06:00:00\nstagger = spread"}) {
      CAPTURE(type);
      CAPTURE(rate);
      const Scenario loaded =
          load("[run]\nschema = t.cql\nlength = 12h\n[stream.s]\ntable = t\nentities = 3\ncolumn.id = unique\n" + rate,
               schema("id " + type + ", at timestamp, v int, PRIMARY KEY (id, at)"))
              .scenario;
      const TableWorkload workload = scenario_workload(loaded, 0);
      std::set<std::string> keys;
      std::int64_t rows = 0;
      for (const Writer& writer : workload.writers()) {
        CHECK(writer.keys->constant_length() == 0);  // a bucket has no bytes of its own
        const std::int64_t all = std::min<std::int64_t>(writer.rhythm.total(), 50'000);
        for (std::int64_t g = 0; g < all; ++g) {
          const std::int64_t bucket = writer.bucket.number(writer.rhythm.event(g) / us_per_s);
          const auto slot = g % writer.most_slots();
          keys.insert(writer.keys->key(slot % writer.entities, writer.bucket.label(bucket), slot / writer.entities));
        }
        rows += all;
      }
      CHECK(rows > 1000);
      // Numbers of four bytes may fall together now and then, as random ones do.
      CHECK(std::ssize(keys) >= (type == "int" ? rows - 10 : rows));
    }
  }
  CHECK(says(complaint("id boolean, at timestamp, v int, PRIMARY KEY (id, at)", "column.id = unique"),
             "a boolean cannot differ in every row"));
}
