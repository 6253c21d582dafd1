#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "evidence/timelines/timeline_check.h"
#include "evidence/timelines/timeline_ring.h"
#include "tests/timelines/recorded_cases.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

/// A small case with everything that a case has.
Json small_case() {
  return Json::parse(R"({"name": "small", "timeline": "made", "num_nodes": 3, "start_epoch_s": 1767571200,
    "table_options": "gc_grace_seconds = 3600", "key_tokens": {"a": 5}, "replica_order": {"a": ["B", "C", "A"]},
    "steps": [
      {"t_s": 1, "t_end_s": 1.5, "action": "insert", "coordinator": "A", "cl": "ALL", "statement": "insert",
       "key": "a/1", "value": "x", "timestamp_us": 1767571201000000},
      {"t_s": 2, "t_end_s": 2.5, "action": "read", "coordinator": "A", "cl": "QUORUM", "key": "a",
       "contacted": ["A", "B"], "rows": [{"ck": 1, "v": "x", "timestamp_us": 1767571201000000}]}],
    "observations": [], "conclusion": {"per_row": {}}})");
}

struct Refusal {
  int line = 0;
  std::string what{};
};

Refusal refusal(const std::string& text) {
  try {
    for (const TimelineCase& one : parse_timeline_cases(text)) check_timeline(one, harness_ring());
  } catch (const TimelineError& error) {
    return {error.line, error.what()};
  }
  return {};
}

void refused(const Json& json, const std::string& what) {
  const Refusal found = refusal(small_case().dump() + "\n" + json.dump() + "\n");
  CHECK(found.line == 2);
  CHECK(found.what == what);
}

TEST_CASE("a small case agrees") {
  const auto cases = parse_timeline_cases(small_case().dump());
  REQUIRE(cases.size() == 1);
  CHECK(check_timeline(cases.front(), harness_ring()).agrees());
  CHECK(is_timeline_cases(small_case().dump()));
  const Json row_sizes{{"name", "int_1"}, {"statements", Json::array()}};
  CHECK_FALSE(is_timeline_cases(row_sizes.dump()));
}

TEST_CASE("a file that is cut off says its line") {
  const std::string& text = test::recorded_text();
  const std::size_t second = text.find('\n') + 1;
  const Refusal found = refusal(text.substr(0, second + 1000));
  CHECK(found.line == 2);
  CHECK(found.what == "is no whole JSON object: the file is cut off or damaged");
}

TEST_CASE("what a case cannot have is one message with its step") {
  Json json = small_case();
  json["steps"][1]["action"] = "decommission";
  refused(
      json,
      "step 1: action 'decommission' is unknown; accepts insert, delete, flush, compact, repair, "
      "repair_across_clock_move, read, scan, clock, down, up, kill, start, replace, nodetool, note_hints, alter_table, "
      "wait");
  json = small_case();
  json["steps"][1]["key"] = "b";
  refused(json, "step 1: key 'b' is unknown: key_tokens does not have it");
  json = small_case();
  json["steps"][1]["t_s"] = 0.5;
  refused(json, "step 1: t_s 0.5 is before that of the step before: steps are in the order of time");
  json = small_case();
  json["steps"][1]["t_end_s"] = 1.9;
  refused(json, "step 1: t_end_s is before t_s");
  json = small_case();
  json["steps"][1]["cl"] = "SERIAL";
  refused(json,
          "step 1: consistency level 'SERIAL' is unknown; accepts ONE, TWO, QUORUM, LOCAL_QUORUM, EACH_QUORUM, ALL");
  json = small_case();
  json["data_centers"] = {{"A", "near"}, {"B", "near"}, {"C", "far"}};
  json["replication"] = {{"near", 2}};
  refused(json, "data centre 'far' is unknown; accepts near");
  json["replication"] = {{"near", 2}, {"far", 2}};
  refused(json, "replication: accepts as many copies as the data centre has nodes");
  json = small_case();
  json["steps"][0]["coordinator"] = "D";
  refused(json, "step 0: node 'D' is unknown");
  json = small_case();
  json["replica_order"]["a"] = {"C", "B", "A"};
  refused(json, "replica_order of 'a' is not that of the ring: the case was recorded on another one");
  json = small_case();
  json["observations"] = Json::parse(R"([{"after_step": 7, "node": "A", "sstables": [], "local": []}])");
  refused(json, "an observation is after step 7, and there are 2");
}

}  // namespace
}  // namespace windrow
