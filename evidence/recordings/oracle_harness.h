#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "sim/engine/table_store.h"

namespace windrow {

/// Sees what a replay does, in order.
class HarnessObserver {
 public:
  virtual ~HarnessObserver() = default;
  virtual void flushed(Seconds, const char* /*reason: timer, rows or alter*/, const TableStore&, const Change&) {}
  virtual void picked(Seconds, const TableStore&, const Task&) {}
  virtual void committed(Seconds, const TableStore&, const Task&, const Change&) {}
  virtual void altered(Seconds, const OracleAlter&) {}
  /// A step of a repair, after it.
  virtual void repaired(Seconds, const TableStore&, const OracleRepair&, const std::vector<std::int64_t>& /*files*/) {}
  /// A task of kind repair_finished, after it.
  virtual void repair_finished(Seconds, const TableStore&, const Pick&) {}
  /// A task of kind level_change that was picked, after it.
  virtual void level_changed(Seconds, const TableStore&, const Task&) {}
  /// At the scenario's samples, after everything else of their second.
  virtual void sampled(Seconds, const TableStore&) {}
  /// A loop whose first call found nothing.
  virtual void found_nothing(Seconds) {}
};

/// Where picks come from: the strategy, or a recording.
using PickSource = std::function<Pick(TableStore&, Seconds now_s)>;

/// Tasks of a major compaction, which must be reserved: the strategy's (TableStore::reserve_major), or a recording's.
using MajorSource = std::function<std::vector<Pick>(TableStore&, Seconds now_s)>;

/// When a task of the delayed mode commits, of which the harness would say `computed_s` from the bytes it reads. Asked
/// once for each task that is not committed at once, in the order picked.
using CommitTimes = std::function<Seconds(Seconds picked_s, Seconds computed_s)>;

/// How a table's settings follow from its CREATE TABLE, and how an ALTER changes them; tells whether the compaction map
/// was given.
struct HarnessSchema {
  TableSettings created{};
  std::function<bool(TableSettings&, const OracleAlter&)> alter{};
};

/// A table that is played. All that is pointed to outlives the play.
struct PlayedTable {
  const OracleScenario* scenario = nullptr;
  const TableWorkload* workload = nullptr;
  HarnessSchema schema{};
  DiskSizer sizer{};
  PickSource picks{};
  MajorSource majors{};
  CommitTimes commit_times{};  // none: as computed
  std::vector<HarnessObserver*> observers{};
};

/// Plays a recorded scenario in the recording harness's order of actions (tests/oracle/README.md), with interval
/// cohorts.
void play(const PlayedTable& table);

/// Plays several tables of one node: second by second in the order given, with one set of compaction slots, which is
/// the first's.
void play_together(const std::vector<PlayedTable>& tables);

}  // namespace windrow
