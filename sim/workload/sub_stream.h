#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/base/units.h"
#include "sim/workload/row_share.h"
#include "sim/workload/writer.h"

namespace windrow {

/// What one sub-stream brings.
enum class Brings { rows, row_tombstones, cell_tombstones };

/// Rows of a writer that share their fate. Members are numbered j = 0, 1, 2, …; arrival, timestamp, expiry and bucket
/// are monotone in j (timestamps within one second may not be, where they carry the row number).
///
/// In turn: a share decides when its rows come, and how many; which partition each is of goes around all slots, member
/// by member, so that every partition has the share and intervals of members are intervals of slots.
class SubStream {
 public:
  static constexpr std::int64_t table_default_ttl = -1;

  SubStream(const Writer& writer, Brings brings, RowShare share, bool in_turn, std::int64_t delay_units,
            std::int64_t ttl_s);

  const Writer& writer() const { return *writer_; }
  Brings brings() const { return brings_; }
  std::int64_t ttl_s() const { return ttl_s_; }  // table_default_ttl, 0 = never
  /// Of rows in a table with this default; 0 = never.
  Seconds ttl_s(Seconds table_default_s) const { return ttl_s_ == table_default_ttl ? table_default_s : ttl_s_; }
  const RowShare& share() const { return share_; }
  /// True if successive members are of successive slots.
  bool in_turn() const { return in_turn_; }

  std::int64_t row(std::int64_t j) const { return whole_ ? j : share_.row(j); }
  /// How many members have a row number below g.
  std::int64_t rank(std::int64_t g) const { return whole_ ? g : share_.rank(g); }
  /// The row number whose partition and values member j has.
  std::int64_t written_as(std::int64_t j) const { return in_turn_ ? first_row_ + j : share_.row(j); }
  std::int64_t slot(std::int64_t j) const {
    return writer_->slots_differ() ? turn(writer_->bucket_of(row(j))).slot(j) : writer_->slot(written_as(j));
  }
  /// How the members of one bucket go around its partitions.
  class Turn {
   public:
    Turn(std::int64_t slots, std::int64_t shift, const RowShare* share) : slots_(slots), shift_(shift), share_(share) {}
    std::int64_t slots() const { return slots_; }
    /// As SubStream::slot, of a member of the bucket.
    std::int64_t slot(std::int64_t j) const { return (share_ != nullptr ? share_->row(j) : j + shift_) % slots_; }

   private:
    std::int64_t slots_;
    std::int64_t shift_;     // in turn
    const RowShare* share_;  // not in turn
  };
  Turn turn(std::int64_t bucket_number) const;

  /// Arrival in units; a member that a pause swallows has the arrival it would have had.
  std::int64_t arrival(std::int64_t j) const;
  Seconds arrival_s(std::int64_t j) const { return arrival(j) * writer_->unit_us / us_per_s; }
  Micros timestamp(std::int64_t j) const;
  struct Dates {
    Micros timestamp_us = 0;
    Seconds arrival_s = 0;
  };
  /// Both, at little more than the cost of one.
  Dates dates(std::int64_t j) const;
  /// The dates of the member that is row `g` and happens at `event`, in units.
  Dates dates_of(std::int64_t g, std::int64_t event) const;
  /// Members that arrive before `time`, in units.
  std::int64_t count_arrived_before(std::int64_t time) const { return rank(rows_arrived_before(time)); }
  /// Row numbers below this one: those of the writer that would have arrived if all shared this delay.
  std::int64_t rows_arrived_before(std::int64_t time) const { return rows_arrived_before(time, writer_->rhythm); }
  /// The same by a counter of the writer's rhythm (Rhythm::Counter), or the rhythm.
  template <typename Counter>
  std::int64_t rows_arrived_before(std::int64_t time, Counter&& counter) const {
    if (writer_->arrivals) return writer_->arrivals->count_before(time - delay_units_);
    if (brings_ == Brings::rows && writer_->pauses_delay) time = before_pauses(time);
    return counter.count_before(time - delay_units_);
  }
  /// True if rows_arrived_before is always the same for both.
  bool arrives_with(const SubStream& other) const {
    return writer_ == other.writer_ && (brings_ == Brings::rows) == (other.brings_ == Brings::rows) &&
           delay_units_ == other.delay_units_;
  }
  /// Members with arrival second below `second`.
  std::int64_t count_arrived_before_s(Seconds second) const {
    return count_arrived_before(second * us_per_s / writer_->unit_us);
  }
  /// Members whose event lies before the beginning of a bucket.
  std::int64_t count_before_bucket(std::int64_t bucket_number) const;
  /// Members [first, second) that the stream never sends, to whatever node, ascending.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& unsent() const { return unsent_; }
  /// Those that would arrive before `from` or not before `until` are never sent.
  void send_only(std::int64_t from, std::int64_t until);
  /// The node, from 0, that no member arrives at though it is up, and for which nobody keeps them; -1: none.
  int lost_by() const { return lost_by_; }
  void lose_at(int node) { lost_by_ = node; }

