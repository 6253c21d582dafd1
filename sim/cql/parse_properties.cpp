#include <fmt/format.h>

#include <algorithm>

#include "sim/cql/parser.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

bool is_constant(const CqlToken& token) {
  switch (token.kind) {
    case CqlToken::Kind::string:
    case CqlToken::Kind::integer:
    case CqlToken::Kind::float_:
    case CqlToken::Kind::boolean:
    case CqlToken::Kind::duration:
    case CqlToken::Kind::uuid:
    case CqlToken::Kind::hex:
      return true;
    case CqlToken::Kind::identifier:
      return equals_ignore_case(token.text, "nan") || equals_ignore_case(token.text, "infinity");
    case CqlToken::Kind::quoted_name:
    case CqlToken::Kind::sign:
    case CqlToken::Kind::end:
    case CqlToken::Kind::error:
      return false;
  }
  return false;
}

// The text of a constant as the server hands it on: NaN and infinities in one spelling.
std::string constant_text(const CqlToken& token) {
  if (token.kind == CqlToken::Kind::string || token.text.size() > 9) return token.text;
  const std::string text = lower_case(token.text);
  if (text == "nan" || text == "-nan") return "NaN";
  if (text == "infinity") return "Infinity";
  return text == "-infinity" ? "-Infinity" : token.text;
}

MapEntry parse_entry(TokenCursor& cursor) {
  MapEntry entry;
  for (const bool key : {true, false}) {
    const CqlToken& token = cursor.peek();
    if (!is_constant(token)) {
      const bool bare = token.kind == CqlToken::Kind::identifier || token.kind == CqlToken::Kind::quoted_name;
      cursor.refuse_here(
          key ? "the name of a sub-option in single quotes" : "a value: a string in single quotes or a number",
          bare ? fmt::format("write {}", quoted_string(token.text)) : std::string());
    }
    (key ? entry.key : entry.value) = constant_text(token);
    (key ? entry.key_at : entry.value_at) = cursor.take().at;
    if (key) cursor.expect_sign(":", "sub-options are written 'name': 'value'");
  }
  return entry;
}

std::vector<MapEntry> parse_map(TokenCursor& cursor) {
  std::vector<MapEntry> entries;
  cursor.expect_sign("{");
  if (cursor.take_sign("}")) return entries;
  do {
    MapEntry entry = parse_entry(cursor);
    if (std::ranges::find(entries, entry.key, &MapEntry::key) != entries.end())
      refuse({.error_class = CqlErrorClass::syntax,
              .at = entry.key_at,
              .message = fmt::format("'{}' is given twice", entry.key),
              .fix = "keep one of the two",
              .server_message = fmt::format("Multiple definition for property {}", entry.key)});
    entries.push_back(std::move(entry));
  } while (cursor.take_sign(","));
  cursor.expect_sign("}", "sub-options are separated by commas and end with }");
  return entries;
}

// A word as value that is no constant: only words which are keywords, but not reserved ones (unreserved_keyword).
bool is_word_value(const TokenCursor& cursor) {
  const CqlToken& token = cursor.peek();
  return token.kind == CqlToken::Kind::identifier && is_unreserved_keyword(token.text);
}

}  // namespace

void parse_property(TokenCursor& cursor, Properties& properties) {
  Property property{.name = cursor.expect_name("the name of an option")};
  cursor.expect_sign("=", fmt::format("options are written {} = value", property.name.text));
  const CqlToken& token = cursor.peek();
  property.value_at = token.at;
  if (cursor.at_sign("{")) {
    property.value = parse_map(cursor);
  } else if (is_constant(token) || is_word_value(cursor)) {
    property.value = constant_text(cursor.take());
  } else {
    const bool bare = token.kind == CqlToken::Kind::identifier || token.kind == CqlToken::Kind::quoted_name;
    cursor.refuse_here(fmt::format("a value for {}", property.name.text),
                       bare ? fmt::format("write {}", quoted_string(token.text)) : std::string());
  }
  if (std::ranges::find(properties, property.name.text, [](const Property& each) { return each.name.text; }) !=
      properties.end())
    refuse({.error_class = CqlErrorClass::syntax,
            .at = property.name.at,
            .message = fmt::format("{} is given twice", property.name.text),
            .fix = "keep one of the two",
            .server_message = fmt::format("Multiple definitions for property '{}'", property.name.text)});
  properties.push_back(std::move(property));
}

Properties parse_properties(TokenCursor& cursor) {
  Properties properties;
  do {
    parse_property(cursor, properties);
  } while (cursor.take_word("AND"));
  return properties;
}

}  // namespace windrow
