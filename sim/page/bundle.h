#pragma once

#include <string_view>

namespace windrow {

// Made from plots/ when the program is built (cmake/page.cmake), and part of it.

/// The page with its libraries and scripts; {{title}}, {{body}} and {{data}} are to be filled, in this order.
std::string_view page_template();
/// A JSON object of Vega-Lite specs by name.
std::string_view chart_specs();

}  // namespace windrow
