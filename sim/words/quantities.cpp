#include "sim/words/quantities.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <numeric>
#include <string>

#include "sim/base/nearest.h"

namespace windrow {

namespace {

struct Unit {
  std::string_view name{};
  std::int64_t size = 1;
};

constexpr Micros minute_us = 60 * us_per_s;
constexpr Micros hour_us = 60 * minute_us;

constexpr std::array<Unit, 9> time_units = {{{"us", 1},
                                             {"ms", 1000},
                                             {"s", us_per_s},
                                             {"min", minute_us},
                                             {"h", hour_us},
                                             {"d", us_per_day},
                                             {"w", 7 * us_per_day},
                                             {"y", us_per_year},
                                             {"yr", us_per_year}}};
// After the slash of a rate whole words are usual as well.
constexpr std::array<Unit, 13> rate_units = {{{"s", us_per_s},
                                              {"sec", us_per_s},
                                              {"second", us_per_s},
                                              {"min", minute_us},
                                              {"minute", minute_us},
                                              {"h", hour_us},
                                              {"hour", hour_us},
                                              {"d", us_per_day},
                                              {"day", us_per_day},
                                              {"w", 7 * us_per_day},
                                              {"week", 7 * us_per_day},
                                              {"y", us_per_year},
                                              {"year", us_per_year}}};
constexpr std::array<Unit, 13> size_units = {{{"B", 1},
                                              {"kB", 1000},
                                              {"KB", 1000},
                                              {"MB", 1'000'000},
                                              {"GB", 1'000'000'000},
                                              {"TB", 1'000'000'000'000},
                                              {"PB", 1'000'000'000'000'000},
                                              {"KiB", std::int64_t{1} << 10},
                                              {"MiB", std::int64_t{1} << 20},
                                              {"GiB", std::int64_t{1} << 30},
                                              {"TiB", std::int64_t{1} << 40},
                                              {"PiB", std::int64_t{1} << 50},
                                              {"bytes", 1}}};
constexpr Bytes largest_size = std::int64_t{1} << 60;

constexpr std::string_view accepted_times =
    "a number and us, ms, s, min, h, d, w or y (365 d), such as 90s, 20min, 10d";
constexpr std::string_view accepted_rates =
    "a number per s, min, h, d, w or y, or per several of them, such as 1/s, 20/min, 400/day, 1/90s";
constexpr std::string_view accepted_sizes =
    "a number and B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, such as 64MiB, 1.5TB";
constexpr std::string_view accepted_dates = "a date in UTC such as 2026-01-01 or 2026-01-01T08:30:00";

template <std::size_t N>
const Unit* find_unit(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

[[noreturn]] void refuse_ambiguous(const Cursor& cursor, std::size_t begin, std::string_view name,
                                   std::string_view accepted) {
  if (name == "m" || name == "M") {
    cursor.fail(begin, fmt::format("is ambiguous: {} could be minutes (write min) or months (write days: 30d)", name),
                std::string(accepted));
  }
  cursor.fail(begin, fmt::format("is ambiguous: a {} has no fixed length (write days)", name), std::string(accepted));
}

bool ambiguous(std::string_view name) {
  return name == "m" || name == "M" || name == "mo" || name == "month" || name == "months";
}

template <std::size_t N>
const Unit& read_time_unit(Cursor& cursor, const std::array<Unit, N>& units, std::string_view accepted,
                           std::size_t begin) {
  const std::size_t at = cursor.at();
  const std::string_view name = cursor.unit();
  if (name.empty()) cursor.fail(begin, "has no unit", std::string(accepted));
  if (ambiguous(name)) refuse_ambiguous(cursor, at, name, accepted);
  const Unit* unit = find_unit(units, name);
  if (unit == nullptr) {
    std::vector<std::string> names;
    for (const Unit& known : units) names.emplace_back(known.name);
    cursor.fail(at, fmt::format("has an unknown unit `{}`", name), std::string(accepted),
                std::string(nearest_name(name, names)));
  }
  return *unit;
}

Decimal expect_number(Cursor& cursor, std::string_view what, std::string_view accepted) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const std::optional<Decimal> number = cursor.number();
  if (!number) {
    if (cursor.peek() == '-') cursor.fail(begin, fmt::format("is negative; {} is not", what), std::string(accepted));
    cursor.until("");
    cursor.fail(begin, fmt::format("is not {}", what), std::string(accepted));
  }
  return *number;
}

int read_digits(Cursor& cursor, int count) {
  int value = 0;
  for (int i = 0; i < count; ++i) {
    const char c = cursor.peek();
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
    cursor.move_to(cursor.at() + 1);
  }
  return value;
}

bool take_exactly(Cursor& cursor, char wanted) {
  if (cursor.peek() != wanted) return false;
  cursor.move_to(cursor.at() + 1);
  return true;
}

// hh:mm or hh:mm:ss, seconds of the day; -1 if it is none.
Seconds read_time_of_day(Cursor& cursor) {
  const int hour = read_digits(cursor, 2);
  if (hour < 0 || hour > 23 || !take_exactly(cursor, ':')) return -1;
  const int minute = read_digits(cursor, 2);
  if (minute < 0 || minute > 59) return -1;
  int second = 0;
  if (take_exactly(cursor, ':')) second = read_digits(cursor, 2);
  if (second < 0 || second > 59) return -1;
  return hour * 3600 + minute * 60 + second;
}

}  // namespace

Duration read_duration(Cursor& cursor) {
  const std::size_t before = cursor.at();
  const Decimal number = expect_number(cursor, "a time", accepted_times);
  const Unit& unit = read_time_unit(cursor, time_units, accepted_times, before);
  Duration result;
  switch (scale(number, unit.size, longest_duration_us, result.us)) {
    case Scaling::exact:
      break;
    case Scaling::too_large:
      cursor.fail(before, "is too long", "times up to 1000y");
    case Scaling::not_whole:
      cursor.fail(before, "is no whole number of microseconds", std::string(accepted_times));
  }
  return result;
}

Moment read_moment(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const auto fail = [&](const std::string& problem) {
    cursor.until(" ");
    cursor.fail(begin, problem, std::string(accepted_dates));
  };
  const int year = read_digits(cursor, 4);
  if (year < 0 || !take_exactly(cursor, '-')) fail("is not a date");
  const int month = read_digits(cursor, 2);
  if (month < 0 || !take_exactly(cursor, '-')) fail("is not a date");
  const int day = read_digits(cursor, 2);
  const std::chrono::year_month_day date = std::chrono::year(year) / month / day;
  if (day < 0 || !date.ok()) fail("is not a day of the calendar");
  if (year < 1970 || year > 2199) fail("is outside the years 1970 to 2199");
  Seconds seconds = static_cast<Seconds>(std::chrono::sys_days(date).time_since_epoch().count()) * seconds_per_day;
  if (take_exactly(cursor, 'T')) {
    const Seconds of_day = read_time_of_day(cursor);
    if (of_day < 0) fail("has no time of day after the T");
    seconds += of_day;
    take_exactly(cursor, 'Z');
  }
  if (cursor.peek() == '+' || cursor.peek() == 'Z') fail("has a zone; dates are UTC");
  return {seconds * us_per_s};
}

Size read_size(Cursor& cursor) {
  const std::size_t before = cursor.at();
  const Decimal number = expect_number(cursor, "a size", accepted_sizes);
  const std::size_t at = cursor.at();
  const std::string_view name = cursor.unit();
  if (name.empty() && number.digits == 0) return {};
  if (name.empty()) cursor.fail(before, "has no unit", std::string(accepted_sizes));
  const Unit* unit = find_unit(size_units, name);
  if (unit == nullptr) {
    std::vector<std::string> names;
    for (const Unit& known : size_units) names.emplace_back(known.name);
    cursor.fail(at, fmt::format("has an unknown unit `{}`", name), std::string(accepted_sizes),
                std::string(nearest_name(name, names)));
  }
  Size result;
  switch (scale(number, unit->size, largest_size, result.bytes)) {
    case Scaling::exact:
      break;
    case Scaling::too_large:
      cursor.fail(before, "is too large", "sizes up to 1024PiB");
    case Scaling::not_whole:
      result.bytes = static_cast<Bytes>(number.value() * static_cast<double>(unit->size));
      break;
  }
  return result;
}

ByteRate read_byte_rate(Cursor& cursor) {
  const std::size_t before = cursor.at();
  const Size size = read_size(cursor);
  constexpr std::string_view accepted = "bytes per time, such as 64MiB/s; 0 for none";
  if (cursor.peek() != '/') {
    if (size.bytes == 0) return {};
    cursor.fail(before, "has no time after the size", std::string(accepted));
  }
  cursor.take('/');
  const Unit& unit = read_time_unit(cursor, rate_units, accepted, before);
  return {static_cast<double>(size.bytes) * 1e6 / static_cast<double>(unit.size)};
}

/// What stands behind the `/` of a rate: `min`, or `90s`.
std::int64_t read_rate_period_us(Cursor& cursor, std::size_t before) {
  const bool several = cursor.peek() >= '0' && cursor.peek() <= '9';
  const Decimal times = several ? expect_number(cursor, "a rate", accepted_rates) : Decimal{.digits = 1};
  const Unit& unit = read_time_unit(cursor, rate_units, accepted_rates, before);
  std::int64_t period_us = 0;
  const Scaling scaled = scale(times, unit.size, longest_duration_us, period_us);
  if (scaled == Scaling::too_large) cursor.fail(before, "is too slow", "0/s, or one row in up to 1000 years");
  if (scaled == Scaling::not_whole || period_us == 0) {
    cursor.fail(before, "is per no whole number of microseconds", std::string(accepted_rates));
  }
  return period_us;
}

Rate read_rate(Cursor& cursor) {
  const std::size_t before = cursor.at();
  const Decimal number = expect_number(cursor, "a rate", accepted_rates);
  if (cursor.peek() != '/') {
    cursor.unit();
    cursor.fail(before, "is not a rate: no `/` and time after the number", std::string(accepted_rates));
  }
  cursor.take('/');
  Rate rate{.rows = number.digits, .period_us = read_rate_period_us(cursor, before)};
  if (number.value() * 1e6 / static_cast<double>(rate.period_us) > fastest_rate_per_s) {
    cursor.fail(before, "is too fast", "rates up to 1e7/s for one entity");
  }
  for (int i = number.exponent; i > 0; --i) rate.rows *= 10;
  for (int i = number.exponent; i < 0; ++i) {
    if (rate.period_us > longest_duration_us) {
      cursor.fail(before, "has more digits than can be counted", std::string(accepted_rates));
    }
    const std::int64_t common = std::gcd<std::int64_t>(rate.rows, 10);
    rate.rows /= common;
    rate.period_us *= 10 / common;
  }
  const std::int64_t divisor = std::gcd(rate.rows, rate.period_us);
  if (divisor > 1) rate = {.rows = rate.rows / divisor, .period_us = rate.period_us / divisor};
  if (rate.rows > 0 && rate.period_us / rate.rows > longest_duration_us) {
    cursor.fail(before, "is too slow", "0/s, or one row in up to 1000 years");
  }
  return rate;
}

Share read_share(Cursor& cursor) {
  constexpr std::string_view accepted = "a share from 0% to 100%, such as 2% or 0.05%";
  const std::size_t before = cursor.at();
  const Decimal number = expect_number(cursor, "a share", accepted);
  if (!cursor.take('%')) cursor.fail(before, "has no `%`", std::string(accepted));
  Share share;
  if (scale(number, ppm_of_percent, 100 * ppm_of_percent, share.ppm) != Scaling::exact) {
    cursor.fail(before, "is not a share in parts per million", std::string(accepted));
  }
  return share;
}

std::int64_t read_whole_number(Cursor& cursor, std::int64_t most) {
  const std::size_t before = cursor.at();
  const std::string accepted = fmt::format("a whole number up to {}", most);
  const Decimal number = expect_number(cursor, "a whole number", accepted);
  std::int64_t result = 0;
  switch (scale(number, 1, most, result)) {
    case Scaling::exact:
      break;
    case Scaling::too_large:
      cursor.fail(before, "is too large", accepted);
    case Scaling::not_whole:
      cursor.fail(before, "is not a whole number", accepted);
  }
  return result;
}

double read_plain_number(Cursor& cursor) { return expect_number(cursor, "a number", "a number such as 1.5").value(); }

std::string format_duration(Micros us) {
  if (us == 0) return "0s";
  for (const std::string_view name : {"y", "d", "h", "min", "s", "ms"}) {
    const Unit* unit = find_unit(time_units, name);
    if (us % unit->size == 0) return fmt::format("{}{}", us / unit->size, name);
  }
  return fmt::format("{}us", us);
}

std::string format_moment(Micros us) {
  const Seconds seconds = floor_div(us, us_per_s);
  const std::int64_t days = floor_div(seconds, seconds_per_day);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  const Seconds of_day = seconds - days * seconds_per_day;
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (of_day != 0) text += fmt::format("T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
  return text;
}

std::string format_size(Bytes bytes) {
  for (const std::string_view name : {"TiB", "GiB", "MiB", "KiB"}) {
    const Unit* unit = find_unit(size_units, name);
    if (bytes != 0 && bytes % unit->size == 0) return fmt::format("{}{}", bytes / unit->size, name);
  }
  return fmt::format("{}B", bytes);
}

}  // namespace windrow
