#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/says.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using test::Ending;
using test::says;
using test::TestFolder;
using test::windrow;

/// The captures as they were recorded: a folder each, with the files of ddl and tools in their places.
void unpack_captures(const TestFolder& folder) {
  folder.write("row_sizes/cases.jsonl", test::read_xz("tests/data/captures/row_sizes/cases.jsonl.xz"));
  folder.write("tokens/tokens.csv", test::read_file("tests/data/captures/tokens/tokens.csv"));
  std::istringstream tools(test::read_xz("tests/data/captures/tools/tools.jsonl.xz"));
  for (std::string line; std::getline(tools, line);) {
    const auto file = nlohmann::json::parse(line);
    folder.write("tools/" + file.at("path").get<std::string>(), file.at("text"));
  }
  std::istringstream ddl(test::read_xz("tests/data/ddl/recorded.jsonl.xz"));
  for (std::string line; std::getline(ddl, line);) {
    const auto file = nlohmann::json::parse(line);
    const std::string name = "ddl/" + file.at("name").get<std::string>();
    folder.write(name + ".cql", file.at("cql"));
    folder.write(name + ".json", file.at("recorded").dump());
  }
}

const TestFolder& captures() {
  static const TestFolder folder;
  static const bool unpacked = (unpack_captures(folder), true);
  REQUIRE(unpacked);
  return folder;
}

TEST_CASE("captures are found by the folder above, and agree") {
  const Ending ending = windrow("verify '" + captures().path().string() + "'");
  CHECK(ending.code == 0);
  for (const char* line :
       {"row_sizes", "agrees   471 of 471 cases; 35,328 numbers", "agrees   1,347 of 1,347 cases",
        "agrees   609 of 609 cases", "agrees   76 of 76 cases", "\ncaptures: 2,503 of 2,503 cases agree\n"})
    CHECK_MESSAGE(says(ending.out, line), line, ending.out);
}

TEST_CASE("each capture is found by its own folder, by parts of it, and packed") {
  const auto agrees = [](const std::string& path, const std::string& summary) {
    const Ending ending = windrow("verify '" + path + "'");
    CHECK_MESSAGE(ending.code == 0, path, ending.out, ending.error);
    CHECK_MESSAGE(says(ending.out, "captures: " + summary + " cases agree\n"), path, ending.out);
  };
  agrees(captures() / "row_sizes", "471 of 471");
  agrees(captures() / "row_sizes/cases.jsonl", "471 of 471");
  agrees(captures() / "tokens/", "1,347 of 1,347");
  agrees(captures() / "ddl", "609 of 609");
  agrees(captures() / "ddl/seeds", "31 of 31");
  agrees(captures() / "tools", "76 of 76");
  agrees("tests/data/captures/memtable", "756 of 756");
  agrees("tests/data/captures", "3,457 of 3,457");
  agrees("tests/data/ddl", "609 of 609");
  agrees("tests/data/captures/tools/tools.jsonl.xz", "76 of 76");
}

TEST_CASE("a capture that differs is explained, and exit code 1") {
  const TestFolder folder;
  std::string cases = test::read_xz("tests/data/captures/row_sizes/cases.jsonl.xz");
  cases = cases.substr(0, cases.find('\n') + 1);
  const std::string size = "\"Data.db\":57";
  cases.replace(cases.find(size), size.size(), "\"Data.db\":58");
  folder.write("row_sizes/cases.jsonl", cases);
  folder.write("ddl/one.cql", "CREATE TABLE t (k int PRIMARY KEY);");
  folder.write("ddl/one.json",
               R"({"verdict":"rejected","statements":1,"statement":0,"error_class":"SyntaxError","code":"2000"})");
  const Ending ending = windrow("verify '" + folder.path().string() + "'");
  CHECK(ending.code == 1);
  CHECK(says(ending.out, "reg_ascii"));
  CHECK(says(ending.out, "Data.db"));
  CHECK(says(ending.out, "engine  58\n"));
  CHECK(says(ending.out, "ours    57\n"));
  CHECK(says(ending.out, "engine  \"rejected\""));
  CHECK(says(ending.out, "captures: 0 of 2 cases agree\n"));
}

TEST_CASE("a capture without its other half is one message and exit code 2") {
  const TestFolder folder;
  folder.write("ddl/one.cql", "CREATE TABLE t (k int PRIMARY KEY);");
  const Ending lonely = windrow("verify '" + (folder / "ddl") + "'");
  CHECK(lonely.code == 2);
  CHECK(says(lonely.error, "one.json"));
  folder.write("row_sizes/cases.jsonl", "{\"name\":");
  const Ending broken = windrow("verify '" + (folder / "row_sizes") + "'");
  CHECK(broken.code == 2);
  CHECK(says(broken.error, "cases.jsonl: "));
}

TEST_CASE("recorded rings are found by their folder, by file and packed, and agree") {
  const Ending all = windrow("verify tests/tokens");
  CHECK(all.code == 0);
  for (const char* line : {"ring six-nodes-16  ", "96 tokens, 63 percentages, 432 lines, 96 ranges",
                           "ring tokens-4      ", "\ncaptures: 2,010 of 2,010 cases agree\n"})
    CHECK_MESSAGE(says(all.out, line), line, all.out);
  const Ending one = windrow("verify --format json tests/tokens/tokens-4.json");
  CHECK(one.code == 0);
  const nlohmann::json report = nlohmann::json::parse(one.out);
  CHECK(report.at("captures").at(0).at("name") == "ring tokens-4");
  CHECK(report.at("captures").at(0).at("agrees") == true);
}

