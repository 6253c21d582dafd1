#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/lint/lint.h"

// What is taken for a time series, where no column holds a time of day.

namespace windrow {
namespace {

std::string table(const std::string& key, const std::string& ttl = "864000") {
  return "CREATE TABLE t (id int, day date, reading_hour int, hour tinyint, floor int, v int, PRIMARY KEY (" + key +
         ")) WITH default_time_to_live = " + ttl + ";";
}

bool found(const std::vector<Finding>& findings, const std::string& id) {
  return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.rule->id == id; });
}

bool in_schema(const std::string& key) { return found(lint_cql("t.cql", table(key)), "ttl-without-twcs"); }

bool in_scenario(const std::string& key, const std::string& lines, const std::string& ttl, const std::string& id) {
  const std::string ini = "[run]\nschema = t.cql\nlength = 30d\n[stream.s]\ntable = t\n" + lines;
  const auto read = [&](const std::string& name) -> std::optional<std::string> {
    return name == "t.cql" ? std::optional(table(key, ttl)) : std::nullopt;
  };
  return found(lint_scenario(load_scenario("t.ini", ini, {}, read)), id);
}

TEST_CASE("a number that names a part of the bucket before it is a time") {
  CHECK(in_schema("(id, day), reading_hour"));
  CHECK(in_schema("(id, day), hour"));
  CHECK(in_schema("id, day, reading_hour"));
  CHECK(in_schema("(id, day), reading_hour, v") == false);  // what tells rows apart is another number
  CHECK_FALSE(in_schema("(id, day), floor"));
  CHECK_FALSE(in_schema("id, reading_hour"));
  CHECK_FALSE(in_schema("id, hour"));
  CHECK(in_scenario("(id, day), reading_hour", "rate = 1/h\ncolumn.day = day\ncolumn.reading_hour = time\n", "864000",
                    "ttl-without-twcs"));
}

TEST_CASE("a column that a stream calls its time is one, whatever its name says") {
  const std::string lines = "rate = 1/min\ncolumn.reading_hour = time\ncolumn.floor = each(5)\n";
  const auto has = [&](const std::string& key, const std::string& more, const std::string& id) {
    return in_scenario(key, lines + more, "0", id);
  };
  CHECK(has("id, reading_hour, floor", "", "no-time-bucket"));
  CHECK_FALSE(has("id, reading_hour, floor", "", "bucket-not-in-partition-key"));
  CHECK_FALSE(has("(id, day), reading_hour, floor", "column.day = day\n", "no-time-bucket"));
  CHECK(has("id, day, reading_hour, floor", "column.day = day\n", "no-time-bucket"));
}

TEST_CASE("hours and minutes without a day come round again: they neither grow nor order anything by time") {
  const auto of = [](const std::string& columns, const std::string& key) {
    return lint_cql("t.cql", "CREATE TABLE t (" + columns + ", v int, PRIMARY KEY (" + key + "));");
  };
  const std::string clock = "id text, what text, start_hour int, start_minute int";
  CHECK(of(clock, "id, what, start_hour, start_minute").empty());
  CHECK(of(clock, "(id, start_hour), start_minute").empty());
  CHECK(found(of("day int, " + clock, "id, day, start_hour, start_minute"), "bucket-not-in-partition-key"));
  CHECK(found(of("day int, " + clock, "(id, day), start_hour, start_minute"), "default-compaction-append-only"));
  CHECK(found(of("id text, hour text, minute int", "(id, hour), minute"), "default-compaction-append-only"));
}

TEST_CASE("a timestamp that is the whole partition key is a time") {
  const auto key_of = [](const std::string& type) {
    return lint_cql("t.cql",
                    "CREATE TABLE t (ts_bucket " + type + ", ts timestamp, v int, PRIMARY KEY (ts_bucket, ts));");
  };
  CHECK(found(key_of("timestamp"), "time-only-partition-key"));
  CHECK_FALSE(found(key_of("timestamp"), "bucket-or-entity"));
  CHECK(found(key_of("int"), "bucket-or-entity"));
  CHECK_FALSE(found(key_of("int"), "time-only-partition-key"));
}

TEST_CASE("a row a day never grows large: no bucket is asked for, in a scenario as in a schema") {
  const std::string day = "column.day = time\n";
  CHECK_FALSE(in_scenario("id, day", "rate = 1/d\n" + day, "0", "no-time-bucket"));
  CHECK(in_scenario("id, day, floor", "rate = 9/d\ncolumn.floor = unique\n" + day, "0", "no-time-bucket"));
  CHECK_FALSE(found(lint_cql("t.cql", table("id, day", "0")), "no-time-bucket"));
}

}  // namespace
}  // namespace windrow
