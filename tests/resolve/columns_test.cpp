#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

// The writers of a table with one stream.
std::vector<WriterSpec> writers(const std::string& table, const std::string& stream,
                                const std::string& run = "length = 30d") {
  return load("[run]\nschema = t.cql\n" + run + "\n[stream.s]\ntable = t\nrate = 1/min\n" + stream,
              {{"t.cql", "CREATE TABLE t (" + table + ");"}})
      .scenario.writers;
}

std::string key_at(const WriterSpec& writer, const std::string& date, std::int64_t entity = 0, std::int64_t shard = 0) {
  const Micros us = Setting<Moment>(date)->us;
  return writer.keys->key(entity, writer.bucket.label(writer.bucket.number(us / us_per_s)), shard);
}

// The second component of a key of two, without its length and end.
std::string bucket_part(const std::string& type, const std::string& bucket, const std::string& date,
                        const std::string& more = "") {
  const auto made = writers("k int, b " + type + ", at timestamp, v int, PRIMARY KEY ((k, b), at)",
                            "column.b = " + bucket + "\n" + more);
  const std::string key = key_at(made.front(), date);
  return key.substr(2 + 4 + 1 + 2, key.size() - 10);
}

}  // namespace

TEST_CASE("a bucket in a text is as long as its name") {
  CHECK(bucket_part("text", "day", "2026-03-09T10:20:30") == "2026-03-09");
  CHECK(bucket_part("text", "hour", "2026-03-09T10:20:30") == "2026-03-09-10");
  CHECK(bucket_part("text", "minute", "2026-03-09T10:20:30") == "2026-03-09-10-20");
  CHECK(bucket_part("text", "10min", "2026-03-09T10:25:30") == "2026-03-09-10-20");
  CHECK(bucket_part("text", "6h", "2026-03-09T10:25:30") == "2026-03-09-06");
  CHECK(bucket_part("text", "month", "2026-03-09T10:20:30") == "2026-03");
  CHECK(bucket_part("text", "year", "2026-03-09T10:20:30") == "2026");
  CHECK(bucket_part("text", "week", "2026-03-09T10:20:30") == "2026-W11");
  CHECK(bucket_part("text", "week", "2027-01-01") == "2026-W53");
  CHECK(bucket_part("date", "week", "2026-03-15") == bucket_part("date", "day", "2026-03-09"));  // a Monday
  CHECK(bucket_part("text", "day", "2026-03-09T23:30:00", "zone = +02:00\n") == "2026-03-10");
}

TEST_CASE("a week of the calendar begins on Monday, seven days are counted from the epoch as time windows are") {
  const Micros monday_us = Setting<Moment>(std::string("2026-03-09"))->us;
  const auto begin_of = [](const std::string& bucket) {
    const auto made =
        writers("k int, b text, at timestamp, v int, PRIMARY KEY ((k, b), at)", "column.b = " + bucket + "\n");
    const BucketRule& rule = made.front().bucket;
    return rule.begin(rule.number(Setting<Moment>(std::string("2026-03-14T23:59:59"))->us / us_per_s));
  };
  CHECK(begin_of("week") == monday_us / us_per_s);
  CHECK(begin_of("7d") == monday_us / us_per_s + 3 * seconds_per_day);
  CHECK(begin_of("7d") % (7 * seconds_per_day) == 0);
  CHECK(bucket_part("text", "7d", "2026-03-14T23:59:59") == "2026-03-12");
}

TEST_CASE("the type of a bucket column decides its bytes") {
  CHECK(bucket_part("date", "day", "1970-01-02") == std::string("\x80\0\0\1", 4));
  CHECK(bucket_part("timestamp", "hour", "1970-01-01T02:30:00") == std::string("\0\0\0\0\0\x6D\xDD\0", 8));
  CHECK(bucket_part("int", "month", "2026-03-09") == std::string("\x00\x03\x17\x6B", 4));  // 202603
  CHECK(bucket_part("int", "day", "2026-03-09") == std::string("\x01\x35\x25\xD5", 4));    // 20260309
  CHECK(bucket_part("bigint", "hour", "2026-03-09T10:00:00").size() == 8);
}

