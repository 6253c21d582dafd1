#include "sim/values/cql_time.h"

#include <array>
#include <cctype>
#include <charconv>

#include "sim/base/units.h"

namespace windrow {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;

/// Reads a text from the left; every step says whether it went well.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool skip(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// `least` to `most` digits.
  std::optional<std::int64_t> number(std::size_t least, std::size_t most) {
    std::size_t length = 0;
    while (length < most && length < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[length])) != 0)
      ++length;
    if (length < least) return std::nullopt;
    std::int64_t value = 0;
    if (std::from_chars(rest_.data(), rest_.data() + length, value).ec != std::errc()) return std::nullopt;
    rest_.remove_prefix(length);
    digits_ = length;
    return value;
  }
  std::size_t digits() const { return digits_; }
  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])) != 0) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

 private:
  std::string_view rest_;
  std::size_t digits_ = 0;
};

std::optional<std::int64_t> date(Scanner& scanner) {
  const bool negative = scanner.skip('-');
  const auto year = scanner.number(1, 7);
  if (!year || !scanner.skip('-')) return std::nullopt;
  const auto month = scanner.number(1, 2);
  if (!month || !scanner.skip('-')) return std::nullopt;
  const auto day = scanner.number(1, 2);
  if (!day || *month < 1 || *month > 12 || *day < 1 || *day > 31) return std::nullopt;
  return days_from_civil(negative ? -*year : *year, static_cast<int>(*month), static_cast<int>(*day));
}

// hh:mm[:ss[.fraction]] in nanoseconds.
std::optional<std::int64_t> clock(Scanner& scanner) {
  const auto hours = scanner.number(1, 2);
  if (!hours || *hours > 23 || !scanner.skip(':')) return std::nullopt;
  const auto minutes = scanner.number(1, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  std::int64_t ns = (*hours * 3600 + *minutes * 60) * ns_per_s;
  if (!scanner.skip(':')) return ns;
  const auto seconds = scanner.number(1, 2);
  if (!seconds || *seconds > 59) return std::nullopt;
  ns += *seconds * ns_per_s;
  if (!scanner.skip('.')) return ns;
  auto fraction = scanner.number(1, 9);
  if (!fraction) return std::nullopt;
  for (std::size_t digits = scanner.digits(); digits < 9; ++digits) *fraction *= 10;
  return ns + *fraction;
}

// Z, UTC, GMT, +hh, +hhmm, +hh:mm: seconds east of UTC.
std::optional<std::int64_t> zone(Scanner& scanner) {
  scanner.skip(' ');
  if (scanner.done()) return 0;
  const std::string_view name = scanner.word();
  if (name == "Z" || name == "UTC" || name == "GMT") return 0;
  if (!name.empty()) return std::nullopt;
  const bool west = scanner.next() == '-';
  if (!scanner.skip('-') && !scanner.skip('+')) return std::nullopt;
  const auto hours = scanner.number(2, 2);
  if (!hours) return std::nullopt;
  scanner.skip(':');
  const auto minutes = scanner.done() ? std::optional<std::int64_t>(0) : scanner.number(2, 2);
  if (!minutes) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return west ? -seconds : seconds;
}

bool add_unit(CqlDuration& duration, std::int64_t count, std::string_view unit) {
  constexpr std::int64_t minute = 60 * ns_per_s;
  if (unit == "y") {
    duration.months += 12 * count;
  } else if (unit == "mo") {
    duration.months += count;
  } else if (unit == "w") {
    duration.days += 7 * count;
  } else if (unit == "d") {
    duration.days += count;
  } else if (unit == "h") {
    duration.nanoseconds += 60 * minute * count;
  } else if (unit == "m") {
    duration.nanoseconds += minute * count;
  } else if (unit == "s") {
    duration.nanoseconds += ns_per_s * count;
  } else if (unit == "ms") {
    duration.nanoseconds += 1'000'000 * count;
  } else if (unit == "us" || unit == "\xC2\xB5s") {
    duration.nanoseconds += 1'000 * count;
  } else if (unit == "ns") {
    duration.nanoseconds += count;
  } else {
    return false;
  }
  return true;
}

std::optional<CqlDuration> iso_duration(Scanner& scanner) {
  CqlDuration duration;
  bool of_day = false;
  while (!scanner.done()) {
    if (scanner.skip('T')) of_day = true;
    const auto count = scanner.number(1, 18);
    if (!count) return std::nullopt;
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(scanner.next())));
    if (!scanner.skip(scanner.next())) return std::nullopt;
    const bool month = letter == 'm' && !of_day;
    if (!add_unit(duration, *count, month ? std::string_view("mo") : std::string_view(&letter, 1))) return std::nullopt;
  }
  return duration;
}

}  // namespace

std::optional<std::int64_t> parse_cql_date(std::string_view text) {
  Scanner scanner(text);
  const auto days = date(scanner);
  return scanner.done() ? days : std::nullopt;
}

std::optional<std::int64_t> parse_cql_time(std::string_view text) {
  Scanner scanner(text);
  const auto ns = clock(scanner);
  return scanner.done() ? ns : std::nullopt;
}

std::optional<std::int64_t> parse_cql_timestamp(std::string_view text) {
  Scanner scanner(text);
  const auto days = date(scanner);
  if (!days) return std::nullopt;
  std::int64_t ms = *days * seconds_per_day * ms_per_s;
  if (scanner.skip('T') || scanner.skip(' ')) {
    const auto ns = clock(scanner);
    if (!ns) return std::nullopt;
    ms += *ns / 1'000'000;
  }
  const auto east_s = zone(scanner);
  if (!east_s || !scanner.done()) return std::nullopt;
  return ms - *east_s * ms_per_s;
}

std::optional<CqlDuration> parse_cql_duration(std::string_view text) {
  Scanner scanner(text);
  const bool negative = scanner.skip('-');
  CqlDuration duration;
  if (scanner.skip('P')) {
    const auto iso = iso_duration(scanner);
    if (!iso) return std::nullopt;
    duration = *iso;
  } else {
    do {
      const auto count = scanner.number(1, 18);
      if (!count) return std::nullopt;
      std::array<char, 2> unit{};
      std::size_t letters = 0;
      while (letters < 2 && std::isalpha(static_cast<unsigned char>(scanner.next())) != 0) {
        unit[letters++] = static_cast<char>(std::tolower(static_cast<unsigned char>(scanner.next())));
        scanner.skip(scanner.next());
      }
      if (!add_unit(duration, *count, {unit.data(), letters})) return std::nullopt;
    } while (!scanner.done());
  }
  if (negative) duration = {.months = -duration.months, .days = -duration.days, .nanoseconds = -duration.nanoseconds};
  return duration;
}

}  // namespace windrow
