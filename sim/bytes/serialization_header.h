#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "sim/base/units.h"
#include "sim/schema/column_set.h"
#include "sim/schema/sstable_format.h"

namespace windrow {

constexpr bool is_bti(SSTableFormat format) { return format == SSTableFormat::da; }

/// DeletionTime: the default is LIVE.
struct DeletionTime {
  Micros marked_for_delete_at_us = std::numeric_limits<std::int64_t>::min();
  Seconds local_deletion_time_s = no_deletion_time;

  bool live() const { return local_deletion_time_s == no_deletion_time; }
  bool deletes(Micros timestamp_us) const { return !live() && timestamp_us <= marked_for_delete_at_us; }
  friend bool operator==(const DeletionTime&, const DeletionTime&) = default;
};

/// DeletionTime.supersedes: the later deletion, ties to the later local deletion time.
constexpr bool supersedes(const DeletionTime& a, const DeletionTime& b) {
  if (a.marked_for_delete_at_us != b.marked_for_delete_at_us)
    return a.marked_for_delete_at_us > b.marked_for_delete_at_us;
  return !b.live() && !a.live() && a.local_deletion_time_s > b.local_deletion_time_s;
}

/// LivenessInfo of a primary key; the default is EMPTY.
struct LivenessInfo {
  bool present = false;
  std::int32_t ttl_s = 0;  // 0: never expires
  Micros timestamp_us = 0;
  Seconds local_expiration_time_s = no_deletion_time;

  bool expiring() const { return ttl_s > 0; }
};

/// EncodingStats: the bases all times of an SSTable are stored relative to (storage rule 1.2). The default is NO_STATS.
struct EncodingStats {
  static constexpr Micros timestamp_epoch_us = 1'442'880'000'000'000;
  static constexpr Seconds deletion_time_epoch_s = 1'442'880'000;

  Micros min_timestamp_us = timestamp_epoch_us;
  Seconds min_local_deletion_time_s = deletion_time_epoch_s;
  std::int64_t min_ttl_s = 0;
  friend bool operator==(const EncodingStats&, const EncodingStats&) = default;

  /// EncodingStats.Collector. A flush feeds it everything ever written to the memtable, overwritten or not; a
  /// compaction the statistics (not the bases) of its inputs.
  class Collector {
   public:
    void see(Micros timestamp_us) { min_timestamp_us_ = std::min(min_timestamp_us_, timestamp_us); }
    void see_deletion(Seconds local_s) { min_local_deletion_time_s_ = std::min(min_local_deletion_time_s_, local_s); }
    void see_ttl(std::int64_t s) { min_ttl_s_ = std::min(min_ttl_s_, s); }
    void see(const Collector& other) {
      see(other.min_timestamp_us_);
      see_deletion(other.min_local_deletion_time_s_);
      see_ttl(other.min_ttl_s_);
    }
    /// no_timestamp if none was seen.
    Micros min_timestamp_us() const { return min_timestamp_us_; }
    EncodingStats get() const {
      EncodingStats stats;
      if (min_timestamp_us_ != no_timestamp) stats.min_timestamp_us = min_timestamp_us_;
      if (min_local_deletion_time_s_ != no_deletion_time) stats.min_local_deletion_time_s = min_local_deletion_time_s_;
      if (min_ttl_s_ != no_ttl) stats.min_ttl_s = min_ttl_s_;
      return stats;
    }

   private:
    static constexpr std::int64_t no_ttl = std::numeric_limits<std::int64_t>::max();
    Micros min_timestamp_us_ = no_timestamp;
    Seconds min_local_deletion_time_s_ = no_deletion_time;
    std::int64_t min_ttl_s_ = no_ttl;
  };
};

/// What the header of an SSTable says about the encoding of its rows. Columns are those ever named in a write to the
/// memtable, or of any input; in file order: simple ones by name, then complex ones by name.
struct SerializationHeader {
  SSTableFormat format = SSTableFormat::oa;
  EncodingStats stats{};
  int static_columns = 0;
  int regular_columns = 0;
  // Where cells are numbered by the regular columns of the table: those that the header has. Empty: cells are numbered
  // by those of the header.
  ColumnSet regular_of_table{};
  ColumnSet static_of_table{};  // the same of static columns
};

}  // namespace windrow
