#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/sums_by_kind.h"
#include "sim/engine/events.h"
#include "sim/engine/resting_memtables.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/arrivals.h"
#include "sim/workload/partition_weight.h"
#include "sim/workload/write_weight.h"

namespace windrow {

/// The bucket of a writer's event, and the first event beyond it.
struct FirstBucket {
  std::int64_t event = -1;
  std::int64_t number = 0;
  std::int64_t end = 0;
};

/// What a table's memtable weighs as writes arrive: rows of each sub-stream, rows written again, and partitions.
class MemtableWeight {
 public:
  /// `workload` and `arrivals`, which may change, outlive this object. `default_ttl_s`: of the table. Dates in the
  /// commit log are as long as at `written_s`.
  MemtableWeight(const TableWorkload& workload, const Arrivals& arrivals, const NodeSettings& node,
                 Seconds default_ttl_s, Seconds written_s);

  /// After a flush that took in every write before `at_us` and gave `data_bytes` of Data: the estimate follows what was
  /// measured.
  void flushed(Micros at_us, Bytes uncompressed_bytes);
  /// Nothing is written any more.
  void close(Micros at_us);
  MemoryBytes memory(Micros at_us) const;
  /// The same as if each row had a partition of its own: for less work.
  MemoryBytes memory_at_most(Micros at_us) const;
  /// No less than that, for still less work: as of when the memtable will be full, where that is known.
  MemoryBytes memory_until_full(Micros at_us) const;
  double data_bytes(Micros at_us) const;
  /// Bytes in the commit log of every write since the start of the run.
  double logged_bytes(Micros at_us) const;
  /// No less than that, for less work: likewise.
  double logged_until_full(Micros at_us) const;
  /// First time at which the Data bytes are at least this; `until_us` if not before. Remembered until the next flush.
  Micros data_reaches(double bytes, Micros from_us, Micros until_us) const;
  /// True if it is known that the memtable is empty at this time: most tables of many are not written to. A question
  /// that finds it empty remembers until when.
  bool known_empty(Micros at_us) const;
  /// First write after the last flush; `until_us` if none before.
  Micros first_write(Micros until_us) const;
  /// The smallest time after `at_us` at which there may be another row in it than at `at_us`: it weighs the same until
  /// then. INT64_MAX if no more comes.
  Micros next_change(Micros at_us) const;

 private:
  struct Stream {
    const SubStream* sub = nullptr;                         // or
    const std::vector<CoveringDelete>* covering = nullptr;  // each a partition of its own
    int number = 0;                                         // of all streams; the sub-streams' come first
    MemoryBytes row{};
    MemoryBytes row_again{};
    double data_per_row = 0;
    double logged_per_row = 0;
    std::size_t reach = 0;
    double key_bytes = 0;
    std::int64_t members = 0;  // of the sub-stream, in all
  };
  /// Streams whose rows weigh the same.
  struct Kind {
    MemoryBytes alone{};  // of a row that has a partition of its own and was written before
    double data_per_row = 0;
    double logged_per_row = 0;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  /// Sub-streams that bring rows of the same partitions at the same time.
  struct Reach {
    const Writer* writer = nullptr;
    Brings brings = Brings::rows;
    std::int64_t delay = 0;
    MemoryBytes partition{};
    mutable FirstBucket first_bucket{};  // of the rows that were weighed last
    mutable RowsTree tree{};
  };
  void add(const SubStream& sub, const NodeSettings& node, Seconds default_ttl_s, Seconds written_s);
  void add(const Writer& writer, const DeleteRule& deletes, const NodeSettings& node, Seconds written_s);
  std::size_t reach_of(const SubStream& sub, Seconds ttl_s, const MemtableSettings& settings);
  /// By stream: how many have arrived before a time, since the start of the run. Valid until asked again.
  std::span<const std::int64_t> arrived(Micros at_us) const;
  /// Of what has arrived by stream. Valid until asked again, and no longer than what is asked about.
  std::span<const std::int64_t> by_kind(std::span<const std::int64_t> arrived) const;
  /// These go by what has arrived by kind.
  std::int64_t held(std::span<const std::int64_t> kinds, std::size_t kind) const {
    return kinds[kind] - taken_by_kind_[kind];
  }
  double data_of_kinds(std::span<const std::int64_t> kinds) const;
  double logged_of_kinds(std::span<const std::int64_t> kinds) const;
  /// As if each row had a partition of its own.
  MemoryBytes memory_of_rows_alone(std::span<const std::int64_t> kinds) const;
  double data_of(std::span<const std::int64_t> arrived) const { return data_of_kinds(by_kind(arrived)); }
  MemoryBytes memory_of(std::span<const std::int64_t> arrived) const;
  std::int64_t arrived(const Stream& stream, Micros at_us) const;
  /// Remembers until when the memtable is empty.
  void found_empty() const;
  /// Forgets what follows from arrivals that have changed.
  void follow_arrivals() const {
    if (arrivals_stand_ != arrivals_->changes()) forget_arrivals();
  }
  void forget_arrivals() const;
  Micros find_data_reaches(double bytes, Micros from_us, Micros until_us) const;
  /// A time before which, or after which, so much has arrived.
  struct Side {
    Micros at_us = 0;
    std::vector<std::int64_t> arrived{};
  };
  Side side(Micros at_us) const;
  /// Where the Data bytes are first at least this: after the one, and not after the other.
  Side data_reaches_between(double bytes, Side before, Side reached) const;
  void take(std::span<const std::int64_t> arrived, std::span<const std::int64_t> kinds);
  /// What is asked for next is likely to be what has arrived by then.
  void remember(Side here) const;
  /// Of those that come after the last flush the n-th, counted from 0: its member number, and when it arrives.
  std::int64_t member(const Stream& stream, std::int64_t n) const;
  Micros arrival(const Stream& stream, std::int64_t n) const;
  /// Whether there is such a one.
  bool comes(const Stream& stream, std::int64_t n) const;

