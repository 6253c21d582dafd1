#pragma once

#include <cstdint>
#include <unordered_map>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/file_order.h"

namespace windrow {

/// Which files may be worth a tombstone compaction (rules 5.2, 5.3): old enough, and their droppable ratio above the
/// threshold. The point where a ratio crosses is asked for once, when the file has come of age and something in it may be
/// droppable: most never do.
class TombstoneWatch {
 public:
  struct Aged {
    Seconds crosses_at_s = no_deletion_time;  // gc_before from which the ratio is above the threshold
    std::int64_t id = 0;
    const SSTableView* file = nullptr;
    /// What the last fruitless look found out: not worth it below this gc_before while no file leaves the table, or, where
    /// one other file is enough to say so, while that one stays.
    mutable std::int64_t removals_seen = -1;
    mutable std::int64_t covered_by = 0;  // its id
    mutable Seconds seen_at_s = 0;
    mutable Seconds not_before_s = 0;

    friend bool operator<(const Aged& a, const Aged& b) {
      return a.crosses_at_s != b.crosses_at_s ? a.crosses_at_s < b.crosses_at_s : a.id < b.id;
    }
  };
  using ByCrossing = ChunkedOrder<Aged, std::less<>>;

  explicit TombstoneWatch(const CommonCompactionOptions& options);

  void add(const SSTableView& file);
  void remove(const SSTableView& file);

  /// Files whose age and ratio allow a tombstone compaction, by crossing; compacting ones among them.
  ByCrossing::Run ripe(Millis now_ms, Seconds gc_before_s) const;
  /// When the next file becomes old enough, no_deletion_time if all are.
  Millis next_of_age_ms(Millis now_ms) const;
  /// gc_before at which the next of the aged files may cross, no_deletion_time if none does.
  Seconds next_crossing_s(Seconds gc_before_s) const;

 private:
  void come_of_age(Millis now_ms) const;
  /// Finds the crossings of those files that may have crossed by now.
  void settle(Seconds gc_before_s) const;
  void enter(const SSTableView& file, Seconds crosses_at_s) const;

  /// Where a file of age is: in `aged_`, or still in `waiting_`.
  struct Known {
    Seconds crosses_at_s = 0;
    bool settled = false;
  };

  Millis interval_ms_ = 0;
  double threshold_ = 0;
  // All only remember what the files say of themselves: asking changes no answer.
  mutable FilePlaces young_;             // by creation
  mutable FilePlaces waiting_;           // of age, by when they may cross at the earliest
  mutable ByCrossing aged_;              // files that never cross are left out
  mutable std::unordered_map<std::int64_t, Known> known_;  // of both, by id
  mutable Millis latest_of_age_ms_ = 0;  // when the youngest of them came of age
};

}  // namespace windrow
