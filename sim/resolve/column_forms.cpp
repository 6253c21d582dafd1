#include "sim/resolve/column_forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/keys/column_rule.h"
#include "sim/resolve/entity_keys.h"
#include "sim/resolve/key_values.h"
#include "sim/resolve/part_sizes.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

bool fits(const CqlType& type, const std::string& form) {
  Cursor cursor(form);
  ColumnRule rule;
  read_value(cursor, rule);
  return misfit(type, rule, EntityList()).empty();
}

/// Texts of parts are shorter: text(10) of a list, of a map's key text(8).
std::string example_of(const CqlType& type, int text_bytes) {
  if (type.kind == Kind::blob) return "blob(100)";
  if (type.kind == Kind::inet) return "blob(4)";
  if (type.kind == Kind::varint || type.kind == Kind::decimal || type.kind == Kind::duration) return "blob(8)";
  const bool fields = has_fields(type);
  if (!fields && !type.is_collection()) return fmt::format("text({})", text_bytes);
  const bool map = type.kind == Kind::map;
  std::vector<std::string> parts;
  if (!fields) parts.emplace_back("5");
  for (std::size_t i = 0; i < type.arguments.size(); ++i) {
    const int part_text = fields || (map && i == 1) ? 20 : map ? 8 : 10;
    if (natural_bytes(type.arguments[i]) < 0) parts.push_back(example_of(type.arguments[i], part_text));
  }
  return parts.empty() ? "null" : fmt::format("{}({})", fields ? "udt" : kind_name(type.kind), fmt::join(parts, ", "));
}

}  // namespace

std::string example_value(const CqlType& type) { return example_of(type, 20); }

std::vector<std::string> key_forms(const Column& column) {
  const bool clustering = column.kind == Column::Kind::clustering;
  std::vector<std::string> forms;
  const auto add = [&](const std::string& form) {
    if (fits(column.type, form)) forms.push_back(form);
  };
  if (clustering) add("time");
  add(is_text(column.type) ? "each(50, text(20))" : "each(50)");
  add("unique");
  if (fits(column.type, "'1'")) forms.emplace_back("'a constant'");
  if (clustering && natural_bytes(column.type) < 0) forms.push_back(example_value(column.type));
  return forms;
}

}  // namespace windrow
