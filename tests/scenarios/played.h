#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/record/run_record.h"
#include "sim/resolve/load_scenario.h"

namespace windrow::test {

/// A scenario of scenarios/, run to its end.
class Played {
 public:
  explicit Played(const std::string& name, const std::vector<std::string>& assignments = {});
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;
  ~Played() = default;

  const RunRecord& record() const { return record_; }
  const TableRecord& table(std::size_t number = 0) const { return record_.tables.at(number); }
  const TableSample& last(std::size_t number = 0) const { return table(number).samples.back(); }
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
