#include "sim/values/cql_value.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/bytes/marshal_name.h"
#include "sim/values/cql_order.h"

namespace windrow {
namespace {

using Kind = CqlType::Kind;

std::string hex(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string value_hex(Kind kind, std::string_view literal) {
  return hex(cql_value(simple_type(kind), literal).value());
}

CqlType of(Kind kind, std::vector<CqlType> arguments, bool frozen = true) {
  CqlType type = simple_type(kind);
  type.arguments = std::move(arguments);
  type.frozen = frozen;
  return type;
}

CqlType address(bool frozen) {
  CqlType type = of(Kind::udt, {simple_type(Kind::text), simple_type(Kind::int_)}, frozen);
  type.name = "addr";
  type.field_names = {"street", "zip"};
  return type;
}

}  // namespace

TEST_CASE("scalars have the bytes of the engine's serializers") {
  CHECK(value_hex(Kind::tinyint, "-128") == "80");
  CHECK(value_hex(Kind::smallint, "-2") == "fffe");
  CHECK(value_hex(Kind::bigint, "1") == "0000000000000001");
  CHECK(value_hex(Kind::boolean, "True") == "01");
  CHECK(value_hex(Kind::float_, "1.5") == "3fc00000");
  CHECK(value_hex(Kind::double_, "-3.25") == "c00a000000000000");
  CHECK(value_hex(Kind::varint, "0") == "00");
  CHECK(value_hex(Kind::varint, "127") == "7f");
  CHECK(value_hex(Kind::varint, "128") == "0080");
  CHECK(value_hex(Kind::varint, "-128") == "80");
  CHECK(value_hex(Kind::varint, "-129") == "ff7f");
  CHECK(value_hex(Kind::decimal, "1.50") == "000000020096");
  CHECK(value_hex(Kind::decimal, "1e3") == "fffffffd01");
  CHECK(value_hex(Kind::date, "'1970-01-01'") == "80000000");
  CHECK(value_hex(Kind::date, "'1969-12-31'") == "7fffffff");
  CHECK(value_hex(Kind::time, "'00:00:01.5'") == "0000000059682f00");
  CHECK(value_hex(Kind::timestamp, "'1970-01-01T00:00:01Z'") == "00000000000003e8");
  CHECK(value_hex(Kind::timestamp, "'1970-01-01 01:00+0100'") == "0000000000000000");
  CHECK(value_hex(Kind::timestamp, "-1") == "ffffffffffffffff");
  CHECK(value_hex(Kind::inet, "'127.0.0.1'") == "7f000001");
  CHECK(value_hex(Kind::inet, "'::1'") == "00000000000000000000000000000001");
  CHECK(value_hex(Kind::blob, "0x00fF") == "00ff");
  CHECK(value_hex(Kind::text, "'it''s'") == "69742773");
  CHECK(value_hex(Kind::duration, "1mo2d3ns") == "020406");
  CHECK(value_hex(Kind::duration, "P1M2D") == "020400");
  CHECK(value_hex(Kind::duration, "-1mo") == "010000");
  CHECK_FALSE(cql_value(simple_type(Kind::int_), "NULL").has_value());
}

TEST_CASE("collections, tuples, user types and vectors are laid out as storage rule 1.10 says") {
  const CqlType list = of(Kind::list, {simple_type(Kind::tinyint)});
  CHECK(hex(*cql_value(list, "[3, 1]")) ==
        "00000002"
        "0000000103"
        "0000000101");
  const CqlType set = of(Kind::set, {simple_type(Kind::tinyint)});
  CHECK(hex(*cql_value(set, "{3, -1, 3}")) ==
        "00000002"
        "00000001ff"
        "0000000103");
  const CqlType decimals = of(Kind::set, {simple_type(Kind::decimal)});
  CHECK(hex(*cql_value(decimals, "{1, 0.00, 0}")) == hex(*cql_value(decimals, "{0.00, 1}")));
  const CqlType by_decimal = of(Kind::map, {simple_type(Kind::decimal), simple_type(Kind::tinyint)});
  CHECK(hex(*cql_value(by_decimal, "{0.00: 1, 0: 2}")) == hex(*cql_value(by_decimal, "{0.00: 2}")));
  const CqlType map = of(Kind::map, {simple_type(Kind::text), simple_type(Kind::tinyint)});
  CHECK(hex(*cql_value(map, "{'b': 2, 'a': 1}")) ==
        "00000002"
        "0000000161"
        "0000000101"
        "0000000162"
        "0000000102");
  CHECK(hex(*cql_value(map, "{}")) == "00000000");
  const CqlType tuple = of(Kind::tuple, {simple_type(Kind::tinyint), simple_type(Kind::text)});
  CHECK(hex(*cql_value(tuple, "(1, null)")) ==
        "0000000101"
        "ffffffff");
  CHECK(hex(*cql_value(tuple, "(1)")) == "0000000101");
  CHECK(hex(*cql_value(address(true), "{zip: 7}")) ==
        "ffffffff"
        "0000000400000007");
  CqlType vector = of(Kind::vector, {simple_type(Kind::text)});
  vector.dimension = 2;
  CHECK(hex(*cql_value(vector, "['a', '']")) == "016100");
}

TEST_CASE("a non-frozen collection is a cell per element") {
  std::uint64_t next_path = 0;
  const CqlType list = of(Kind::list, {simple_type(Kind::int_)}, false);
  CHECK(complex_cells(list, parse_cql_literal("[5, 6]"), next_path).size() == 2);
  CHECK(complex_cells(list, parse_cql_literal("[7]"), next_path).front().path.size() == 16);
  const auto fields = complex_cells(address(false), parse_cql_literal("{street: 'Main', zip: null}"), next_path);
  REQUIRE(fields.size() == 1);
  CHECK(hex(fields[0].path) == "0000");
  CHECK(hex(field_path(address(false), "zip")) == "0001");
}

TEST_CASE("a literal that is none of its type is refused with what is accepted") {
  const auto complaint = [](const CqlType& type, std::string_view literal) -> std::string {
    try {
      cql_value(type, literal);
      return "accepted";
    } catch (const CqlValueError& error) {
      return error.what();
    }
  };
  CHECK(complaint(simple_type(Kind::tinyint), "128") == "128 is no tinyint; accepts whole numbers from -128 to 127");
  CHECK(complaint(simple_type(Kind::date), "'2024-13-01'") ==
        "2024-13-01 is no date; accepts 'yyyy-mm-dd', or days since the epoch + 2^31");
  CHECK(complaint(simple_type(Kind::text), "word") == "word is no text; accepts text in single quotes");
  CHECK(complaint(simple_type(Kind::int_), "[1]") == "no literal of int; accepts one constant");
  CHECK(complaint(of(Kind::list, {simple_type(Kind::int_)}), "{1}") ==
        "no literal of frozen<list<int>>; accepts [element, ...]");
  CHECK(complaint(address(true), "{town: 'x'}") == "frozen<addr> has no field town");
  CHECK(complaint(simple_type(Kind::text), "'open") ==
        "not a literal at character 6 of 'open: its quote is never closed");
}

TEST_CASE("values order as their types do") {
  const auto ordered = [](const CqlType& type, const std::vector<std::string>& literals) {
    std::vector<std::string> values;
    for (const std::string& literal : literals) values.push_back(cql_value(type, literal).value());
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        const int order = compare_cql_values(type, values[i], values[j]);
        if ((i < j) != (order < 0) || (i == j) != (order == 0)) return false;
      }
    }
    return true;
  };
  CHECK(ordered(simple_type(Kind::int_), {"-2147483648", "-1", "0", "5"}));
  CHECK(ordered(simple_type(Kind::tinyint), {"-128", "-1", "0", "127"}));
  CHECK(ordered(simple_type(Kind::varint), {"-70000", "-129", "-1", "0", "127", "128", "99999999999999999999"}));
  CHECK(ordered(simple_type(Kind::decimal), {"-100", "-1.5", "-0.01", "0", "0.010001", "1.5", "15", "1e2"}));
  CHECK(ordered(simple_type(Kind::double_), {"-2.5", "-0.0", "0.0", "3"}));
  CHECK(ordered(simple_type(Kind::date), {"'1969-12-31'", "'1970-01-01'", "'2024-02-29'"}));
  CHECK(ordered(simple_type(Kind::text), {"''", "'a'", "'aa'", "'b'"}));
  CHECK(ordered(simple_type(Kind::uuid),
                {"00000000-0000-1000-8000-000000000000", "00000000-0000-4000-8000-000000000000"}));
  CHECK(ordered(simple_type(Kind::timeuuid),
                {"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "50554d6e-29bb-11e5-b345-feff819cdc9f",
                 "50554d6e-29bb-11e5-b345-feff819cdca0"}));
  CHECK(ordered(of(Kind::list, {simple_type(Kind::int_)}), {"[]", "[-1]", "[-1, 0]", "[2]"}));
  CHECK(ordered(of(Kind::tuple, {simple_type(Kind::int_), simple_type(Kind::text)}),
                {"(1, null)", "(1, 'a')", "(2, null)"}));
}

