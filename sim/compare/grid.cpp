#include "sim/compare/grid.h"

#include <fmt/format.h>

#include <algorithm>

namespace windrow {

namespace {

std::vector<std::string> split_values(std::string_view list) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : list) {
    if (c == '\'') quoted = !quoted;
    if (!quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted) {
      values.emplace_back();
    } else if (c != ' ' || !values.back().empty()) {
      values.back() += c;
    }
  }
  return values;
}

std::string tail_of(const std::string& key, std::size_t parts) {
  std::size_t at = key.size();
  for (std::size_t i = 0; i < parts && at != std::string::npos && at > 0; ++i) at = key.rfind('.', at - 1);
  return at == std::string::npos ? key : key.substr(at + 1);
}

}  // namespace

Variation read_variation(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw CompareError(
        fmt::format("--vary {}: accepts KEY=VALUE,VALUE,…, such as stream.readings.rate=1/min,1/s", text));
  }
  Variation variation{.key = text.substr(0, equals), .values = split_values(std::string_view(text).substr(equals + 1))};
  for (auto value = variation.values.begin(); value != variation.values.end(); ++value) {
    if (value->empty()) throw CompareError(fmt::format("--vary {}: has an empty value", text));
    if (std::find(variation.values.begin(), value, *value) != value) {
      throw CompareError(fmt::format("--vary {}: has the value {} twice", text, *value));
    }
  }
  return variation;
}

std::vector<std::vector<Choice>> grid_of(const std::vector<Variation>& variations) {
  std::vector<std::vector<Choice>> grid(1);
  for (const Variation& variation : variations) {
    if (!grid.front().empty() && std::ranges::count(grid.front(), variation.key, &Choice::key) > 0) {
      throw CompareError(fmt::format("--vary {}: varies twice; give all its values in one list", variation.key));
    }
    if (grid.size() * variation.values.size() > most_combinations) {
      throw CompareError(
          fmt::format("--vary: more than {} combinations; try fewer values at a time", most_combinations));
    }
    std::vector<std::vector<Choice>> finer;
    for (const std::vector<Choice>& coarse : grid) {
      for (const std::string& value : variation.values) {
        finer.push_back(coarse);
        finer.back().push_back({.key = variation.key, .value = value});
      }
    }
    grid = std::move(finer);
  }
  return grid;
}

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> tails;
  for (const std::string& key : keys) {
    std::size_t parts = 1;
    const auto shared = [&] {
      const std::string tail = tail_of(key, parts);
      return std::ranges::count_if(keys, [&](const std::string& other) { return tail_of(other, parts) == tail; }) > 1;
    };
    while (shared() && tail_of(key, parts) != key) ++parts;
    tails.push_back(tail_of(key, parts));
  }
  return tails;
}

}  // namespace windrow
