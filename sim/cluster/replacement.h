#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/replica_rows.h"

namespace windrow {

/// A replica that sends a node which takes another's place what both hold.
struct ReplacementSource {
  int node = 0;
  SharedSets sets{};  // of which it sends rows; null: all
};

/// One replica that is up for every range, as evenly as they come, in the order of nodes (RangeStreamer, Cassandra
/// 5.0.9, which draws lots between equals). Ranges that only the node itself holds have none; nothing if another one
/// has no replica that is up.
std::optional<std::vector<ReplacementSource>> replacement_sources(const RingRows& ring, int node,
                                                                  const std::vector<bool>& away);

/// What lies on the source's disk of its ranges: a file each of its files, old tombstones included, with the state of
/// its repairs (CassandraStreamManager, Cassandra 5.0.9). In the numbers of the node that receives it.
struct SentFile {
  Content content{};
  RepairStatus repair{};
};
std::vector<SentFile> files_to_send(const TableReplicas& replicas, const ReplacementSource& source, int node,
                                    Micros now_us);

}  // namespace windrow