TEST_CASE("byte-comparable forms keep the order of the values") {
  const CqlType bigint = simple_type(Kind::bigint);
  std::vector<std::int64_t> numbers;
  for (int bit = 0; bit < 63; ++bit) {
    for (const std::int64_t near : {-1, 0, 1}) {
      numbers.push_back((std::int64_t{1} << bit) + near);
      numbers.push_back(-(std::int64_t{1} << bit) + near);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const auto form = [&](std::int64_t n) {
      return byte_comparable(bigint, cql_value(bigint, std::to_string(n)).value());
    };
    CHECK_MESSAGE(form(numbers[i - 1]) < form(numbers[i]), numbers[i]);
  }
  CHECK(byte_comparable(simple_type(Kind::text), std::string("a\0b", 3)) == std::string("a\0\xFF"
                                                                                        "b\0",
                                                                                        5));
}

TEST_CASE("types carry the names of their classes") {
  CHECK(marshal_name(simple_type(Kind::int_), "ks") == "org.apache.cassandra.db.marshal.Int32Type");
  CHECK(marshal_name(of(Kind::map, {simple_type(Kind::text), simple_type(Kind::int_)}, false), "ks") ==
        "org.apache.cassandra.db.marshal.MapType(org.apache.cassandra.db.marshal.UTF8Type,org.apache.cassandra.db."
        "marshal.Int32Type)");
  CHECK(reversed_marshal_name(simple_type(Kind::timestamp), "ks") ==
        "org.apache.cassandra.db.marshal.ReversedType(org.apache.cassandra.db.marshal.TimestampType)");
  CHECK(key_marshal_name({simple_type(Kind::text), simple_type(Kind::date)}, "ks") ==
        "org.apache.cassandra.db.marshal.CompositeType(org.apache.cassandra.db.marshal.UTF8Type,org.apache.cassandra."
        "db.marshal.SimpleDateType)");
}

}  // namespace windrow
