#pragma once

#include <string>
#include <vector>

#include "sim/page/result_text.h"

namespace windrow {

/// The page of a comparison from the texts of its files, by name, and nothing else: drawn again it is the same. Throws
/// PageError.
std::string comparison_page(const ResultTexts& texts);

/// What comparison_page reads: compare.json and the timeline.
const std::vector<std::string>& comparison_page_sources();

inline constexpr const char* comparison_json_name = "compare.json";

}  // namespace windrow
