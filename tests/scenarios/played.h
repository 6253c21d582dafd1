#pragma once

#include <string>
#include <vector>

#include "sim/input/load_scenario.h"
#include "sim/report/run_record.h"

namespace windrow::test {

/// A scenario of scenarios/, run to its end.
class Played {
 public:
  explicit Played(const std::string& name, const std::vector<std::string>& assignments = {});
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;
  ~Played() = default;

  const RunRecord& record() const { return record_; }
  const TableRecord& table() const { return record_.tables.front(); }
  const TableSample& last() const { return table().samples.back(); }
  const LimitOutcome& limit(const std::string& name) const;
  /// Days from the run's start to the first breach of a limit; none: -1.
  double breach_days(const std::string& name) const;
  /// The first sample at or after so many days.
  const TableSample& after_days(double days) const;

 private:
  LoadedScenario loaded_{};
  RunRecord record_{};
};

}  // namespace windrow::test
