#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/keys/sections.h"
#include "sim/words/scenario_error.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

const std::string folder = "tests/resolve/errors/";

std::map<std::string, std::string> base_files() {
  return {{"base.cql", read_text(folder + "base.cql")},
          {"fleet.csv", "id,rate\na,1/s\na,2/s\n"},
          {"rates.csv", "rate\n1/s\nmany\n"},
          {"profile.csv", "time,rate\n1d,1/s\n1h,2/s\n"}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

// keys.txt: `> ASSIGNMENT` over base.ini, then the message.
TEST_CASE("every wrong value has its message") {
  const std::string ini = read_text(folder + "base.ini");
  const std::string recorded = read_text(folder + "keys.txt");
  REQUIRE(mistake_in(ini, base_files()) == "");
  std::string now;
  for (const std::string& line : lines_of(recorded)) {
    if (!line.starts_with("> ")) continue;
    const std::string message = mistake_in(ini, base_files(), {line.substr(2)});
    CHECK_MESSAGE(!message.empty(), line);
    now += line + "\n" + message + "\n\n";
  }
  check_golden(folder + "keys.txt", now);
}

TEST_CASE("every key of the language has a negative test") {
  std::set<std::string> tested;
  for (const std::string& line : lines_of(read_text(folder + "keys.txt"))) {
    if (!line.starts_with("> ")) continue;
    const std::string full = line.substr(2, line.find('=') - 2);
    for (const SectionInfo& section : all_sections()) {
      for (const KeyInfo& key : section.keys) {
        std::string name = key.name;
        if (key.family()) name.pop_back();
        const bool same = key.family() ? full.find("." + name) != std::string::npos : full.ends_with("." + name);
        if (full.starts_with(section.kind + ".") && same) tested.insert(section.kind + "." + key.name);
      }
    }
  }
  for (const SectionInfo& section : all_sections()) {
    for (const KeyInfo& key : section.keys)
      CHECK_MESSAGE(tested.contains(section.kind + "." + key.name), section.kind, ".", key.name);
  }
}

// Each other *.txt: a scenario, perhaps `=== NAME` and another file, then `---` and the message.
TEST_CASE("every scenario that cannot be read has its message") {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path().string());
  for (const std::string& path : paths) {
    if (!path.ends_with(".txt") || path.ends_with("keys.txt")) continue;
    CAPTURE(path);
    const std::string text = read_text(path);
    const std::string input = text.substr(0, text.find("\n---\n") + 1);
    auto files = base_files();
    std::string name = "test.ini";
    std::string given;
    for (const std::string& line : lines_of(input)) {
      if (line.starts_with("=== ")) {
        name = line.substr(4);
        files[name].clear();
      } else {
        (name == "test.ini" ? given : files[name]) += line + "\n";
      }
    }
    const std::string message = mistake_in(given, files);
    CHECK(!message.empty());
    check_golden(path, input + "---\n" + message + "\n");
  }
}

TEST_CASE("an error says what it is about in parts") {
  try {
    load(read_text(folder + "base.ini"), base_files(), {"stream.readings.rate=4/m"});
    FAIL("accepted");
  } catch (const ScenarioError& error) {
    CHECK(error.file() == "--set");
    CHECK(error.line() == 1);
    CHECK(error.column() == 24);
    CHECK(error.key() == "stream.readings.rate");
    CHECK(error.value() == "4/m");
    CHECK(error.accepted() ==
          "a number per s, min, h, d, w or y, or per several of them, such as 1/s, 20/min, 400/day, 1/90s");
  }
}
