#pragma once

#include <vector>

#include "sim/content/row_sets.h"
#include "sim/engine/node.h"

namespace windrow {

// What of a sub-stream lies on a node, in files and memtable, as disjoint sets of its members in the fewest pieces.

/// All of them, in whatever state.
std::vector<Cohort> members_on(const TableStore& table, int sub_stream);
/// Rows that still have their values, expired or not.
std::vector<Cohort> values_on(const TableStore& table, int sub_stream);

/// Sub-streams of row tombstones of a table, with the sub-stream that each deletes from.
struct RowDeletesOf {
  int tombstones = 0;
  int target = 0;
};
std::vector<RowDeletesOf> deletes_in(const TableWorkload& workload);

/// Members that are sent and arrive in [from, to).
std::vector<Cohort> members_arriving(const TableWorkload& workload, int sub_stream, Micros from_us, Micros to_us);

}  // namespace windrow