TEST_CASE("the only silent key column holds the entity, numbers fit integers, names fit texts") {
  const auto ints = writers("k int, at timestamp, v int, PRIMARY KEY (k, at)", "entities = 300\n");
  CHECK(ints.front().keys->key(258, 0, 0) == std::string("\0\0\1\2", 4));
  CHECK(ints.front().keys->constant_length() == 4);
  const auto uuids = writers("k uuid, at timestamp, v int, PRIMARY KEY (k, at)", "entities = 300\n");
  CHECK(uuids.front().keys->key(1, 0, 0).size() == 16);
  CHECK(uuids.front().keys->key(1, 0, 0) != uuids.front().keys->key(2, 0, 0));
  const auto texts = writers("k text, at timestamp, v int, PRIMARY KEY (k, at)", "entities = 300\n");
  CHECK(texts.front().keys->key(258, 0, 0) == "258");
  CHECK(texts.front().keys->constant_length() == 0);
  CHECK(texts.front().key_bytes == 3);
}

TEST_CASE("shards, constants and each(n) in the partition key") {
  const auto sharded = writers("k text, s int, r text, at timestamp, v int, PRIMARY KEY ((k, s, r), at)",
                               "entities = named(x)\ncolumn.s = shard(4)\ncolumn.r = 'eu'\n");
  CHECK(sharded.front().shards == 4);
  CHECK(sharded.front().keys->key(0, 0, 3) == std::string("\0\1x\0\0\4\0\0\0\3\0\0\2eu\0", 16));
  const auto each = writers("k text, m text, at timestamp, v int, PRIMARY KEY ((k, m), at)",
                            "entities = named(x, y)\ncolumn.k = entity\ncolumn.m = each(50, text(6))\n");
  CHECK(each.front().entities == 100);
  CHECK(each.front().rows_per_s() == doctest::Approx(100.0 / 60));
  CHECK(each.front().keys->key(57, 0, 0) == std::string("\0\1y\0\0\6m00007\0", 13));
  CHECK(each.front().names->name(57) == "y/7");
}

TEST_CASE("a number alone is a constant of a column of numbers, as in quotes") {
  for (const char* constant : {"-7", "'-7'"}) {
    const auto made = writers("k text, s int, at timestamp, v double, PRIMARY KEY ((k, s), at)",
                              fmt::format("entities = named(x)\ncolumn.s = {}\n", constant));
    CHECK(made.front().keys->key(0, 0, 0) == std::string("\0\1x\0\0\4\xff\xff\xff\xf9\0", 11));
  }
  const auto valued = writers("k text, at timestamp, v double, PRIMARY KEY (k, at)", "entities = 10\ncolumn.v = 2.5\n");
  CHECK(valued.front().columns.front().sizes_bytes == std::vector<std::int32_t>{8});
}

TEST_CASE("each(n) among the clustering columns writes n rows at once") {
  const auto made = writers("k text, at timestamp, metric text, v double, PRIMARY KEY (k, at, metric)",
                            "entities = 10\ncolumn.metric = each(50, text(20))\n");
  CHECK(made.front().rows_per_event == 50);
  CHECK(made.front().rows_per_s() == doctest::Approx(50 * 10 / 60.0));
  CHECK(made.front().clustering_bytes == 1 + 8 + 1 + 20);
  CHECK(made.front().clustering[1].source == ClusteringSpec::Source::each);
}

TEST_CASE("an entity among the clustering columns: all share the partitions of a bucket") {
  const auto made = writers("day date, at timestamp, device text, v double, PRIMARY KEY (day, at, device)",
                            "entities = pattern(d%03d, 500)\ncolumn.day = day\ncolumn.device = entity\n");
  REQUIRE(made.size() == 1);
  CHECK(made.front().entities == 1);
  CHECK(made.front().rows_per_s() == doctest::Approx(500 / 60.0));
  CHECK(made.front().clustering_bytes == 1 + 8 + 1 + 4);
}

