#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace windrow {

/// Calls `apply` with a write, or with each of the n writes that a "gen" step stands for.
void each_statement(const nlohmann::json& step, const std::function<void(const nlohmann::json&)>& apply);

}  // namespace windrow
