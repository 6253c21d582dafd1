#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "tests/cli/program.h"

namespace windrow {
namespace {

std::int64_t peak_with_ids(const test::TestFolder& folder, int ids) {
  std::string fleet = "id\n";
  for (int i = 0; i < ids; ++i) fleet += fmt::format("device-{:07}\n", i);
  folder.write("fleet.csv", fleet);
  return test::peak_bytes(fmt::format("run '{}' --quiet --growth off --advice off --fail-on never --out '{}'",
                                      folder / "fleet.ini", folder / "r"));
}

// Seven million ids are to need less than 1 GB. What an id needs is what half a million need more than a tenth of them:
// the program itself is in both.
TEST_CASE("seven million ids from a file need less than a gigabyte") {
  constexpr double gigabyte = 1e9;
  constexpr int all = 7'000'000;
  constexpr int many = 500'000;
  constexpr int few = 50'000;
  const test::TestFolder folder;
  folder.write("fleet.cql",
               "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};\n"
               "CREATE TABLE k.t (id text, day date, at timestamp, v double, PRIMARY KEY ((id, day), at));\n");
  for (const int nodes : {3, 6}) {
    CAPTURE(nodes);
    folder.write("fleet.ini", fmt::format("[run]\nschema = fleet.cql\nstart = 2026-01-01\nlength = 3d\n[dc.main]\n"
                                          "nodes = {}\n[stream.s]\ntable = t\nentities = from(fleet.csv)\nrate = 1/h\n"
                                          "column.id = entity\ncolumn.day = day\ncolumn.at = time\n",
                                          nodes));
    const std::int64_t with_few = peak_with_ids(folder, few);
    const std::int64_t with_many = peak_with_ids(folder, many);
    const double an_id = static_cast<double>(with_many - with_few) / (many - few);
    CHECK(static_cast<double>(with_few) + an_id * (all - few) < gigabyte);
  }
}

}  // namespace
}  // namespace windrow
