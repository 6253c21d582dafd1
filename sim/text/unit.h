#pragma once

#include <string>
#include <string_view>

namespace windrow {

/// What a number of a result counts.
enum class Unit { bytes, rows, cells, share, count, ratio, days, seconds };

/// "bytes", as result files name it.
std::string_view unit_name(Unit unit);
/// The unit of that name; count for any other.
Unit unit_named(std::string_view name);

/// For people: "97.3 MiB", "12.3 %", "12.5 d", "1,440 rows".
std::string in_unit(Unit unit, double value);
/// The same of a value that stands beside another, with as many digits as it takes to tell them apart: 100.0001 MiB
/// beside 100 MiB.
std::string in_unit_beside(Unit unit, double value, double other);

}  // namespace windrow
