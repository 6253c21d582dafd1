#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

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

namespace fs = std::filesystem;

constexpr const char* short_run = "run scenarios/sensor-unbounded.ini --set run.length=20d --fail-on never --out ";

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST_CASE("a run prints the verdict and fills its folder, which repeats it byte for byte") {
  const TestFolder folder;
  const Ending first = windrow(short_run + folder / "one");
  CHECK_MESSAGE(first.code == 0, first.error);
  CHECK(says(first.out, "What was understood"));
  CHECK(says(first.error, "results are in "));
  for (const char* name : {"scenario.ini", "summary.json", "timeline.csv", "partitions.csv", "largest.csv",
                           "sstables.csv", "compactions.csv", "tombstones.csv", "inputs/sensor-unbounded.cql"}) {
    CHECK_MESSAGE(fs::is_regular_file(folder.path() / "one" / name), name);
  }
  const Ending second =
      windrow("run --quiet --fail-on never '" + (folder / "one/scenario.ini") + "' --out '" + (folder / "two") + "'");
  CHECK(second.code == 0);
  CHECK(second.error.empty());
  CHECK(second.out == first.out);
  const Ending same = shell("diff -r '" + (folder / "one") + "' '" + (folder / "two") + "'");
  CHECK_MESSAGE(same.code == 0, same.out);
}

TEST_CASE("a folder that is ours is written again, any other that holds something never") {
  const TestFolder folder;
  CHECK(windrow(short_run + folder / "ours").code == 0);
  folder.write("ours/my notes.txt", "kept");
  folder.write("ours/inputs/old.csv", "from an earlier run");
  CHECK(windrow(short_run + folder / "ours").code == 0);
  CHECK(fs::exists(folder.path() / "ours/my notes.txt"));
  CHECK_FALSE(fs::exists(folder.path() / "ours/inputs/old.csv"));

  folder.write("theirs/scenario.ini", "[run]\ntitle = a scenario somebody wrote\n");
  const Ending refused = windrow(short_run + folder / "theirs");
  CHECK(refused.code == 2);
  CHECK(says(refused.error, "it holds other things than results of windrow"));
  CHECK(names_in(folder.path() / "theirs").size() == 1);

  fs::create_directory(folder.path() / "empty");
  CHECK(windrow(short_run + folder / "empty/").code == 0);
  CHECK(fs::exists(folder.path() / "empty/summary.json"));

  folder.write("file", "a file");
  CHECK(says(windrow(short_run + folder / "file").error, "it is a file; results need a folder"));
  CHECK(says(windrow(short_run + folder / "file/below").error, "is a file"));
}

TEST_CASE("where false positives of filters are left out, terminal, summary and page say so in the same words") {
  const TestFolder folder;
  folder.write("a.cql",
               "CREATE TABLE k.t (id int, t timestamp, v int, PRIMARY KEY (id, t)) WITH default_time_to_live = 3600;");
  folder.write("a.ini",
               "[run]\nschema = a.cql\nlength = 3d\n[table.t]\nflush_size = 100KiB\n[stream.s]\ntable = t\nentities = "
               "10\nrate = 1/min\ncolumn.id = entity\n");
  const std::string note = "False positives of bloom filters are left out of t (more rows than six times";
  const std::string run = "run '" + (folder / "a.ini") + "' --fail-on never --out '" + (folder / "out") + "' ";
  for (const bool too_large : {true, false}) {
    CAPTURE(too_large);
    // 43,200 rows: more than six times a thousand.
    const Ending ending = windrow(run + (too_large ? "--set run.exact_partitions=1000" : ""));
    CHECK_MESSAGE(ending.code == 0, ending.error);
    CHECK(says(ending.out, note) == too_large);
    CHECK(says(test::read_file(folder / "out/summary.json"),
               std::string("\"filters_left_out\": ") + (too_large ? "true" : "false")));
    CHECK(says(test::read_file(folder / "out/report.html"), "<p class=\"meta\">" + note) == too_large);
  }
}

TEST_CASE("several scenarios have a folder each, and the same output with any number of threads") {
  const TestFolder folder;
  folder.write("a.cql", "CREATE TABLE k.t (id int, t timestamp, v int, PRIMARY KEY (id, t));");
  for (const std::string name : {"a", "b", "c"}) {
    folder.write(
        name + ".ini",
        "[run]\nschema = a.cql\nlength = 3d\n[stream.s]\ntable = t\nentities = 10\nrate = 1/min\ncolumn.id = entity\n");
  }
  const std::string line = "cd '" + folder.path().string() + "' && exec \"$WINDROW\" run a.ini b.ini c.ini --out ";
  const Ending one = shell(line + "one --threads 1");
  CHECK_MESSAGE(one.code == 0, one.error);
  const Ending three = shell(line + "three --threads 3");
  CHECK(three.out == one.out);
  CHECK(shell("diff -r '" + (folder / "one") + "' '" + (folder / "three") + "'").code == 0);
  for (const char* name : {"a", "b", "c"}) CHECK(fs::exists(folder.path() / "one" / name / "summary.json"));
  CHECK(shell(line + "one").code == 0);

  folder.write("two/stranger.txt", "not ours");
  const Ending refused = shell(line + "two");
  CHECK(refused.code == 2);
  CHECK(says(refused.error, "stranger.txt, which is no result of windrow"));
  const Ending twice = shell("cd '" + folder.path().string() + "' && exec \"$WINDROW\" run a.ini ./a.ini --out twice");
  CHECK(twice.code == 2);
  CHECK(says(twice.error, "would both write to twice/a"));

  const Ending here = shell("cd '" + folder.path().string() + "' && exec \"$WINDROW\" run a.ini");
  CHECK(here.code == 0);
  CHECK(fs::exists(folder.path() / "a.windrow/summary.json"));
}

