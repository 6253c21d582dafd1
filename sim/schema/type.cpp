#include "sim/schema/type.h"

#include "sim/base/check.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

std::string joined(const std::vector<CqlType>& types) {
  std::string text;
  for (const CqlType& type : types) {
    if (!text.empty()) text += ", ";
    text += type.to_string();
  }
  return text;
}

}  // namespace

std::string with_article(const CqlType& type) {
  std::string name = type.to_string();
  constexpr std::string_view vowels = "aeio";  // but: a uuid
  return (vowels.find(name.front()) == std::string_view::npos ? "a " : "an ") + name;
}

const char* kind_name(CqlType::Kind kind) {
  switch (kind) {
    case CqlType::Kind::ascii:
      return "ascii";
    case CqlType::Kind::bigint:
      return "bigint";
    case CqlType::Kind::blob:
      return "blob";
    case CqlType::Kind::boolean:
      return "boolean";
    case CqlType::Kind::counter:
      return "counter";
    case CqlType::Kind::date:
      return "date";
    case CqlType::Kind::decimal:
      return "decimal";
    case CqlType::Kind::double_:
      return "double";
    case CqlType::Kind::duration:
      return "duration";
    case CqlType::Kind::empty:
      return "empty";
    case CqlType::Kind::float_:
      return "float";
    case CqlType::Kind::inet:
      return "inet";
    case CqlType::Kind::int_:
      return "int";
    case CqlType::Kind::smallint:
      return "smallint";
    case CqlType::Kind::text:
      return "text";
    case CqlType::Kind::time:
      return "time";
    case CqlType::Kind::timestamp:
      return "timestamp";
    case CqlType::Kind::timeuuid:
      return "timeuuid";
    case CqlType::Kind::tinyint:
      return "tinyint";
    case CqlType::Kind::uuid:
      return "uuid";
    case CqlType::Kind::varint:
      return "varint";
    case CqlType::Kind::list:
      return "list";
    case CqlType::Kind::set:
      return "set";
    case CqlType::Kind::map:
      return "map";
    case CqlType::Kind::tuple:
      return "tuple";
    case CqlType::Kind::vector:
      return "vector";
    case CqlType::Kind::udt:
      return "udt";
    case CqlType::Kind::custom:
      return "custom";
  }
  SIM_CHECK(false, "a type of no kind");
}

int CqlType::fixed_length() const {
  switch (kind) {
    case Kind::empty:
      return 0;
    case Kind::boolean:
      return 1;
    case Kind::int_:
    case Kind::float_:
      return 4;
    case Kind::bigint:
    case Kind::double_:
    case Kind::timestamp:
      return 8;
    case Kind::uuid:
    case Kind::timeuuid:
      return 16;
    case Kind::vector: {
      const int element = arguments.front().fixed_length();
      return element < 0 ? -1 : element * dimension;
    }
    case Kind::ascii:
    case Kind::blob:
    case Kind::counter:
    case Kind::date:
    case Kind::decimal:
    case Kind::duration:
    case Kind::inet:
    case Kind::smallint:
    case Kind::text:
    case Kind::time:
    case Kind::tinyint:
    case Kind::varint:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::tuple:
    case Kind::udt:
    case Kind::custom:
      return -1;
  }
  SIM_CHECK(false, "a type of no kind");
}

std::string CqlType::to_string() const {
  if (kind == Kind::tuple) return "frozen<tuple<" + joined(arguments) + ">>";
  if (kind == Kind::vector) return "vector<" + joined(arguments) + ", " + std::to_string(dimension) + ">";
  if (kind == Kind::custom) return quoted_string(name);
  std::string text = kind_name(kind);
  if (is_collection()) text += "<" + joined(arguments) + ">";
  if (kind == Kind::udt) text = quoted_if_needed(name);
  return frozen ? "frozen<" + text + ">" : text;
}

}  // namespace windrow
