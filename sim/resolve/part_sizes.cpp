#include "sim/resolve/part_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/resolve/column_forms.h"
#include "sim/resolve/entity_keys.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;
using Part = PartSize::Kind;

constexpr std::int64_t length_bytes = 4;
constexpr double list_path_bytes = 16;  // a timeuuid per element

/// One part of a value, with what is said of it; nothing is said where the type tells.
struct SizedPart {
  const CqlType& type;
  const PartSize* said = nullptr;
};

std::string_view word_of(Part kind) {
  switch (kind) {
    case Part::set:
      return "set";
    case Part::list:
      return "list";
    case Part::map:
      return "map";
    case Part::udt:
      return "udt";
    case Part::bytes:
    case Part::null:
      break;
  }
  return "size";
}

bool is_form_of(Part kind, const CqlType& type) {
  if (kind == Part::udt) return has_fields(type);
  return (kind == Part::set && type.kind == Kind::set) || (kind == Part::list && type.kind == Kind::list) ||
         (kind == Part::map && type.kind == Kind::map);
}

/// Which size is said of which part: of all, of those that have none of their own, or one of all of these.
PartMisfit assign(const CqlType& type, std::string_view part_name, std::span<const PartSize> said,
                  std::vector<SizedPart>& parts) {
  const std::size_t all = type.arguments.size();
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(type.arguments, [](const CqlType& part) { return natural_bytes(part) < 0; }));
  const bool each = said.size() == all;
  if (!each && said.size() != open && (said.size() != 1 || open == 0))
    return {fmt::format("has {} {}, but {} of the {} {} of {} {} no size of {} own", said.size(),
                        said.size() == 1 ? "size" : "sizes", open == 0 ? "none" : fmt::format("{}", open), all,
                        all == 1 ? part_name.substr(0, part_name.size() - 1) : part_name, type.to_string(),
                        open < 2 ? "has" : "have", open < 2 ? "its" : "their"),
            open == 0 ? fmt::format("none, or one for each of the {}", part_name)
            : all == open
                ? fmt::format("one size for all {}, or one for each", part_name)
                : fmt::format("one size for all of them, one for each, or one for each of the {}", part_name)};
  std::size_t next = 0;
  for (const CqlType& part : type.arguments) {
    const bool told = each || natural_bytes(part) < 0;
    parts.push_back({.type = part, .said = told ? &said[said.size() == 1 ? 0 : next] : nullptr});
    next += told ? 1 : 0;
  }
  return {};
}

PartMisfit frozen_part(const SizedPart& part, std::int64_t& bytes);

PartMisfit frozen_fields(const CqlType& type, std::span<const PartSize> said, FieldSizes& sizes) {
  if (!has_fields(type))
    return {fmt::format("is a udt, but the column is {}", with_article(type)), example_value(type)};
  std::vector<SizedPart> parts;
  if (PartMisfit wrong = assign(type, "fields", said, parts); !wrong.problem.empty()) return wrong;
  sizes = {.fields = static_cast<int>(parts.size())};
  for (const SizedPart& part : parts) {
    if (part.said != nullptr && part.said->kind == Part::null) continue;
    std::int64_t bytes = 0;
    if (PartMisfit wrong = frozen_part(part, bytes); !wrong.problem.empty()) return wrong;
    sizes.set.push_back(static_cast<std::int32_t>(bytes));
  }
  return {};
}

/// A count, and a length before each element, of a map before each key and value.
PartMisfit frozen_collection(const CqlType& type, std::int64_t elements, std::span<const PartSize> said,
                             std::int64_t& bytes) {
  bytes = length_bytes;
  if (elements == 0 && said.empty()) return {};
  std::vector<SizedPart> parts;
  if (PartMisfit wrong = assign(type, "elements", said, parts); !wrong.problem.empty()) return wrong;
  for (const SizedPart& part : parts) {
    std::int64_t each = 0;
    if (part.said != nullptr && part.said->kind == Part::null)
      return {"has a null for an element", "a size: collections hold no nulls"};
    // Sizes that vary count by their mean, also where it is no whole number.
    const bool varies = part.said != nullptr && part.said->kind == Part::bytes && natural_bytes(part.type) < 0;
    if (varies) {
      bytes += std::llround(static_cast<double>(elements) * (length_bytes + part.said->bytes.mean_of_ranks(0, 1, 1)));
      continue;
    }
    if (PartMisfit wrong = frozen_part(part, each); !wrong.problem.empty()) return wrong;
    bytes += elements * (length_bytes + each);
  }
  return {};
}

