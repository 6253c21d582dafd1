#include <doctest/doctest.h>

#include <string>

#include "evidence/recordings/oracle_scenario.h"

namespace windrow {
namespace {

const std::string smallest = "days = 1\ntable = gc_grace_seconds = 0\nstreams = m\n";

std::string refusal(const std::string& text) {
  try {
    parse_oracle_scenario(text);
  } catch (const OracleScenarioError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a scenario without further keys has the harness's defaults") {
  const OracleScenario s = parse_oracle_scenario(smallest);
  CHECK(s.start_s == 1'767'225'600);
  CHECK(s.end_s == s.start_s + 86'400);
  CHECK(s.format == "big");
  CHECK(s.tick_s == 3600);
  CHECK_FALSE(s.delayed());
  REQUIRE(s.streams.size() == 1);
  const OracleStream& m = s.streams[0];
  CHECK(m.pk_prefix == "m");
  CHECK(m.period_s == 60);
  CHECK(m.to_s == 86'400);
  CHECK(m.spread);
  CHECK_FALSE(m.ttl_s);
  CHECK(s.create_table() ==
        "CREATE TABLE oracle.t (pk text, ck bigint, v0 blob, PRIMARY KEY (pk, ck)) "
        "WITH id = 00000000-0000-1000-8000-000000000001 AND gc_grace_seconds = 0");
}

TEST_CASE("a length in days is rounded to whole seconds, a start is a date of the calendar") {
  const OracleScenario s =
      parse_oracle_scenario("days = 0.00001\nstart = 2028-03-01T01:02:03Z\ntable = x\nstreams = m\n");
  CHECK(s.start_s == 1'835'485'323);
  CHECK(s.end_s == s.start_s + 1);
}

TEST_CASE("what the harness refuses is refused, with the key") {
  CHECK(refusal(smallest + "m.colour = red\n") == "m.colour: unknown key");
  CHECK(refusal(smallest + "alter.2.at_s = 5\nalter.2.with = x\n") == "alter.2.at_s: unknown key");
  CHECK(refusal("days = 1\nstreams = m\n") == "table: missing");
  CHECK(refusal(smallest + "m.bucket = year\n") == "m.bucket = year: accepts none, hour, day, week, month");
  CHECK(refusal(smallest + "m.period_s = 1x\n") == "m.period_s = 1x: accepts a whole number");
  CHECK(refusal(smallest + "m.delete.kind = range\n") == "m.delete.kind: needs a bucket of an hour, a day or a week");
}

TEST_CASE("a scenario's text parses back to the same scenario") {
  const std::string text =
      "comment = all keys\nformat = bti\ncompat = UPGRADING\nstart = 2026-02-28T23:59:59Z\ndays = 3.5\ncolumns = 2\n"
      "tick_s = 60\nsample_every_s = 7200\nflush_every_s = 600\nflush_phase_s = 30\nflush_every_rows = 99\n"
      "compaction_delay_s = 5\ncompaction_bytes_per_s = 7\ncompaction_slots = 2\n"
      "allow_unsafe_aggressive_sstable_expiration = true\ntable = gc_grace_seconds = 0\nalter.1.at_s = 17\n"
      "alter.1.with = gc_grace_seconds = 1\nstreams = a, b\na.pk_prefix = p\na.entities = 3\na.period_s = 7\na.phase_s "
      "= 1\n"
      "a.from_s = 2\na.to_s = 3000\na.stagger = none\na.bucket = week\na.shards = 4\na.columns = 1\na.value_size = 9\n"
      "a.value_jitter = 5\na.value_kind = mix\na.op = update\na.ttl = 0\na.ttl_alt_every = 3\na.ttl_alt = 60\n"
      "a.ck = mod:5\na.timestamp = event\na.timestamp_offset_us = -5\na.late_every = 8\na.late_s = 80\n"
      "a.pauses = 1-2,3-4\na.pause_mode = delay\na.delete.kind = range\na.delete.every = 2\na.delete.remainder = 1\n"
      "a.delete.age_s = 44\n";
  CHECK(oracle_scenario_text(parse_oracle_scenario(text)) == text);
  CHECK(oracle_scenario_text(parse_oracle_scenario(smallest)) == smallest);
}

}  // namespace
}  // namespace windrow
