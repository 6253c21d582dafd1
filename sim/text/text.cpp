#include "sim/text/text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || at + length > text.size()) return {};
  auto value = static_cast<char32_t>(lead & (0xFF >> (length + 1)));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, length};
}

bool inert(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;        // C0, DEL, C1
  if (c == 0x061C || c == 0x200E || c == 0x200F) return false;  // marks of direction
  if (c >= 0x202A && c <= 0x202E) return false;                 // embeddings and overrides
  if (c >= 0x2066 && c <= 0x2069) return false;                 // isolates
  if (c >= 0x200B && c <= 0x200D) return false;                 // no width
  return c != 0x2028 && c != 0x2029 && c != 0xFEFF && !(c >= 0xFFF9 && c <= 0xFFFB) && !(c >= 0xE0000 && c <= 0xE007F);
}

std::string with_commas(std::int64_t value) {
  std::string digits = std::to_string(std::abs(value));
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return value < 0 ? "-" + digits : digits;
}

void append_from(std::string& text, const char* first, const char* end) {
  text.append(first, static_cast<std::size_t>(end - first));
}

char* put_two_digits(char* at, std::int64_t value) {
  *at++ = static_cast<char>('0' + value / 10);
  *at++ = static_cast<char>('0' + value % 10);
  return at;
}

/// Digits by hand: of what result files have most cells are times.
void append_date_of_day(std::string& text, std::int64_t day) {
  constexpr std::int64_t most_days = 11'000'000;  // year 32,086: the calendar counts years in 16 bits
  if (std::abs(day) > most_days) {
    text += day > 0 ? "+99999-12-31" : "-99999-01-01";
    return;
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const int year = static_cast<int>(date.year());
  std::array<char, 10> digits{};
  char* at = digits.data();
  if (year < 0 || year > 9'999) {
    text += fmt::format("{:04}", year);
  } else {
    at = put_two_digits(put_two_digits(at, year / 100), year % 100);
  }
  *at++ = '-';
  at = put_two_digits(at, static_cast<unsigned>(date.month()));
  *at++ = '-';
  at = put_two_digits(at, static_cast<unsigned>(date.day()));
  append_from(text, digits.data(), at);
}

/// Three significant digits below a thousand.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 999.5 || value == std::floor(value)) return with_commas(std::llround(value));
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3g}", value);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    if (c.bytes == 0) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (inert(c.value)) {
      safe += text.substr(at, c.bytes);
    } else {
      safe += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c.value));
    }
    at += c.bytes;
  }
  return safe;
}

void append_iso_time_s(std::string& text, Seconds at_s) {
  const std::int64_t day = floor_div(at_s, seconds_per_day);
  const Seconds rest = at_s - day * seconds_per_day;
  append_date_of_day(text, day);
  std::array<char, 10> digits{};
  char* at = digits.data();
  *at++ = 'T';
  at = put_two_digits(at, rest / 3600);
  *at++ = ':';
  at = put_two_digits(at, rest / 60 % 60);
  *at++ = ':';
  at = put_two_digits(at, rest % 60);
  *at++ = 'Z';
  append_from(text, digits.data(), at);
}

std::string iso_time_s(Seconds at_s) {
  std::string text;
  append_iso_time_s(text, at_s);
  return text;
}

std::string iso_time(Micros at_us) { return iso_time_s(floor_div(at_us, us_per_s)); }

std::string iso_day(Micros at_us) {
  std::string text;
  append_date_of_day(text, floor_div(at_us, us_per_s * seconds_per_day));
  return text;
}

void append_number(std::string& text, std::int64_t value) {
  std::array<char, 20> digits{};
  append_from(text, digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

std::string plain_number(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return "0";
  std::string text;
  if (value == std::floor(value) && std::abs(value) < 9e15) {
    append_number(text, static_cast<std::int64_t>(value));
    return text;
  }
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 9);
  SIM_CHECK(error == std::errc(), "nine digits and an exponent have room");
  return {digits.data(), end};
}

double nine_digits(double value) {
  if (!std::isfinite(value) || (value == std::floor(value) && std::abs(value) < 9e15)) return value;
  return std::strtod(plain_number(value).c_str(), nullptr);
}

std::string human_count(double value) { return three_digits(value); }

std::string number_of(double value, std::string_view one, std::string_view many) {
  const std::string number = human_count(value);
  if (number == "1") return fmt::format("{} {}", number, one);
  return many.empty() ? fmt::format("{} {}s", number, one) : fmt::format("{} {}", number, many);
}

std::string human_bytes(double bytes) {
  constexpr std::array<const char*, 6> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(bytes), units[unit]);
}

std::string human_span(double seconds) {
  if (seconds < 120) return three_digits(seconds) + " s";
  if (seconds < 7'200) return three_digits(seconds / 60) + " min";
  if (seconds < 172'800) return three_digits(seconds / 3600) + " h";
  return three_digits(seconds / 86'400) + " d";
}

/// As many digits as it takes to tell it from 0 % and 100 %, down to a part per million.
std::string human_share(double share) {
  constexpr double least = 0.0001;  // a part per million: shares are said in them
  constexpr double of_arithmetic = 1e-12;
  const double percent = share * 100;
  if (std::abs(percent) < of_arithmetic) return "0 %";
  if (std::abs(percent) < least * (1 - of_arithmetic)) return percent < 0 ? "above -0.0001 %" : "below 0.0001 %";
  const double apart = std::abs(percent - 100);
  if (apart < 100 * of_arithmetic) return "100 %";
  const std::string digits = three_digits(percent);
  if (digits != "100") return digits + " %";
  if (apart < least) return percent < 100 ? "above 99.9999 %" : "below 100.0001 %";
  return fmt::format("{:.{}f} %", percent, static_cast<int>(std::ceil(-std::log10(apart))));
}

std::size_t text_width(std::string_view utf8) {
  std::size_t width = 0;
  for (const char c : utf8) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1U : 0U;
  return width;
}

}  // namespace windrow
