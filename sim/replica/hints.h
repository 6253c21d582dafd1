#pragma once

#include <cstdint>
#include <vector>

#include "sim/content/keyed_content.h"
#include "sim/replica/rules.h"

namespace windrow {

/// A write kept for a replica that was down.
struct Hint {
  Micros created_us = 0;
  Seconds gc_grace_s = 0;  // of the table, when it was written
  KeyedPartition mutation{};
};

struct HintFile {
  int target = 0;
  Micros created_us = 0;  // when its first hint was written
  bool open = true;       // a dispatch, or the end of the process, closes it
  std::vector<Hint> hints{};
};

/// What the coordinator looks at before it writes a hint.
struct HintSettings {
  bool handoff = true;           // nodetool enablehandoff
  bool dispatch_paused = false;  // nodetool pausehandoff
  Millis max_hint_window_ms = 3 * 3600 * ms_per_s;
};

/// True if the hint is applied: neither the sender (gc_grace as it was) nor the receiver (as it is) finds it too old.
/// Hint.isLive, Cassandra 5.0.9.
bool hint_lives(const Hint& hint, Seconds gc_grace_s, Micros now_us, const ReplicaRules& rules);

/// The hints of one coordinator.
class HintStore {
 public:
  HintSettings settings{};

  /// StorageProxy.shouldHint, Cassandra 5.0.9: handoff is on, the target has not been down for longer than the window,
  /// and no hint file for it is older than that.
  bool takes(int target, Micros down_since_us, Micros now_us, const ReplicaRules& rules) const;
  void add(int target, Hint hint);

  /// All hints for the target, in order; their files go. None while paused.
  std::vector<Hint> dispatch(int target);
  /// nodetool truncatehints: closed files only.
  void truncate();
  /// The process ends.
  void close_files();
  /// The node is replaced.
  void wipe() { files_.clear(); }
  /// Hints for a node that was replaced.
  void forget(int target);

  const std::vector<HintFile>& files() const { return files_; }  // oldest first

 private:
  std::vector<HintFile> files_{};
};

}  // namespace windrow
