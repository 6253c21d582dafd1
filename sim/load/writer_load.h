#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/load/hourly.h"
#include "sim/load/node_shares.h"
#include "sim/placement/budget.h"
#include "sim/placement/replica_sets.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// Where one writer's rows go, hour by hour. What it is given outlives it.
class WriterLoad {
 public:
  WriterLoad(const TableWorkload& workload, const Writer& writer, const Hours& hours);

  const Writer& writer() const { return *writer_; }
  SlotKeys keys() const {
    return {.keys = writer_->keys.get(), .entities = writer_->entities, .shards = writer_->shards};
  }
  /// Buckets from its first row to its last; 0: it writes nothing.
  std::int64_t buckets() const { return buckets_; }
  PlacementDemand demand(bool named) const;
  /// Rows that arrive in the run, before they are copied.
  std::int64_t rows() const;
  /// The same by hour.
  void add_rows(std::vector<std::int64_t>& by_hour) const;

  /// Adds the rows of every hour and node. Σ over nodes = copies × rows, in every hour.
  /// And tells `shares`, if there is somebody to tell, what each node has.
  void add(const PlacementPlan& plan, std::uint64_t seed, const ReplicaMap& replicas, NodeHours& to,
           NodeShares* shares) const;

  /// The partition that brings a node the most rows in an hour, of a writer whose keys are hashed.
  struct Busiest {
    std::int64_t bucket = 0;
    std::int64_t slot = 0;
    std::int64_t rows = 0;
    int set = 0;
  };
  std::optional<Busiest> busiest(int hour, int node, const ReplicaMap& replicas) const;

 private:
  /// One kind of its rows, and how many have arrived when an hour begins.
  struct Part {
    const SubStream* stream = nullptr;
    std::vector<std::int64_t> arrived{};  // by hour, and at the end of the last
  };
  /// Calls `visit(part, hour, from, to)` with members of a bucket that arrive in an hour, hours ascending.
  template <typename Visit>
  void visit_bucket(std::int64_t bucket, Visit visit) const;
  /// First and last bucket of what arrives in an hour; the first above the last: nothing does.
  std::pair<std::int64_t, std::int64_t> buckets_of_hour(int hour) const;
  /// Of the writer's rows [0, g).
  std::int64_t rows_of_slot(std::int64_t g, std::int64_t slot) const {
    const std::int64_t slots = writer_->most_slots();
    return g / slots + (g % slots > slot ? 1 : 0);
  }
  template <typename Visit>
  static void visit_sent(const SubStream& stream, std::int64_t from, std::int64_t to, Visit visit);

  const Writer* writer_;
  std::vector<Part> parts_{};
  std::int64_t first_bucket_ = 0;
  std::int64_t buckets_ = 0;
};

}  // namespace windrow
