#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace windrow::test {

/// A summary with one table "t", made by hand.
nlohmann::json made_summary();

/// The same with other values of the table.
nlohmann::json with(const std::vector<std::pair<std::string, nlohmann::json>>& values);

}  // namespace windrow::test
