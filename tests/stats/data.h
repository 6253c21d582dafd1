#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace windrow {

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Lines of a data file below its comments and its line of names.
inline std::vector<std::string> data_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no such file: " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  lines.erase(lines.begin());
  return lines;
}

}  // namespace windrow
