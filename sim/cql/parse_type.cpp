#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "sim/cql/marshal_class.h"
#include "sim/cql/parser.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

constexpr int deepest_type = 200;

constexpr std::array native_types = std::to_array<std::pair<std::string_view, Kind>>(
    {{"ascii", Kind::ascii},         {"bigint", Kind::bigint},     {"blob", Kind::blob},
     {"boolean", Kind::boolean},     {"counter", Kind::counter},   {"date", Kind::date},
     {"decimal", Kind::decimal},     {"double", Kind::double_},    {"duration", Kind::duration},
     {"float", Kind::float_},        {"inet", Kind::inet},         {"int", Kind::int_},
     {"smallint", Kind::smallint},   {"text", Kind::text},         {"time", Kind::time},
     {"timestamp", Kind::timestamp}, {"timeuuid", Kind::timeuuid}, {"tinyint", Kind::tinyint},
     {"uuid", Kind::uuid},           {"varchar", Kind::text},      {"varint", Kind::varint}});

std::optional<Kind> native_type(const CqlToken& token) {
  if (token.kind != CqlToken::Kind::identifier) return std::nullopt;
  for (const auto& [name, kind] : native_types)
    if (equals_ignore_case(token.text, name)) return kind;
  return std::nullopt;
}

// Words that may be names elsewhere but never name a type (non_type_ident), and names kept back for types to come.
bool may_name_type(const CqlToken& token) {
  for (const std::string_view word : {"ttl", "count", "writetime", "maxwritetime", "cast", "json", "distinct"})
    if (token.kind == CqlToken::Kind::identifier && equals_ignore_case(token.text, word)) return false;
  if (native_type(token)) return false;
  for (const std::string_view word : {"byte", "complex", "enum", "date", "interval", "macaddr", "bitstring"})
    if (token.kind == CqlToken::Kind::identifier && token.text == word) return false;
  return true;
}

Span from_to(Span first, Span last) { return {first.offset, last.offset + last.length - first.offset}; }

bool supports_freezing(const RawType& type) {
  return type.is_collection() || type.kind == Kind::tuple || type.kind == Kind::vector || type.kind == Kind::udt;
}

// CQL3Type.Raw.freeze: what a frozen type holds becomes frozen too.
void freeze(RawType& type) {
  if (type.kind == Kind::vector) return;
  type.frozen = true;
  if (type.kind == Kind::udt) return;
  for (RawType& argument : type.arguments)
    if (supports_freezing(argument)) freeze(argument);
}

class TypeParser {
 public:
  explicit TypeParser(TokenCursor& cursor) : cursor_(cursor) {}

  RawType parse() {
    if (++depth_ > deepest_type)
      refuse({.error_class = CqlErrorClass::syntax,
              .at = cursor_.peek().at,
              .message = fmt::format("types are nested more than {} deep", deepest_type)});
    const Span first = cursor_.peek().at;
    RawType type = parse_unplaced();
    type.at = from_to(first, last_);
    --depth_;
    return type;
  }

 private:
  bool at_generic(std::string_view word) const { return cursor_.at_word(word) && cursor_.at_sign("<", 1); }

  void expect(std::string_view sign) {
    last_ = cursor_.peek().at;
    cursor_.expect_sign(sign);
  }

  RawType parse_unplaced() {
    const CqlToken& token = cursor_.peek();
    last_ = token.at;
    if (token.kind == CqlToken::Kind::string) return custom(cursor_.take());
    const bool qualified = cursor_.at_sign(".", 1);
    if (const auto kind = native_type(token); kind && !qualified) {
      cursor_.take();
      return {.kind = *kind};
    }
    if (cursor_.at_word("set") || at_generic("list"))
      return generic(cursor_.at_word("set") ? Kind::set : Kind::list, 1);
    if (at_generic("map")) return generic(Kind::map, 2);
    if (at_generic("tuple")) return tuple();
    if (at_generic("vector")) return vector();
    if (at_generic("frozen")) return frozen();
    return user_type();
  }

  RawType generic(Kind kind, int arguments) {
    cursor_.take();
    expect("<");
    RawType type{.kind = kind};
    type.arguments.push_back(parse());
    if (arguments == 2) {
      expect(",");
      type.arguments.push_back(parse());
    }
    expect(">");
    return type;
  }

  RawType tuple() {
    cursor_.take();
    expect("<");
    RawType type{.kind = Kind::tuple, .frozen = true};
    do {
      type.arguments.push_back(parse());
    } while (cursor_.take_sign(","));
    expect(">");
    for (RawType& argument : type.arguments)
      if (supports_freezing(argument)) freeze(argument);
    return type;
  }

  RawType vector() {
    cursor_.take();
    expect("<");
    RawType type{.kind = Kind::vector, .frozen = true};
    type.arguments.push_back(parse());
    expect(",");
    const CqlToken& dimension = cursor_.peek();
    const std::optional<std::int32_t> value =
        dimension.kind == CqlToken::Kind::integer ? parse_java_int(dimension.text) : std::nullopt;
    if (!value) cursor_.refuse_here("the vector's dimension, a whole number", "write vector<float, 3>");
    cursor_.take();
    type.dimension = *value;
    expect(">");
    return type;
  }

  RawType frozen() {
    cursor_.take();
    expect("<");
    RawType type = parse();
    expect(">");
    if (!supports_freezing(type))
      refuse(
          {.error_class = CqlErrorClass::syntax,
           .at = type.at,
           .message = fmt::format("{} cannot be frozen", type.to_string()),
           .accepted = "frozen<…> around a collection, a tuple or a user-defined type",
           .fix = fmt::format("write {} alone: it is stored whole anyway", type.to_string()),
           .server_message = fmt::format(
               "frozen<> is only allowed on collections, tuples, and user-defined types (got {})", type.to_string())});
    freeze(type);
    return type;
  }

  RawType user_type() {
    RawType type{.kind = Kind::udt};
    type.user_type = parse_type_name(cursor_);
    last_ = type.user_type.name.at;
    return type;
  }

  RawType custom(const CqlToken& token) {
    const std::optional<RawType> type = parse_marshal_class(token.text);
    if (!type)
      refuse({.error_class = CqlErrorClass::syntax,
              .at = token.at,
              .message = fmt::format("{} is not the name of a type's class", token_text(token)),
              .fix = "types stand without quotes: int, text, list<int>"});
    return *type;
  }

  TokenCursor& cursor_;
  int depth_ = 0;
  Span last_{};
};

}  // namespace

QualifiedName parse_type_name(TokenCursor& cursor) {
  CqlToken last = cursor.peek();
  QualifiedName name{.name = cursor.expect_name("a type")};
  if (cursor.take_sign(".")) {
    last = cursor.peek();
    name = {.keyspace = std::move(name.name), .name = cursor.expect_name("a type")};
  }
  if (!may_name_type(last))
    refuse({.error_class = CqlErrorClass::syntax,
            .at = last.at,
            .message = fmt::format("{} cannot name a user-defined type", token_text(last)),
            .fix = fmt::format("write \"{}\" in double quotes, or take another name", lower_case(last.text))});
  return name;
}

RawType parse_type(TokenCursor& cursor) { return TypeParser(cursor).parse(); }

}  // namespace windrow
