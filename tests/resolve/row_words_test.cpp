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

std::vector<WriterSpec> row_writers(const std::string& table, const std::string& stream) {
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
  const auto columns = row_writers(table, "row = 101B\ncolumn.d = text(20)").front().columns;
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
  const ColumnValue cells = row_writers(fields, "column.p = udt(text(20), text(10))").front().columns.front();
  CHECK(cells.collection);
  CHECK(cells.elements == 3);
  CHECK(cells.sizes_bytes == Sizes{4, 10, 20});
  CHECK(row_writers(fields, "column.p = udt(text(7))").front().columns.front().sizes_bytes == Sizes{4, 7, 7});
  const std::string frozen = "k int, at timestamp, p frozen<place>, PRIMARY KEY (k, at)";
  const ColumnValue value = row_writers(frozen, "column.p = udt(text(20), text(10))").front().columns.front();
  CHECK_FALSE(value.collection);
  CHECK(value.sizes_bytes == Sizes{3 * 4 + 20 + 4 + 10});
  CHECK(says(complaint(fields, "column.p = udt(1, 2, 3, 4)"),
             "has 4 sizes, but 2 of the 3 fields of place have no size of their own"));
  CHECK(says(complaint(fields, "column.p = udt(1, 2, 3)"), "has 2 bytes for an int, which has 4"));
  CHECK(says(complaint("k int, at timestamp, p text, PRIMARY KEY (k, at)", "column.p = udt(20)"),
             "is a udt, but the column is a text"));
}

TEST_CASE("udt: fields that are null or hold a collection, and all fields by name") {
  const std::string fields = "k int, at timestamp, p place, PRIMARY KEY (k, at)";
  const ColumnValue some = row_writers(fields, "column.p = udt(text(20), null)").front().columns.front();
  CHECK(some.elements == 2);  // a cell for each field that is set
  CHECK(some.sizes_bytes == Sizes{4, 20});
  const ColumnValue none = row_writers(fields, "column.p = udt(null, null, null)").front().columns.front();
  CHECK(none.null);
  const std::string frozen = "k int, at timestamp, p frozen<place>, PRIMARY KEY (k, at)";
  // A null field of a frozen value is its length alone, which is -1.
  CHECK(row_writers(frozen, "column.p = udt(text(20), null, null)").front().columns.front().sizes_bytes ==
        Sizes{3 * 4 + 20});
  const std::string nested = "k int, at timestamp, p frozen<tuple<text, list<text>>>, PRIMARY KEY (k, at)";
  // Two lengths, the text, and the list's count with two elements of a length and 10 bytes.
  CHECK(row_writers(nested, "column.p = udt(text(20), list(2, text(10)))").front().columns.front().sizes_bytes ==
        Sizes{2 * 4 + 20 + 4 + 2 * (4 + 10)});
  CHECK(says(complaint(nested, "column.p = udt(text(20), udt(4))"), "has a udt for a frozen<list<text>>"));
  CHECK(says(complaint(fields, "column.p = text(20)"), "such as udt(text(20), text(20))"));
}

TEST_CASE("frozen collections and user types as clustering columns") {
  const auto clustering = [](const std::string& type, const std::string& rule) {
    return row_writers("k int, at timestamp, p " + type + ", PRIMARY KEY (k, at, p)", "column.p = " + rule)
        .front()
        .clustering.back()
        .size_bytes;
  };
  CHECK(clustering("frozen<map<text, text>>", "map(2, text(4), text(8))") == 4 + 2 * (4 + 4 + 4 + 8));
  CHECK(clustering("frozen<set<int>>", "set(3, 4)") == 4 + 3 * (4 + 4));
  CHECK(clustering("frozen<place>", "udt(text(6), null)") == 3 * 4 + 6 + 4);
  const std::string table = "k int, at timestamp, p frozen<list<text>>, PRIMARY KEY (k, at, p)";
  CHECK(says(complaint(table, "column.p = map(2, text(4), text(8))"), "the column is a frozen<list<text>>"));
  CHECK(says(complaint(table, "column.p = append(list(1, text(4)))"), "is nothing that a clustering column can hold"));
  CHECK(says(complaint(table, "column.p = udt(4)"), "is a udt, but the column is a"));
}

