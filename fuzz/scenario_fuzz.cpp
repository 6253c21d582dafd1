#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/load_scenario.h"
#include "sim/input/resolved_ini.h"
#include "sim/input/scenario_error.h"

// The scanner and the readers of values: any text is a scenario or a ScenarioError. A text that begins with `=` sets
// one key, named by its first line, of a scenario that is right otherwise; what is accepted must resolve to itself.
namespace {

using namespace windrow;

constexpr std::string_view cql =
    "CREATE TABLE readings (device text, day text, bucket int, at timestamp, value double, note text, tags map<text, "
    "text>, "
    "PRIMARY KEY ((device, day, bucket), at));";
constexpr std::string_view scenario =
    "[run]\nschema = t.cql\nlength = 30d\n[stream.readings]\ntable = readings\nentities = 10\nrate = 1/min\ncolumn.day "
    "= day\n"
    "column.bucket = shard(4)\ncolumn.note = text(20)\ncolumn.tags = map(2, text(3), text(4))\n[stream.more]\nlike = "
    "readings\n"
    "entities = named(x, y)\n";

std::string fuzzed_file;

std::optional<std::string> read(const std::string& name) {
  if (name.ends_with(".cql")) return std::string(cql);
  return fuzzed_file;
}

void load(std::string_view text, const std::vector<std::string>& assignments) {
  std::string ini;
  try {
    ini = resolved_ini(load_scenario("fuzz.ini", text, assignments, read));
  } catch (const ScenarioError& error) {
    if (error.mistake().problem.empty()) __builtin_trap();
    return;
  }
  if (resolved_ini(load_scenario("fuzz.ini", ini, {}, read)) != ini) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with('=')) {
    load(text, {});
    return 0;
  }
  const std::size_t end = text.find('\n');
  const std::size_t file = end == std::string::npos ? end : text.find('\n', end + 1);
  fuzzed_file = file == std::string::npos ? std::string() : text.substr(file + 1);
  if (end != std::string::npos) load(scenario, {text.substr(1, end - 1) + "=" + text.substr(end + 1, file - end - 1)});
  return 0;
}