TEST_CASE("columns by type: fixed ones are full, others have a size") {
  const auto made = writers(
      "k text, at timestamp, s text static, a boolean, b smallint, c date, d double, e decimal, f frozen<list<int>>, g "
      "map<text, double>, h tuple<int, bigint>, PRIMARY KEY (k, at)",
      "entities = 10\ncolumn.s = text(7)\ncolumn.e = bytes(6)\ncolumn.f = list(3, 4)\ncolumn.g = map(5, text(8), 8)\n");
  const auto& columns = made.front().columns;
  const auto find = [&](const std::string& name) { return *std::ranges::find(columns, name, &ColumnValue::column); };
  CHECK(columns.size() == 9);
  CHECK(columns.front().is_static);
  CHECK(find("a").sizes_bytes.front() == 1);
  CHECK(find("a").fixed_length);
  CHECK(find("b").sizes_bytes.front() == 2);
  CHECK(!find("b").fixed_length);
  CHECK(find("c").sizes_bytes.front() == 4);
  CHECK(find("e").sizes_bytes.front() == 6);
  CHECK(find("f").sizes_bytes.front() == 4 + 3 * (4 + 4));
  CHECK(find("g").collection);
  CHECK(find("g").elements == 5);
  CHECK(find("g").element_key_sizes_bytes.front() == 8);
  CHECK(find("h").sizes_bytes.front() == 4 + 4 + 4 + 8);
}

TEST_CASE("partial writes and nulls") {
  const auto made = writers("k text, at timestamp, a int, b int, c int, PRIMARY KEY (k, at)",
                            "columns = a + c\ncolumn.c = null\nop = update\n");
  REQUIRE(made.front().columns.size() == 2);
  CHECK(made.front().columns[0].column == "a");
  CHECK(made.front().columns[1].position == 2);
  CHECK(made.front().columns[1].null);
  CHECK(made.front().op == WriteOp::update);
}

TEST_CASE("collections are written whole, appended to, or emptied by a null") {
  const auto made = writers("k text, at timestamp, a set<text>, b map<text, int>, c list<int>, PRIMARY KEY (k, at)",
                            "column.a = set(5, text(10))\ncolumn.b = append(map(2, text(8), 4))\ncolumn.c = null\n");
  const auto& columns = made.front().columns;
  REQUIRE(columns.size() == 3);
  CHECK_FALSE(columns[0].append);
  CHECK(columns[0].elements == 5);
  CHECK(columns[1].append);
  CHECK(columns[1].elements == 2);
  CHECK(columns[2].collection);
  CHECK(columns[2].elements == 0);
}

