#pragma once

#include <string>

#include "sim/page/charts.h"

namespace windrow {

inline constexpr const char* page_name = "report.html";

/// The page from the texts of a result: summary.json, scenario.ini and the CSV files. Nothing else goes in, so that
/// a page drawn again from a folder is the page that the run wrote, byte for byte, and every number of it is in those
/// files. Throws PageError.
std::string review_page(const ResultTexts& texts);

/// What review_page reads.
const std::vector<std::string>& page_sources();
/// What it reads where there is one: runs of several nodes, with outages or repairs, have them.
const std::vector<std::string>& node_page_sources();

}  // namespace windrow