TEST_CASE("a mistake in a scenario is one message, exit code 2, and nothing is written") {
  const TestFolder folder;
  folder.write("a.cql", "CREATE TABLE k.t (id int, t timestamp, v int, PRIMARY KEY (id, t));");
  const auto complaint = [&](const std::string& name, const std::string& text) {
    folder.write(name + ".ini", text);
    const Ending ending = windrow("run '" + (folder / (name + ".ini")) + "' --out '" + (folder / "out") + "'");
    CHECK_MESSAGE(ending.code == 2, name, ": ", ending.error);
    CHECK(ending.out.empty());
    CHECK_FALSE(fs::exists(folder.path() / "out"));
    return ending.error;
  };
  CHECK(says(windrow("run nowhere.ini").error, "cannot read nowhere.ini: No such file or directory"));
  CHECK(windrow("run nowhere.ini").code == 2);
  CHECK(says(windrow("run tests").error, "cannot read tests: Is a directory"));
  CHECK(says(complaint("key", "[run]\nlenght = 3d\n"), "length"));
  CHECK(says(complaint("schema", "[run]\nschema = nothing.cql\nlength = 3d\n"), "nothing.cql"));
  CHECK(says(complaint("unit", "[run]\nschema = a.cql\nlength = 3m\n"), "3m"));
  folder.write("bad.cql", "CREATE TABLE k.t (id int PRIMRY KEY);");
  CHECK(says(complaint("cql", "[run]\nschema = bad.cql\nlength = 3d\n"), "^"));
}

TEST_CASE("what no run can do is refused before a run is said to take long") {
  const TestFolder folder;
  folder.write("t.cql",
               "CREATE TABLE k.t (id int, day date, ts timestamp, v double, label text static, PRIMARY KEY ((id, "
               "day), ts)) WITH compaction = {'class': 'LeveledCompactionStrategy'};");
  folder.write("t.ini",
               "[run]\nschema = t.cql\nlength = 3y\n[stream.t]\ntable = t\nentities = 60000\nrate = 1/min\n"
               "column.id = entity\ncolumn.day = day\ncolumn.label = text(8)\nstatics = once\n");
  const Ending refused = windrow("run '" + (folder / "t.ini") + "'");
  CHECK(refused.code == 2);
  CHECK(says(refused.error, "static columns in more partitions than run.exact_partitions"));
  CHECK_FALSE(says(refused.error, "processor core"));
}

TEST_CASE("a broken limit is exit code 1, unless the user says never") {
  const TestFolder folder;
  const std::string holds =
      "run scenarios/mixed-ttl.ini --set run.length=9d --growth off --out '" + (folder / "r") + "' ";
  const std::string breaks = holds + "--set limits.sstables_max=1 ";
  CHECK(windrow(holds).code == 0);
  const Ending broken = windrow(breaks);
  CHECK(broken.code == 1);
  CHECK(says(broken.out, "BROKEN"));
  CHECK(says(broken.error, "results are in "));
  CHECK(windrow(breaks + "--fail-on never").code == 0);
  CHECK(windrow(breaks + "--fail-on limit").code == 1);
  CHECK(windrow(breaks + "scenarios/iot-sensors.ini").code == 2);
  const Ending wrong = windrow(breaks + "--fail-on warning");
  CHECK(wrong.code == 2);
  CHECK(says(wrong.error, "--fail-on warning: accepts limit, never"));
}

TEST_CASE("the tool that compares builds says how it is used where no scenario is named") {
  for (const char* arguments : {"", " --quick"}) {
    CAPTURE(arguments);
    const Ending ending = test::shell(std::string("tools/same-bytes") + arguments);
    CHECK(ending.code == 2);
    CHECK(ending.out.empty());
    CHECK(ending.error == "usage: tools/same-bytes [--quick] SCENARIO [option of windrow run]...\n");
  }
}

TEST_CASE("an output that is named by nothing is refused") {
  for (const std::string command :
       {"run scenarios/mixed-ttl.ini", "compare scenarios/mixed-ttl.ini --vary run.seed=1,2", "new docs/size.cql"}) {
    const Ending ending = windrow(command + " --out ''");
    CHECK(ending.code == 2);
    CHECK(says(ending.error, "--out '': names no place"));
  }
}

