#pragma once

#include <cstdint>
#include <string>

#include "sim/base/units.h"

namespace windrow {

/// The time part of a partition key: which bucket an event second falls into. Buckets are numbered, in order of time.
class BucketRule {
 public:
  static BucketRule none();
  /// Buckets of equal length from the epoch, or from `first_s` of the local calendar (a week of the ISO calendar: 4 d).
  /// `offset_s`: of a zone east of UTC, negative.
  static BucketRule every(Seconds length_s, Seconds offset_s = 0, Seconds first_s = 0);
  static BucketRule month(Seconds offset_s = 0);
  static BucketRule year(Seconds offset_s = 0);

  std::int64_t number(Seconds event_s) const;
  /// First second of a bucket; of bucket 0 without buckets: the earliest time there is.
  Seconds begin(std::int64_t number) const;
  bool single() const { return kind_ == Kind::none; }
  /// Length if all buckets are equally long, else 0.
  Seconds length() const { return kind_ == Kind::every ? length_s_ : 0; }
  /// True of weeks of the ISO calendar, which begin on Monday.
  bool iso_weeks() const { return first_s_ != 0; }
  /// Which bucket, by the local calendar: its first second, or year * 100 + month, or the year.
  std::int64_t label(std::int64_t number) const;

 private:
  enum class Kind { none, every, month, year };
  BucketRule(Kind kind, Seconds length_s, Seconds offset_s, Seconds first_s = 0)
      : kind_(kind), length_s_(length_s), offset_s_(offset_s), first_s_(first_s) {}

  Kind kind_ = Kind::none;
  Seconds length_s_ = 0;
  Seconds offset_s_ = 0;
  Seconds first_s_ = 0;
};

}  // namespace windrow
