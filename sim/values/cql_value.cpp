#include "sim/values/cql_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/bytes/byte_sink.h"
#include "sim/values/cql_order.h"
#include "sim/values/cql_scalar.h"

namespace windrow {
namespace {

using Kind = CqlType::Kind;

[[noreturn]] void refuse(const CqlType& type, std::string_view accepted) {
  throw CqlValueError(fmt::format("no literal of {}; accepts {}", type.to_string(), accepted));
}

std::string element(const CqlType& type, const CqlLiteral& literal) {
  auto value = cql_value(type, literal);
  if (!value) throw CqlValueError("null is not accepted inside a collection");
  return *std::move(value);
}

void append_sized(std::string& out, const std::optional<std::string>& value) {
  ByteSink(out).big_endian32(value ? static_cast<std::uint32_t>(value->size()) : 0xFFFFFFFFU);
  if (value) out += *value;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// In order of keys; of keys that compare alike (0 and 0.00) the first one stays, with the last value (a TreeMap's
/// put).
Pairs map_pairs(const CqlType& type, const CqlLiteral& literal) {
  // {} reads as an empty set.
  if (literal.kind != CqlLiteral::Kind::map && !(literal.kind == CqlLiteral::Kind::set && literal.items.empty())) {
    refuse(type, "{key: value, ...}");
  }
  Pairs pairs;
  for (std::size_t i = 0; i + 1 < literal.items.size(); i += 2) {
    pairs.emplace_back(element(type.arguments[0], literal.items[i]), element(type.arguments[1], literal.items[i + 1]));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return compare_cql_values(type.arguments[0], a.first, b.first) < 0;
  });
  Pairs unique;
  for (auto& pair : pairs) {
    if (!unique.empty() && compare_cql_values(type.arguments[0], unique.back().first, pair.first) == 0) {
      unique.back().second = std::move(pair.second);
    } else {
      unique.push_back(std::move(pair));
    }
  }
  return unique;
}

std::vector<std::string> elements(const CqlType& type, const CqlLiteral& literal) {
  const auto wanted = type.kind == CqlType::Kind::set ? CqlLiteral::Kind::set : CqlLiteral::Kind::list;
  if (literal.kind != wanted) refuse(type, wanted == CqlLiteral::Kind::set ? "{element, ...}" : "[element, ...]");
  std::vector<std::string> values;
  for (const CqlLiteral& item : literal.items) values.push_back(element(type.arguments[0], item));
  return values;
}

/// Elements that compare alike (0 and 0.00) are one, the first.
void sort_unique(const CqlType& type, std::vector<std::string>& values) {
  const auto before = [&](const std::string& a, const std::string& b) { return compare_cql_values(type, a, b) < 0; };
  std::stable_sort(values.begin(), values.end(), before);
  const auto same = [&](const std::string& a, const std::string& b) { return compare_cql_values(type, a, b) == 0; };
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
}

std::string sequence(const std::vector<std::string>& values, std::size_t count) {
  std::string bytes;
  ByteSink(bytes).big_endian32(static_cast<std::uint32_t>(count));
  for (const std::string& value : values) append_sized(bytes, value);
  return bytes;
}

std::string collection(const CqlType& type, const CqlLiteral& literal) {
  if (type.kind == CqlType::Kind::map) {
    Pairs pairs = map_pairs(type, literal);
    std::vector<std::string> flat;
    for (auto& [key, value] : pairs) {
      flat.push_back(std::move(key));
      flat.push_back(std::move(value));
    }
    return sequence(flat, pairs.size());
  }
  std::vector<std::string> values = elements(type, literal);
  if (type.kind == CqlType::Kind::set) sort_unique(type.arguments[0], values);
  return sequence(values, values.size());
}

// Elements of fixed length lie one after another, others below their length.
std::string vector(const CqlType& type, const CqlLiteral& literal) {
  const std::vector<std::string> values = elements(type, literal);
  if (static_cast<int>(values.size()) != type.dimension)
    refuse(type, fmt::format("[...] of {} elements", type.dimension));
  const bool fixed = type.arguments[0].fixed_length() >= 0;
  std::string bytes;
  for (const std::string& value : values) {
    if (!fixed) ByteSink(bytes).unsigned_vint(value.size());
    bytes += value;
  }
  return bytes;
}

// A short literal is stored short.
std::string tuple(const CqlType& type, const CqlLiteral& literal) {
  if (literal.kind != CqlLiteral::Kind::tuple || literal.items.size() > type.arguments.size())
    refuse(type, "(field, ...)");
  std::string bytes;
  for (std::size_t i = 0; i < literal.items.size(); ++i)
    append_sized(bytes, cql_value(type.arguments[i], literal.items[i]));
  return bytes;
}

std::vector<std::optional<std::string>> fields(const CqlType& type, const CqlLiteral& literal) {
  if (literal.kind != CqlLiteral::Kind::map && !literal.items.empty()) refuse(type, "{field: value, ...}");
  std::vector<std::optional<std::string>> values(type.arguments.size());
  for (std::size_t i = 0; i + 1 < literal.items.size(); i += 2) {
    const auto field = std::find(type.field_names.begin(), type.field_names.end(), literal.items[i].text);
    if (field == type.field_names.end())
      throw CqlValueError(fmt::format("{} has no field {}", type.to_string(), literal.items[i].text));
    const auto place = static_cast<std::size_t>(field - type.field_names.begin());
    values[place] = cql_value(type.arguments[place], literal.items[i + 1]);
  }
  return values;
}

std::string index_path(std::size_t index) {
  std::string path;
  ByteSink(path).big_endian16(static_cast<std::uint16_t>(index));
  return path;
}

}  // namespace

std::optional<std::string> cql_value(const CqlType& type, const CqlLiteral& literal) {
  if (literal.kind == CqlLiteral::Kind::null) return std::nullopt;
  if (type.is_collection()) return collection(type, literal);
  if (type.kind == Kind::vector) return vector(type, literal);
  if (type.kind == Kind::tuple) return tuple(type, literal);
  if (type.kind == Kind::udt) {
    std::string bytes;
    for (const auto& field : fields(type, literal)) append_sized(bytes, field);
    return bytes;
  }
  const bool quoted = literal.kind == CqlLiteral::Kind::string;
  if (!quoted && literal.kind != CqlLiteral::Kind::word) refuse(type, "one constant");
  return cql_scalar(type.kind, literal.text, quoted);
}

std::optional<std::string> cql_value(const CqlType& type, std::string_view literal) {
  return cql_value(type, parse_cql_literal(literal));
}

std::vector<ComplexCellValue> complex_cells(const CqlType& type, const CqlLiteral& literal,
                                            std::uint64_t& next_list_path) {
  std::vector<ComplexCellValue> cells;
  if (literal.kind == CqlLiteral::Kind::null) return cells;
  if (type.kind == CqlType::Kind::map) {
    for (auto& [key, value] : map_pairs(type, literal))
      cells.push_back({.path = std::move(key), .value = std::move(value)});
  } else if (type.kind == CqlType::Kind::udt) {
    auto values = fields(type, literal);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) cells.push_back({.path = index_path(i), .value = *std::move(values[i])});
    }
  } else if (type.kind == CqlType::Kind::set) {
    for (auto& value : elements(type, literal)) cells.push_back({.path = std::move(value)});
  } else {
    for (auto& value : elements(type, literal)) {
      std::string path(8, '\0');
      ByteSink(path).big_endian64(next_list_path++);
      cells.push_back({.path = std::move(path), .value = std::move(value)});
    }
  }
  return cells;
}

std::string field_path(const CqlType& type, std::string_view field) {
  const auto place = std::find(type.field_names.begin(), type.field_names.end(), field);
  if (place == type.field_names.end()) throw CqlValueError(fmt::format("{} has no field {}", type.to_string(), field));
  return index_path(static_cast<std::size_t>(place - type.field_names.begin()));
}

std::string partition_key(const std::vector<std::string>& components) {
  if (components.size() == 1) return components.front();
  std::string key;
  for (const std::string& component : components)
    put_key_component(key, [&component](std::string& value) { value += component; });
  return key;
}

}  // namespace windrow
