#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/cluster/keyed_reads.h"
#include "sim/cluster/repairs.h"

namespace windrow {

/// Entities of a writer that requests of one coordinator asked for.
struct AskedEntities {
  int coordinator = 0;
  int writer = 0;  // WriterSpec: place among the scenario's writers of the table
  std::vector<bool> entities{};
};

/// Which entities were asked for in (from, to]: each request goes to one of these coordinators and asks for one entity
/// (or so many) of the stream, all alike; drawn from the scenario's seed. By coordinator, then writer; of writers of
/// the same entities the one that writes last.
std::vector<AskedEntities> asked_entities(const Scenario& scenario, const ReadSpec& read,
                                          const std::vector<int>& coordinators, Micros from_us, Micros to_us);

/// Rows [first, second) of a writer that a request at this time asks for: those with events in its range, or, of every
/// partition, as many of the newest that were written as it wants.
std::pair<std::int64_t, std::int64_t> rows_asked(const Writer& writer, const ReadSpec& read, Micros now_us);

/// Reads that wait for several replicas write to each what it lacks of what the others answered (DataResolver,
/// RowIteratorMergeListener; read_repair = BLOCKING; Cassandra 5.0.9). All reads between two calls happen at the
/// second, one kind after the other, one coordinator after the other. A replica that has a row already, in whatever
/// file and state, is not sent it again. Coordinators are the live nodes of all data centres, each asks its own first.
class ReadRepairs {
 public:
  explicit ReadRepairs(const RepairedCluster& cluster);
  /// Reads since it was last called, or since the start.
  void read_until(Micros now_us);

 private:
  using RowsByNode = std::vector<std::vector<Cohort>>;  // in the cluster's numbers
  void play(const ReadSpec& read, Micros now_us);
  void play_keyed(const ReadSpec& read, const std::vector<AskedEntities>& asked, Micros now_us);
  /// Where the record counts what the read has written to the node.
  ReadRepair& written(const ReadSpec& read, int node, Micros now_us);
  void play_stream(const ReadSpec& read, int sub_stream, int tombstones, const std::vector<Difference>& found,
                   const std::vector<AskedEntities>& asked, Micros now_us, RowsByNode& writes);
  std::vector<int> contacts(const ReadSpec& read, int coordinator, Token token) const;

  RepairedCluster at_;
  std::vector<const ReadSpec*> reads_{};     // that may repair something
  std::optional<ReplicaMap> replica_map_{};  // none: all nodes hold every row, and have no tokens
  std::map<int, KeyedReads> keyed_{};        // by table, of rows that are held one by one
  Micros read_us_ = 0;                       // reads have been played until then
};

}  // namespace windrow