  const Arrivals* arrivals_ = nullptr;
  std::vector<Stream> streams_{};
  std::vector<std::int64_t> taken_{};  // by stream, at the last flush
  std::vector<Kind> kinds_{};
  std::vector<std::uint32_t> kind_of_{};  // by stream
  SumsByKind sums_{};
  std::vector<std::int64_t> taken_by_kind_{};
  mutable std::vector<std::int64_t> by_kind_{};  // what by_kind() said last
  std::vector<Reach> reaches_{};
  MemtableSettings memtable_{};
  /// By stream, what has arrived before any time from the one to the other.
  struct Arrived {
    Micros from_us = INT64_MAX;
    Micros to_us = INT64_MIN;
    std::vector<std::int64_t> members{};
    bool holds(Micros at_us) const { return from_us <= at_us && at_us <= to_us; }
  };
  mutable std::array<Arrived, 2> arrived_{};  // as was asked last: the ends of a bracket
  mutable std::size_t newest_arrived_ = 0;
  mutable std::vector<std::int64_t> arriving_{};
  /// Of a reach: what is in memory now, by number of the rows' events.
  struct Span {
    std::int64_t first = INT64_MAX;
    std::int64_t last = 0;
    std::int64_t held = 0;
    std::int64_t rows = 0;  // of which no two have the same key
  };
  /// Partitions in memory with keys of one length.
  struct Partitions {
    double key_bytes = 0;
    double number = 0;
  };
  /// Adds what the stream's rows take of the memtable by themselves, and them to those of their partitions.
  void add_rows(const Stream& stream, std::int64_t held, Span& span, MemoryBytes& sum) const;
  /// Adds what the partitions take that a reach has rows of; returns how many they are.
  static double add_partitions(const Reach& reach, const Span& span, MemoryBytes& sum);
  mutable std::vector<Span> spans_{};  // memory() works in these
  mutable std::vector<Partitions> partitions_{};
  /// What memory() said last, of so much that had arrived.
  struct Weighed {
    Micros at_us = INT64_MIN;     // INT64_MIN: nothing that still holds
    Micros until_us = INT64_MIN;  // no more arrives before this time, as far as next_change() was asked
    std::vector<std::int64_t> arrived{};
    MemoryBytes memory{};
    bool holds(Micros time_us) const { return at_us != INT64_MIN && at_us <= time_us && time_us < until_us; }
  };
  mutable Weighed weighed_{};
  /// When the memtable will have so many Data bytes, and what it has then at most: the same each time that other
  /// tables' flushes ask for it.
  struct Full {
    double bytes = -1;    // that were asked for; -1: nobody has asked since the last flush
    Micros until_us = 0;  // not before this time, if
    bool before = false;  // it is not full before it
    Micros at_us = 0;     // else
    bool weighed = false;
    MemoryBytes memory{};
    double logged = 0;
  };
  /// As of when it will be full; null if that is not known, or is before `at_us`.
  const Full* weighed_when_full(Micros at_us) const;
  MemoryBytes alone_of(const Stream& stream) const;
  std::int64_t taken(const Stream& stream) const { return taken_[static_cast<std::size_t>(stream.number)]; }

