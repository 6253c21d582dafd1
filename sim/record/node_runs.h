#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/record/run_record.h"

namespace windrow {

// Nodes that differ are run each by itself; the record of the fullest has those of the others.

/// One record of the runs of a cluster's nodes, in node order: that of the node whose disk was fullest, with the worst
/// node's outcome of each limit.
RunRecord joined_runs(std::vector<RunRecord> runs);

/// The runs of all nodes that were run, in node order.
std::vector<const RunRecord*> node_runs(const RunRecord& record);

/// The run that tells of a node, from 1.
const RunRecord& run_of_node(const RunRecord& record, int node);

/// Calls `each(run, table)` for the tables of all nodes' runs, by node.
template <typename Each>
void each_node_table(const RunRecord& record, const Each& each) {
  for (const RunRecord* run : node_runs(record)) {
    for (const TableRecord& table : run->tables) each(*run, table);
  }
}

/// What a node has on average, of something that every run has.
template <typename Value>
double node_mean(const RunRecord& record, const Value& value) {
  double sum = 0;
  double nodes = 0;
  for (const RunRecord* run : node_runs(record)) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, run->identity.alike.size()));
    sum += count * static_cast<double>(value(*run));
    nodes += count;
  }
  return sum / nodes;
}

}  // namespace windrow
