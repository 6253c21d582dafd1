#include "sim/text/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 8> names = {"bytes", "rows",  "cells", "share",
                                                   "count", "ratio", "days",  "seconds"};

struct Scale {
  std::string_view suffix{};
  double length = 1;
};
constexpr std::array<Scale, 11> scales = {{{" B", 1},
                                           {" KiB", 1024.0},
                                           {" MiB", 1024.0 * 1024},
                                           {" GiB", 1024.0 * 1024 * 1024},
                                           {" TiB", 1024.0 * 1024 * 1024 * 1024},
                                           {" PiB", 1024.0 * 1024 * 1024 * 1024 * 1024},
                                           {" %", 0.01},
                                           {" s", 1},
                                           {" min", 60},
                                           {" h", 3'600},
                                           {" d", 86'400}}};

std::string_view suffix_of(std::string_view said) {
  const std::size_t space = said.rfind(' ');
  return space == std::string_view::npos ? std::string_view() : said.substr(space);
}

/// 100 and 100.0 are one number.
double number_said(std::string said) {
  std::erase(said, ',');
  return std::strtod(said.c_str(), nullptr);
}

std::string with_decimals(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace

std::string_view unit_name(Unit unit) { return names[static_cast<std::size_t>(unit)]; }

Unit unit_named(std::string_view name) {
  const auto* found = std::ranges::find(names, name);
  return found == names.end() ? Unit::count : static_cast<Unit>(found - names.begin());
}

std::string in_unit(Unit unit, double value) {
  switch (unit) {
    case Unit::bytes:
      return human_bytes(value);
    case Unit::share:
      return human_share(value);
    case Unit::days:
      return human_count(value) + " d";
    case Unit::seconds:
      return human_span(value);
    case Unit::rows:
    case Unit::cells:
      return fmt::format("{} {}", human_count(value), unit_name(unit));
    case Unit::count:
    case Unit::ratio:
      break;
  }
  return human_count(value);
}

std::string in_unit_beside(Unit unit, double value, double other) {
  std::string said = in_unit(unit, value);
  const std::string said_of_other = in_unit(unit, other);
  const std::string_view suffix = suffix_of(said);
  if (value == other || suffix != suffix_of(said_of_other) || number_said(said) != number_said(said_of_other))
    return said;
  const bool scaled = unit == Unit::bytes || unit == Unit::share || unit == Unit::seconds;
  const auto* found = std::ranges::find(scales, suffix, &Scale::suffix);
  const double length = scaled && found != scales.end() ? found->length : 1;
  constexpr int most_decimals = 12;
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    std::string text = with_decimals(value / length, decimals);
    if (text != with_decimals(other / length, decimals)) return text.append(suffix);
  }
  return said;
}

}  // namespace windrow
