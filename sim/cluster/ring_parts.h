#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/content/set_mask.h"
#include "sim/ring/replica_map.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// What a step of a repair is about: a node's ranges (none: all nodes'), or the n-th part of each, counted from 0.
struct RangesWanted {
  std::optional<int> node{};
  bool primary = false;  // those alone of which the node is the first replica (nodetool repair -pr)
  std::int64_t subranges = 1;
  std::int64_t subrange = 0;
};

/// The ring in the parts that replica sets and repairs tell apart, numbered as they come: tokens of one part have the
/// same replicas, and whatever step of a repair is about one of them is about all.
class RingParts {
 public:
  /// `subranges`: into how many each range is cut, for each repair that cuts. `by_primary`: repairs tell first replicas
  /// apart. With neither the parts are the replica sets, with their numbers.
  RingParts(ReplicaMap replicas, std::vector<std::int64_t> subranges, bool by_primary);

  std::size_t count() const { return parts_; }
  /// True if the parts are the replica sets.
  bool are_sets() const { return ends_.empty(); }
  const ReplicaMap& replicas() const { return replicas_; }
  int part_of(Token token) const;
  /// Parts of which the node is a replica.
  SetMask held_by(int node) const;

  SetMask parts(const RangesWanted& wanted) const;
  std::vector<TokenRange> ranges(const RangesWanted& wanted) const;
  /// The same, as they are hashed: a tree for each range of the ring, or for the n-th part of it.
  std::vector<TokenRange> trees(const RangesWanted& wanted) const;

 private:
  /// Of one range of the ring, between two cuts.
  struct Slice {
    TokenRange tokens{};
    std::size_t range = 0;
    int part = 0;
  };
  bool is_wanted(const Slice& slice, const RangesWanted& wanted) const;
  void cut(const std::vector<std::int64_t>& subranges, bool by_primary);

  ReplicaMap replicas_;
  std::vector<Slice> slices_{};  // along the ring
  std::vector<Token> ends_{};    // of the slices, ascending; empty where parts are replica sets
  std::size_t parts_ = 0;
};

}  // namespace windrow
