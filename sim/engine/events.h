#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/table_store.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Why a memtable was written.
enum class FlushReason { memtable_size, heap, commit_log, period, alter, action, snapshot, recorded };
std::string_view flush_reason_name(FlushReason reason);

/// A compaction that runs on a node.
struct Job {
  std::int64_t number = 0;  // on this node, from 1
  int table = 0;
  Task task{};
  Micros started_us = 0;
  bool major = false;
  double bytes_left = 0;       // compressed input bytes still to be read
  Bytes output_bytes_max = 0;  // temporary space it may need: the inputs that are read
};

struct FlushEvent {
  Micros at_us = 0;
  int table = 0;
  FlushReason reason = FlushReason::heap;
  const Change* change = nullptr;
};
struct CommitEvent {
  Micros at_us = 0;
  int table = 0;
  const Job* job = nullptr;
  const Change* change = nullptr;
  std::span<const SSTablePtr> removed{};  // the inputs, which have just left the table
};
/// A file that goes to another level as it is (PickKind::level_change).
struct LevelEvent {
  Micros at_us = 0;
  int table = 0;
  std::int64_t id = 0;
  int level = 0;
};
/// Files that another replica has sent.
struct StreamEvent {
  Micros at_us = 0;
  int table = 0;
  const Change* change = nullptr;
};
/// All files of a table leave at once: truncate, drop.
struct GoneEvent {
  Micros at_us = 0;
  int table = 0;
  std::string_view why{};
  std::span<const SSTablePtr> removed{};
};
/// A task that found too little disk space even after scope reduction (rules 10.8, 10.9): once, or the same one at each
/// of several background checks that follow each other.
struct RefusalEvent {
  Micros at_us = 0;
  int table = 0;
  std::int64_t times = 1;
  Micros every_us = 0;
  Bytes needed_bytes = 0;
  Bytes available_bytes = 0;
};

class Node;

/// Watches a run; cannot disturb it.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void flushed(const Node&, const FlushEvent&) {}
  virtual void streamed(const Node&, const StreamEvent&) {}
  virtual void started(const Node&, const Job&) {}
  virtual void committed(const Node&, const CommitEvent&) {}
  virtual void level_changed(const Node&, const LevelEvent&) {}
  virtual void refused(const Node&, const RefusalEvent&) {}
  virtual void altered(const Node&, const ChangeSpec&) {}
  virtual void gone(const Node&, const GoneEvent&) {}
  /// After what an operator did. What it flushed, compacted or removed has been told.
  virtual void acted(const Node&, const ActionSpec&) {}
  /// Also after it was down.
  virtual void restarted(const Node&) {}
  /// Every Scenario::sample_us from the start, and at the end.
  virtual void sampled(const Node&) {}
};

struct RunOptions {
  /// False: background checks at which nothing can be found are passed over. True: every check asks every table, as the
  /// engine does. The run is the same, and slower.
  bool ask_at_every_check = false;
  /// Called now and then with the simulated time; false ends the run there.
  std::function<bool(Micros)> go_on{};
  /// What the node holds of the ring, by table; null, and none: all of it.
  std::vector<std::shared_ptr<const LocalRanges>> local_ranges{};
};

}  // namespace windrow
