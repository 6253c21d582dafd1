#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evidence/recordings/oracle_repair.h"
#include "evidence/recordings/pick.h"
#include "evidence/recordings/row_times.h"
#include "sim/strategy/strategy_manager.h"

namespace windrow {

/// A recording replayed from its own files: the strategy is asked wherever the harness asked, and what it says
/// compared. pick.cpp has the harness's order of actions, pick_compare.cpp what is compared.
class PickReplay {
 public:
  PickReplay(const OracleScenario& scenario, const Trace& trace, const ApplyCql& apply_cql, const TokensOf* tokens)
      : scenario_(scenario),
        trace_(trace),
        apply_cql_(apply_cql),
        tokens_(tokens),
        rows_(row_times(scenario)),
        sessions_(scenario) {
    if (!scenario.repairs.empty()) live_.follow_repairs();
    apply_cql_(settings_, trace.header.ddl);
    restart_strategy(scenario.start_s);
  }

  PickResult run();

 private:
  using Ids = std::vector<std::int64_t>;

  // The recording, event by event.
  template <class Event>
  const Event* next_if(Seconds t_s) const {
    if (at_ == trace_.events.size()) return nullptr;
    const auto* event = std::get_if<Event>(&trace_.events[at_]);
    return event != nullptr && event->t_s == t_s ? event : nullptr;
  }
  const TraceFlush* next_flush(Seconds t_s, std::string_view reason) const {
    const auto* flush = next_if<TraceFlush>(t_s);
    return flush != nullptr && flush->reason == reason ? flush : nullptr;
  }

  // The harness's order of actions.
  Seconds next_time_s() const;
  bool alter(Seconds t_s);
  bool repair(Seconds t_s);
  bool commit(Seconds t_s, bool at_end);
  bool major(Seconds t_s);
  bool rows(Seconds t_s, bool pick);
  bool timed_flush(Seconds t_s);
  void pick_loop(Seconds t_s);
  void sample(Seconds t_s);
  void end();

  // What they change.
  void restart_strategy(Seconds t_s);
  void take_rows(std::size_t count);
  void apply_flush(const TraceFlush& flush);
  void apply_commit(const TraceCommit& commit);
  std::vector<SSTableView> enter(std::span<const TraceSSTable> files, bool in_hash_order);

  // What is compared.
  TableView view(Seconds t_s) const;
  ManagerAnswer ask(Seconds t_s);
  void compare_nothing(const ManagerAnswer& answer);
  void compare_pick(const TracePick& recorded, const ManagerAnswer& answer);
  void compare_estimates(const TracePick& recorded);
  /// The end of a session, if that is what comes next.
  bool finish_repair(Seconds t_s, const Pick& pick);
  void compare_levels(Seconds t_s);
  /// What a recorded task that changes a level does, at once.
  void change_level(const TracePick& recorded, const HolderKey& holder);
  void compare_before(const TracePick& recorded);
  void compare_expired(const TracePick& recorded, const HolderKey& holder);
  void compare_task(const TracePick& recorded, const Pick& pick);
  void compare_state(const TracePick& recorded, const StrategyState& state);
  void compare_unified(const TracePick& recorded, const HolderKey& holder);
  void compare_live(Seconds t_s, const Ids& recorded);
  template <class Value>
  void compare(const char* what, const Value& expected, const Value& ours) {
    if (!(expected == ours)) disagree(what, fmt::format("{}", expected), fmt::format("{}", ours));
  }
  void disagree(const char* what, std::string expected, std::string ours);
  std::string state_text() const;
  static std::string text(const Ids& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

  const OracleScenario& scenario_;
  const Trace& trace_;
  const ApplyCql& apply_cql_;
  const TokensOf* tokens_;
  std::vector<RowTime> rows_;
  PickSettings settings_{};
  SessionNumbers sessions_;
  ManagerState state_{};
  EndedSessions ended_{};
  LiveSet live_{};
  std::map<std::int64_t, std::unique_ptr<TraceEstimates>> files_{};
  std::map<std::int64_t, const TracePick*> running_{};
  std::size_t at_ = 0;  // next event
  std::size_t rows_taken_ = 0;
  std::size_t rows_at_reset_ = 0;  // the row counter's zero
  Micros memtable_min_us_ = no_timestamp;
  double flush_average_bytes_ = std::numeric_limits<double>::quiet_NaN();
  Seconds next_tick_s_ = 0;
  Seconds next_flush_s_ = std::numeric_limits<Seconds>::max();
  Seconds next_sample_s_ = 0;
  std::size_t alters_ = 0;
  std::size_t repairs_ = 0;
  std::size_t majors_ = 0;
  std::int64_t guesses_ = 0;
  bool guessed_ = false;         // in this call: its answer is no evidence
  std::int64_t null_loops_ = 0;  // since the last null_ticks
  // Of the call being compared:
  Seconds now_s_ = 0;
  std::int64_t pick_ = 0;
  const char* rule_ = "";
  PickResult result_{};
};

}  // namespace windrow
