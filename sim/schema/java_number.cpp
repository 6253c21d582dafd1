#include "sim/schema/java_number.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace windrow {

namespace {

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  const bool plus = text.starts_with('+');
  if (plus) text.remove_prefix(1);
  if (plus && text.starts_with('-')) return std::nullopt;
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Digits, point and exponent without sign or suffix. Too large becomes infinite and too small 0, as in Java.
std::optional<double> parse_decimal(std::string_view text) {
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc{}) return value;
  const bool tiny =
      text.find("e-") != text.npos || text.find("E-") != text.npos || text.starts_with("0") || text.starts_with(".");
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

// The power of two of "*2^-10"; moves `text` past it.
int take_binary_exponent(std::string_view& text) {
  if (!text.starts_with("*2^")) return 0;
  std::size_t length = 3;
  if (length < text.size() && (text[length] == '+' || text[length] == '-')) ++length;
  const std::size_t digits = length;
  while (length < text.size() && is_digit(text[length])) ++length;
  if (length == digits) return 0;
  const int power = parse_java_int(text.substr(3, length - 3)).value_or(0);
  text.remove_prefix(length);
  return power;
}

// The number at the start of `text`; moves past it. Sets `has_exponent`.
std::optional<double> take_number(std::string_view& text, bool& has_exponent) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > from;
  };
  if (text.starts_with('+') || text.starts_with('-')) ++at;
  if (!digits()) return std::nullopt;
  const std::size_t before_point = at;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) at = before_point;
  }
  const std::size_t before_exponent = at;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) at = before_exponent;
  }
  has_exponent = at > before_exponent;
  const std::optional<double> value = parse_java_double(text.substr(0, at));
  text.remove_prefix(at);
  return value;
}

constexpr std::string_view unit_prefixes = "qryzafpnum KMGTPEZYRQ";
constexpr int no_prefix = 10;  // where the blank stands

}  // namespace

std::string_view java_trimmed(std::string_view text) {
  const auto blank = [](char letter) { return static_cast<unsigned char>(letter) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::int32_t> parse_java_int(std::string_view text) { return parse_integer<std::int32_t>(text); }
std::optional<std::int64_t> parse_java_long(std::string_view text) { return parse_integer<std::int64_t>(text); }

std::optional<double> parse_java_double(std::string_view text) {
  text = java_trimmed(text);
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  std::optional<double> value;
  if (text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else {
    if (!text.empty() && std::string_view("fFdD").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
    value = parse_decimal(text);
  }
  if (value && minus) *value = -*value;
  return value;
}

std::string java_double_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-3 && size < 1e7)) {
    std::string text = fmt::format("{}", value);
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view scientific(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::size_t exponent_at = scientific.find('e');
  std::string digits(scientific.substr(0, exponent_at));
  if (digits.find('.') == std::string::npos) digits += ".0";
  const std::optional<std::int32_t> exponent = parse_java_int(scientific.substr(exponent_at + 1));
  return fmt::format("{}E{}", digits, exponent.value_or(0));
}

std::optional<double> parse_java_size(std::string_view text) {
  if (!text.ends_with('B')) return std::nullopt;
  text.remove_suffix(1);
  bool has_exponent = false;
  const std::optional<double> number = take_number(text, has_exponent);
  if (!number) return std::nullopt;
  double value = *number;
  if (!has_exponent) value = std::scalbn(value, take_binary_exponent(text));
  while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')))
    text.remove_prefix(1);
  if (text.empty()) return value;
  const std::size_t prefix = unit_prefixes.find(text.front());
  if (prefix == unit_prefixes.npos) return std::nullopt;
  const int power = static_cast<int>(prefix) - no_prefix;
  text.remove_prefix(1);
  if (text.starts_with('i')) {
    text.remove_prefix(1);
    value = std::scalbn(value, power * 10);
  } else {
    value *= std::exp(std::log(1000.0) * power);
  }
  if (!text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_java_bytes(std::string_view text) {
  const std::optional<double> value = parse_java_size(text);
  if (!value) return std::nullopt;
  constexpr double above_long = 9223372036854775808.0;
  if (std::isnan(*value)) return 0;
  if (*value >= above_long) return std::numeric_limits<std::int64_t>::max();
  if (*value <= -above_long) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(*value);
}

std::optional<double> parse_java_percent(std::string_view text) {
  text = java_trimmed(text);
  if (!text.ends_with('%')) return parse_java_double(text);
  text.remove_suffix(1);
  const std::optional<double> value = parse_java_double(text);
  if (!value) return std::nullopt;
  return *value / 100.0;
}

std::string java_size_text(std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes);
  const int prefix = size == 0 ? 0 : (63 - std::countl_zero(size)) / 10;
  if (prefix == 0) return fmt::format("{}B", bytes);
  return fmt::format("{:.3f}{}iB", std::scalbn(static_cast<double>(bytes), -prefix * 10),
                     unit_prefixes[static_cast<std::size_t>(no_prefix + prefix)]);
}

}  // namespace windrow
