#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/table_store.h"
#include "sim/verify/oracle_scenario.h"

namespace windrow {

/// Sees what a replay does, in order.
class HarnessObserver {
 public:
  virtual ~HarnessObserver() = default;
  virtual void flushed(Seconds, const char* /*reason: timer, rows or alter*/, const TableStore&, const Change&) {}
  virtual void picked(Seconds, const TableStore&, const Task&) {}
  virtual void committed(Seconds, const TableStore&, const Task&, const Change&) {}
  virtual void altered(Seconds, const OracleAlter&) {}
  /// A call that found nothing.
  virtual void found_nothing(Seconds) {}
};

/// Where picks come from: the strategy, or a recording.
using PickSource = std::function<Pick(TableStore&, Seconds now_s)>;

/// How a table's settings follow from its CREATE TABLE, and how an ALTER changes them; tells whether the compaction map was given.
struct HarnessSchema {
  TableSettings created{};
  std::function<bool(TableSettings&, const OracleAlter&)> alter{};
};

/// Plays a recorded scenario in the recording harness's order of actions (tests/oracle/README.md), with interval cohorts.
void play(const OracleScenario& scenario, const TableWorkload& workload, const HarnessSchema& schema, const DiskSizer& sizer,
          const PickSource& picks, HarnessObserver& observer);

}  // namespace windrow