TEST_CASE("static columns come with each row or with the first of a partition, and words about none are a mistake") {
  const std::string table = "k int, at timestamp, s text static, v int, PRIMARY KEY (k, at)";
  const WriterSpec each = row_writers(table, "column.s = text(8)\n").front();
  CHECK(each.columns.front().is_static);
  CHECK(each.columns.front().sizes_bytes == std::vector<std::int32_t>{8});
  CHECK_FALSE(each.statics_once);
  CHECK(row_writers(table, "column.s = text(8)\nstatics = once\n").front().statics_once);
  // What `row` sizes is the row's own.
  const WriterSpec sized =
      row_writers("k int, at timestamp, s int static, v text, PRIMARY KEY (k, at)", "row = 100B\n").front();
  CHECK(sized.columns.back().sizes_bytes == std::vector<std::int32_t>{100});
  const std::string plain = "k int, at timestamp, v int, PRIMARY KEY (k, at)";
  CHECK(says(complaint(plain, "statics = once\n"), "stream.s.statics: `once` speaks of static columns"));
  CHECK(says(complaint(table, "columns = v\nstatics = once\n"), "the stream writes none"));
  CHECK(says(complaint(table, "column.s = text(8)\nstatics = first\n"), "each, once"));
  CHECK(says(complaint(table, "statics = once\n"), "nothing says how large its values are"));
}

TEST_CASE("a small number holds the time as an offset within its bucket, as long as its values last") {
  const std::string table = "k int, day timestamp, step smallint, PRIMARY KEY ((k, day), step)";
  const std::string keys = "column.k = entity\ncolumn.day = day\ncolumn.step = time\n";
  const WriterSpec writer = row_writers(table, keys).front();  // 1,440 rows a day
  CHECK(writer.clustering.front().source == ClusteringSpec::Source::time);
  CHECK(writer.clustering.front().size_bytes == 2);
  CHECK_FALSE(writer.clustering.front().fixed_length);  // ShortType's length is stored, in a byte
  CHECK(writer.clustering_bytes == 1 + 1 + 2);
  const std::string fast = "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\nrate = 1/s\n" + keys;
  CHECK(says(mistake_in(fast, schema(table)), "a partition gets up to 86400 rows, and this column tells 32768 apart"));
  const std::string tiny = "k int, day timestamp, step tinyint, PRIMARY KEY ((k, day), step)";
  CHECK(says(complaint(tiny, keys), "a partition gets up to 1440 rows, and this column tells 128 apart"));
  // Another column that differs in every row is enough.
  CHECK(row_writers("k int, day timestamp, step tinyint, id uuid, PRIMARY KEY ((k, day), step, id)",
                    keys + "column.id = unique\n")
            .size() == 1);
  // Without a bucket the whole run is one partition.
  const std::string plain = "k int, step smallint, PRIMARY KEY (k, step)";
  CHECK(row_writers(plain, "column.step = time\n").size() == 1);  // 4,320 rows in three days
  CHECK(
      says(mistake_in("[run]\nschema = t.cql\nlength = 30d\n[stream.s]\ntable = t\nrate = 1/min\ncolumn.step = time\n",
                      schema(plain)),
           "a partition gets up to 43200 rows"));
}

