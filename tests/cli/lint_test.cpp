#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
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

TEST_CASE("a finding is shown with its place, line, reason and fix") {
  const Ending ending = windrow("lint scenarios/mixed-ttl.ini");
  CHECK(ending.code == 1);
  CHECK(says(ending.out, "scenarios/mixed-ttl.ini:22:12: warning: sensor_data: 2 different TTLs"));
  CHECK(says(ending.out, "    22 | ttl      = none\n       |            ^^^^\n  why: "));
  CHECK(says(ending.out, "scenarios/mixed-ttl.cql:16:5: warning: "));
  CHECK(says(ending.out, "[several-ttls-in-twcs]"));
  CHECK(says(ending.out, "\n2 warnings\n"));
}

TEST_CASE("--fail-on says from which severity on it is a failure") {
  CHECK(windrow("lint scenarios/sperf-stcs.ini").code == 0);
  CHECK(windrow("lint scenarios/mixed-ttl.ini --fail-on warning").code == 1);
  CHECK(windrow("lint scenarios/mixed-ttl.ini --fail-on error").code == 0);
  CHECK(windrow("lint scenarios/sensor-unbounded.ini --fail-on error").code == 1);
  CHECK(windrow("lint scenarios/sensor-unbounded.ini --fail-on never").code == 0);
  const Ending wrong = windrow("lint scenarios/mixed-ttl.ini --fail-on warnings");
  CHECK(wrong.code == 2);
  CHECK(says(wrong.error, "accepts note, warning, error or never"));
}

TEST_CASE("several files give one report, of the format asked for") {
  const Ending json = windrow("lint scenarios/iot-sensors.ini scenarios/sensor-unbounded.cql --format json");
  CHECK(json.code == 1);
  const auto report = nlohmann::json::parse(json.out);
  CHECK(report.at("findings").size() == 3);
  CHECK(report.at("errors") == 1);
  const Ending sarif = windrow("lint scenarios/iot-sensors.ini --format sarif");
  const auto log = nlohmann::json::parse(sarif.out);
  CHECK(log.at("runs").at(0).at("tool").at("driver").at("version") == WINDROW_VERSION);
  CHECK(log.at("runs")
            .at(0)
            .at("results")
            .at(0)
            .at("locations")
            .at(0)
            .at("physicalLocation")
            .at("artifactLocation")
            .at("uri") == "scenarios/iot-sensors.cql");
  CHECK(windrow("lint --catalog").out == test::read_file("docs/findings.md"));
}

TEST_CASE("a schema that the server refuses is a finding; a scenario that cannot be read is a mistake") {
  const TestFolder folder;
  folder.write("t.cql", "CREATE TABLE t (id int);");
  const Ending schema = windrow("lint '" + (folder / "t.cql") + "'");
  CHECK(schema.code == 1);
  CHECK(says(schema.out, "[server-refuses]"));
  folder.write("t.ini", "[run]\nschema = t.cql\nlength = 1d\n");
  const Ending scenario = windrow("lint '" + (folder / "t.ini") + "'");
  CHECK(scenario.code == 2);
  CHECK(scenario.out.empty());
  CHECK(says(scenario.error, "t.cql:1:"));
  CHECK(windrow("lint").code == 2);
  CHECK(windrow("lint scenarios/nowhere.ini").code == 2);
  CHECK(windrow("lint scenarios/iot-sensors.ini --format xml").code == 2);
  CHECK(windrow("lint scenarios/iot-sensors.ini --set table.sensor_data.default_time_to_live=2160000").code == 0);
}

}  // namespace
}  // namespace windrow
