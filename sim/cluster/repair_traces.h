#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/fault_record.h"
#include "sim/engine/node.h"
#include "sim/strategy/window_order.h"

namespace windrow {

/// What repairs leave on one node: SSTables that they sent it or made there, until compactions have taken them. Told by
/// the node, and by repairs of what they sent.
class RepairTraces {
 public:
  RepairTraces(int node, const Scenario& scenario);

  /// All that one step has sent, which is there now.
  void received(const TableStore& table, int t, std::span<const SSTablePtr> files, Micros at_us);
  void flushed(const FlushEvent& event);
  void committed(const CommitEvent& event);
  void gone(const GoneEvent& event);
  void sampled(const Node& node);

  /// At the end of the run, of each table that is repaired.
  std::vector<NodeRepairs> finish(Micros end_us);

 private:
  struct TouchedWindow {
    Micros since_us = 0;
    std::int64_t files = 0;
    std::int64_t files_before = 0;
  };
  struct OfTable {
    NodeRepairs sum{};
    std::map<std::int64_t, Micros> waiting{};  // SSTables that no compaction has taken, and when they came
    Micros waited_us = 0;
    std::optional<TimeWindows> windows{};  // none: the table has none
    std::map<Millis, TouchedWindow> touched{};
    Micros touched_us = 0;
    std::int64_t samples = 0;
    double repaired_sum = 0;
    double pending_sum = 0;
  };
  OfTable* of(int t);
  void leave(OfTable& table, Millis window, Micros at_us);

  std::map<int, OfTable> tables_{};
};

}  // namespace windrow
