#pragma once

#include <string>
#include <vector>

#include "sim/compare/compared_run.h"

namespace windrow {

struct ComparisonStyle {
  std::size_t width = 100;  // columns of the terminal
  bool color = false;
};

/// The runs side by side, a column each, the best of every line marked; as many tables below each other as the width
/// needs.
std::string comparison_as_text(const std::vector<ComparedRun>& runs, const ComparisonStyle& style);
/// compare.csv: a line per run and table.
std::string comparison_as_csv(const std::vector<ComparedRun>& runs);
/// compare.json: everything, limits included, and the lines of the comparison with what is best in each.
std::string comparison_as_json(const std::vector<ComparedRun>& runs);
/// Every sample of every run and table.
std::string comparison_timeline_csv(const std::vector<ComparedRun>& runs);
inline constexpr const char* comparison_timeline_name = "compare-timeline.csv";

}  // namespace windrow
