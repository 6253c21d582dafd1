#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace windrow {

/// A value in what nodetool prints with -F json or -F yaml.
struct ToolValue {
  struct Null {};
  /// A number as Java prints it. NaN is a text to JSON and .NaN to YAML.
  struct Number {
    std::string text{};
  };
  using Text = std::string;
  using List = std::vector<ToolValue>;
  using Map = std::vector<std::pair<std::string, ToolValue>>;  // in the order printed

  std::variant<Null, Number, Text, List, Map> value{};

  static ToolValue number(std::int64_t n) { return {Number{std::to_string(n)}}; }
  static ToolValue text(std::string text) { return {std::move(text)}; }
};

/// Jackson's default pretty printer.
std::string tool_json(const ToolValue& tree);

/// SnakeYAML in block style, with the empty line nodetool adds.
std::string tool_yaml(const ToolValue& tree);

}  // namespace windrow
