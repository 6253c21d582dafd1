#pragma once

#include <span>
#include <string>

namespace windrow {

/// A line of bars, one column each: the largest of the values that fall into it, from an empty to a full bar; 0 is
/// empty. Values are evenly spaced. Fewer values than columns are stretched.
std::string spark_line(std::span<const double> values, std::size_t width);

}  // namespace windrow
