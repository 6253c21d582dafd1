#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// The writers of one table of a scenario, as one of several like nodes holds them (see node_share).
/// Throws std::invalid_argument for what is not modelled (static collections, overwritten ones, …), naming the
/// stream.
TableWorkload scenario_workload(const Scenario& scenario, int table);

/// Makes of a writer what one node has of it; false: nothing.
using OfNode = std::function<bool(Writer&, FateRule&)>;

/// The scenario with all nodes together: a cluster of one.
Scenario undivided(const Scenario& scenario);

/// The writers of an undivided scenario, each as `of_node` leaves it; it is shown all of them, in their order.
TableWorkload scenario_workload(const Scenario& scenario, int table, const OfNode& of_node);

/// True if the strategy of these options cuts SSTables by token.
bool cuts_by_token(const TableOptions& options);

/// True if a strategy that the table has at some time cuts SSTables by token.
bool cut_by_token(const Scenario& scenario, int table);

/// Partitions of a table that are there at once: those of the buckets that a TTL and gc_grace keep, of all writers.
std::int64_t most_partitions_alive(const TableWorkload& workload, const TableOptions& options);

/// Partitions of a table in the whole run.
std::int64_t partitions_written(const TableWorkload& workload);

/// True if no key of the table's rows is hashed to cut files by token: more partitions, or rows that would be looked
/// at, than run.exact_partitions. `ever`: the options that the table has at first, and after each ALTER.
bool spread_on_lattice(const TableWorkload& workload, std::span<const TableOptions> ever,
                       std::int64_t exact_partitions);

/// The options that a table has at first, and after each ALTER.
std::vector<TableOptions> options_ever(const Scenario& scenario, int table);

/// Rows of a table in the whole run: where keys are hashed, each cut by token looks at its rows one by one.
Rows rows_written(const TableWorkload& workload);

/// Share of the cluster's rows on one node, where nodes are alike: replication factor / nodes, of the data centre in
/// which it is largest.
double node_share(const Scenario& scenario);

}  // namespace windrow