  /// Splits [from, to) into the parts below and not below a write timestamp; ascending, adjacent parts differ.
  struct Part {
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool below = false;
  };
  std::vector<Part> split_at_timestamp(std::int64_t from, std::int64_t to, Micros timestamp_us) const;
  std::int64_t count_below_timestamp(std::int64_t from, std::int64_t to, Micros timestamp_us) const {
    if (writer_->timestamp.add_row_number) return count_of_parts_below(from, to, timestamp_us);
    return std::clamp(rank(rows_below_timestamp(timestamp_us)), from, to) - from;
  }
  /// Row numbers below this one: those of the writer whose timestamps would be below this one if all shared this delay;
  /// the same for all that arrive with each other. Not where timestamps carry the row number.
  std::int64_t rows_below_timestamp(Micros timestamp_us) const {
    return rows_below_timestamp(timestamp_us, writer_->rhythm);
  }
  template <typename Counter>
  std::int64_t rows_below_timestamp(Micros timestamp_us, Counter&& counter) const {
    const Micros base_us = timestamp_us - (brings_ == Brings::rows ? writer_->timestamp.offset_us : 0);
    return rows_based_below(writer_->unit_us == 1 ? base_us : ceil_div(base_us, writer_->unit_us), counter);
  }
  /// Smallest and largest write timestamp of a non-empty interval.
  std::pair<Micros, Micros> timestamp_range(std::int64_t from, std::int64_t to) const;

 private:
  bool stamped_at_event() const { return brings_ == Brings::rows && writer_->timestamp.from_event; }
  std::int64_t arrival_of(std::int64_t g, std::int64_t event) const;
  std::int64_t timestamp_base(std::int64_t j) const;  // in units, monotone
  template <typename Counter>
  std::int64_t rows_based_below(std::int64_t units, Counter&& counter) const {
    return stamped_at_event() ? counter.count_before(units) : rows_arrived_before(units, counter);
  }
  std::int64_t count_base_below(std::int64_t units) const { return rank(rows_based_below(units, writer_->rhythm)); }
  /// Of a time within a pause, at whose end all comes, its begin.
  std::int64_t before_pauses(std::int64_t time) const;
  std::int64_t count_of_parts_below(std::int64_t from, std::int64_t to, Micros timestamp_us) const;

  const Writer* writer_ = nullptr;
  Brings brings_ = Brings::rows;
  RowShare share_{};
  bool whole_ = true;
  bool in_turn_ = true;
  std::int64_t first_row_ = 0;  // in turn
  std::int64_t delay_units_ = 0;
  std::int64_t ttl_s_ = 0;
  int lost_by_ = -1;
  std::vector<std::pair<std::int64_t, std::int64_t>> unsent_{};
};

}  // namespace windrow
