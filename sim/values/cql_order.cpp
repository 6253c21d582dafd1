#include "sim/values/cql_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sim/values/big_integer.h"

namespace windrow {
namespace {

using Kind = CqlType::Kind;

template <typename T>
int three_way(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

int sign_of(int n) { return three_way(n, 0); }

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::int64_t signed_big_endian(std::string_view bytes) {
  const int unused = 64 - 8 * static_cast<int>(bytes.size());
  return static_cast<std::int64_t>(big_endian(bytes) << unused) >> unused;
}

// Double.compare: -0.0 below 0.0, NaN above all.
template <typename Float, typename Bits>
int compare_floating(std::string_view a, std::string_view b) {
  const auto value = [](std::string_view bytes) {
    const auto bits = static_cast<Bits>(big_endian(bytes));
    Float number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  };
  const Float x = value(a);
  const Float y = value(b);
  if (std::isnan(x) || std::isnan(y)) return three_way(std::isnan(x), std::isnan(y));
  if (x != y) return x < y ? -1 : 1;
  return three_way(std::signbit(y), std::signbit(x));
}

// BigDecimal.compareTo: by sign, then by the place of the first digit, then digit by digit.
int compare_decimals(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view value) {
    std::string text = big_integer_digits(value.substr(4));
    const std::size_t last = text.find_last_not_of('0');
    return std::pair(text.substr(0, last == std::string::npos ? 0 : last + 1),
                     static_cast<std::int64_t>(text.size()) - signed_big_endian(value.substr(0, 4)));
  };
  const auto sign = [](std::string_view value, const std::string& magnitude) {
    if (magnitude.empty()) return 0;
    return big_integer_negative(value.substr(4)) ? -1 : 1;
  };
  const auto [digits_a, place_a] = digits(a);
  const auto [digits_b, place_b] = digits(b);
  const int sign_a = sign(a, digits_a);
  const int sign_b = sign(b, digits_b);
  if (sign_a != sign_b || sign_a == 0) return three_way(sign_a, sign_b);
  return sign_a * (place_a != place_b ? three_way(place_a, place_b) : three_way(digits_a, digits_b));
}

int version_of(std::string_view uuid) { return static_cast<unsigned char>(uuid[6]) >> 4; }

// Time fields of a version 1 uuid from the highest to the lowest: the version comes first.
std::uint64_t reordered_time(std::string_view uuid) {
  return big_endian(uuid.substr(6, 2)) << 48 | big_endian(uuid.substr(4, 2)) << 32 | big_endian(uuid.substr(0, 4));
}

int compare_uuids(std::string_view a, std::string_view b) {
  if (version_of(a) != version_of(b)) return three_way(version_of(a), version_of(b));
  if (version_of(a) == 1 && reordered_time(a) != reordered_time(b))
    return three_way(reordered_time(a), reordered_time(b));
  return sign_of(a.compare(b));
}

// TimeUUIDType: time, then the rest as signed bytes.
std::string signed_bytes(std::string_view bytes) {
  std::string flipped(bytes);
  for (char& c : flipped) c = static_cast<char>(c ^ 0x80);
  return flipped;
}

int compare_timeuuids(std::string_view a, std::string_view b) {
  const auto time = [](std::string_view uuid) { return reordered_time(uuid) << 4 >> 4; };
  if (time(a) != time(b)) return three_way(time(a), time(b));
  return sign_of(signed_bytes(a.substr(8)).compare(signed_bytes(b.substr(8))));
}

// One part of a serialized collection, tuple or user type: null is below everything.
struct Part {
  bool null = true;
  std::string_view bytes{};
};

Part next_part(std::string_view& rest) {
  const std::int64_t length = signed_big_endian(rest.substr(0, 4));
  rest.remove_prefix(4);
  if (length < 0) return {};
  const Part part{.null = false, .bytes = rest.substr(0, static_cast<std::size_t>(length))};
  rest.remove_prefix(part.bytes.size());
  return part;
}

int compare_parts(const CqlType& type, const Part& a, const Part& b) {
  if (a.null || b.null) return three_way(!a.null, !b.null);
  return compare_cql_values(type, a.bytes, b.bytes);
}

int compare_collections(const CqlType& type, std::string_view a, std::string_view b) {
  a.remove_prefix(4);
  b.remove_prefix(4);
  for (std::size_t i = 0; !a.empty() && !b.empty(); ++i) {
    const CqlType& part_type = type.arguments[i % type.arguments.size()];
    const int order = compare_parts(part_type, next_part(a), next_part(b));
    if (order != 0) return order;
  }
  return three_way(!a.empty(), !b.empty());
}

int compare_tuples(const CqlType& type, std::string_view a, std::string_view b) {
  for (std::size_t i = 0; !a.empty() && !b.empty(); ++i) {
    const int order = compare_parts(type.arguments[i], next_part(a), next_part(b));
    if (order != 0) return order;
  }
  // What is left of the longer one decides only if it holds a value.
  const auto has_value = [](std::string_view rest) {
    while (!rest.empty()) {
      if (!next_part(rest).null) return true;
    }
    return false;
  };
  return three_way(has_value(a), has_value(b));
}

std::string_view next_element(const CqlType& element, std::string_view& rest) {
  std::size_t length = 0;
  if (element.fixed_length() >= 0) {
    length = static_cast<std::size_t>(element.fixed_length());
  } else {
    // A vint: as many bytes follow the first as it has leading ones.
    const int extra = std::countl_one(static_cast<unsigned char>(rest[0]));
    std::uint64_t value = static_cast<unsigned char>(rest[0]) & (0xFFU >> extra);
    for (int i = 1; i <= extra; ++i) value = value << 8 | static_cast<unsigned char>(rest[static_cast<std::size_t>(i)]);
    length = static_cast<std::size_t>(value);
    rest.remove_prefix(static_cast<std::size_t>(extra) + 1);
  }
  const std::string_view bytes = rest.substr(0, length);
  rest.remove_prefix(bytes.size());
  return bytes;
}

int compare_vectors(const CqlType& type, std::string_view a, std::string_view b) {
  const CqlType& element = type.arguments.front();
  while (!a.empty() && !b.empty()) {
    const int order = compare_cql_values(element, next_element(element, a), next_element(element, b));
    if (order != 0) return order;
  }
  return three_way(!a.empty(), !b.empty());
}

// ByteSource.of: zeros escaped, a zero at the end.
std::string escaped(std::string_view value) {
  std::string bytes;
  for (std::size_t i = 0; i < value.size(); ++i) {
    bytes.push_back(value[i]);
    if (value[i] == '\0') bytes.push_back(i + 1 < value.size() && value[i + 1] == '\0' ? '\xFE' : '\xFF');
  }
  bytes.push_back('\0');
  return bytes;
}

std::string sign_flipped(std::string_view value) {
  std::string bytes(value);
  bytes[0] = static_cast<char>(bytes[0] ^ 0x80);
  return bytes;
}

// ByteSource.variableLengthInteger: one more leading one (positive) or zero (negative) for each further byte.
std::string variable_length(std::int64_t value) {
  const bool negative = value < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? ~value : value);
  const int bits = 64 - std::countl_zero(magnitude | 1);
  const int length = std::min(bits / 7 + 1, 9);
  std::string bytes(static_cast<std::size_t>(length), '\0');
  std::uint64_t rest = magnitude;
  for (std::size_t i = bytes.size(); i-- > 0; rest >>= 8) bytes[i] = static_cast<char>(rest);
  if (length >= 9) bytes[0] = '\xFF';
  if (length == 9) bytes[1] = static_cast<char>(bytes[1] | 0x80);
  if (length < 9) bytes[0] = static_cast<char>(bytes[0] | (0xFF00 >> length & 0xFF));
  if (negative) {
    for (char& c : bytes) c = static_cast<char>(~c);
  }
  return bytes;
}

std::string floating_bytes(std::string_view value) {
  if ((value[0] & 0x80) == 0) return sign_flipped(value);
  std::string bytes(value);
  for (char& c : bytes) c = static_cast<char>(~c);
  return bytes;
}

std::string uuid_bytes(std::string_view value, bool time_based) {
  if (!time_based && version_of(value) != 1) {
    // The version comes first, as it does in their order.
    std::string bytes(value);
    std::rotate(bytes.begin(), bytes.begin() + 6, bytes.begin() + 8);
    return bytes;
  }
  std::string bytes;
  bytes += value.substr(6, 2);
  bytes += value.substr(4, 2);
  bytes += value.substr(0, 4);
  return bytes + (time_based ? signed_bytes(value.substr(8)) : std::string(value.substr(8)));
}

}  // namespace

