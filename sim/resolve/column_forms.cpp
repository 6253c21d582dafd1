#include "sim/resolve/column_forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/resolve/entity_keys.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;
using Rule = ColumnRule::Kind;

bool has_fields(const CqlType& type) { return type.kind == Kind::udt || type.kind == Kind::tuple; }

bool is_text(const CqlType& type) {
  return type.kind == Kind::text || type.kind == Kind::ascii || type.kind == Kind::blob;
}

bool fits(const CqlType& type, const std::string& form) {
  Cursor cursor(form);
  ColumnRule rule;
  read_value(cursor, rule);
  return misfit(type, rule, EntityList()).empty();
}

}  // namespace

std::int64_t FieldSizes::frozen_bytes() const {
  std::int64_t bytes = 4 * std::int64_t{fields};
  for (const std::int32_t size : set) bytes += size;
  return bytes;
}

FieldMisfit read_field_sizes(const CqlType& type, std::span<const FieldSize> said, FieldSizes& sizes) {
  if (!has_fields(type))
    return {fmt::format("is a udt, but the column is a {}", type.to_string()), "what the column's type is"};
  const std::size_t all = type.arguments.size();
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(type.arguments, [](const CqlType& field) { return natural_bytes(field) < 0; }));
  const bool each = said.size() == all;
  if (!each && said.size() != open && (said.size() != 1 || open == 0))
    return {
        fmt::format("has {} sizes, but {} fields of {} have no size of their own", said.size(), open, type.to_string()),
        all == open ? "one size for all fields, or one for each"
                    : "one size for all of them, one for each, or one for each field of the type"};
  sizes = {.fields = static_cast<int>(all)};
  std::size_t next = 0;
  for (const CqlType& field : type.arguments) {
    const std::int64_t natural = natural_bytes(field);
    if (!each && natural >= 0) {
      sizes.set.push_back(static_cast<std::int32_t>(natural));
      continue;
    }
    const FieldSize& size = said[said.size() == 1 ? 0 : next];
    ++next;
    if (size.null) continue;
    const std::int64_t bytes = std::llround(size.bytes.mean_of_ranks(0, 1, 1));
    if (natural >= 0 && bytes != natural)
      return {fmt::format("has {} bytes for a field of type {}, which has {}", bytes, field.to_string(), natural),
              fmt::format("{} or null for it", natural)};
    sizes.set.push_back(static_cast<std::int32_t>(bytes));
  }
  return {};
}

std::string example_value(const CqlType& type) {
  if (type.kind == Kind::set) return "set(5, text(10))";
  if (type.kind == Kind::list) return "list(5, text(10))";
  if (type.kind == Kind::map) return "map(5, text(8), text(20))";
  if (type.kind == Kind::blob) return "blob(100)";
  if (type.kind == Kind::inet) return "blob(4)";
  if (type.kind == Kind::varint || type.kind == Kind::decimal || type.kind == Kind::duration) return "blob(8)";
  if (!has_fields(type)) return "text(20)";
  std::vector<std::string> fields;
  for (const CqlType& field : type.arguments) {
    if (natural_bytes(field) < 0) fields.push_back(has_fields(field) ? "blob(100)" : example_value(field));
  }
  return fields.empty() ? "null" : fmt::format("udt({})", fmt::join(fields, ", "));
}

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
