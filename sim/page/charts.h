#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/page/csv_columns.h"
#include "sim/page/facts.h"
#include "sim/page/result_text.h"
#include "sim/page/sentence.h"

namespace windrow {

/// A chart of one table, ready for the page.
struct Chart {
  std::string name{};  // of its spec: "disk"
  std::string title{};
  std::string question{};
  Sentence caption{};
  nlohmann::json spec{};
  std::vector<std::string> files{};  // that its data names
};

/// Its title and question are those of the spec of this name.
Chart made_chart(const std::string& name, Sentence caption, nlohmann::json spec, const std::string& file);

/// What one table's charts show, in the order of the page. Charts without data are not among them.
struct TableCharts {
  std::vector<Chart> charts{};
  nlohmann::json files = nlohmann::json::object();  // file → column → cells, thinned for the eye
};

TableCharts charts_of(const Facts& summary, const std::string& table, const ResultTexts& texts);

}  // namespace windrow
