#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/file_order.h"

namespace windrow {

/// Which files may be worth a tombstone compaction (rules 5.2, 5.3): old enough, and their droppable ratio above the
/// threshold. The point where a ratio crosses is asked for once, when the file has come of age and so much of it may be
/// droppable: most never get there. A file of which one other says that it is not worth it sleeps while that one stays.
class TombstoneWatch {
 public:
  struct Aged {
    Seconds crosses_at_s = no_deletion_time;  // gc_before from which the ratio is above the threshold
    std::int64_t id = 0;
    const SSTableView* file = nullptr;
    /// What the last fruitless look found out: not worth it below this gc_before while no file leaves the table.
    mutable std::int64_t removals_seen = -1;
    mutable Seconds seen_at_s = 0;
    mutable Seconds not_before_s = 0;

    friend bool operator<(const Aged& a, const Aged& b) {
      return a.crosses_at_s != b.crosses_at_s ? a.crosses_at_s < b.crosses_at_s : a.id < b.id;
    }
  };
  using ByCrossing = ChunkedOrder<Aged, std::less<>>;

  explicit TombstoneWatch(const CommonCompactionOptions& options);

  /// Nothing in any of its files ever becomes droppable: no look at it finds anything.
  bool empty() const { return young_.empty() && known_.empty(); }

  void add(const SSTableView& file);
  void remove(const SSTableView& file);
  /// A file has left the table, of this instance or another.
  void left(std::int64_t id);

  /// From the next look on `aged` sleeps until gc_before reaches `not_before_s`, or file `covered_by` leaves.
  void put_to_sleep(const Aged& aged, std::int64_t covered_by, Seconds seen_at_s, Seconds not_before_s) const {
    dozing_.push_back({aged.id, covered_by, seen_at_s, not_before_s});
  }
  /// gc_before at which the first sleeper wakes; no_deletion_time if there is none.
  Seconds next_waking_s() const { return asleep_.empty() ? no_deletion_time : asleep_.front().key; }

  /// Files whose age and ratio allow a tombstone compaction, by crossing; compacting ones among them, sleeping ones
  /// not.
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
  /// Its ratio is not above the threshold before `earliest_s`.
  void wait(const SSTableView& file, Seconds earliest_s) const;
  void fall_asleep() const;
  void wake_by(Seconds gc_before_s) const;
  void wake(std::int64_t id) const;

  struct Sleep {
    std::int64_t id = 0;
    std::int64_t covered_by = 0;
    Seconds seen_at_s = 0;
    Seconds not_before_s = 0;
  };
  /// Where a file of age is.
  struct Known {
    enum class Place { waiting, aged, asleep };
    Place place = Place::waiting;
    Seconds crosses_at_s = 0;
    const SSTableView* file = nullptr;
    Sleep sleep{};
  };

  Millis interval_ms_ = 0;
  double threshold_ = 0;
  // All only remember what the files say of themselves: asking changes no answer.
  mutable FilePlaces young_;           // by creation
  mutable FilePlaces waiting_;         // of age, by when they may cross at the earliest
  mutable ByCrossing aged_;            // files that never cross are left out
  mutable FilePlaces asleep_;          // by when they wake
  mutable std::vector<Sleep> dozing_;  // will be asleep at the next look
  mutable std::unordered_map<std::int64_t, std::vector<std::int64_t>>
      sleepers_;                                           // by what covers them; some have woken since
  mutable Seconds last_slept_s_ = INT64_MIN;               // latest gc_before at which one fell asleep
  mutable std::unordered_map<std::int64_t, Known> known_;  // of those of age, by id
  mutable Millis latest_of_age_ms_ = 0;                    // when the youngest of them came of age
};

}  // namespace windrow
