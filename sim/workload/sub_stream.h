#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/writer.h"

namespace windrow {

/// What one sub-stream brings.
enum class Brings { rows, row_tombstones, cell_tombstones };

/// Rows of a writer that share their fate: the row numbers g whose remainder modulo `modulus` is in `residues`.
/// Members are numbered j = 0, 1, 2, …; arrival, timestamp, expiry and bucket are monotone in j (timestamps within one
/// second may not be, where they carry the row number).
class SubStream {
 public:
  static constexpr std::int64_t table_default_ttl = -1;

  SubStream(const Writer& writer, Brings brings, std::int64_t modulus, std::vector<std::int64_t> residues,
            std::int64_t delay_units, std::int64_t ttl_s);

  const Writer& writer() const { return *writer_; }
  Brings brings() const { return brings_; }
  std::int64_t ttl_s() const { return ttl_s_; }  // table_default_ttl, 0 = never
  std::int64_t modulus() const { return modulus_; }
  const std::vector<std::int64_t>& residues() const { return residues_; }
  /// True if every row of the writer belongs to it.
  bool whole() const { return static_cast<std::int64_t>(residues_.size()) == modulus_; }

  std::int64_t row(std::int64_t j) const {
    if (whole()) return j;
    const auto share = static_cast<std::int64_t>(residues_.size());
    return j / share * modulus_ + residues_[static_cast<std::size_t>(j % share)];
  }
  /// How many members have a row number below g.
  std::int64_t rank(std::int64_t g) const { return whole() ? g : rank_of_share(g); }

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
  /// Members that arrive before `time`, in units.
  std::int64_t count_arrived_before(std::int64_t time) const;
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

  /// Splits [from, to) into the parts below and not below a write timestamp; ascending, adjacent parts differ.
  struct Part {
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool below = false;
  };
  std::vector<Part> split_at_timestamp(std::int64_t from, std::int64_t to, Micros timestamp_us) const;
  std::int64_t count_below_timestamp(std::int64_t from, std::int64_t to, Micros timestamp_us) const;
  /// Smallest and largest write timestamp of a non-empty interval.
  std::pair<Micros, Micros> timestamp_range(std::int64_t from, std::int64_t to) const;

 private:
  std::int64_t rank_of_share(std::int64_t g) const;
  bool stamped_at_event() const { return brings_ == Brings::rows && writer_->timestamp.from_event; }
  std::int64_t arrival_of(std::int64_t g, std::int64_t event) const;
  std::int64_t timestamp_base(std::int64_t j) const;  // in units, monotone
  std::int64_t count_base_below(std::int64_t units) const;

  const Writer* writer_ = nullptr;
  Brings brings_ = Brings::rows;
  std::int64_t modulus_ = 1;
  std::vector<std::int64_t> residues_{};
  std::int64_t delay_units_ = 0;
  std::int64_t ttl_s_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> unsent_{};
};

}  // namespace windrow
