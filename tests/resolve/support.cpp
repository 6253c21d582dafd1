#include "tests/resolve/support.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sim/words/scenario_error.h"

namespace windrow::test {

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool update_golden() { return std::getenv("UPDATE_GOLDEN") != nullptr; }

void check_golden(const std::string& path, const std::string& text) {
  if (update_golden()) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  CHECK_MESSAGE(read_text(path) == text, path);
}

LoadedScenario load(const std::string& ini, const std::map<std::string, std::string>& files,
                    const std::vector<std::string>& assignments) {
  return load_scenario("test.ini", ini, assignments, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = files.find(name);
    if (found == files.end()) return std::nullopt;
    return found->second;
  });
}

LoadedScenario load_file(const std::string& name, const std::vector<std::string>& assignments) {
  const std::string path = "scenarios/" + name + ".ini";
  return load_scenario(path, read_text(path), assignments, [](const std::string& file) -> std::optional<std::string> {
    return read_text("scenarios/" + file);
  });
}

std::string mistake_in(const std::string& ini, const std::map<std::string, std::string>& files,
                       const std::vector<std::string>& assignments) {
  try {
    load(ini, files, assignments);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return {};
}

std::string small_scenario(const std::string& stream, const std::string& run) {
  return "[run]\nschema = t.cql\n" + run + "\n[stream.readings]\ntable = readings\n" + stream;
}

}  // namespace windrow::test
