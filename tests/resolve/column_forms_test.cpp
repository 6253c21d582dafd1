#include "sim/resolve/column_forms.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/cql/script.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

const std::vector<std::string> types = {"ascii",
                                        "bigint",
                                        "blob",
                                        "boolean",
                                        "date",
                                        "decimal",
                                        "double",
                                        "duration",
                                        "float",
                                        "inet",
                                        "int",
                                        "smallint",
                                        "text",
                                        "time",
                                        "timestamp",
                                        "timeuuid",
                                        "tinyint",
                                        "uuid",
                                        "varint",
                                        "frozen<set<text>>",
                                        "frozen<list<int>>",
                                        "frozen<map<text, int>>",
                                        "frozen<place>",
                                        "frozen<tuple<int, text>>"};

std::string answer(const std::string& form) { return form == "'a constant'" ? "'1'" : form; }

std::string mistake(const std::string& table, const std::string& lines) {
  const std::string cql = "CREATE TYPE place (street text, zip int, city text); CREATE TABLE t (" + table + ");";
  return mistake_in("[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\nrate = 1/d\n" + lines,
                    {{"t.cql", cql}});
}

Column column_of(const std::string& table, const std::string& name) {
  const std::string cql = "CREATE TYPE place (street text, zip int, city text); CREATE TABLE t (" + table + ");";
  return *read_schema(cql).keyspaces.front().tables.front().find_column(name);
}

/// Numbers, and what is made of them, have a size of their own.
const std::vector<std::pair<std::string, std::string>> examples = {
    {"set<text>", "set(5, text(10))"},
    {"set<int>", "set(5)"},
    {"list<double>", "list(5)"},
    {"map<text, bigint>", "map(5, text(8))"},
    {"map<int, text>", "map(5, text(20))"},
    {"map<int, int>", "map(5)"},
    {"map<text, text>", "map(5, text(8), text(20))"},
    {"set<blob>", "set(5, blob(100))"},
    {"list<inet>", "list(5, blob(4))"},
    {"frozen<set<uuid>>", "set(5)"},
    {"list<frozen<list<text>>>", "list(5, list(5, text(10)))"},
    {"map<text, frozen<map<text, float>>>", "map(5, text(8), map(5, text(8)))"},
    {"list<frozen<set<int>>>", "list(5, set(5))"},
    {"map<text, frozen<place>>", "map(5, text(8), udt(text(20), text(20)))"},
    {"set<frozen<tuple<int, bigint>>>", "set(5)"},
    {"set<frozen<tuple<int, text>>>", "set(5, udt(text(20)))"},
    {"list<frozen<vector<float, 3>>>", "list(5)"},
    {"place", "udt(text(20), text(20))"},
    {"tuple<int, frozen<set<text>>>", "udt(set(5, text(10)))"},
};

}  // namespace

TEST_CASE("whatever is offered for a key column is taken, of every type") {
  for (const std::string& type : types) {
    CAPTURE(type);
    if (type != "duration") {  // no part of a primary key
      const std::string table = fmt::format("k int, at timestamp, c {}, PRIMARY KEY (k, c, at)", type);
      const std::vector<std::string> forms = key_forms(column_of(table, "c"));
      CHECK_FALSE(forms.empty());
      for (const std::string& form : forms) {
        CAPTURE(form);
        CHECK(mistake(table, "column.c = " + answer(form) + "\ncolumn.at = time\n").empty());
      }
      const std::string keyed = fmt::format("k int, at timestamp, c {}, PRIMARY KEY ((k, c), at)", type);
      for (const std::string& form : key_forms(column_of(keyed, "c"))) {
        CAPTURE(form);
        CHECK(mistake(keyed, "column.c = " + answer(form) + "\ncolumn.k = entity\n").empty());
      }
    }
  }
}

TEST_CASE("the example of a column's values is taken, of every type") {
  std::vector<std::string> all = types;
  for (const auto& [type, example] : examples) all.push_back(type);
  for (const std::string& type : all) {
    CAPTURE(type);
    const std::string table = fmt::format("k int, at timestamp, c {}, PRIMARY KEY (k, at)", type);
    const Column column = column_of(table, "c");
    const bool natural = mistake(table, "").empty();
    if (!natural) CHECK(mistake(table, "column.c = " + example_value(column.type) + "\n").empty());
  }
}

TEST_CASE("what is proposed for a collection is of its elements' type") {
  for (const auto& each : examples) {
    const std::string& type = each.first;
    CAPTURE(type);
    CHECK(example_value(column_of(fmt::format("k int, at timestamp, c {}, PRIMARY KEY (k, at)", type), "c").type) ==
          each.second);
  }
}
