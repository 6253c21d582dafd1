#include "sim/cli/scenario_files.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "sim/cli/files.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

// Within which clocks are looked up: of what a scenario may speak.
constexpr date::sys_days first_day = date::year(1970) / 1 / 1;
constexpr date::sys_days last_day = date::year(2100) / 1 / 1;

std::optional<std::string> zone_changes(const std::string& name) {
  const date::time_zone* zone = nullptr;
  try {
    zone = date::locate_zone(name);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  std::string text = "from,offset\n";
  std::chrono::seconds latest{1'000'000};
  for (date::sys_seconds at = first_day; at < last_day;) {
    const date::sys_info now = zone->get_info(at);
    if (now.offset != latest) {
      const auto minutes = std::chrono::floor<std::chrono::minutes>(now.offset).count();
      text += fmt::format("{},{}{:02}:{:02}\n", date::format("%FT%TZ", at), minutes < 0 ? '-' : '+',
                          std::abs(minutes) / 60, std::abs(minutes) % 60);
      latest = now.offset;
    }
    at = now.end;
  }
  return text;
}

}  // namespace

ReadFile files_beside(const std::string& scenario) {
  return [folder = fs::path(scenario).parent_path()](const std::string& name) -> std::optional<std::string> {
    std::string text;
    if (try_read_text_file(folder / name, text)) return text;
    return zone_changes(name);
  };
}

}  // namespace windrow
