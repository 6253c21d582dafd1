#include "sim/text/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 8> names = {"bytes", "rows",  "cells", "share",
                                                   "count", "ratio", "days",  "seconds"};

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

}  // namespace windrow
