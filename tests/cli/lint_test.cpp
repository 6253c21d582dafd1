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
  CHECK(says(windrow("lint scenarios/window-too-small.ini").out, "scenarios/window-too-small.cql:"));
  CHECK(says(ending.out, "[several-ttls-in-twcs]"));
  CHECK(says(ending.out, "\n1 warning\n"));
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
  const Ending as_json = windrow("lint scenarios/iot-sensors.ini scenarios/sensor-unbounded.cql --format json");
  CHECK(as_json.code == 1);
  const auto report = nlohmann::json::parse(as_json.out);
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

TEST_CASE("rules are explained, allowed, and known from before; migrations are one schema; nothing is no success") {
  const TestFolder folder;
  const std::string explained = windrow("explain no-time-bucket").out;
  CHECK(says(explained, "nothing bounds a partition in time"));
  CHECK(says(explained, "\nfix: "));
  const Ending unknown = windrow("explain no-time-bukcet");
  CHECK(unknown.code == 2);
  CHECK(says(unknown.error, "did you mean no-time-bucket?"));

  folder.write("1.cql", "CREATE TABLE t (id int PRIMARY KEY, v int);\n");
  folder.write("2.cql", "ALTER TABLE t WITH gc_grace_seconds = 0;\n");
  const std::string files = "lint '" + (folder / "1.cql") + "' '" + (folder / "2.cql") + "' --migrations ";
  CHECK(says(windrow(files).out, "2.cql:1:20: warning: t: hints"));
  CHECK(windrow(files + "--allow gc-grace-and-hints").code == 0);
  CHECK(windrow(files + "--allow hints").code == 2);
  folder.write("old.json", windrow(files + "--format json").out);
  CHECK(windrow(files + "--baseline '" + (folder / "old.json") + "'").code == 0);
  CHECK(windrow(files + "--baseline '" + (folder / "1.cql") + "'").code == 2);
  CHECK(windrow("lint '" + (folder / "2.cql") + "'").code == 1);

  folder.write("empty.cql", "-- nothing yet\n");
  const Ending empty = windrow("lint '" + (folder / "empty.cql") + "'");
  CHECK(empty.code == 2);
  CHECK(says(empty.error, "holds no statement"));
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