PartMisfit frozen_part(const SizedPart& part, std::int64_t& bytes) {
  const std::int64_t natural = natural_bytes(part.type);
  bytes = natural;
  if (part.said == nullptr) return {};
  const PartSize& said = *part.said;
  if (said.kind == Part::bytes) {
    bytes = std::llround(said.bytes.mean_of_ranks(0, 1, 1));
    if (natural >= 0 && bytes != natural)
      return {fmt::format("has {} bytes for {}, which has {}", bytes, with_article(part.type), natural),
              fmt::format("{} for it", natural)};
    return {};
  }
  if (!is_form_of(said.kind, part.type))
    return {fmt::format("has a {} for {}", word_of(said.kind), with_article(part.type)), example_value(part.type)};
  if (said.kind != Part::udt) return frozen_collection(part.type, said.elements, said.parts, bytes);
  FieldSizes fields;
  PartMisfit wrong = frozen_fields(part.type, said.parts, fields);
  bytes = fields.frozen_bytes();
  return wrong;
}

Part part_kind(ColumnRule::Kind kind) {
  return kind == ColumnRule::Kind::set    ? Part::set
         : kind == ColumnRule::Kind::list ? Part::list
         : kind == ColumnRule::Kind::map  ? Part::map
                                          : Part::udt;
}

PartMisfit collection_misfit(const CqlType& type, const ColumnRule& rule) {
  if (is_form_of(part_kind(rule.kind), type)) return {};
  return {fmt::format("is a {}, but the column is {}", word_of(part_kind(rule.kind)), with_article(type)),
          example_value(type)};
}

}  // namespace

std::int64_t FieldSizes::frozen_bytes() const {
  std::int64_t bytes = length_bytes * std::int64_t{fields};
  for (const std::int32_t size : set) bytes += size;
  return bytes;
}

PartMisfit read_field_sizes(const CqlType& type, std::span<const PartSize> said, FieldSizes& sizes) {
  return frozen_fields(type, said, sizes);
}

PartMisfit read_element_sizes(const CqlType& type, const ColumnRule& rule, ElementSizes& sizes) {
  if (PartMisfit wrong = collection_misfit(type, rule); !wrong.problem.empty()) return wrong;
  std::int64_t whole = 0;  // what fits the frozen collection fits its elements
  if (PartMisfit wrong = frozen_collection(type, rule.elements, rule.parts, whole); !wrong.problem.empty())
    return wrong;
  if (rule.elements == 0) return {};
  std::vector<SizedPart> parts;
  assign(type, "elements", rule.parts, parts);
  const auto size_of = [](const SizedPart& part) {
    if (part.said != nullptr && part.said->kind == Part::bytes) return part.said->bytes;
    std::int64_t bytes = 0;
    frozen_part(part, bytes);
    return Distribution{.first = static_cast<double>(bytes)};
  };
  sizes.path = type.kind == Kind::list ? Distribution{.first = list_path_bytes} : size_of(parts.front());
  if (type.kind != Kind::set) sizes.value = size_of(parts.back());
  return {};
}

PartMisfit read_frozen_bytes(const CqlType& type, const ColumnRule& rule, std::int64_t& bytes) {
  if (rule.kind == ColumnRule::Kind::udt) {
    FieldSizes fields;
    PartMisfit wrong = read_field_sizes(type, rule.parts, fields);
    bytes = fields.frozen_bytes();
    return wrong;
  }
  if (PartMisfit wrong = collection_misfit(type, rule); !wrong.problem.empty()) return wrong;
  return frozen_collection(type, rule.elements, rule.parts, bytes);
}

}  // namespace windrow
