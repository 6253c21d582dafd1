#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/says.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using test::Ending;
using test::says;
using test::shell;
using test::TestFolder;
using test::windrow;

TEST_CASE("the page is drawn again from its folder, byte for byte, and nothing else changes") {
  const TestFolder folder;
  REQUIRE(windrow("run scenarios/mixed-ttl.ini --set run.length=30d --fail-on never --out '" + (folder / "one") + "'")
              .code == 0);
  REQUIRE(shell("cp -r '" + (folder / "one") + "' '" + (folder / "before") + "'").code == 0);
  std::filesystem::remove(folder / "one/report.html");
  const Ending again = windrow("report '" + (folder / "one") + "'");
  CHECK_MESSAGE(again.code == 0, again.error);
  CHECK(says(again.error, "the page is "));
  const Ending same = shell("diff -r '" + (folder / "before") + "' '" + (folder / "one") + "'");
  CHECK_MESSAGE(same.code == 0, same.out);
}

TEST_CASE("a summary of any length is read whole") {
  const TestFolder folder;
  const std::string one = folder / "one";
  REQUIRE(windrow("run scenarios/mixed-ttl.ini --set run.length=10d --fail-on never --out '" + one + "'").code == 0);
  REQUIRE(shell("cp '" + one + "/report.html' '" + (folder / "before") + "'").code == 0);
  REQUIRE(shell("printf '%17000000s' '' >> '" + one + "/summary.json'").code == 0);
  const Ending again = windrow("report '" + one + "'");
  CHECK_MESSAGE(again.code == 0, again.error);
  CHECK(shell("cmp '" + one + "/report.html' '" + (folder / "before") + "'").code == 0);
}

TEST_CASE("what is no result, or not a whole one, is told") {
  const TestFolder folder;
  CHECK(windrow("report").code == 2);
  const Ending nothing = windrow("report '" + (folder / "nothing") + "'");
  CHECK(nothing.code == 2);
  CHECK(says(nothing.error, "is no result of windrow: windrow run SCENARIO.ini --out DIR makes one"));

  REQUIRE(windrow("run scenarios/mixed-ttl.ini --set run.length=9d --out '" + (folder / "one") + "'").code == 0);
  folder.write("one/summary.json", "{\"tables\": {");
  const Ending damaged = windrow("report '" + (folder / "one") + "'");
  CHECK(damaged.code == 2);
  CHECK(says(damaged.error, "summary.json is damaged"));
  folder.write("one/summary.json", "{\"tables\": {\"sensor_data\": {}}}");
  CHECK(says(windrow("report '" + (folder / "one") + "'").error,
             "another version of windrow wrote it; run the scenario again"));
  std::filesystem::remove(folder / "one/windows.csv");
  const Ending partly = windrow("report '" + (folder / "one") + "'");
  CHECK(partly.code == 2);
  CHECK(says(partly.error, "windows.csv: No such file"));
}

TEST_CASE("without Chromium there is no SVG, but a word that says so") {
  const TestFolder folder;
  REQUIRE(windrow("run scenarios/mixed-ttl.ini --set run.length=9d --out '" + (folder / "one") + "'").code == 0);
  const Ending refused =
      shell("PATH= exec \"$WINDROW\" report '" + (folder / "one") + "' --svg '" + (folder / "charts") + "'");
  CHECK(refused.code == 2);
  CHECK(says(refused.error, "--svg needs Chromium"));
  CHECK_FALSE(std::filesystem::exists(folder / "charts"));
}

}  // namespace
}  // namespace windrow
