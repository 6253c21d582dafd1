#pragma once

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "sim/text/sink.h"

namespace windrow::test {

/// Every key below `json`, in order, a line each: tables/t/live_bytes. Of a list its first element stands for all.
inline std::string keys_of(const nlohmann::ordered_json& json, const std::string& path = {}) {
  if (json.is_array() && !json.empty()) return keys_of(json.front(), path + "[]");
  if (!json.is_object()) return path + "\n";
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += keys_of(value, path + (path.empty() ? "" : "/") + key);
  return keys;
}

/// A result file's name and its shape without its values: the keys of JSON, the header of CSV.
inline std::string shape_of(const NamedText& file) {
  const bool json = file.name.ends_with(".json");
  return "# " + file.name + "\n" +
         (json ? keys_of(nlohmann::ordered_json::parse(file.text)) : file.text.substr(0, file.text.find('\r')) + "\n");
}

/// The golden file at `path`, made anew from `now` where UPDATE_GOLDEN is set.
inline std::string golden(const std::string& path, const std::string& now) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << now;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace windrow::test
