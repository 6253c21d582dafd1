#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
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

std::string pack_gz(const std::string& text) {
  const TestFolder folder;
  gzFile file = gzopen((folder / "packed").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return test::read_file(folder / "packed");
}

/// T/scenarios/NAME.ini and T/traces/NAME of a recording, with this text as trace.
void write_recording(const TestFolder& folder, const std::string& trace_name, const std::string& text) {
  folder.write("scenarios/twcs_ties.ini", test::read_file("tests/oracle/scenarios/twcs_ties.ini"));
  folder.write("traces/twcs_ties/" + trace_name, text);
}

std::string trace_text() { return test::read_xz("tests/oracle/traces/twcs_ties/trace.jsonl.xz"); }

constexpr const char* all_agree = "1 trace: pick 1, merge 1, run 1 agree; 103 picks, ";

TEST_CASE("a trace is found by its file, its folder and the folders above, plain and packed") {
  const TestFolder folder;
  write_recording(folder, "trace.jsonl", trace_text());
  for (const std::string path :
       {"traces/twcs_ties/trace.jsonl", "traces/twcs_ties", "traces/twcs_ties/", "traces", ""}) {
    const Ending ending = windrow("verify '" + (folder / path) + "'");
    CHECK_MESSAGE(ending.code == 0, path, ending.error);
    CHECK(says(ending.out, "\n" + std::string(all_agree)));
  }
  const Ending here = test::shell("cd '" + (folder / "traces/twcs_ties") + "' && \"$WINDROW\" verify .");
  CHECK(here.code == 0);

  const TestFolder packed;
  write_recording(packed, "trace.jsonl.gz", pack_gz(trace_text()));
  CHECK(windrow("verify '" + packed.path().string() + "'").code == 0);
  CHECK(windrow("verify tests/oracle/traces/twcs_ties").code == 0);
}

TEST_CASE("output is the same with any number of threads") {
  const std::string paths =
      "verify tests/oracle/traces/twcs_ties tests/oracle/traces/ties tests/oracle/traces/twcs_memtable";
  const Ending one = windrow(paths + " --threads 1");
  CHECK(one.code == 0);
  CHECK(windrow(paths + " --threads 3").out == one.out);
  CHECK(says(one.out, "3 traces: pick 3, merge 3, run 3 agree; "));
}

TEST_CASE("a disagreement is explained, and exit code 1") {
  std::string text = trace_text();
  const std::size_t place = text.find("\"pending\":", text.find("\"pick\":40,"));
  text.insert(place + 10, "1");
  const TestFolder folder;
  write_recording(folder, "trace.jsonl", text);
  const Ending ending = windrow("verify '" + folder.path().string() + "'");
  CHECK(ending.code == 1);
  CHECK(says(ending.out, "pick 40 at "));
  CHECK(says(ending.out, ": pending\n"));
  CHECK(says(ending.out, "1 trace: pick 0, merge 1, run 0 agree; "));

  const Ending as_json = windrow("verify --format json '" + folder.path().string() + "'");
  CHECK(as_json.code == 1);
  const nlohmann::json report = nlohmann::json::parse(as_json.out);
  CHECK(report.at("agrees") == false);
  CHECK(report.at("recordings").at(0).at("tests").at(2).at("first").at("where") == "pick 40");
}

TEST_CASE("what cannot be read is one message and exit code 2") {
  const TestFolder folder;
  const auto complaint = [&](const std::string& path) {
    const Ending ending = windrow("verify '" + (folder / path) + "'");
    CHECK_MESSAGE(ending.code == 2, path);
    CHECK(ending.out.empty());
    return ending.error;
  };
  CHECK(says(complaint("nowhere"), "there is no such file or folder"));
  folder.write("empty/note.txt", "nothing");
  CHECK(says(complaint("empty"), "holds no recording"));
  CHECK(says(complaint("empty/note.txt"), "is no recording"));
  folder.write("alone/traces/one/trace.jsonl", trace_text());
  CHECK(says(complaint("alone"), "scenarios/one.ini; that of T/traces/NAME is T/scenarios/NAME.ini"));

  write_recording(folder, "trace.jsonl", "{\"event\":\"header\"");
  CHECK(says(complaint("traces"), "trace line 1"));
  write_recording(folder, "trace.jsonl", "");
  CHECK(says(complaint("traces"), "a trace begins with its header"));
  const std::string whole = trace_text();
  write_recording(folder, "trace.jsonl", whole.substr(0, whole.rfind("\n", whole.size() / 2) + 1));
  CHECK(says(complaint("traces"), "does not end with its end event"));
  std::filesystem::remove(folder.path() / "traces/twcs_ties/trace.jsonl");
  write_recording(folder, "trace.jsonl.xz", "not packed");
  CHECK(says(complaint("traces"), "is not a whole xz file"));
  std::filesystem::remove(folder.path() / "traces/twcs_ties/trace.jsonl.xz");
  write_recording(folder, "trace.jsonl.gz", pack_gz(trace_text()).substr(0, 5'000));
  CHECK(says(complaint("traces"), "is not a whole gzip file"));
  folder.write("scenarios/twcs_ties.ini", "dayz = 3\n");
  CHECK(says(complaint("traces"), "twcs_ties.ini: "));
}

}  // namespace
}  // namespace windrow