TEST_CASE("a recorded ring that differs is explained; one that is broken is one message") {
  const TestFolder folder;
  std::string ring = test::read_file("tests/tokens/six-nodes-4.json");
  const std::string share = "56.0%";
  folder.write("half/six-nodes-4.json", ring.substr(0, ring.size() / 2));
  folder.write("empty/tokens-4.json", "");
  folder.write("other/other.json", "[]");
  ring.replace(ring.rfind(share), share.size(), "56.1%");
  folder.write("wrong/six-nodes-4.json", ring);

  const Ending wrong = windrow("verify '" + (folder / "wrong") + "'");
  CHECK(wrong.code == 1);
  CHECK(says(wrong.out,
             "ring six-nodes-4: joined[5].nodetool_status_rf3: 127.0.0.25\n      engine  56.1%\n      ours    56.0%"));
  const auto refused = [&](const std::string& path, const std::string& message) {
    const Ending ending = windrow("verify '" + (folder / path) + "'");
    CHECK_MESSAGE(ending.code == 2, path, ending.error);
    CHECK_MESSAGE(says(ending.error, message), path, ending.error);
    CHECK_MESSAGE(ending.error.find('\n') == ending.error.size() - 1, path, ending.error);
  };
  refused("half", "six-nodes-4.json: is no whole JSON: byte ");
  refused("empty", "tokens-4.json: is no whole JSON: byte 1 of 0");
  refused("other/other.json", "other.json: recording of a ring: is no object");
  refused("other", "holds no recording");
}

TEST_CASE("timelines of a cluster are found by folder, by file and unpacked, and agree") {
  const TestFolder folder;
  const std::string cases = test::read_xz("tests/cluster-oracle/cases.jsonl.xz");
  folder.write("few/cases.jsonl", cases.substr(0, cases.find('\n', cases.find('\n') + 1) + 1));
  const Ending all = windrow("verify tests/cluster-oracle");
  CHECK(all.code == 0);
  for (const char* line :
       {"timelines         agrees   162 of 162 cases; 2,306 of 2,306 reads, 3,003 of 3,003 contents of replicas",
        "    speculative_always depends on chance, not judged: ", "\ncaptures: 162 of 162 cases agree\n"})
    CHECK_MESSAGE(says(all.out, line), line, all.out);
  const Ending few = windrow("verify --format json '" + (folder / "few/cases.jsonl") + "'");
  CHECK(few.code == 0);
  const nlohmann::json report = nlohmann::json::parse(few.out);
  CHECK(report.at("captures").at(0).at("cases") == 2);
  CHECK(report.at("captures").at(0).at("counts").at("reads").at("all") ==
        report.at("captures").at(0).at("counts").at("reads").at("alike"));
  // As the harness calls them: by their timelines, several in a folder.
  const std::size_t line = cases.find('\n') + 1;
  folder.write("out/missed_delete.jsonl", cases.substr(0, line));
  folder.write("out/random_7.jsonl", cases.substr(line, cases.find('\n', line) + 1 - line));
  CHECK(says(windrow("verify '" + (folder / "out/random_7.jsonl") + "'").out, "\ncaptures: 1 of 1 cases agree\n"));
  CHECK(says(windrow("verify '" + (folder / "out") + "'").out, "\ncaptures: 2 of 2 cases agree\n"));
}

TEST_CASE("a timeline that differs is explained with its counts; one that is broken is one message") {
  const TestFolder folder;
  std::string one = test::read_xz("tests/cluster-oracle/cases.jsonl.xz");
  one.resize(one.find('\n') + 1);
  std::string wrong = one;
  const std::string seen = "\"contacted\":[\"A\"]";
  REQUIRE(wrong.find(seen) != std::string::npos);
  wrong.replace(wrong.find(seen), seen.size(), "\"contacted\":[\"B\"]");
  folder.write("wrong/cases.jsonl", wrong);
  folder.write("half/cases.jsonl", one + one.substr(0, one.size() / 2));
  folder.write("ring/cases.jsonl", one);
  folder.write("ring/tokens-4.json", "{");
  const Ending differs = windrow("verify '" + (folder / "wrong") + "'");
  CHECK(differs.code == 1);
  CHECK(says(differs.out, "who is asked\n      engine  B\n      ours    A\n"));
  CHECK(says(differs.out, "    contacts: 53 of 54 reads, "));
  const auto refused = [&](const std::string& path, const std::string& message) {
    const Ending ending = windrow("verify '" + (folder / path) + "'");
    CHECK_MESSAGE(ending.code == 2, path, ending.error);
    CHECK_MESSAGE(says(ending.error, message), path, ending.error);
    CHECK_MESSAGE(ending.error.find('\n') == ending.error.size() - 1, path, ending.error);
  };
  refused("half", "cases.jsonl:2: is no whole JSON object: the file is cut off or damaged");
  refused("ring", "tokens-4.json: ");
}

}  // namespace
}  // namespace windrow