TEST_CASE("a number too small for a date holds the part that a coarser bucket of the key leaves open") {
  const std::string table =
      "k int, year smallint, month tinyint, day tinyint, hour tinyint, at timestamp, PRIMARY KEY ((k, year, month, "
      "day, hour), at)";
  const std::string keys =
      "column.k = entity\ncolumn.year = year\ncolumn.month = month\ncolumn.day = day\ncolumn.hour = hour\n";
  const WriterSpec writer = row_writers(table, keys).front();
  // 2026-01-31T14:00 of entity 0, each part with its length before it and a zero behind it.
  const std::string key = writer.keys->key(0, 1'769'868'000, 0);
  using Text = std::string;
  CHECK(key == Text("\0\4\0\0\0\0\0", 7) + Text("\0\2\7\352\0", 5) + Text("\0\1\1\0", 4) + Text("\0\1\37\0", 4) +
                   Text("\0\1\16\0", 4));
  const std::string alone = "k int, hour tinyint, at timestamp, PRIMARY KEY ((k, hour), at)";
  CHECK(says(complaint(alone, "column.hour = hour\n"), "no coarser bucket of the partition key tells the rest"));
  const std::string gap = "k int, year int, hour tinyint, at timestamp, PRIMARY KEY ((k, year, hour), at)";
  CHECK(says(complaint(gap, "column.k = entity\ncolumn.year = year\ncolumn.hour = hour\n"), "tells the rest"));
}

TEST_CASE("a date as the time holds one row a day; counters that are counted up again are refused") {
  const std::string table = "k int, day date, v double, PRIMARY KEY (k, day)";
  const auto mistake = [&](const std::string& rate) {
    return mistake_in(
        "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\ncolumn.day = time\nrate = " + rate + "\n",
        schema(table));
  };
  CHECK(mistake("1/d").empty());
  CHECK(mistake("1/d\nentities = 20").empty());
  CHECK(says(mistake("1/min"), "stream.s.column.day: holds the time, but a partition gets 1440 rows a day"));
  CHECK(says(mistake("1/min"), "op = overwrite(KEYS)"));
  CHECK(mistake("1/min\nop = overwrite(30)").empty());
  const std::string counters = complaint("k int, n counter, PRIMARY KEY (k)", "op = update\n");
  CHECK(says(counters, "counting up the same counters is not modelled"));
}

TEST_CASE("a collection of no elements deletes what was there, as null does") {
  const std::string table = "k int, at timestamp, s set<text>, PRIMARY KEY (k, at)";
  const ColumnValue empty = row_writers(table, "column.s = set(0)").front().columns.front();
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
      row_writers("k int, a text, b text, at timestamp, PRIMARY KEY ((k, a, b), at)",
                  "entities = 4\ncolumn.k = entity\ncolumn.a = each(3, text(6))\ncolumn.b = each(5, text(9))");
  REQUIRE(made.size() == 1);
  CHECK(made.front().entities == 4 * 3 * 5);
  std::set<std::string> keys;
  for (std::int64_t e = 0; e < made.front().entities; ++e) keys.insert(made.front().keys->key(e, 0, 0));
  CHECK(keys.size() == 60);
}

TEST_CASE("new(rate, living time): so many partitions at a time, each its own, written for so long") {
  const std::string table = "id uuid, at timestamp, v int, PRIMARY KEY (id, at)";
  const WriterSpec spec = row_writers(table, "entities = new(10/s, living 5min)").front();
  CHECK(spec.entities == 3'000);  // 10/s for 300 s
  CHECK(spec.unique_partitions);
  CHECK(spec.bucket.number(1'767'225'600 + 299) == spec.bucket.number(1'767'225'600));
  CHECK(spec.bucket.number(1'767'225'600 + 300) == spec.bucket.number(1'767'225'600) + 1);
  CHECK(spec.rows_per_s() == doctest::Approx(50));
  std::set<std::string> keys;
  for (std::int64_t life = 0; life < 3; ++life) {
    for (std::int64_t entity = 0; entity < spec.entities; ++entity)
      keys.insert(spec.keys->key(entity, spec.bucket.label(life), 0));
  }
  CHECK(keys.size() == 9'000);
  // By hand: 3 days have 864 lives of 50 partitions, and 5 rows each.
  const LoadedScenario loaded = load(scenario("entities = new(10/min, living 5min)\n"), schema(table));
  const TableWorkload workload = scenario_workload(loaded.scenario, 0);
  CHECK(partitions_written(workload) == 864 * 50);
  CHECK(rows_written(workload) == 864 * 50 * 5);

  const std::string two =
      "entities = new(1/min, living 5min)\n[stream.r]\ntable = t\nrate = 1/min\nentities = new(1/min, living 5min)\n";
  const std::vector<WriterSpec> apart = row_writers(table, two);
  REQUIRE(apart.size() == 2);
  CHECK(apart[0].keys->key(0, 0, 0) != apart[1].keys->key(0, 0, 0));

  const std::string by_day = "day date, id text, at timestamp, v int, PRIMARY KEY ((day, id), at)";
  const WriterSpec both =
      row_writers(by_day, "entities = new(1/min, living 2min)\ncolumn.day = day\ncolumn.id = entity\n").front();
  CHECK(both.keys->key(0, 1'767'225'600, 0) != both.keys->key(0, 1'767'225'720, 0));

  CHECK(says(complaint(table, "entities = new(1/min, living 90s)"), "comes to 1.5 entities that write at a time"));
  CHECK(says(complaint(table, "entities = new(1/min, living 500ms)"), "live for no whole seconds"));
  CHECK(says(complaint(table, "entities = new(1/min)"), "new(10/s, living 5min)"));
  CHECK(says(complaint(table, "entities = new(1/min, dying 5min)"), "needs `living` here"));
  const std::string lives = "entities = new(1/min, living 5min)\n";
  CHECK(
      says(complaint(table, lives + "op = overwrite(5)"), "deletes or overwrites rows of entities that live shortly"));
  CHECK(says(complaint(table, lives + "growth = 10%/y"), "says nothing of the number of entities that live shortly"));
  CHECK(says(complaint(table, lives + "shape = daily(peak 20:00, 3x)"), "says nothing of the number"));
  CHECK(says(complaint(table, lives + "backfill = from 2020-01-01 to 2021-01-01 at 10/s"), "loads history of"));
  CHECK(says(complaint(table, lives + "ttl = 1d then 2d from 2026-01-02T00:03:00"),
             "changes sizes, TTL or bucket while"));
  CHECK(row_writers(table, lives + "ttl = 1d then 2d from 2026-01-02T00:05:00").size() == 2);
  CHECK(says(complaint("id uuid, part int, at timestamp, v int, PRIMARY KEY ((id, part), at)",
                       lives + "column.id = entity\ncolumn.part = shard(4)"),
             "divides the partitions of entities that live shortly"));
  CHECK(
      says(complaint("day date, id uuid, v int, PRIMARY KEY (day, id)", lives + "column.day = day\ncolumn.id = entity"),
           "needs a column of the partition key that holds them"));
}

TEST_CASE(
    "entities that all write at the same instant keep their instants when a TTL or a bucket changes between two") {
  const std::string every =
      "[run]\nschema = t.cql\nlength = 12h\n[stream.s]\ntable = t\nentities = 30\ncolumn.id = entity\n"
      "stagger = none\n";
  const auto cql = schema("id text, at timestamp, v int, PRIMARY KEY (id, at)");
  const auto instants = [&](const std::string& more) {
    const Scenario scenario = load(every + more, cql).scenario;
    const TableWorkload workload = scenario_workload(scenario, 0);
    std::multiset<Micros> all;
    for (const Writer& writer : workload.writers()) {
      for (std::int64_t row = 0; row < writer.rhythm.total(); ++row) all.insert(writer.rhythm.event(row));
    }
    return all;
  };
  const std::string seven = "rate = 1/7min\n";
  const std::multiset<Micros> undisturbed = instants(seven);
  CHECK(undisturbed.size() == 30 * 103);
  CHECK(instants(seven + "ttl = 1d then 2d from 2026-01-01T06:00:00") == undisturbed);
  CHECK(instants(seven + "ttl = 1d then 2d from 2026-01-01T06:04:59") == undisturbed);
  CHECK(instants(seven + "ttl = 1d then 2d from 2026-01-01T11:58:00") == undisturbed);  // after the last instant
  // A rate that changes with it counts from there.
  const std::string later =
      "rate = 1/7min then 1/5min from 2026-01-01T06:04:00\nttl = 1d then 2d from 2026-01-01T06:04:00";
  const std::multiset<Micros> two = instants(later);
  CHECK(two.size() == 30 * (52 + 72));
  CHECK(two.contains(*undisturbed.begin() + (6 * 60 + 4) * 60 * us_per_s));
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

TEST_CASE("unique, and constants, of decimals and addresses in keys") {
  const std::string table = "k text, d decimal, at timestamp, i inet, PRIMARY KEY ((k, d), at, i)";
  const auto sizes = [&](const std::string& d, const std::string& i) {
    const WriterSpec made = row_writers(table, "column.k = 'a'\ncolumn.d = " + d + "\ncolumn.i = " + i + "\n").front();
    return std::pair(made.keys->key(0, 0, 0).size(), made.clustering.back().size_bytes);
  };
  // Components of the partition key have three bytes beside their value; a decimal is a scale and a whole number.
  CHECK(sizes("2.5", "'10.0.0.1'") == std::pair<std::size_t, std::int32_t>(3 + 1 + 3 + 4 + 1, 4));
  CHECK(sizes("unique", "unique") == std::pair<std::size_t, std::int32_t>(3 + 1 + 3 + 4 + 8, 4));
  CHECK(says(complaint(table, "column.k = 'a'\ncolumn.d = 'x'\ncolumn.i = unique"), "a decimal cannot hold 'x'"));
}
