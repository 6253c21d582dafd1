#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/limits/limits.h"
#include "sim/record/run_record.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Holds a run to its limits, value by value, and remembers when each was first broken and since when it holds again.
class LimitWatch {
 public:
  explicit LimitWatch(const Scenario& scenario);

  bool wants(const Limit& limit) const { return !places(limit).empty(); }
  /// The smallest bound for a table that has not been broken yet; nothing if there is none.
  std::optional<double> open_bound(const Limit& limit, int table) const;
  /// `table` is -1 for the node; `crossed_us`: when the value went beyond the open bound, if that is known to be
  /// earlier.
  void see(const Limit& limit, int table, double value, Micros at_us, std::optional<Micros> crossed_us = std::nullopt);
  /// From a value, and when it was that, evenly to another just now.
  struct Rise {
    double from = 0;
    Micros from_us = 0;
    double to = 0;
  };
  /// The same of a value that rose so, and then became `value` at once: bounds that lie within the rise were broken on
  /// the way.
  void see_risen(const Limit& limit, int table, const Rise& rise, double value, Micros at_us);
  /// Something that has lasted so long at `at_us`: it broke a bound in days when it had lasted that, perhaps long ago.
  void see_lasting(const Limit& limit, int table, Seconds lasted_s, Micros at_us);
  /// The end of the run: what is broken now is so until then.
  void end(Micros at_us);
  /// The run has ended at `at_us`, and the largest partition of the table takes rows for ever.
  void partitions_go_on(int table, Micros at_us);
  bool any_broken() const { return any_broken_; }
  std::vector<LimitOutcome> outcomes() const { return outcomes_; }

 private:
  struct Place {
    int table = -1;
    std::size_t outcome = 0;
  };
  const std::vector<Place>& places(const Limit& limit) const {
    return places_[static_cast<std::size_t>(&limit - all_limits.data())];
  }
  void see_at(const Place& place, double value, Micros at_us, Micros crossed_us);
  void broken(LimitOutcome& outcome, Micros at_us);
  void watch(const Scenario& scenario, const LimitSpec& spec, const Limit& limit, int table, bool measured);

  std::vector<LimitOutcome> outcomes_{};
  std::vector<std::optional<Micros>> broken_since_us_{};  // by outcome; of those that are broken now
  std::array<std::vector<Place>, all_limits.size()> places_{};
  bool any_broken_ = false;
};

}  // namespace windrow
