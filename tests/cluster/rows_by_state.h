#pragma once

#include <boost/container/flat_set.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/cluster/replica_rows.h"
#include "sim/replica/replica.h"

namespace windrow_test {

/// A row, or the delete of a row, by itself: its partition's token, its clustering value, and which of the two it is.
using OneRow = std::tuple<windrow::Token, std::int64_t, bool>;

/// What a replica's files hold, within each state of repairs; files of a session that has ended count as what they
/// become.
using RowSet = boost::container::flat_set<OneRow>;
using RowsByState = std::map<std::tuple<windrow::Millis, std::int64_t>, RowSet>;
RowsByState rows_by_state(const windrow::Replica& replica, const windrow::EndedSessions& ended);

/// The rows of a table's nodes. A file never changes: its rows are looked up once.
class NodeRows {
 public:
  explicit NodeRows(const windrow::TableReplicas& table);

  /// A node's table as the row-by-row replica that verify plays: its files with their states, and its memtable.
  windrow::Replica replica(int node);

 private:
  struct FileRows {
    windrow::SSTablePtr file{};
    windrow::Seconds default_ttl_s = 0;
    windrow::KeyedContent rows{};
  };

  windrow::Token token_of(int sub_stream, std::int64_t member);
  windrow::KeyedPartition one_row(int sub_stream, std::int64_t member, windrow::Seconds default_ttl_s);
  windrow::KeyedContent rows_of(int node, const windrow::Content& content);
  const windrow::KeyedContent& rows_of(int node, const windrow::SSTablePtr& file);

  const windrow::TableReplicas& table_;
  std::vector<std::map<std::int64_t, FileRows>> files_;             // by node, id
  std::vector<std::vector<std::optional<windrow::Token>>> tokens_;  // by sub-stream, member
};

}  // namespace windrow_test
