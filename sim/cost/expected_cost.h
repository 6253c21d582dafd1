#pragma once

#include <string>
#include <vector>

#include "sim/cost/work.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What a table costs, of all nodes that are played.
struct TableCost {
  int table = 0;
  std::string strategy{};  // that it has for most of its cost
  double flushes = 0;
  double sstables = 0;         // written
  double sub_streams = 0;      // at most at a time
  double rows_one_by_one = 0;  // written to it
  Work work{};
};

/// What a run is expected to cost, from its scenario alone: the same scenario gives the same numbers, whatever the
/// machine.
struct ExpectedCost {
  Work work{};
  std::vector<TableCost> tables{};
  double nodes = 1;             // that are played
  double stops = 0;             // instants at which all nodes are stopped
  std::vector<double> until{};  // steps before the first instant, and until the end of each of the run's equal pieces
  double steps() const { return until.empty() ? 0 : until.back(); }
  /// Of the run's steps, how large a share is behind it after this share of its time; both 0 to 1.
  double share_after(double time) const;
};

/// `scenario`: as it runs, with months split. Throws what the run throws for what is not modelled.
ExpectedCost expected_cost(const Scenario& scenario);

/// Steps that no recorder counts while a run goes on: keys that are hashed, and nodes that are stopped.
double steps_not_recorded(const ExpectedCost& cost);

/// "about 3 minutes of one processor core: …", with what most of it goes to; empty below a minute.
std::string why_it_takes_long(const Scenario& scenario, const ExpectedCost& cost);

}  // namespace windrow
