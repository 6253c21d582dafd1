#include "evidence/components/java_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/values/cql_time.h"

namespace windrow {
namespace {

struct CivilTime {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

CivilTime civil_time(Seconds s) {
  const std::int64_t days = floor_div(s, seconds_per_day);
  const auto of_day = static_cast<int>(s - days * seconds_per_day);
  CivilTime time{.hour = of_day / 3600, .minute = of_day / 60 % 60, .second = of_day % 60};
  time.year = 1970 + floor_div(days * 400, 146'097);
  while (days_from_civil(time.year, 1, 1) > days) --time.year;
  while (days_from_civil(time.year + 1, 1, 1) <= days) ++time.year;
  while (time.month < 12 && days_from_civil(time.year, time.month + 1, 1) <= days) ++time.month;
  time.day = static_cast<int>(days - days_from_civil(time.year, time.month, 1)) + 1;
  return time;
}

}  // namespace

namespace {

/// The shortest digits that read back as the same double: 0.<digits> * 10^<exponent>.
struct ShortestDecimal {
  std::string digits{};
  int exponent = 0;
};

ShortestDecimal shortest_decimal(double magnitude) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  ShortestDecimal decimal{.exponent = std::stoi(std::string(text.substr(e + 1))) + 1};
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  return decimal;
}

}  // namespace

std::string java_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const double magnitude = std::abs(value);
  if (value == 0 || (magnitude >= 1e-3 && magnitude < 1e7)) {
    std::string text = fmt::format("{}", value);
    if (text.find('.') == std::string::npos) text += ".0";
    return text;
  }
  const ShortestDecimal decimal = shortest_decimal(magnitude);
  const std::string fraction = decimal.digits.size() > 1 ? decimal.digits.substr(1) : "0";
  return fmt::format("{}{}.{}E{}", value < 0 ? "-" : "", decimal.digits[0], fraction, decimal.exponent - 1);
}

std::string java_fixed(double value, int decimals) {
  if (std::isnan(value)) return "NaN";
  ShortestDecimal decimal = shortest_decimal(std::abs(value));
  // Digits from the place of 10^0 (or of the first digit) down to the last decimal.
  if (decimal.exponent < 1) {
    decimal.digits.insert(0, static_cast<std::size_t>(1 - decimal.exponent), '0');
    decimal.exponent = 1;
  }
  const auto kept = static_cast<std::size_t>(decimal.exponent + decimals);
  const bool up = decimal.digits.size() > kept && decimal.digits[kept] >= '5';
  decimal.digits.resize(kept, '0');
  for (std::size_t i = kept; up; decimal.digits[i] = '0') {
    if (i == 0) {
      decimal.digits.insert(0, 1, '1');
      ++decimal.exponent;
      break;
    }
    if (decimal.digits[--i] != '9') {
      ++decimal.digits[i];
      break;
    }
  }
  std::string text = decimal.digits.substr(0, static_cast<std::size_t>(decimal.exponent));
  if (decimals > 0) text += "." + decimal.digits.substr(static_cast<std::size_t>(decimal.exponent));
  return std::signbit(value) ? "-" + text : text;
}

std::string pretty_memory(Bytes bytes) {
  const int unit = bytes == 0 ? 0 : (63 - std::countl_zero(static_cast<std::uint64_t>(bytes))) / 10;
  if (unit == 0) return fmt::format("{}B", bytes);
  constexpr std::string_view prefixes = "KMGTPE";
  return fmt::format("{}{}iB", java_fixed(std::ldexp(static_cast<double>(bytes), -10 * unit), 3),
                     prefixes[static_cast<std::size_t>(unit) - 1]);
}

std::string file_size(Bytes bytes) {
  int unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1024 && unit < 4; size /= 1024) ++unit;
  std::string number = fmt::format("{:.2f}", size);
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
  constexpr std::array<std::string_view, 5> units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  return fmt::format("{} {}", number, units[static_cast<std::size_t>(unit)]);
}

std::string short_bytes(Bytes bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const auto unit = static_cast<int>(std::log(static_cast<double>(bytes)) / std::log(1024.0));
  constexpr std::string_view prefixes = "kMGTP";
  return fmt::format("{} {}B", java_fixed(static_cast<double>(bytes) / std::pow(1024.0, unit), 1),
                     prefixes[static_cast<std::size_t>(unit) - 1]);
}

std::string tool_date(Seconds s) {
  const CivilTime time = civil_time(s);
  return fmt::format("{:02}/{:02}/{:04} {:02}:{:02}:{:02}", time.month, time.day, time.year, time.hour, time.minute,
                     time.second);
}

std::string local_date_time(Millis ms) {
  const Seconds s = floor_div(ms, ms_per_s);
  const Millis rest = ms - s * ms_per_s;
  const CivilTime time = civil_time(s);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", time.year, time.month, time.day, time.hour, time.minute);
  if (time.second > 0 || rest > 0) text += fmt::format(":{:02}", time.second);
  if (rest > 0) text += fmt::format(".{:03}", rest);
  return text;
}

std::string duration_words(Seconds s) {
  const std::array<std::pair<std::int64_t, std::string_view>, 4> parts = {
      {{s / seconds_per_day, "day"}, {s / 3600 % 24, "hour"}, {s / 60 % 60, "minute"}, {s % 60, "second"}}};
  std::size_t first = 0;
  std::size_t end = parts.size();
  while (first + 1 < end && parts[first].first == 0) ++first;
  while (end - 1 > first && parts[end - 1].first == 0) --end;
  std::string text;
  for (std::size_t i = first; i < end; ++i) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{} {}{}", parts[i].first, parts[i].second, parts[i].first == 1 ? "" : "s");
  }
  return text;
}

}  // namespace windrow
