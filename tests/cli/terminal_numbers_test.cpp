#include "tests/cli/terminal_numbers.h"

#include <doctest/doctest.h>

#include "tests/cli/program.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("the terminal is held to summary.json: each number that differs is a mistake") {
  const test::TestFolder results;
  const test::Ending run = test::windrow("run scenarios/mixed-ttl.ini --advice off --quiet --fail-on never --out '" +
                                         results.path().string() + "/run'");
  REQUIRE(run.code == 0);
  const auto summary = nlohmann::json::parse(test::read_file(results / "run/summary.json"));
  CHECK(test::terminal_mistakes(run.out, summary).empty());
  auto other = summary;
  auto& table = other.at("tables").at("sensor_data");
  for (const char* number :
       {"live_bytes", "live_sstables", "partitions", "flushes", "space_amplification", "tombstones", "purgeable_bytes"})
    table.at(number) = 2 * table.at(number).get<double>();
  table.at("windows").at("count") = 1;
  other.at("limits").front().at("value") = 0.1;
  other.at("growth_factor_safe") = 3.25;
  // Disk, SSTables, partitions, what is written, space, tombstones, what is not readable, windows, a limit, growth.
  CHECK(test::terminal_mistakes(run.out, other).size() == 10);
}

}  // namespace
}  // namespace windrow
