#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/cluster_load.h"
#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

const std::string& center_name(const RunRecord& record, int node);
/// rack1, rack2, …
std::string rack_name(const NodePlace& place);

/// What is behind a node's load in an hour, in words.
struct NamedCause {
  std::string stream{};
  std::string entity{};  // its name, or how many there are
  std::string bucket{};  // of an entity by itself; empty: there is none
  std::optional<std::int64_t> shard{};
  std::vector<int> replicas{};  // numbers of the nodes that have the partition, from 1; empty: of many partitions
};
std::optional<NamedCause> named_cause(const RunRecord& record, int hour, int node);

/// "1+3+6".
std::string nodes_text(const std::vector<int>& nodes);

/// Uncompressed bytes that a node is written in an hour, with the run's mean bytes per row of each table.
Bytes write_bytes(const RunRecord& record, int hour, int node);

/// The node and hour furthest above the mean of a data centre, the first of them.
struct HottestNode {
  int node = 0;
  int hour = 0;
  double over_mean = 0;
};
HottestNode hottest_node(const ClusterLoad& load, int datacenter);
/// The same over all data centres; of equals the one of the first.
HottestNode hottest_node(const ClusterLoad& load);

// load.csv, nodes.csv, ring.csv, nodetool/ring.txt, nodetool/status.txt, of a record with a load.
void write_load(const RunRecord& record, Sink& sink);
void write_nodes(const RunRecord& record, Sink& sink);
void write_ring(const RunRecord& record, Sink& sink);
void write_nodetool_ring(const RunRecord& record, Sink& sink);
void write_nodetool_status(const RunRecord& record, Sink& sink);

}  // namespace windrow
