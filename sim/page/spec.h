#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace windrow {

/// A chart's spec from plots/, by name.
const nlohmann::json& chart_spec(std::string_view name);

/// The spec with a run's values in it: files become the page's data sets, `params` go over the parameters of the same
/// names (and over title and height), `lines` into the data set of that name, and time is cut as the data is.
nlohmann::json filled_spec(const nlohmann::json& spec, const nlohmann::json& params, const nlohmann::json& lines,
                           const std::string& time_unit);

/// Series that a spec folds and stacks but that have no value above 0 go, from the legend and the tooltip too; the
/// first stays.
void drop_empty_series(nlohmann::json& spec, const std::function<bool(const std::string& column)>& has_values);

/// One unit for an axis that goes up to so many bytes, as parameters.
nlohmann::json bytes_params(double largest);

/// A line for a bound, unless it lies so far above everything that the rest would be flat.
void add_line(nlohmann::json& lines, double bound, double largest, std::string what);

/// Dates as the captions write them; hours where a run has no more than a few days.
std::string date_format(std::string_view start_iso, std::string_view end_iso);

}  // namespace windrow
