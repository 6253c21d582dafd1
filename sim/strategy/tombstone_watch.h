#pragma once

#include <cstdint>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/file_order.h"

namespace windrow {

/// Which files may be worth a tombstone compaction (rules 5.2, 5.3): old enough, and their droppable ratio above the
/// threshold. The point where a ratio crosses is asked for once, when the file has come of age: most never do.
class TombstoneWatch {
 public:
  struct Aged {
    Seconds crosses_at_s = no_deletion_time;  // gc_before from which the ratio is above the threshold
    const SSTableView* file = nullptr;
    /// What the last fruitless look found out: not worth it below this gc_before while no file leaves the table.
    std::int64_t removals_seen = -1;
    Seconds seen_at_s = 0;
    Seconds not_before_s = 0;
  };

  explicit TombstoneWatch(const CommonCompactionOptions& options);

  void add(const SSTableView& file);
  void remove(const SSTableView& file);

  /// Files whose age and ratio allow a tombstone compaction, by crossing; compacting ones among them.
  std::span<Aged> ripe(Millis now_ms, Seconds gc_before_s) const;
  /// When the next file becomes old enough, no_deletion_time if all are.
  Millis next_of_age_ms(Millis now_ms) const;
  /// gc_before at which the next of the aged files crosses, no_deletion_time if none.
  Seconds next_crossing_s(Seconds gc_before_s) const;

 private:
  void come_of_age(Millis now_ms) const;

  Millis interval_ms_ = 0;
  double threshold_ = 0;
  // Both only remember what the files say of themselves: asking changes no answer.
  mutable FileOrder young_;              // by creation
  mutable std::vector<Aged> aged_;       // by crossing, then id; files that never cross are left out
  mutable Millis latest_of_age_ms_ = 0;  // when the youngest of them came of age
};

}  // namespace windrow
