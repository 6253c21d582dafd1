#include "sim/lint/allowed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/lint/catalog.h"
#include "sim/lint/lint.h"

namespace windrow {
namespace {

std::string ids(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += (text.empty() ? "" : " ") + std::string(finding.rule->id);
  return text;
}

std::shared_ptr<const SourceText> file(const std::string& name, const std::string& text) {
  return std::make_shared<const SourceText>(SourceText{.name = name, .text = text});
}

const std::string without_grace = "CREATE TABLE t (id int PRIMARY KEY, v int) WITH gc_grace_seconds = 0;\n";

TEST_CASE("a comment with a reason allows a rule for its statement, and for no other") {
  CHECK(ids(lint_cql("t.cql", without_grace)) == "gc-grace-and-hints");
  CHECK(ids(lint_cql("t.cql", "-- windrow: allow gc-grace-and-hints nothing is ever hinted here\n" + without_grace)) ==
        "");
  CHECK(ids(lint_cql("t.cql",
                     "CREATE TABLE t (id int PRIMARY KEY, v int)\n  -- windrow: allow gc-grace-and-hints no hints\n"
                     "  WITH gc_grace_seconds = 0;\n")) == "");
  CHECK(ids(lint_cql("t.cql", "-- windrow: allow gc-grace-and-hints no hints\n" + without_grace +
                                  "CREATE TABLE u (id int PRIMARY KEY, v int) WITH gc_grace_seconds = 0;\n")) ==
        "gc-grace-and-hints");
  CHECK(ids(lint_cql("t.cql", "-- windrow: allow no-time-bucket another rule\n" + without_grace)) ==
        "gc-grace-and-hints");
}

TEST_CASE("an allowance that says no reason, or names no rule, is a mistake") {
  CHECK_THROWS_WITH_AS(lint_cql("t.cql", "\n-- windrow: allow gc-grace-and-hints\n" + without_grace),
                       doctest::Contains("t.cql:2: allow gc-grace-and-hints: says no reason"), AllowError);
  CHECK_THROWS_WITH_AS(lint_cql("t.cql", "-- windrow: allow gc-grace-and-hint why not\n" + without_grace),
                       doctest::Contains("did you mean gc-grace-and-hints?"), AllowError);
  std::vector<Finding> findings = lint_cql("t.cql", without_grace);
  const std::vector<std::string> rules = {"gc-grace-and-hints"};
  leave_out_rules(findings, rules);
  CHECK(findings.empty());
  const std::vector<std::string> wrong = {"no-such-rule"};
  CHECK_THROWS_AS(leave_out_rules(findings, wrong), AllowError);
}

TEST_CASE("what an earlier report had is known, wherever its lines have gone") {
  const std::string report = findings_as_json(lint_cql("t.cql", without_grace));
  std::vector<Finding> later = lint_cql(
      "t.cql", "\n\n" + without_grace + "CREATE TABLE u (id int PRIMARY KEY, v int) WITH gc_grace_seconds = 0;\n");
  leave_out_known(later, report, "old.json");
  REQUIRE(later.size() == 1);
  CHECK(later.front().table == "u");
  CHECK_THROWS_WITH_AS(leave_out_known(later, "nothing", "old.json"), doctest::Contains("--baseline old.json"),
                       AllowError);
}

TEST_CASE("all mistakes of a file are found at once, those that only follow left out") {
  const std::vector<Finding> found =
      lint_cql("t.cql",
               "CREATE TABLE a (id int);\nCREATE TABLE b (id int PRIMARY KEY, v nonsense<int>);\n"
               "CREATE INDEX ON a (id);\nALTER TABLE nowhere ADD v int;\n" +
                   without_grace);
  CHECK(ids(found) == "server-refuses server-refuses server-refuses gc-grace-and-hints");
  CHECK(found[0].place.line == 1);
  CHECK(found[1].place.line == 2);
  CHECK(found[2].place.line == 4);
}

TEST_CASE("migrations are one schema, and each finding stands in its own file") {
  const auto first = file("1.cql", "CREATE TABLE t (id int PRIMARY KEY, v int);\n");
  const auto second = file("2.cql", "\nALTER TABLE t WITH gc_grace_seconds = 0;\n");
  const std::vector<Finding> found = lint_migrations({first, second});
  REQUIRE(ids(found) == "gc-grace-and-hints");
  CHECK(found.front().place.file() == "2.cql");
  CHECK(found.front().place.line == 2);
  CHECK(ids(lint_migrations({second, first})) == "server-refuses");
}

TEST_CASE("what a template leaves open is called so") {
  for (const std::string open : {"{{ keyspace }}", "${keyspace}", "%s", "<keyspace>", "@keyspace@"}) {
    CAPTURE(open);
    const std::vector<Finding> found = lint_cql("t.cql", "CREATE TABLE " + open + ".t (id int PRIMARY KEY, v int);\n");
    REQUIRE(ids(found) == "server-refuses");
    CHECK(found.front().message == open + " is a placeholder of a template, not CQL");
  }
  const std::vector<Finding> two =
      lint_cql("t.cql",
               "CREATE TABLE t (id int PRIMARY KEY) WITH compaction = {'class': 'TimeWindowCompactionStrategy',\n"
               "'compaction_window_size': '${size}',\n'compaction_window_unit': '${unit}'};");
  REQUIRE(ids(two) == "server-refuses server-refuses");
  CHECK(two[0].message == "${size} is a placeholder of a template, not CQL");
  CHECK(two[1].message == "${unit} is a placeholder of a template, not CQL");
  CHECK(lint_cql("t.cql", "CREATE TABLE t (id int PRIMARY KEY, v set<txt>);").front().message ==
        "txt inside a collection has to be frozen");
  CHECK(lint_cql("t.cql", "CREATE TABLE t (id int PRIMRY KEY);").front().message.find("placeholder") ==
        std::string::npos);
}

TEST_CASE("rows that may be written again hold up to as much as those that are not") {
  const auto says = [](const std::string& key) {
    return lint_cql("t.cql",
                    "CREATE TABLE t (node text, seen timestamp, v int, PRIMARY KEY (" + key +
                        ")) WITH default_time_to_live = 180 AND compaction = {'class': 'TimeWindowCompactionStrategy', "
                        "'compaction_window_unit': 'MINUTES', 'compaction_window_size': 360};")
        .back()
        .message;
  };
  CHECK(says("node").ends_with("shorter than gc_grace (10 d): disk holds up to 4,801 times what can be read"));
  CHECK(says("node, seen").ends_with("shorter than gc_grace (10 d): disk holds 4,801 times what can be read"));
}

TEST_CASE("what takes the place of a SASI index is not said to do the same") {
  const std::vector<Finding> found =
      lint_cql("t.cql",
               "CREATE TABLE t (id int PRIMARY KEY, v text); CREATE CUSTOM INDEX ON t (v) USING "
               "'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {'mode': 'PREFIX'};");
  REQUIRE(ids(found) == "needs-a-setting");
  CHECK(found.front().fix.find("no LIKE") != std::string::npos);
}

TEST_CASE("a long line is cut around the place, a text without a statement is none") {
  const std::string far(3'000, ' ');
  const std::string text = findings_as_text(
      lint_cql("t.cql", "CREATE TABLE t (id int PRIMARY KEY, v int)" + far + "WITH gc_grace_seconds = 0;"));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    CHECK(end - begin < 600);
    begin = end + 1;
  }
  CHECK(text.find("gc_grace_seconds") != std::string::npos);
  CHECK_FALSE(holds_statements(""));
  CHECK_FALSE(holds_statements("-- only this\n"));
  CHECK(holds_statements(without_grace));
}

}  // namespace
}  // namespace windrow
