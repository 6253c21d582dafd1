#include <doctest/doctest.h>

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

TEST_CASE("docs/size.md shows what its commands print") {
  std::istringstream lines(test::read_file("docs/size.md"));
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string prompt = "$ windrow ";
    if (!line.starts_with(prompt)) continue;
    std::string shown;
    for (std::string next; std::getline(lines, next) && next != "```";) shown += next + "\n";
    const Ending ending = windrow(line.substr(prompt.size()));
    CHECK_MESSAGE(ending.code == 0, line, ending.error);
    CHECK(ending.out == shown);
    ++commands;
  }
  CHECK(commands >= 3);
}

TEST_CASE("fleets, lists with commas in them, and other formats") {
  const TestFolder folder;
  folder.write("t.cql",
               "CREATE TABLE r (device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at));");
  folder.write("fleet.csv", "id,rate\na,1/min\nb,1/s\n");
  const std::string cql = "'" + (folder / "t.cql") + "'";
  const Ending fleet = windrow("size " + cql + " --rate fleet.csv --bucket day --format csv");
  CHECK_MESSAGE(fleet.code == 0, fleet.error);
  CHECK(says(fleet.out, "fleet.csv,day,1,86400,86400,"));
  const Ending spread = windrow("size " + cql + " --rate 'lognormal(1/min, 1/s), 1/s' --bucket day --format csv");
  CHECK_MESSAGE(spread.code == 0, spread.error);
  CHECK(says(spread.out, "\n\"lognormal(1/min, 1/s)\",day,1,"));
  CHECK(says(spread.out, "\n1/s,day,1,86400,"));
  CHECK(says(windrow("size " + cql + " --format markdown").out, "| rate | bucket |"));
  CHECK(says(windrow("size " + cql + " --format json --compression-ratio 0.5").out, "\"on_disk_bytes_max\""));
}

TEST_CASE("a mistake is one message and exit code 2") {
  const auto complaint = [](const std::string& arguments) {
    const Ending ending = windrow("size " + arguments);
    CHECK_MESSAGE(ending.code == 2, arguments);
    CHECK(ending.out.empty());
    return ending.error;
  };
  CHECK(says(complaint("scenarios/iot-sensors.ini"), "iot-sensors.ini: is a scenario; accepts a schema"));
  CHECK(says(complaint("docs/size.cql"), "add --column 'payload=blob(100)'"));
  CHECK(says(complaint("scenarios/iot-sensors.cql --rate ,1/s"), "has an empty part"));
  CHECK(says(complaint("scenarios/iot-sensors.cql --rate 1/fortnight"), "--rate 1/fortnight: "));
  CHECK(says(complaint("scenarios/iot-sensors.cql --max much"), "--max much: "));
  CHECK(says(complaint("scenarios/iot-sensors.cql --max-rows 0"), "accepts 1 or more"));
  CHECK(says(complaint("scenarios/iot-sensors.cql --compression-ratio 3"), "accepts above 0, at most 2"));
  CHECK(says(complaint("scenarios/iot-sensors.cql --format xml"), "accepts text, markdown, csv or json"));
  CHECK(says(complaint("scenarios/iot-sensors.cql --column temperature"), "accepts NAME=RULE"));
  CHECK(says(complaint("scenarios/nowhere.cql"), "nowhere.cql"));
  const TestFolder folder;
  folder.write("t.cql", "CREATE TABLE t (id int);");
  CHECK(says(complaint("'" + (folder / "t.cql") + "'"), "t.cql:1:"));
}

}  // namespace
}  // namespace windrow
