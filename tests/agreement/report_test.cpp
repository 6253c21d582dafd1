#include "evidence/agreement/report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace windrow {
namespace {

VerifyReport example() {
  TestResult pick{.test = "pick", .agreeing = {}, .disagreements = 0, .first = {}, .notes = {}};
  pick.count("picks", 1'234);
  pick.count("calls that find nothing", 10'000);
  TestResult merge{
      .test = "merge", .agreeing = {}, .disagreements = 0, .first = {}, .notes = {"bytes on disk within 1.0 %"}};
  merge.count("SSTables", 3);
  merge.count("fields", 75);
  TestResult run{.test = "run", .agreeing = {}, .disagreements = 0, .first = {}, .notes = {}};
  run.disagree({.t_s = 1'767'225'600,
                .where = "pick 7",
                .what = "inputs",
                .expected = "1 2 3 4",
                .ours = "1 2 3 5",
                .rule = "6.5 bucket",
                .state = {"SSTable 1", "SSTable 5"}});
  run.disagree({.t_s = 0, .where = "pick 8", .what = "", .expected = "", .ours = "", .rule = "", .state = {}});
  return {.recordings = {{.name = "example", .tests = {pick, merge, run}}},
          .captures = {{.name = "tokens",
                        .cases = 2,
                        .agreeing = 1,
                        .note = "",
                        .disagreements = {{.case_name = "text 'a'", .field = "token", .expected = "1", .ours = "2"}}}}};
}

TEST_CASE("each test has a line, the first disagreement is explained below it") {
  CHECK(recording_text(example().recordings.front(), {.name_width = 8, .color = false}) ==
        "example   pick   agrees   1,234 picks, 10,000 calls that find nothing\n"
        "example   merge  agrees   3 SSTables, 75 fields; bytes on disk within 1.0 %\n"
        "example   run    differs\n"
        "    pick 7 at 2026-01-01T00:00:00Z (t = 1767225600): inputs\n"
        "      engine  1 2 3 4\n"
        "      ours    1 2 3 5\n"
        "      by rule 6.5 bucket\n"
        "      before\n"
        "        SSTable 1\n"
        "        SSTable 5\n"
        "      and 1 more\n");
}

TEST_CASE("the summary counts what agrees") {
  CHECK(summary_text(example()) ==
        "1 trace: pick 1, merge 1, run 0 agree; 1,234 picks, 11,234 calls, 3 SSTables, 75 fields; "
        "captures: 1 of 2 cases agree");
  CHECK_FALSE(example().agrees());
}

TEST_CASE("captures list what differs") {
  CHECK(capture_text(example().captures.front(), {.name_width = 8, .color = false}) ==
        "tokens           differs  1 of 2 cases\n"
        "    text 'a': token\n"
        "      engine  1\n"
        "      ours    2\n");
}

TEST_CASE("the same as JSON") {
  const nlohmann::json json = nlohmann::json::parse(report_json(example()));
  CHECK(json.at("agrees") == false);
  const nlohmann::json& tests = json.at("recordings").at(0).at("tests");
  CHECK(tests.at(0).at("agreeing").at("picks") == 1'234);
  CHECK(tests.at(2).at("disagreements") == 2);
  CHECK(tests.at(2).at("first").at("t") == 1'767'225'600);
  CHECK(tests.at(2).at("first").at("ours") == "1 2 3 5");
  CHECK(json.at("captures").at(0).at("disagreements").at(0).at("field") == "token");
}

TEST_CASE("long values are cut around the place where they differ") {
  VerifyReport report = example();
  Explanation& first = *report.recordings.front().tests.back().first;
  first.expected = std::string(1'000, 'a') + "b" + std::string(1'000, 'c');
  first.ours = std::string(1'000, 'a') + "d" + std::string(1'000, 'c');
  const std::string text = recording_text(report.recordings.front(), {.name_width = 8, .color = false});
  CHECK(text.find("ab") != std::string::npos);
  CHECK(text.find("ad") != std::string::npos);
  CHECK(text.size() < 1'500);
}

}  // namespace
}  // namespace windrow
