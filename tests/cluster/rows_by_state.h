#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "sim/cluster/replica_rows.h"
#include "sim/replica/replica.h"

namespace windrow_test {

/// A row, or the delete of a row, by itself: its partition's token, its clustering value, and which of the two it is.
using OneRow = std::tuple<windrow::Token, std::int64_t, bool>;

/// What a replica's files hold, within each state of repairs; files of a session that has ended count as what they
/// become.
using RowsByState = std::map<std::tuple<windrow::Millis, std::int64_t>, std::set<OneRow>>;
RowsByState rows_by_state(const windrow::Replica& replica, const windrow::EndedSessions& ended);

/// A node's table as the row-by-row replica that verify plays: its files with their states, and its memtable.
windrow::Replica replica_of(const windrow::TableReplicas& table, int node);

}  // namespace windrow_test
