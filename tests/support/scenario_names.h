#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace windrow::test {

/// All of scenarios/, by name.
inline std::vector<std::string> all_scenarios() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios")) {
    if (entry.path().extension() == ".ini") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace windrow::test
