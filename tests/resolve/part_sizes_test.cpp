#include "sim/resolve/part_sizes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/resolve/support.h"

// Elements and fields: what has a size of its own need not be said, and is not said wrongly.

using namespace windrow;
using namespace windrow::test;

namespace {

std::string ini(const std::string& rule) {
  return "[run]\nschema = t.cql\nlength = 3d\n[stream.s]\ntable = t\nrate = 1/min\ncolumn.c = " + rule + "\n";
}
std::map<std::string, std::string> cql(const std::string& type) {
  return {{"t.cql", fmt::format("CREATE TYPE place (street text, zip int); CREATE TABLE t (k int, at timestamp, c {}, "
                                "PRIMARY KEY (k, at));",
                                type)}};
}
ColumnValue value(const std::string& type, const std::string& rule) {
  return load(ini(rule), cql(type)).scenario.writers.front().columns.front();
}
bool refused(const std::string& type, const std::string& rule, const std::string& words) {
  const std::string said = mistake_in(ini(rule), cql(type));
  CAPTURE(said);
  CHECK(said.find(words) != std::string::npos);
  return said.find(words) != std::string::npos;
}

using Sizes = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("elements of a collection that is not frozen: path and value") {
  const ColumnValue ints = value("set<int>", "set(5)");
  CHECK(ints.elements == 5);
  CHECK(ints.element_key_sizes_bytes == Sizes{4});
  CHECK(ints.sizes_bytes == Sizes{0});
  const ColumnValue doubles = value("list<double>", "list(3)");
  CHECK(doubles.element_key_sizes_bytes == Sizes{16});
  CHECK(doubles.sizes_bytes == Sizes{8});
  const ColumnValue counts = value("map<text, bigint>", "append(map(2, text(8)))");
  CHECK(counts.append);
  CHECK(counts.element_key_sizes_bytes == Sizes{8});
  CHECK(counts.sizes_bytes == Sizes{8});
  CHECK(value("map<int, text>", "map(2, text(30))").sizes_bytes == Sizes{30});
  CHECK(value("map<text, int>", "map(2, text(8), 4)").sizes_bytes == Sizes{4});
  const ColumnValue places = value("map<text, frozen<place>>", "map(2, text(8), udt(text(10)))");
  CHECK(places.sizes_bytes == Sizes{2 * 4 + 10 + 4});
  CHECK(value("list<frozen<list<text>>>", "list(2, list(3, text(10)))").sizes_bytes == Sizes{4 + 3 * (4 + 10)});
  CHECK(value("set<int>", "set(0)").null);
}

TEST_CASE("frozen collections are one value: a count, and a length before each part") {
  CHECK(value("frozen<set<int>>", "set(5)").sizes_bytes == Sizes{4 + 5 * (4 + 4)});
  CHECK(value("frozen<map<text, double>>", "map(5, text(8))").sizes_bytes == Sizes{4 + 5 * (4 + 8 + 4 + 8)});
  CHECK(value("frozen<list<frozen<tuple<int, int>>>>", "list(2)").sizes_bytes == Sizes{4 + 2 * (4 + 2 * (4 + 4))});
  CHECK(value("frozen<list<text>>", "list(0)").sizes_bytes == Sizes{4});
}

TEST_CASE("sizes that the type does not have are refused") {
  refused("set<int>", "set(5, text(10))", "has 10 bytes for an int, which has 4");
  refused("list<double>", "list(5, list(5))", "has a list for a double");
  refused("set<text>", "set(5)", "has 0 sizes, but 1 of the 1 element of set<text> has no size of its own");
  refused("map<text, text>", "map(5, text(8), null)", "has a null for an element");
  refused("list<frozen<place>>", "list(5, udt(1, 2, 3))", "has 3 sizes, but 1 of the 2 fields of");
  refused("set<text>", "list(5, text(10))", "is a list, but the column is a set<text>");
  std::string deep = "text(1)";
  for (int i = 0; i < 100'000; ++i) deep = "set(1, " + deep;
  refused("set<text>", deep, "stands too deep");
}
