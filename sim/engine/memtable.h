#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/swath.h"
#include "sim/workload/arrivals.h"

namespace windrow {

/// The current memtable of a table: which writes it has taken in since the last flush. Intervals are two numbers a
/// sub-stream.
class Memtable {
 public:
  explicit Memtable(const ContentSpace& space);

  /// Takes in every write before `place`, with the table's default TTL of now.
  void take_until(const ArrivalPlace& place, Seconds default_ttl_s);
  /// Takes in rows that came too late for their time (hints): they are not among its other writes. What the heap
  /// weighs does not know them.
  void take_hinted(std::span<const Cohort> cohorts);
  /// The same of what reads found lacking: parts of writes of rows that are held one by one.
  void take_repaired(std::span<const KeyedPartition> writes);
  /// What arrives at this node.
  const Arrivals& arrivals() const { return arrivals_; }
  Arrivals& arrivals() { return arrivals_; }
  /// Writes taken in since the last flush.
  Rows writes() const { return writes_; }
  /// The rows that conservation counts: each of an event's, and no range deletes.
  Rows counted_writes() const { return writes_ + more_rows_ - range_deletes_; }
  bool empty() const { return writes_ == 0; }
  Micros min_timestamp_us() const { return bases_.min_timestamp_us(); }

  /// What a flush would write (Flushing.FlushRunnable): merged in memory, nothing purged (rule 3.10); bases over
  /// everything ever taken in (storage rule 1.2).
  Content content() const;
  /// The same as a swath, if it is one.
  std::optional<Swath> swath() const;
  /// As it blocks purging: partitions of everything taken in.
  Content raw() const;
  /// After a flush: a new, empty memtable.
  void clear();

 private:
  void take_members(int s, std::int64_t to, Seconds default_ttl_s);
  /// True if what comes next, and what has come since the last flush, are a swath.
  bool goes_on_as_swath(Seconds default_ttl_s);
  void take_swath(const ArrivalPlace& place);
  /// What comes next begins one.
  void begin_swath();
  /// What was held as a swath is cohorts from here on, until the next flush.
  void leave_swath();
  std::vector<Cohort> cohorts() const;
  void take_keyed(const KeyedArrival& arrival, Seconds default_ttl_s);
  void take_keyed(KeyedPartition write);
  KeyedContent keyed() const;
  void count(const Cohort& cohort);
  /// What a file's header says of these rows, not yet seen.
  void see(std::span<const Cohort> cohorts);
  void see_one(const Cohort& cohort);
  KeyedContent statics(HeaderBases& bases) const;

  /// What each write of a writer says of a file's header.
  struct Written {
    ColumnSet columns{};
    bool deletes_elements = false;
    bool born_with_dead = false;
  };

  const ContentSpace* space_ = nullptr;
  Arrivals arrivals_;
  std::vector<Written> written_{};  // per writer
  ArrivalPlace taken_until_{.time = std::numeric_limits<Micros>::min()};
  std::vector<std::int64_t> taken_{};  // per sub-stream
  // While all of it is a swath: that of members from here to what was taken, with these kinds of rows. Else cohorts_.
  bool in_swath_ = true;
  std::vector<std::int64_t> swath_from_{};  // by place
  std::vector<std::int64_t> swath_to_{};    // the same
  std::shared_ptr<const SwathKinds> kinds_{};
  std::optional<Seconds> kinds_ttl_s_{};  // the table's default that they were asked for with
  bool writes_statics_ = false;
  std::size_t keyed_taken_ = 0;
  std::vector<Cohort> cohorts_{};
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> newest_{};  // per sub-stream: its latest of these
  std::vector<Cohort> unseen_{};       // taken by the call that runs
  std::map<Token, KeyedPartition> keyed_{};
  HeaderBases bases_{};
  Rows writes_ = 0;
  Rows more_rows_ = 0;  // beyond the first of each event
  Rows range_deletes_ = 0;
};

}  // namespace windrow
