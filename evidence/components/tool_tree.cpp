#include "evidence/components/tool_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/overloaded.h"

namespace windrow {
namespace {

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void append_json(std::string& out, const ToolValue& tree, int depth) {
  const std::string inner(static_cast<std::size_t>(2 * depth + 2), ' ');
  std::visit(Overloaded{
                 [&](const ToolValue::Null&) { out += "null"; },
                 [&](const ToolValue::Number& number) { out += number.text == "NaN" ? "\"NaN\"" : number.text; },
                 [&](const ToolValue::Text& text) { out += json_text(text); },
                 [&](const ToolValue::List& list) {
                   out += "[ ";
                   for (std::size_t i = 0; i < list.size(); ++i) {
                     if (i > 0) out += ", ";
                     append_json(out, list[i], depth);
                   }
                   out += list.empty() ? "]" : " ]";
                 },
                 [&](const ToolValue::Map& map) {
                   out += map.empty() ? "{ " : "{\n";
                   for (std::size_t i = 0; i < map.size(); ++i) {
                     out += inner + json_text(map[i].first) + " : ";
                     append_json(out, map[i].second, depth + 1);
                     out += i + 1 < map.size() ? ",\n" : "\n" + inner.substr(2);
                   }
                   out += '}';
                 },
             },
             tree.value);
}

// Would YAML read the text as something else than text?
bool needs_quotes(std::string_view text) {
  if (text.empty()) return true;
  if (std::string_view("{}[],&*#?|-<>=!%@`'\"").find(text.front()) != std::string_view::npos) return true;
  if (text.find(": ") != std::string_view::npos) return true;
  const bool number_like = text.find_first_not_of("0123456789.+-:TZ eE") == std::string_view::npos;
  return number_like && text.front() >= '0' && text.front() <= '9';
}

std::string yaml_text(const std::string& text) { return needs_quotes(text) ? "'" + text + "'" : text; }

void append_yaml_map(std::string& out, const ToolValue::Map& map, int depth, bool in_list);

// What follows "key:".
void append_yaml_value(std::string& out, const ToolValue& tree, int depth) {
  std::visit(
      Overloaded{
          [&](const ToolValue::Null&) { out += " null\n"; },
          [&](const ToolValue::Number& number) { out += number.text == "NaN" ? " .NaN\n" : " " + number.text + "\n"; },
          [&](const ToolValue::Text& text) { out += " " + yaml_text(text) + "\n"; },
          [&](const ToolValue::List& list) {
            out += list.empty() ? " []\n" : "\n";
            for (const ToolValue& item : list) {
              out += std::string(static_cast<std::size_t>(2 * depth), ' ') + "-";
              if (const auto* map = std::get_if<ToolValue::Map>(&item.value)) {
                append_yaml_map(out, *map, depth + 1, true);
              } else {
                append_yaml_value(out, item, depth + 1);
              }
            }
          },
          [&](const ToolValue::Map& map) {
            out += map.empty() ? " {}\n" : "\n";
            append_yaml_map(out, map, depth + 1, false);
          },
      },
      tree.value);
}

void append_yaml_map(std::string& out, const ToolValue::Map& map, int depth, bool in_list) {
  bool first = true;
  for (const auto& [key, value] : map) {
    // The first key of a list's item stands beside its dash.
    out += first && in_list ? " " : std::string(static_cast<std::size_t>(2 * depth), ' ');
    first = false;
    out += key + ":";
    append_yaml_value(out, value, depth);
  }
}

}  // namespace

std::string tool_json(const ToolValue& tree) {
  std::string out;
  append_json(out, tree, 0);
  return out + "\n";
}

std::string tool_yaml(const ToolValue& tree) {
  std::string out;
  if (const auto* map = std::get_if<ToolValue::Map>(&tree.value)) append_yaml_map(out, *map, 0, false);
  return out + "\n";
}

}  // namespace windrow
