#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/engine/events.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/arrivals.h"

namespace windrow {

/// What a table's memtable weighs as writes arrive: linear in the rows of each sub-stream, plus a cost per partition.
class MemtableWeight {
 public:
  /// `workload` and `arrivals`, which may change, outlive this object.
  MemtableWeight(const TableWorkload& workload, const Arrivals& arrivals, const NodeSettings& node);

  /// After a flush that took in every write before `at_us` and gave `data_bytes` of Data: the estimate follows what was
  /// measured.
  void flushed(Micros at_us, Bytes uncompressed_bytes);
  /// Nothing is written any more.
  void close(Micros at_us);
  double heap_bytes(Micros at_us) const;
  double data_bytes(Micros at_us) const;
  /// Bytes in the commit log of every write since the start of the run.
  double logged_bytes(Micros at_us) const;
  /// First time at which the memtable weighs at least this; `until_us` if not before.
  Micros heap_reaches(double bytes, Micros from_us, Micros until_us) const;
  Micros data_reaches(double bytes, Micros from_us, Micros until_us) const;
  /// First write after the last flush; `until_us` if none before.
  Micros first_write(Micros until_us) const;

 private:
  struct Stream {
    const SubStream* sub = nullptr;
    int number = 0;
    std::int64_t taken = 0;
    double heap_per_row = 0;
    double data_per_row = 0;
    std::int64_t slots = 0;
  };
  std::int64_t arrived(const Stream& stream, Micros at_us) const {
    return arrivals_->count_before(stream.number, std::min(at_us, closed_us_));
  }
  std::int64_t rows(const Stream& stream, Micros at_us) const { return arrived(stream, at_us) - stream.taken; }

  /// When the n-th of those that come after the last flush arrives, counted from 0.
  Micros arrival(const Stream& stream, std::int64_t n) const {
    return stream.sub->arrival(arrivals_->member(stream.number, stream.taken + n));
  }

  const Arrivals* arrivals_ = nullptr;
  std::vector<Stream> streams_{};
  Micros closed_us_ = INT64_MAX;
  double correction_ = 1;  // measured over estimated Data bytes of the last flush
};

/// When and why memtables of a node are flushed next: MemtablePool with its MemtableCleaner
/// (AbstractAllocatorMemtable.flushLargestMemtable), AbstractCommitLogSegmentManager.maybeFlushToReclaim and
/// AbstractAllocatorMemtable.flushIfPeriodExpired, Cassandra 5.0.9 (rules 12.1 to 12.3).
class FlushPlanner {
 public:
  /// What is written to each table, and what of it arrives here.
  using Tables = std::vector<std::pair<const TableWorkload*, const Arrivals*>>;
  FlushPlanner(const Scenario& scenario, const Tables& tables);

  struct Due {
    Micros at_us = 0;
    int table = 0;
    FlushReason reason = FlushReason::heap;
  };
  /// The next flush after `now_us`; nothing before `until_us`.
  std::optional<Due> next(Micros now_us, Micros until_us, const std::vector<Millis>& flush_periods_ms) const;
  void flushed(int table, Micros at_us, Bytes uncompressed_bytes);
  /// The table is gone, after a last flush: writes that come later are lost.
  void closed(int table, Micros at_us) { weights_[static_cast<std::size_t>(table)].close(at_us); }
  /// A period timer that found an empty memtable starts anew.
  void rearm(int table, Micros at_us) { timer_start_us_[static_cast<std::size_t>(table)] = at_us; }
  Bytes heap_bytes(int table, Micros at_us) const;

 private:
  double pool_bytes(Micros at_us) const;
  Due largest_of_pool(Micros at_us) const;
  double node_logged_bytes(Micros at_us) const;
  Micros pool_reaches(double bytes, Micros from_us, Micros until_us) const;

  const Scenario* scenario_ = nullptr;
  std::vector<MemtableWeight> weights_{};
  std::vector<Micros> timer_start_us_{};
  std::vector<double> logged_at_flush_{};  // the node's commit log position where each table's oldest write lies
  double heap_limit_bytes_ = 0;
  double log_limit_bytes_ = 0;
};

}  // namespace windrow
