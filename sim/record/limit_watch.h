#pragma once

#include <vector>

#include "sim/record/run_record.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What a limit bounds. Node: one value for all tables together.
enum class LimitKind {
  partition_size_max,
  partition_size_p99,
  partition_rows_max,
  partition_cells_max,
  disk_used_share,  // node
  sstables_max,
  pending_compactions_max,
  compaction_used_share,  // node
  held_back_share,
  erasure_days_max,
  not_measured,  // of reads, repairs and several nodes
};
LimitKind limit_kind(std::string_view name);

/// Holds a run to its limits, value by value, and remembers when each was first broken.
class LimitWatch {
 public:
  explicit LimitWatch(const Scenario& scenario);

  bool wants(LimitKind kind) const { return !places_[static_cast<std::size_t>(kind)].empty(); }
  /// The smallest bound of this kind for a table that has not been broken yet; nothing if there is none.
  std::optional<double> open_bound(LimitKind kind, int table) const;
  /// `table` is -1 for the node.
  void see(LimitKind kind, int table, double value, Micros at_us);
  /// Something that has lasted so long at `at_us`: it broke a bound in days when it had lasted that, perhaps long ago.
  void see_lasting(LimitKind kind, int table, Seconds lasted_s, Micros at_us);
  bool any_broken() const { return any_broken_; }
  std::vector<LimitOutcome> outcomes() const { return outcomes_; }

 private:
  struct Place {
    int table = -1;
    std::size_t outcome = 0;
  };
  void broken(LimitOutcome& outcome, Micros at_us);
  void watch(const Scenario& scenario, const LimitSpec& limit, LimitKind kind, int table);

  std::vector<LimitOutcome> outcomes_{};
  std::vector<std::vector<Place>> places_{};  // by kind
  bool any_broken_ = false;
};

}  // namespace windrow
