#pragma once

#include <optional>
#include <vector>

#include "sim/content/census_memo.h"
#include "sim/engine/node.h"
#include "sim/record/compaction_log.h"
#include "sim/record/delays.h"
#include "sim/record/lifelines.h"
#include "sim/record/limit_watch.h"
#include "sim/record/run_record.h"
#include "sim/record/table_census.h"
#include "sim/record/written_rows.h"

namespace windrow {

/// Work that looking at a table may cost, spread over the run: so much at once, and more as time passes. Counted, not
/// clocked: the same run looks at the same moments.
class WorkBudget {
 public:
  WorkBudget(Micros start_us, Micros end_us) : start_us_(start_us), length_us_(end_us - start_us) {}
  bool affords(Micros now_us) const;
  /// So long after the last look, the next is taken whatever it costs: else what comes and goes between two of them, as
  /// the largest partitions of a time in which rows are held one by one, would be seen by none.
  bool overdue(Micros since_us) const;
  static constexpr std::int64_t least_looks = 8;  // of a run
  void spend(std::int64_t steps) { spent_ += steps; }
  std::int64_t spent() const { return spent_; }

 private:
  Micros start_us_ = 0;
  Micros length_us_ = 0;
  std::int64_t spent_ = 0;
};

struct RecordOptions {
  bool all = false;          // every SSTable and every compaction by itself
  bool only_limits = false;  // nothing but what the limits ask for: for runs of which nothing else is wanted
};

/// What is recorded of one table. Events cost a few additions; looking inside files is for samples.
class TableRecorder {
 public:
  TableRecorder(const Scenario& scenario, int table, const RecordOptions& options, LimitWatch& limits);

  void flushed(const Node& node, const FlushEvent& event);
  void streamed(const Node& node, const StreamEvent& event);
  void started(const Node& node, const Job& job);
  void committed(const Node& node, const CommitEvent& event, Bytes node_bytes);
  void level_changed(const LevelEvent& event);
  void refused(const RefusalEvent& event);
  void altered(const Node& node);
  void gone(const Node& node, const GoneEvent& event);
  void sampled(const Node& node);
  /// At the end of the run, after its last sample.
  void finish(const Node& node);

  Bytes live_bytes() const { return live_bytes_; }
  std::int64_t looked_at() const { return budget_.spent(); }
  Bytes compacted_bytes() const { return record_.compacted_in_bytes; }
  TableRecord take() { return std::move(record_); }

 private:
  const TableStore& store(const Node& node) const { return node.table(table_); }
  void meet(const Node& node);
  void born(const SSTable& file, Micros now_us, std::string_view why);
  /// `temporary_bytes` of them are the outputs of a compaction whose inputs are still there.
  void see_size(Bytes disk_bytes, Bytes temporary_bytes, Micros now_us);
  void see_sstables(Micros now_us);
  bool runs_job(const Node& node) const;
  StoreCensus count_files(const Node& node);
  bool wants_partitions() const;
  void look_at_partitions(const Node& node, TableSample& sample);
  void see_partition_limits(const Node& node, const PartitionCensus& partitions, Micros now_us);
  void see_largest(const Node& node, const PartitionCensus& partitions);
  void see_erasure(const Node& node);
  void count_windows(const Node& node);
  void measure_fragments(const Node& node);
  void name_largest(const Node& node);
  void see_rising(const Node& node);

  const Scenario& scenario_;
  int table_ = 0;
  bool only_limits_ = false;
  LimitWatch& limits_;
  TableRecord record_{};
  LifelineBook lifelines_;
  CompactionLog log_;
  WorkBudget budget_;
  TableCensus census_{};
  CensusMemo census_memo_;
  WrittenRows written_{};
  std::vector<const RateSpread*> rates_{};  // by writer
  std::optional<RemovalDelays> delays_{};
  BlockReport blocks_{};
  Bytes live_bytes_ = 0;
  std::int64_t sstables_ = 0;
  std::int64_t estimated_tasks_ = 0;
  Bytes disk_bytes_max_ = 0;  // since the last sample, as the next two
  std::int64_t sstables_max_ = 0;
  std::int64_t pending_max_ = 0;
  Micros last_partitions_us_ = 0;
  Micros last_rows_us_ = 0;  // when rows held one by one were last counted
};

}  // namespace windrow
