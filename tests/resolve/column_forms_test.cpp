#include "sim/resolve/column_forms.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
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
  for (const char* each : {"set<text>", "list<int>", "map<text, int>", "place"}) all.emplace_back(each);
  for (const std::string& type : all) {
    CAPTURE(type);
    const std::string table = fmt::format("k int, at timestamp, c {}, PRIMARY KEY (k, at)", type);
    const Column column = column_of(table, "c");
    const bool natural = mistake(table, "").empty();
    if (!natural) CHECK(mistake(table, "column.c = " + example_value(column.type) + "\n").empty());
  }
}
