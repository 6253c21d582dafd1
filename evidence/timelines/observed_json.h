#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "evidence/timelines/timeline_case.h"

namespace windrow {

/// v is 0, w is 1.
std::int16_t column_number(const std::string& name);

/// What lay on a replica: fragments of partitions become content.
Observation read_observation(const nlohmann::json& json, int node, const std::map<std::string, Token>& tokens,
                             TextValues& values);

}  // namespace windrow
