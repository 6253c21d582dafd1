#include "sim/bytes/marshal_name.h"

#include <fmt/format.h>

#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr std::string_view package = "org.apache.cassandra.db.marshal.";

std::string_view class_of(CqlType::Kind kind) {
  using Kind = CqlType::Kind;
  switch (kind) {
    case Kind::ascii:
      return "AsciiType";
    case Kind::bigint:
      return "LongType";
    case Kind::blob:
      return "BytesType";
    case Kind::boolean:
      return "BooleanType";
    case Kind::counter:
      return "CounterColumnType";
    case Kind::date:
      return "SimpleDateType";
    case Kind::decimal:
      return "DecimalType";
    case Kind::double_:
      return "DoubleType";
    case Kind::duration:
      return "DurationType";
    case Kind::empty:
      return "EmptyType";
    case Kind::float_:
      return "FloatType";
    case Kind::inet:
      return "InetAddressType";
    case Kind::int_:
      return "Int32Type";
    case Kind::smallint:
      return "ShortType";
    case Kind::text:
      return "UTF8Type";
    case Kind::time:
      return "TimeType";
    case Kind::timestamp:
      return "TimestampType";
    case Kind::timeuuid:
      return "TimeUUIDType";
    case Kind::tinyint:
      return "ByteType";
    case Kind::uuid:
      return "UUIDType";
    case Kind::varint:
      return "IntegerType";
    case Kind::list:
      return "ListType";
    case Kind::set:
      return "SetType";
    case Kind::map:
      return "MapType";
    case Kind::tuple:
      return "TupleType";
    case Kind::vector:
      return "VectorType";
    case Kind::udt:
      return "UserType";
    case Kind::custom:
      return "";
  }
  SIM_CHECK(false, "a type of no kind");
}

std::string hex(std::string_view text) {
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

// AbstractType.toString(ignoreFreezing): what lies within a frozen type or a tuple is not said to be frozen again.
std::string written_name(const CqlType& type, std::string_view keyspace, bool ignore_freezing) {
  if (type.kind == CqlType::Kind::custom) return type.name;
  std::string name = fmt::format("{}{}", package, class_of(type.kind));
  if (type.arguments.empty()) return name;
  const bool can_be_frozen = type.is_collection() || type.kind == CqlType::Kind::udt;
  const bool within_frozen = ignore_freezing || type.kind == CqlType::Kind::tuple || (can_be_frozen && type.frozen);
  std::string arguments;
  if (type.kind == CqlType::Kind::udt) arguments = fmt::format("{},{}", keyspace, hex(type.name));
  for (std::size_t i = 0; i < type.arguments.size(); ++i) {
    if (!arguments.empty()) arguments += ',';
    if (type.kind == CqlType::Kind::udt) arguments += hex(type.field_names[i]) + ':';
    arguments += written_name(type.arguments[i], keyspace, within_frozen);
  }
  if (type.kind == CqlType::Kind::vector) arguments += fmt::format(" , {}", type.dimension);
  name += '(' + arguments + ')';
  if (can_be_frozen && type.frozen && !ignore_freezing) return fmt::format("{}FrozenType({})", package, name);
  return name;
}

}  // namespace

std::string marshal_name(const CqlType& type, std::string_view keyspace) { return written_name(type, keyspace, false); }

std::string reversed_marshal_name(const CqlType& type, std::string_view keyspace) {
  return fmt::format("{}ReversedType({})", package, marshal_name(type, keyspace));
}

std::string key_marshal_name(const std::vector<CqlType>& components, std::string_view keyspace) {
  if (components.size() == 1) return marshal_name(components.front(), keyspace);
  std::string arguments;
  for (const CqlType& component : components) {
    if (!arguments.empty()) arguments += ',';
    arguments += marshal_name(component, keyspace);
  }
  return fmt::format("{}CompositeType({})", package, arguments);
}

}  // namespace windrow