  /// Of a lone stream, all that comes before a time until which the last search went: the next goes as far.
  struct Before {
    Micros at_us = INT64_MIN;
    std::int64_t arrived = 0;
  };
  mutable Before searched_{};
  mutable Full full_{};
  mutable Micros empty_until_us_ = INT64_MIN;  // as far as is known, while arrivals stand
  mutable std::int64_t arrivals_stand_ = 0;
  Micros closed_us_ = INT64_MAX;
  Micros flushed_us_ = 0;
  Micros filled_in_us_ = 0;  // from one flush to the next
  double correction_ = 1;    // measured over estimated Data bytes of the last flush
};

/// How what is full again and again fills: for first guesses.
struct FillPace {
  Micros before_us = 0;  // a little before it is likely to be full; 0: not known
  double per_us = 0;     // of what is filled, then; 0: not known
  Micros step_us = 0;    // from one change to the next, at most: most are seen from somewhere between the two

  void see_step(Micros us) {
    constexpr Micros forgotten = 64;
    step_us = std::max(us, step_us - step_us / forgotten);
  }
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
  std::optional<Due> next(Micros now_us, Micros until_us, const std::vector<Millis>& flush_periods_ms);
  void flushed(int table, Micros at_us, Bytes uncompressed_bytes);
  /// The table is gone, after a last flush: writes that come later are lost.
  void closed(int table, Micros at_us);
  /// To be told when what arrives at the node has been stopped, has been resumed, or is lost by it.
  void arrivals_changed() { memtables_.wake_all(); }
  /// To be told when a table's flush period may have changed.
  void altered(int table) { memtables_.wake(static_cast<std::size_t>(table)); }
  /// A period timer that found an empty memtable starts anew.
  void rearm(int table, Micros at_us) { timer_start_us_[static_cast<std::size_t>(table)] = at_us; }
  Bytes heap_bytes(int table, Micros at_us) const;

 private:
  /// Of the pool's limit, on or off the heap, whichever is nearer.
  double pool_share(Micros at_us) const;
  bool surely_below_limit(Micros at_us) const;
  /// A time at which it is likely to be nearly full, but not quite; 0: not known.
  Micros pool_likely_not_full_us() const;
  void pool_filled(int table, Micros at_us);
  /// A time by which the log makes room even if nothing but what others write is counted, and a microsecond: the pool
  /// need not be looked at after it. `until_us` if it is not known to be before.
  Micros log_is_full_by(Micros until_us) const;
  /// True if no table's oldest write lies too far back in the log by then; found for less work than to look at each.
  bool log_surely_holds_all(Micros at_us) const;
  double share_of(const MemoryBytes& bytes) const;
  /// What is due by size or period, at `until_us` if nothing is.
  Due due_alone(Micros now_us, Micros until_us, const std::vector<Millis>& periods_ms) const;
  /// Now and then: memtables that stay as they are until after `due_us`.
  void let_rest(Micros now_us, Micros due_us, const std::vector<Millis>& periods_ms);
  using MemoryAt = MemoryBytes (MemtableWeight::*)(Micros) const;
  using BytesAt = double (MemtableWeight::*)(Micros) const;
  /// Of all tables: those that rest come to the one, the others are asked for the other.
  MemoryBytes sum_memory(Micros at_us, MemoryBytes RestingMemtables::Weighed::*resting, MemoryAt moving) const;
  double sum_logged(Micros at_us, BytesAt moving) const;
  Due largest_of_pool(Micros at_us) const;
  Micros next_change(Micros at_us) const;
  double node_logged_bytes(Micros at_us) const { return sum_logged(at_us, &MemtableWeight::logged_bytes); }
  double others_logged_bytes(Micros at_us) const;

  const Scenario* scenario_ = nullptr;
  std::vector<MemtableWeight> weights_{};
  RestingMemtables memtables_;
  std::size_t questions_ = std::numeric_limits<std::size_t>::max() / 2;  // since memtables were let rest
  // When the pool will be full, as found last; when it was, and how long after the time before that: for a first guess.
  Micros pool_full_us_ = INT64_MAX;
  Micros pool_was_full_us_ = 0;
  Micros pool_filled_in_us_ = 0;
  FillPace pool_pace_{};
  /// How long the pool took to be full after a flush of a table: tables that take turns take as long again, but for a
  /// row.
  struct Filled {
    Micros in_us = 0;
    Micros before_in_us = -1;  // the time before that
  };
  std::vector<Filled> filled_after_;  // by table
  int pool_flushed_ = -1;             // the table whose flush made room last; -1: none has
  std::vector<Micros> timer_start_us_{};
  std::vector<double> logged_at_flush_{};  // the node's commit log position where each table's oldest write lies
  double heap_limit_bytes_ = 0;
  double offheap_limit_bytes_ = 0;
  double log_limit_bytes_ = 0;
};

}  // namespace windrow
