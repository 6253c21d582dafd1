#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/replica_map.h"

namespace windrow {

/// The ranges that a node is a replica of, laid end to end: ShardManagerNoDisks over
/// ColumnFamilyStore.localRangesWeighted, Cassandra 5.0.9 (rules 9.3, 9.13), with its roundings.
class LocalRanges {
 public:
  LocalRanges(const ReplicaMap& replicas, int node);

  /// Share of the ring that they are.
  double coverage() const { return positions_.empty() ? 0 : positions_.back(); }
  /// Share of the ring within them that a file from `first` to `last` covers (rangeSpanned).
  double spanned(Token first, Token last) const;
  /// Ends of so many equal shares of them, without the last one's (BoundaryTracker).
  std::vector<Token> shard_ends(std::int64_t shards) const;

  friend bool operator==(const LocalRanges& a, const LocalRanges& b) { return a.ranges_ == b.ranges_; }

 private:
  /// (left, right]; right = min_token: to the end of the ring.
  struct Range {
    Token left = min_token;
    Token right = min_token;
    friend bool operator==(const Range&, const Range&) = default;
  };
  std::vector<Range> ranges_{};      // ascending
  std::vector<double> positions_{};  // of their ends
};

/// Null of a node that is a replica of every range: to it the ring is one range, as where none is known.
std::shared_ptr<const LocalRanges> local_ranges_of(const ReplicaMap& replicas, int node);

}  // namespace windrow
