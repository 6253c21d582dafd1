#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace windrow::test {

/// What the terminal says of limits, growth and tables beside the same numbers of summary.json (the page's are held to
/// summary.json in the browser): a sentence for each that differs. Months of one table, which share a line, are left
/// out.
std::vector<std::string> terminal_mistakes(const std::string& terminal, const nlohmann::json& summary);

}  // namespace windrow::test