int compare_cql_values(const CqlType& type, std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return three_way(!a.empty(), !b.empty());
  switch (type.kind) {
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::int_:
    case Kind::bigint:
    case Kind::counter:
    case Kind::timestamp:
      return three_way(signed_big_endian(a), signed_big_endian(b));
    case Kind::float_:
      return compare_floating<float, std::uint32_t>(a, b);
    case Kind::double_:
      return compare_floating<double, std::uint64_t>(a, b);
    case Kind::varint:
      return sign_of(compare_big_integers(a, b));
    case Kind::decimal:
      return compare_decimals(a, b);
    case Kind::uuid:
      return compare_uuids(a, b);
    case Kind::timeuuid:
      return compare_timeuuids(a, b);
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return compare_collections(type, a, b);
    case Kind::tuple:
    case Kind::udt:
      return compare_tuples(type, a, b);
    case Kind::vector:
      return compare_vectors(type, a, b);
    case Kind::ascii:
    case Kind::text:
    case Kind::blob:
    case Kind::boolean:
    case Kind::date:
    case Kind::time:
    case Kind::inet:
    case Kind::duration:
    case Kind::empty:
    case Kind::custom:
      return sign_of(a.compare(b));
  }
  return sign_of(a.compare(b));
}

std::string byte_comparable(const CqlType& type, std::string_view value) {
  if (value.empty()) return type.fixed_length() >= 0 ? std::string() : escaped(value);
  switch (type.kind) {
    case Kind::int_:
    case Kind::timestamp:
    case Kind::tinyint:
    case Kind::smallint:
      return sign_flipped(value);
    case Kind::bigint:
    case Kind::counter:
      return variable_length(signed_big_endian(value));
    case Kind::float_:
    case Kind::double_:
      return floating_bytes(value);
    case Kind::boolean:
    case Kind::date:
    case Kind::time:
      return std::string(value);
    case Kind::uuid:
      return uuid_bytes(value, false);
    case Kind::timeuuid:
      return uuid_bytes(value, true);
    case Kind::varint: {
      const bool negative = (value[0] & 0x80) != 0;
      return static_cast<char>(negative ? 0x80 - static_cast<int>(value.size())
                                        : 0x7F + static_cast<int>(value.size())) +
             std::string(value);
    }
    case Kind::ascii:
    case Kind::text:
    case Kind::blob:
    case Kind::inet:
    case Kind::decimal:
    case Kind::duration:
    case Kind::empty:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::tuple:
    case Kind::vector:
    case Kind::udt:
    case Kind::custom:
      return escaped(value);
  }
  return escaped(value);
}

}  // namespace windrow
