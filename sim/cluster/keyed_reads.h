#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "sim/cluster/replica_rows.h"
#include "sim/content/keyed_content.h"

namespace windrow {

struct AskedEntities;

/// Clustering values [first, second) that a request at this time asks for, of each partition of the writer: those of
/// rows_asked. Empty: nothing has been written yet.
std::pair<std::int64_t, std::int64_t> clusterings_asked(const Writer& writer, const ReadSpec& read, Micros now_us);

/// What reads of a table write to nodes whose answers lack it, where rows are held one by one: answers are made,
/// compared and merged by the functions that `windrow verify` proves (sim/replica/read.h).
class KeyedReads {
 public:
  explicit KeyedReads(const TableReplicas& replicas) : replicas_(&replicas) {}

  /// The nodes that answer a coordinator's request; ascending.
  using Contacts = std::function<std::vector<int>(int coordinator, Token token)>;
  using WritesByNode = std::vector<std::vector<KeyedPartition>>;
  /// All that these requests write, one after the other.
  WritesByNode play(const ReadSpec& read, const std::vector<AskedEntities>& asked, const Contacts& contacts,
                    Micros now_us);

 private:
  void find_missed(Micros until_us);

  const TableReplicas* replicas_;
  std::set<Token> may_differ_{};   // partitions of which some node has missed a write
  std::size_t arrivals_seen_ = 0;  // KeyedArrival, by place
};

}  // namespace windrow
