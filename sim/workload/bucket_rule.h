#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/base/units.h"
#include "sim/workload/wall_clock.h"

namespace windrow {

/// The time part of a partition key: which bucket an event second falls into. Buckets are numbered, in order of time.
class BucketRule {
 public:
  static BucketRule none();
  /// Buckets of equal length from the epoch, or from `first_s` of the local calendar (a week of the ISO calendar: 4 d).
  static BucketRule every(Seconds length_s, Seconds first_s = 0);
  static BucketRule month();
  static BucketRule year();
  /// The same buckets of a calendar that goes by `clock`.
  BucketRule by(const WallClock& clock) const;
  /// False where the clock, changed then, shows part of a bucket again after the next one has begun.
  bool is_whole_at(Seconds change_s) const { return number(change_s - 1) <= number(change_s); }

  std::int64_t number(Seconds event_s) const;
  /// First second of a bucket; of bucket 0 without buckets: the earliest time there is.
  Seconds begin(std::int64_t number) const;
  bool single() const { return kind_ == Kind::none; }
  /// By the calendar, if all buckets are equally long in it, else 0: days have 24 hours, whatever clocks do.
  Seconds length() const { return kind_ == Kind::every ? length_s_ : 0; }
  /// True of weeks of the ISO calendar, which begin on Monday.
  bool iso_weeks() const { return first_s_ != 0; }
  /// Which bucket, by the local calendar: its first second, or year * 100 + month, or the year.
  std::int64_t label(std::int64_t number) const;

 private:
  enum class Kind { none, every, month, year };
  explicit BucketRule(Kind kind, Seconds length_s = 0, Seconds first_s = 0)
      : kind_(kind), length_s_(length_s), first_s_(first_s) {}

  Kind kind_ = Kind::none;
  Seconds length_s_ = 0;
  Seconds first_s_ = 0;
  Seconds ahead_s_ = 0;                       // of UTC
  std::shared_ptr<const WallClock> clock_{};  // null: nobody changes it

  Seconds local(Seconds utc_s) const { return clock_ ? clock_->local(utc_s) : utc_s + ahead_s_; }
  Seconds utc(Seconds local_s) const { return clock_ ? clock_->first_utc(local_s) : local_s - ahead_s_; }
};

}  // namespace windrow
