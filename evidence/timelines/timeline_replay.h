#pragma once

#include <vector>

#include "evidence/timelines/timeline_case.h"
#include "evidence/timelines/timeline_ring.h"
#include "sim/replica/replicated_table.h"
#include "sim/schema/table_options.h"

namespace windrow {

/// What came of one step.
struct PlayedStep {
  std::vector<int> contacted{};  // of a read
  std::vector<ReturnedRow> rows{};
  bool repaired = false;  // a repair was accepted
};

/// Plays a case from its steps alone.
class TimelineReplay {
 public:
  /// The case stays where it is. Throws TimelineError where its table options are no CQL.
  TimelineReplay(const TimelineCase& of, const TimelineRing& ring, const ReplicaRules& rules);

  PlayedStep play(const TimelineStep& step);

  /// A step of compactions does not say in which second each ran: plays it on one node in that second.
  void compact(int node, Seconds now_s);

  Replica& replica(int node) { return cluster_.node(node).replica; }
  bool running(int node) { return cluster_.node(node).running; }
  std::int64_t hint_files(int node) { return std::ssize(cluster_.node(node).hints.files()); }
  /// Automatic compaction is on: how far it has come is not recorded.
  bool compacts_by_itself() const { return compacts_by_itself_; }
  /// Anticompaction rewrote files in groups, which the recording does not tell.
  bool groups_unknown() const { return groups_unknown_; }
  const CompareValues& values() const { return values_; }

 private:
  void write(const TimelineStep& step);
  KeyedPartition mutation_of(const TimelineStep& step) const;
  void read(const TimelineStep& step, PlayedStep& played);
  void scan(const TimelineStep& step, PlayedStep& played);
  bool repair(const TimelineStep& step);
  void repair_across(const TimelineStep& step);
  void nodetool(const TimelineStep& step);
  void replace(const TimelineStep& step);
  void take_options(const std::string& options);
  ReturnedRow returned(const std::string& partition, const KeyedRow& row, Seconds now_s) const;

  const TimelineCase& case_;
  const TimelineRing& ring_;
  CompareValues values_;
  TableOptions options_{};
  bool compacts_by_itself_ = false;
  bool groups_unknown_ = false;
  ReplicatedTable cluster_;
};

}  // namespace windrow
