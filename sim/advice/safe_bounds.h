#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/at_once.h"
#include "sim/cluster/fault_record.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Times that are tried: every hour up to two days, then every day; those from `least_s` to `most_s`.
std::vector<Seconds> safe_bound_grid(Seconds least_s, Seconds most_s);

/// One value to search for.
struct BoundQuestion {
  SafeBound::Of of = SafeBound::Of::repair_interval;
  std::vector<int> tables{};  // whose rows must not come back
  std::string name{};         // of the repair, or of the table
  std::vector<Seconds> grid{};
  /// The most runs that the search may need.
  int most_runs() const;
};

/// Of a run: the time between repairs, for every repair of a table of which a node missed a delete, and gc_grace of
/// these tables. Intervals from a repair's own length to the run's; gc_grace from 0 to the run's.
std::vector<BoundQuestion> bound_questions(const Scenario& scenario, const FaultRecord& faults);

/// A scenario's values under which one trial runs. A repair comes first an interval after the start, or when it does in
/// the scenario if that is earlier.
std::vector<std::string> bound_assignments(const Scenario& scenario, const BoundQuestion& question, Seconds value_s);

/// What came of one value. Nothing that comes back says little by itself: with another date of the outage it may.
struct BoundTrial {
  Rows rows = 0;          // of the question's tables, that come back
  bool in_time = false;   // from the beginning of each repair to the end of the next it is no longer than gc_grace
  bool fell_out = false;  // a repair was refused or failed
  bool safe() const { return rows == 0 && in_time; }
};
/// A run with the assignments; nothing if somebody asked to stop, or if it cannot run.
using PlayBound = std::function<std::optional<BoundTrial>(const std::vector<std::string>& assignments,
                                                          const std::vector<int>& tables)>;
/// What a run says of these tables.
BoundTrial bound_trial(const Scenario& scenario, const FaultRecord& faults, const std::vector<int>& tables);

/// Halves the grid until a safe value and its unsafe neighbour have both been played; then tries two values beyond them
/// and one before. What is less safe by the rule (rarer repairs, a shorter gc_grace) may be safe all the same, by the
/// dates that repairs happen to fall on: the border is then the first unsafe value of those tried, and says so.
std::optional<SafeBound> find_safe_bound(const Scenario& scenario, const BoundQuestion& question,
                                         const PlayBound& play_bound, const AtOnce& at_once = in_turn);

}  // namespace windrow
