#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "sim/engine/events.h"

namespace windrow {

/// The compaction threads of a node (CompactionManager.CompactionExecutor, Cassandra 5.0.9): which jobs run, which
/// candidates wait, and when the next job ends (rules 10.3 to 10.7). All running jobs share the throughput
/// (CompactionManager.getRateLimiter) evenly; a thread merges no faster than its own speed.
class Executor {
 public:
  explicit Executor(const NodeSettings& node, int tables);

  bool has_idle_thread() const { return static_cast<int>(jobs_.size()) < threads_; }
  /// Candidates of a table that wait or run (rule 10.4).
  int candidates(int table) const { return candidates_[static_cast<std::size_t>(table)]; }
  /// Tables that have some, ascending.
  std::span<const int> tables_with_candidates() const { return with_candidates_; }
  /// True if a trigger for this table would be dropped.
  bool drops(int table) const { return candidates(table) > 0 && !has_idle_thread(); }

  void enqueue(int table);
  /// The next waiting candidate, if a thread is idle.
  std::optional<int> take();
  /// A candidate that found nothing, or whose job has ended.
  void finished(int table) { add_candidates(table, -1); }

  void start(Job job, Micros now_us);
  /// When the next running job ends; nothing runs: `never`.
  Micros next_end() const { return next_end_us_; }
  /// Takes out the first job that has nothing left to read.
  Job take_ended(Micros now_us);
  std::vector<Job> abort_all();
  /// Jobs of one table that `which` is true of; its waiting candidates stay.
  std::vector<Job> abort(
      int table, Micros now_us, const std::function<bool(const Job&)>& which = [](const Job&) { return true; });

  std::span<const Job> jobs() const { return jobs_; }
  std::int64_t waiting() const { return static_cast<std::int64_t>(queue_.size()); }
  /// Bytes that running jobs have still to read, compressed (rule 10.8).
  double bytes_left(Micros now_us) const;
  double bytes_read(Micros now_us) const;

  static constexpr Micros never = INT64_MAX;

 private:
  double rate() const;  // bytes a microsecond of each job; 0: unlimited
  void advance(Micros now_us);
  void plan(Micros now_us);
  void add_candidates(int table, int number);

  int threads_ = 2;
  double throughput_bytes_per_us_ = 0;
  double merge_speed_bytes_per_us_ = 0;
  std::vector<int> candidates_{};
  std::vector<int> with_candidates_{};
  std::deque<int> queue_{};
  std::vector<Job> jobs_{};
  Micros advanced_us_ = 0;
  Micros next_end_us_ = never;
};

}  // namespace windrow
