#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace windrow {

/// Text from outside (names of tables, entities, scenarios) made inert: control characters, escape sequences,
/// characters that turn the direction of writing and bytes that are no UTF-8 appear as \u{…} or \x….
std::string printable(std::string_view text);

/// "2026-01-01T00:00:00Z"; seconds are whole, fractions cut off.
std::string iso_time(Micros at_us);
std::string iso_time_s(Seconds at_s);
void append_iso_time_s(std::string& text, Seconds at_s);
/// "2026-01-01".
std::string iso_day(Micros at_us);

void append_number(std::string& text, std::int64_t value);

/// At most nine significant digits; whole numbers whole.
std::string plain_number(double value);
/// The double that plain_number prints.
double nine_digits(double value);

/// For people: "1,234,567", "12.3", "0.0123".
std::string human_count(double value);
/// For people: "1 SSTable", "12 SSTables", "1.02 times": one or many as the printed number says. `many` is said of a
/// noun that does not take an s.
std::string number_of(double value, std::string_view one, std::string_view many = {});
template <std::integral Whole>
std::string number_of(Whole value, std::string_view one, std::string_view many = {}) {
  return number_of(static_cast<double>(value), one, many);
}
/// For people: "917 B", "1.52 KiB", "97.3 MiB".
std::string human_bytes(double bytes);
/// For people: "45 s", "3.2 h", "12.5 d".
std::string human_span(double seconds);
/// For people: "12.3 %"; never 0 % or 100 % of what is not.
std::string human_share(double share);

/// Columns that a text takes on a terminal: code points.
std::size_t text_width(std::string_view utf8);

}  // namespace windrow
