#include "sim/values/cql_scalar.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "sim/base/units.h"
#include "sim/bytes/byte_sink.h"
#include "sim/values/big_integer.h"
#include "sim/values/cql_literal.h"
#include "sim/values/cql_time.h"

namespace windrow {
namespace {

using Kind = CqlType::Kind;

[[noreturn]] void refuse(CqlType::Kind kind, std::string_view text, std::string_view accepted) {
  throw CqlValueError(fmt::format("{} is no {}; accepts {}", text, kind_name(kind), accepted));
}

template <typename Integer>
std::string integer(CqlType::Kind kind, std::string_view text) {
  Integer value = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    refuse(kind, text,
           fmt::format("whole numbers from {} to {}", std::numeric_limits<Integer>::min(),
                       std::numeric_limits<Integer>::max()));
  }
  std::string bytes;
  for (int shift = 8 * static_cast<int>(sizeof(Integer)) - 8; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

template <typename Float, typename Bits>
std::string floating(CqlType::Kind kind, std::string_view text) {
  Float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size())
    refuse(kind, text, "numbers, NaN and Infinity");
  Bits bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  std::string bytes;
  for (int shift = 8 * static_cast<int>(sizeof(Bits)) - 8; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(bits >> shift));
  return bytes;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string big_integer(CqlType::Kind kind, std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text;
  if (negative || text.starts_with('+')) digits.remove_prefix(1);
  if (!is_digits(digits)) refuse(kind, text, "whole numbers");
  return big_integer_bytes(negative, digits);
}

// BigDecimal: the scale of four bytes, then the unscaled value.
std::string decimal(std::string_view text) {
  std::string_view mantissa = text;
  std::int64_t exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    mantissa = text.substr(0, e);
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || end != power.data() + power.size())
      refuse(CqlType::Kind::decimal, text, "decimal numbers");
  }
  std::string digits(mantissa);
  std::int64_t scale = 0;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    scale = static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  std::string bytes;
  ByteSink(bytes).big_endian32(static_cast<std::uint32_t>(scale - exponent));
  return bytes + big_integer(CqlType::Kind::decimal, digits);
}

std::string hex(CqlType::Kind kind, std::string_view digits, std::string_view text, std::string_view accepted) {
  if (digits.size() % 2 != 0) refuse(kind, text, accepted);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
    if (error != std::errc() || end != digits.data() + i + 2) refuse(kind, text, accepted);
    bytes.push_back(static_cast<char>(value));
  }
  return bytes;
}

std::string blob(std::string_view text) {
  constexpr std::string_view accepted = "0x and an even number of hexadecimal digits";
  if (!text.starts_with("0x") && !text.starts_with("0X")) refuse(CqlType::Kind::blob, text, accepted);
  return hex(CqlType::Kind::blob, text.substr(2), text, accepted);
}

std::string uuid(CqlType::Kind kind, std::string_view text) {
  constexpr std::string_view accepted = "8-4-4-4-12 hexadecimal digits";
  if (text.size() != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
    refuse(kind, text, accepted);
  std::string digits(text);
  std::erase(digits, '-');
  return hex(kind, digits, text, accepted);
}

std::string inet(std::string_view text) {
  std::array<char, 16> address{};
  const std::string terminated(text);
  if (inet_pton(AF_INET, terminated.c_str(), address.data()) == 1) return {address.data(), 4};
  if (inet_pton(AF_INET6, terminated.c_str(), address.data()) == 1) return {address.data(), 16};
  refuse(CqlType::Kind::inet, text, "an IPv4 or IPv6 address in single quotes");
}

std::string boolean(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c | 0x20);
  if (lower == "true") return std::string(1, '\1');
  if (lower == "false") return std::string(1, '\0');
  refuse(CqlType::Kind::boolean, text, "true and false");
}

std::string duration(std::string_view text) {
  const auto parts = parse_cql_duration(text);
  if (!parts) refuse(CqlType::Kind::duration, text, "1y2mo3w4d5h6m7s8ms9us10ns and P1Y2M3DT4H5M6S, or parts of it");
  const auto zigzag = [](std::int64_t n) {
    return (static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63);
  };
  std::string bytes;
  ByteSink sink(bytes);
  sink.unsigned_vint(zigzag(parts->months));
  sink.unsigned_vint(zigzag(parts->days));
  sink.unsigned_vint(zigzag(parts->nanoseconds));
  return bytes;
}

std::string big_endian(std::int64_t value, int bytes) {
  std::string out;
  for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
  return out;
}

// A number stands for the stored value itself; text is parsed.
std::string time_like(CqlType::Kind kind, std::string_view text, bool quoted) {
  const bool number = is_digits(text.starts_with('-') ? text.substr(1) : text);
  if (kind == CqlType::Kind::date) {
    if (number) return big_endian(std::stoll(std::string(text)), 4);
    const auto days = quoted ? parse_cql_date(text) : std::nullopt;
    if (!days) refuse(kind, text, "'yyyy-mm-dd', or days since the epoch + 2^31");
    return big_endian(*days + (std::int64_t{1} << 31), 4);
  }
  if (number) return integer<std::int64_t>(kind, text);
  if (kind == CqlType::Kind::time) {
    const auto ns = quoted ? parse_cql_time(text) : std::nullopt;
    if (!ns) refuse(kind, text, "'hh:mm:ss.nnnnnnnnn', or nanoseconds since midnight");
    return big_endian(*ns, 8);
  }
  const auto ms = quoted ? parse_cql_timestamp(text) : std::nullopt;
  if (!ms) refuse(kind, text, "'yyyy-mm-dd hh:mm:ss.fff+zzzz', or milliseconds since the epoch");
  return big_endian(*ms, 8);
}

}  // namespace

std::string cql_scalar(CqlType::Kind kind, std::string_view text, bool quoted) {
  switch (kind) {
    case Kind::ascii:
    case Kind::text:
      if (!quoted) refuse(kind, text, "text in single quotes");
      return std::string(text);
    case Kind::tinyint:
      return integer<std::int8_t>(kind, text);
    case Kind::smallint:
      return integer<std::int16_t>(kind, text);
    case Kind::int_:
      return integer<std::int32_t>(kind, text);
    case Kind::bigint:
    case Kind::counter:
      return integer<std::int64_t>(kind, text);
    case Kind::float_:
      return floating<float, std::uint32_t>(kind, text);
    case Kind::double_:
      return floating<double, std::uint64_t>(kind, text);
    case Kind::varint:
      return big_integer(kind, text);
    case Kind::decimal:
      return decimal(text);
    case Kind::boolean:
      return boolean(text);
    case Kind::blob:
      return blob(text);
    case Kind::uuid:
    case Kind::timeuuid:
      return uuid(kind, text);
    case Kind::inet:
      return inet(text);
    case Kind::date:
    case Kind::time:
    case Kind::timestamp:
      return time_like(kind, text, quoted);
    case Kind::duration:
      return duration(text);
    case Kind::empty:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::tuple:
    case Kind::vector:
    case Kind::udt:
    case Kind::custom:
      break;
  }
  refuse(kind, text, "no constant");
}

}  // namespace windrow
