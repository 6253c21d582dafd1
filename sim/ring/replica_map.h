#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// How many replicas a keyspace has.
struct Replication {
  enum class Strategy { network_topology, simple };
  Strategy strategy = Strategy::network_topology;
  std::vector<int> factors{};  // by data centre, 0 where missing; SimpleStrategy has one for all
};

/// Throws RingError where a data centre has fewer nodes than replicas, or a factor has no data centre.
void refuse_more_replicas_than_nodes(std::span<const NodePlace> places, const Replication& replication);

/// Which nodes hold what, of one keyspace: NetworkTopologyStrategy and SimpleStrategy .calculateNaturalReplicas,
/// Cassandra 5.0.9. With fewer nodes than replicas all nodes are replicas, as in the engine.
class ReplicaMap {
 public:
  /// The ring has a token. Of places only nodes with tokens count.
  ReplicaMap(const TokenRing& ring, std::span<const NodePlace> places, const Replication& replication);

  std::size_t ranges() const { return ends_.size(); }
  /// A range's tokens are (begin, end], round the ring; of a ring of one token both are that one.
  Token begin_of(std::size_t range) const { return ends_[range == 0 ? ends_.size() - 1 : range - 1]; }
  Token end_of(std::size_t range) const { return ends_[range]; }
  /// Of the ring (ring_share).
  double share_of(std::size_t range) const;
  /// Nodes in the order in which they are found from the range's end on; the first is the primary replica.
  std::span<const int> replicas(std::size_t range) const {
    return {&replicas_[range * replicas_each_], replicas_each_};
  }
  /// Number of the range's replica set; sets are numbered as they come along the ring.
  int set_of_range(std::size_t range) const { return set_of_range_[range]; }
  std::size_t sets() const { return replicas_each_ == 0 ? 1 : sets_.size() / replicas_each_; }
  /// Nodes of a set, ascending.
  std::span<const int> set(int number) const {
    return {sets_.data() + static_cast<std::size_t>(number) * replicas_each_, replicas_each_};
  }

  /// The range that holds a token.
  std::size_t range_of(Token token) const {
    const std::size_t slot = slot_of(token);
    std::size_t range = first_range_[slot];
    if (first_range_[slot + 1] - range > few) range = search(token, range, first_range_[slot + 1]);
    while (range < ends_.size() && ends_[range] < token) ++range;
    return range < ends_.size() ? range : 0;
  }
  int set_of(Token token) const { return set_of_range_[range_of(token)]; }

 private:
  static constexpr int slot_bits = 12;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  static constexpr std::uint32_t few = 8;

  static std::size_t slot_of(Token token) {
    return (static_cast<std::uint64_t>(token) ^ (std::uint64_t{1} << 63)) >> (64 - slot_bits);
  }
  std::size_t search(Token token, std::size_t from, std::size_t to) const;

  std::vector<Token> ends_{};
  std::size_t replicas_each_ = 0;
  std::vector<int> replicas_{};  // of range 0, of range 1, …
  std::vector<int> set_of_range_{};
  std::vector<int> sets_{};
  std::array<std::uint32_t, slots + 1> first_range_{};  // by the top bits of a token: the first range that may hold it
};

}  // namespace windrow
