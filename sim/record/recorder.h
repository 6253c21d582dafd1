#pragma once

#include <vector>

#include "sim/cost/work.h"
#include "sim/engine/node.h"
#include "sim/record/limit_watch.h"
#include "sim/record/read_recorder.h"
#include "sim/record/run_record.h"
#include "sim/record/table_recorder.h"

namespace windrow {

/// Watches one node through a run and keeps what results are made of.
class Recorder final : public RunObserver {
 public:
  using Options = RecordOptions;
  Recorder(const Scenario& scenario, RunIdentity identity, const Options& options);

  void flushed(const Node& node, const FlushEvent& event) override;
  void streamed(const Node& node, const StreamEvent& event) override;
  void started(const Node& node, const Job& job) override;
  void committed(const Node& node, const CommitEvent& event) override;
  void level_changed(const Node& node, const LevelEvent& event) override;
  void refused(const Node& node, const RefusalEvent& event) override;
  void altered(const Node& node, const ChangeSpec& change) override;
  void gone(const Node& node, const GoneEvent& event) override;
  void acted(const Node& node, const ActionSpec& action) override;
  void restarted(const Node& node) override;
  void sampled(const Node& node) override;

  bool any_limit_broken() const { return limits_.any_broken(); }
  /// What the run has cost so far, counted, not clocked: in steps (sim/cost/work.h).
  std::int64_t work() const;
  /// The same by kinds, as expected_cost has it.
  Work done() const;

  /// After the run. A run that was ended early gives an incomplete record: without what is measured at the end.
  RunRecord take();

 private:
  TableRecorder& table(int t) { return tables_[static_cast<std::size_t>(t)]; }
  void see_disk(const Node& node, Bytes freed = 0, Bytes step = 0);
  void see_disk_share(const Node& node, Bytes freed, Bytes step);
  void count_work(const Node& node, int table, const SSTable& file);
  /// The same of one that has just been written: its rows, too, where these are looked at one by one for it.
  void count_made(const Node& node, int table, const SSTable& file);
  void count_event(const Node& node, int table, const Change& change);
  Bytes live_bytes() const;

  const Scenario& scenario_;
  LimitWatch limits_;
  std::vector<TableRecorder> tables_{};
  ReadRecorder reads_;
  RunRecord record_{};
  Micros last_sample_us_ = 0;
  Bytes last_compacted_bytes_ = 0;
  Micros disk_seen_us_ = 0;
  Bytes disk_seen_bytes_ = 0;  // then, after what happened then
  Work done_{};
};

}  // namespace windrow