TEST_CASE("a device is no file of a scenario") {
  const Ending device = windrow("run scenarios/iot-sensors.ini --set 'stream.readings.entities=from(/dev/urandom)'");
  CHECK(device.code == 2);
  CHECK(says(device.error, "names a file that cannot be read"));
  CHECK(says(windrow("lint /dev/zero").error, "it is a device, not a text"));
}

TEST_CASE("a pipe is read once, whoever asks for it again; one without a writer is not waited for for ever") {
  const TestFolder folder;
  folder.write(
      "t.cql",
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
      "CREATE TABLE k.t (id text, at timestamp, v double, PRIMARY KEY (id, at)) WITH default_time_to_live = 86400;\n");
  folder.write("piped.ini", "[run]\nname = piped\nschema = " + (folder / "t.cql") +
                                "\nlength = 5d\n[table.t]\nflush_size = 64KiB\n[stream.s]\ntable = t\nrate = 1/s\n"
                                "[limits]\nsstables_max = 3\n");
  const std::string rest = " --quiet --fail-on never --out '" + (folder / "r") + "'";
  const Ending of_file = windrow("run '" + (folder / "piped.ini") + "'" + rest);
  CHECK(says(of_file.out, "less, but still broken"));
  CHECK(shell("\"$WINDROW\" run <(cat '" + (folder / "piped.ini") + "')" + rest).out == of_file.out);
  const Ending late =
      shell("mkfifo '" + (folder / "late") + "'; \"$WINDROW\" run '" + (folder / "late") + "'" + rest +
            " & sleep 1; timeout 60 cat '" + (folder / "piped.ini") + "' >'" + (folder / "late") + "'; wait $!");
  CHECK(late.out == of_file.out);
  const Ending nobody =
      shell("mkfifo '" + (folder / "pipe") + "'; timeout 20 \"$WINDROW\" lint '" + (folder / "pipe") + "'");
  CHECK(nobody.code == 2);
  CHECK(says(nobody.error, "it is a pipe into which nobody writes"));
}

TEST_CASE("a long run says every ten seconds how far it is, also where nobody watches") {
  const TestFolder folder;
  const std::string line =
      "timeout -s INT 11.5 \"$WINDROW\" run scenarios/iot-sensors.ini --set run.length=100y --set "
      "stream.readings.rate=1/s --set run.sample=1h --out '" +
      (folder / "out") + "'";
  CHECK(says(shell(line).error, "iot-sensors: the run (1 of 2), "));
}

TEST_CASE("how far the safe growth factor is looked for is for the user to say") {
  const TestFolder folder;
  const std::string run =
      "run scenarios/high-volume-10min.ini --set run.length=2d --out '" + folder.path().string() + "/r' ";
  const std::string line = "Safe growth: every limit holds up to 1.30 times all rates; at 1.40 partition_size_max";
  CHECK(says(windrow(run).out, line));
  CHECK(says(windrow(run + "--growth full").out, line));
  CHECK(!says(windrow(run + "--growth off").out, "Safe growth"));
  const Ending wrong = windrow(run + "--growth slow");
  CHECK(wrong.code == 2);
  CHECK(says(wrong.error, "--growth slow: accepts off, short, full"));
}

TEST_CASE("what cannot be written leaves nothing behind") {
  const TestFolder folder;
  const std::string out = folder / "deep/er/out";
  const Ending full = shell("ulimit -f 2; exec \"$WINDROW\" " + std::string(short_run) + "'" + out + "'");
  CHECK(full.code == 2);
  CHECK(says(full.error, "File too large; nothing was written"));
  CHECK_FALSE(fs::exists(folder.path() / "deep"));

  CHECK(windrow(short_run + folder / "kept").code == 0);
  const std::string before = test::read_file(folder / "kept/summary.json");
  const Ending again =
      shell("ulimit -f 2; exec \"$WINDROW\" " + std::string(short_run) + "'" + (folder / "kept") + "'");
  CHECK(again.code == 2);
  CHECK(test::read_file(folder / "kept/summary.json") == before);
  for (const std::string& name : names_in(folder.path() / "kept")) CHECK_FALSE(name.starts_with(".windrow"));
}

TEST_CASE("somebody who asks to stop is heard, and nothing half-written remains") {
  // The scenario comes through a pipe: once it is written the program runs, and has still a hundred years to play.
  const TestFolder folder;
  const TestFolder input;
  fs::copy_file("scenarios/iot-sensors.cql", input.path() / "iot-sensors.cql");
  const std::string pipe = input / "pipe.ini";
  const Ending ending = shell("mkfifo '" + pipe + "'; \"$WINDROW\" run '" + pipe +
                              "' --set run.length=100y --set stream.readings.rate=1/s --out '" + (folder / "out") +
                              "' & timeout 60 cat scenarios/iot-sensors.ini >'" + pipe + "'; kill -INT $!; wait $!");
  CHECK_MESSAGE(ending.code == 130, ending.error);
  CHECK(ending.out.empty());
  CHECK(names_in(folder.path()).empty());
}

}  // namespace
}  // namespace windrow
