#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cluster/fault_record.h"
#include "sim/record/run_record.h"

namespace windrow {

/// What repairs cost a node in a table, and what the engine would have streamed to it.
struct NodeRepairsSaid {
  NodeRepairs cost{};
  StreamedLeaves leaves{};  // received in all steps
  std::string says{};       // all of it in words: on the terminal, on the page and in summary.json
};

/// The page and the terminal say so many, summary.json all.
constexpr std::size_t node_repairs_said = 6;

/// Of a record with faults: nodes that repairs sent or changed something, those that got most SSTables first.
std::vector<NodeRepairsSaid> node_repairs(const RunRecord& record);

/// As summary.json has them.
nlohmann::ordered_json node_repairs_json(const RunRecord& record);

}  // namespace windrow
