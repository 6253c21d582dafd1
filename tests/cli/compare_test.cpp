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
using test::TestFolder;
using test::windrow;

constexpr const char* nine =
    "compare scenarios/iot-sensors.ini --set run.length=120d --vary "
    "table.sensor_data.compaction.compaction_window_size=1,3,7 --vary stream.readings.column.bucket=hour,day,week ";

TEST_CASE("a grid of nine choices: the same words and files with any number of threads") {
  const TestFolder folder;
  const Ending one = windrow(nine + std::string("--threads 1 --out ") + folder / "one");
  CHECK_MESSAGE(one.code == 0, one.error);
  const Ending three = windrow(nine + std::string("--threads 3 --out ") + folder / "three");
  CHECK(three.out == one.out);
  for (const char* name : {"one/compare.csv", "one/compare.json"}) CHECK(std::filesystem::exists(folder.path() / name));
  CHECK(test::shell("diff -r '" + (folder / "one") + "' '" + (folder / "three") + "'").code == 0);
  CHECK(says(one.out, "compaction_window_size"));
  CHECK(says(one.out, "480,000"));
  CHECK(windrow(nine + std::string("--out ") + folder / "one").code == 0);
}

TEST_CASE("compaction switched off is a baseline: every byte is written once") {
  const Ending ending = windrow("compare scenarios/mixed-ttl.ini --set run.length=12d --baseline none");
  CHECK_MESSAGE(ending.code == 0, ending.error);
  CHECK(says(ending.out, "mixed-ttl, none"));
  const std::string strict = "compare scenarios/mixed-ttl.ini --set run.length=12d --set limits.sstables_max=";
  CHECK(windrow(strict + "1 --baseline none").code == 1);
  CHECK(windrow(strict + "1 --baseline none --fail-on never").code == 0);
  // A table that is never compacted is a yardstick, not a choice.
  CHECK(windrow(strict + "1000 --baseline none").code == 0);
  CHECK(says(ending.out, "none: the same writes, and nothing is ever compacted"));
}

TEST_CASE("a choice that breaks a limit is exit code 1, unless the user says never") {
  const std::string choices =
      "compare scenarios/mixed-ttl.ini --set run.length=12d --vary "
      "table.sensor_data.compaction.compaction_window_size=1,2 ";
  CHECK(windrow(choices + "--set limits.sstables_max=1000").code == 0);
  const std::string breaks = choices + "--set limits.sstables_max=1 ";
  const Ending broken = windrow(breaks);
  CHECK(broken.code == 1);
  CHECK(windrow(breaks + "--fail-on limit").code == 1);
  const Ending never = windrow(breaks + "--fail-on never");
  CHECK(never.code == 0);
  CHECK(never.out == broken.out);
  const Ending wrong = windrow(breaks + "--fail-on always");
  CHECK(wrong.code == 2);
  CHECK(says(wrong.error, "--fail-on always: accepts limit, never"));
}

TEST_CASE("mistakes in what is to be compared are one message, and nothing runs") {
  const TestFolder folder;
  const auto complaint = [](const std::string& arguments) {
    const Ending ending = windrow("compare " + arguments);
    CHECK_MESSAGE(ending.code == 2, arguments, ": ", ending.error);
    CHECK(ending.out.empty());
    return ending.error;
  };
  CHECK(says(complaint("scenarios/mixed-ttl.ini"), "compare needs two runs"));
  CHECK(says(complaint("scenarios/mixed-ttl.ini --baseline lcs"), "--baseline lcs: accepts none"));
  CHECK(says(complaint("scenarios/mixed-ttl.ini --vary run.seed"), "accepts KEY=VALUE,VALUE"));
  CHECK(says(complaint("scenarios/mixed-ttl.ini --vary run.seeed=1,2"), "seed"));
  CHECK(says(complaint("scenarios/mixed-ttl.ini --vary stream.readings.column.bucket=day,fortnight"), "`fortnight`"));
  folder.write("mine.txt", "a note");
  CHECK(says(complaint("scenarios/mixed-ttl.ini --vary run.seed=1,2 --out '" + folder.path().string() + "'"),
             "holds mine.txt, which is no comparison"));
}

}  // namespace
}  // namespace windrow
