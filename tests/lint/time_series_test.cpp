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

std::vector<Finding> of(const std::string& columns, const std::string& key, const std::string& with = "") {
  return lint_cql("t.cql", "CREATE TABLE t (" + columns + ", v int, PRIMARY KEY (" + key + "))" + with + ";");
}

TEST_CASE("a bucket in another language is one; where its name is an English word as well, it is asked") {
  const auto asked = [](const std::vector<Finding>& findings) { return found(findings, "bucket-or-entity"); };
  for (const char* columns : {"anio_mes int", "fecha text", "jour int", "monat int", "giorno text", "data date"}) {
    CAPTURE(columns);
    const std::string text = columns;
    const auto findings = of("id int, ts timestamp, " + text, "(id, " + text.substr(0, text.find(' ')) + "), ts");
    CHECK_FALSE(found(findings, "no-time-bucket"));
    CHECK_FALSE(asked(findings));
  }
  for (const char* name : {"dia", "tag", "data", "ora"}) {
    CAPTURE(name);
    const auto findings =
        of("id int, ts timestamp, " + std::string(name) + " int", "(id, " + std::string(name) + "), ts");
    CHECK_FALSE(found(findings, "no-time-bucket"));
    CHECK_FALSE(found(findings, "bucket-may-repeat"));
    CHECK(asked(findings));
  }
  CHECK(found(of("id int, ts timestamp, tag text", "(id, tag), ts"), "no-time-bucket"));
  CHECK(asked(of("data text, ts timestamp", "data, ts")));
}

TEST_CASE("rows that years, months and days tell apart are one a day") {
  const std::string columns = "id int, year int, month int, day int, hour int, anio int, mes int, dia int";
  CHECK(of(columns, "id, year, month, day").empty());
  CHECK(of(columns, "id, anio, mes, dia").empty());
  CHECK(of(columns, "id, year, month").empty());
  CHECK(found(of(columns, "id, year, month, day, hour"), "bucket-not-in-partition-key"));
}

TEST_CASE("a time behind several ids is asked about: it may be of a state") {
  const std::string state =
      "shard_id int, type int, namespace_id uuid, workflow_id text, run_id uuid, visibility_ts timestamp, task_id "
      "bigint";
  const auto findings = of(state, "shard_id, type, namespace_id, workflow_id, run_id, visibility_ts, task_id");
  REQUIRE(findings.size() == 1);
  CHECK(found(findings, "series-or-state"));
  const std::string one = "tenant int, sensor text, kind text, ts timestamp, day date";
  CHECK(found(of(one, "tenant, sensor, ts"), "no-time-bucket"));
  CHECK(found(of(one, "tenant, kind, sensor, ts"), "no-time-bucket"));
  CHECK_FALSE(
      found(of(state + ", day date", "(shard_id, day), namespace_id, run_id, visibility_ts"), "series-or-state"));
}

TEST_CASE("a time that moves is one of new rows where rows expire") {
  const std::string columns = "id int, last_updated_at timestamp, expires_at timestamp";
  CHECK_FALSE(found(of(columns, "id, last_updated_at"), "no-time-bucket"));
  CHECK(found(of(columns, "id, last_updated_at", " WITH default_time_to_live = 864000"), "ttl-without-twcs"));
  CHECK(found(of(columns, "id, expires_at", " WITH default_time_to_live = 864000"), "ttl-without-twcs"));
}

TEST_CASE("a text that may stay is not called a number") {
  const auto findings = of("periodo text, at timestamp", "periodo, at");
  REQUIRE(found(findings, "bucket-or-entity"));
  for (const Finding& finding : findings) CHECK(finding.message.find("a number") == std::string::npos);
}

TEST_CASE("a time of day behind a date is a time, and alone comes round again") {
  const std::string columns = "id int, day date, at time";
  CHECK(found(of(columns, "id, day, at"), "bucket-not-in-partition-key"));
  CHECK(found(of(columns, "(id, day), at"), "default-compaction-append-only"));
  CHECK(of(columns, "id, at").empty());
}

TEST_CASE("a date in a timestamp is no bucket behind which a timeuuid tells the time") {
  const auto findings = of("id int, event_date timestamp, n timeuuid", "id, event_date, n");
  CHECK(found(findings, "no-time-bucket"));
  CHECK_FALSE(found(findings, "bucket-not-in-partition-key"));
}

}  // namespace
}  // namespace windrow