TEST_CASE("a bucket, shards or a TTL that change end one writer and begin the next") {
  const auto made = writers("k text, day text, at timestamp, v int, PRIMARY KEY ((k, day), at)",
                            "column.day = day then hour from 2026-01-11\nttl = 7d then 30d from 2026-01-21\n");
  REQUIRE(made.size() == 3);
  CHECK(made[0].bucket.length() == 86'400);
  CHECK(made[1].bucket.length() == 3600);
  CHECK(made[1].until_us == made[2].from_us);
  CHECK(made[2].ttl.front().ttl_s == 30 * 86'400);
  CHECK(made[0].entity_group == made[2].entity_group);
  CHECK(made[1].rate.front().from_us == made[1].from_us);
}

TEST_CASE("adaptive buckets: entities above the rate take the finer one") {
  const auto made = load(
                        "[run]\nschema = t.cql\nlength = 10d\n[stream.s]\ntable = t\nentities = 1000\nrate = "
                        "lognormal(100/day, 20000/day)\ncolumn.b = adaptive(day, hour above 5000/day)\n",
                        {{"t.cql", "CREATE TABLE t (k text, b text, at timestamp, v int, PRIMARY KEY ((k, b), at));"}})
                        .scenario.writers;
  CHECK(made.front().bucket.length() == 86'400);
  CHECK(made.back().bucket.length() == 3600);
  CHECK(key_at(made.back(), "2026-01-02T03:00:00").ends_with(std::string("2026-01-02-03\0", 14)));
}

TEST_CASE("a clock that is changed makes days of 23 and 25 hours") {
  const auto made = load(
                        "[run]\nschema = t.cql\nstart = 2026-01-01\nlength = 1y\n[stream.s]\ntable = t\nrate = 1/min\n"
                        "column.b = day\nzone = Europe/Berlin\n",
                        {{"t.cql", "CREATE TABLE t (k text, b text, at timestamp, v int, PRIMARY KEY ((k, b), at));"},
                         {"Europe/Berlin",
                          "from,offset\n1970-01-01,+01:00\n2026-03-29T01:00:00,+02:00\n2026-10-25T01:00:00,+01:00\n"}})
                        .scenario.writers;
  const BucketRule& days = made.front().bucket;
  const auto hours_of = [&](const std::string& noon) {
    const std::int64_t day = days.number(Setting<Moment>(noon)->us / us_per_s);
    return (days.begin(day + 1) - days.begin(day)) / 3600;
  };
  CHECK(hours_of("2026-03-28T12:00:00") == 24);
  CHECK(hours_of("2026-03-29T12:00:00") == 23);
  CHECK(hours_of("2026-10-25T12:00:00") == 25);
  CHECK(key_at(made.front(), "2026-06-30T22:30:00").find("2026-07-01") != std::string::npos);
  CHECK(key_at(made.front(), "2026-12-01T22:30:00").find("2026-12-01") != std::string::npos);
}

TEST_CASE("adaptive buckets follow the rate in time, whole coarse buckets at once") {
  const auto lengths = [](const std::string& rate) {
    std::vector<std::pair<Micros, Seconds>> found;
    for (const WriterSpec& writer :
         load("[run]\nschema = t.cql\nstart = 2026-01-01\nlength = 5d\n[stream.s]\ntable = t\ncolumn.b = "
              "adaptive(day, hour above 5000/day)\n" +
                  rate,
              {{"t.cql",
                "CREATE TABLE t (k int, b text, at timestamp, v int, PRIMARY KEY ((k, b), "
                "at));"}})
             .scenario.writers)
      found.emplace_back(writer.from_us, writer.bucket.length());
    return found;
  };
  using Found = std::vector<std::pair<Micros, Seconds>>;
  const Micros start = Setting<Moment>("2026-01-01")->us;
  const auto day = [&](int n) { return start + n * seconds_per_day * us_per_s; };
  // A quarter of a day at 1,000 and the rest at 9,000 a day are 7,000: that day is written by the hour already.
  CHECK(lengths("rate = 1000/day then 9000/day from 2026-01-03T06:00:00\n") == Found{{day(0), 86'400}, {day(2), 3600}});
  // Three quarters at 1,000: 3,000, still by the day.
  CHECK(lengths("rate = 1000/day then 9000/day from 2026-01-03T18:00:00\n") == Found{{day(0), 86'400}, {day(3), 3600}});
  // There and back.
  CHECK(lengths("rate = 1000/day then 9000/day from 2026-01-03 then 0/day from 2026-01-04T12:00:00\n") ==
        Found{{day(0), 86'400}, {day(2), 3600}, {day(3), 86'400}});
  // A peak within each day moves nothing: days are judged as a whole.
  CHECK(lengths("rate = 4900/day\nshape = daily(peak 20:00, 3x)\n") == Found{{day(0), 86'400}});
}

TEST_CASE("rolling buckets come again") {
  const auto made =
      writers("k int, b int, at timestamp, v int, PRIMARY KEY ((k, b), at)", "column.b = rolling(24, 1h)\n");
  CHECK(made.front().rolling_buckets == 24);
  CHECK(key_at(made.front(), "2026-01-02T03:30:00") == key_at(made.front(), "2026-01-05T03:10:00"));
  CHECK(key_at(made.front(), "2026-01-02T03:30:00") != key_at(made.front(), "2026-01-02T04:30:00"));
}

TEST_CASE("a table of more regular columns than a set of them holds is refused") {
  const auto mistake = [](int columns) {
    std::string table = "k int, at timestamp";
    for (int i = 0; i < columns; ++i) table += ", v" + std::to_string(i) + " int";
    return mistake_in("[run]\nschema = t.cql\nlength = 10d\n[stream.s]\ntable = t\nrate = 1/min\n",
                      {{"t.cql", "CREATE TABLE t (" + table + ", PRIMARY KEY (k, at));"}});
  };
  CHECK(mistake(256) == "");
  CHECK(mistake(257).starts_with("test.ini:5:9: stream.s.table: `t` has 257 regular columns"));
}
