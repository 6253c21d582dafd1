#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "sim/base/units.h"
#include "sim/stats/ring_share.h"
#include "sim/strategy/repair_status.h"

namespace windrow {

/// (left, right] of tokens; left == right is the whole ring.
struct TokenRange {
  Token left = 0;
  Token right = 0;
  friend bool operator==(const TokenRange&, const TokenRange&) = default;
};

/// The dear estimates of one SSTable, asked for only when a rule needs them (rules 1.7, 2.4, 5.7).
class Estimates {
 public:
  virtual ~Estimates() = default;
  /// StatsMetadata.getEstimatedDroppableTombstoneRatio (rule 2.4). Unit: share, may exceed 1.
  virtual double droppable_tombstone_ratio(Seconds gc_before_s) const = 0;
  /// Smallest gc_before_s at which the ratio exceeds `threshold`; no_deletion_time if never. Used to skip asks.
  virtual Seconds ratio_crosses_at(double threshold) const = 0;
  /// Up to this gc_before the ratio is not above `threshold`, found for less: rather too early than too late.
  virtual Seconds ratio_stays_below_until(double /*threshold*/) const { return INT64_MIN; }
  /// Below this gc_before the ratio is 0, found without looking at the ratio: rather too early than too late.
  virtual Seconds droppable_from_s() const { return INT64_MIN; }
  /// Rule 1.7: estimatedKeys, isEstimationInformative, estimatedKeysForRanges.
  virtual std::int64_t estimated_keys() const = 0;
  virtual bool estimation_informative() const = 0;
  virtual std::int64_t estimated_keys_for_ranges(std::span<const TokenRange> ranges) const = 0;
  /// EstimatedHistogram of cells per partition: mean() and count().
  virtual std::int64_t cells_mean() const = 0;
  virtual std::int64_t cells_count() const = 0;
  /// First and last token of the file.
  virtual std::pair<Token, Token> token_span() const = 0;
  /// Share of the ring, within what the node holds of it, from the first to the last token (rule 9.3). Of a node that
  /// holds all of it, unless said otherwise.
  virtual double spanned() const {
    const auto [first, last] = token_span();
    return covered_share(first, last);
  }
};

/// What a strategy may see of one SSTable. Immutable once the file exists, but for `repair`, `compacting`, `level` and
/// `live_rank`.
struct SSTableView {
  std::int64_t id = 0;      // its generation
  Bytes data_bytes = 0;     // onDiskLength: Data component
  Bytes bytes_on_disk = 0;  // all components
  Micros min_timestamp_us = 0;
  Micros max_timestamp_us = 0;
  Seconds max_local_deletion_time_s = no_deletion_time;
  Millis created_ms = 0;
  std::int32_t hash = 0;  // Java hash of the descriptor (rule 0.2a)
  int level = 0;
  RepairStatus repair{};
  double stored_coverage = std::numeric_limits<double>::quiet_NaN();  // tokenSpaceCoverage (rule 1.8)
  const Estimates* estimates = nullptr;                               // outlives the view
  bool compacting = false;
  std::int64_t live_rank = 0;  // live-set order: the larger, the earlier (rule 0.2); set by LiveSet
};

/// For in_hash_order (sim/stats/java_hash.h).
inline std::int32_t hash_of(const SSTableView* file) { return file->hash; }

}  // namespace windrow
