#include "sim/workload/bucket_rule.h"

#include <chrono>
#include <limits>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

std::chrono::year_month_day civil(Seconds second) {
  return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(floor_div(second, seconds_per_day))));
}

Seconds first_second(int year, unsigned month) {
  const std::chrono::sys_days day = std::chrono::year(year) / std::chrono::month(month) / 1;
  return static_cast<Seconds>(day.time_since_epoch().count()) * seconds_per_day;
}

}  // namespace

BucketRule BucketRule::none() { return BucketRule(Kind::none); }
BucketRule BucketRule::every(Seconds length_s, Seconds first_s) { return BucketRule(Kind::every, length_s, first_s); }
BucketRule BucketRule::month() { return BucketRule(Kind::month); }
BucketRule BucketRule::year() { return BucketRule(Kind::year); }
BucketRule BucketRule::by(const WallClock& clock) const {
  BucketRule rule = *this;
  if (clock.is_changed()) {
    rule.clock_ = std::make_shared<const WallClock>(clock);
  } else {
    rule.ahead_s_ = clock.changes().front().offset_s;
  }
  return rule;
}

std::int64_t BucketRule::number(Seconds event_s) const {
  const Seconds shown_s = local(event_s);
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::every:
      return floor_div(shown_s - first_s_, length_s_);
    case Kind::month: {
      const auto date = civil(shown_s);
      return static_cast<int>(date.year()) * 12 + static_cast<int>(static_cast<unsigned>(date.month())) - 1;
    }
    case Kind::year:
      return static_cast<int>(civil(shown_s).year());
  }
  return 0;
}

Seconds BucketRule::begin(std::int64_t number) const {
  switch (kind_) {
    case Kind::none:
      return number <= 0 ? std::numeric_limits<Seconds>::min() / 4 : std::numeric_limits<Seconds>::max() / 4;
    case Kind::every:
      return utc(number * length_s_ + first_s_);
    case Kind::month:
      return utc(first_second(static_cast<int>(floor_div(number, 12)),
                              static_cast<unsigned>(number - floor_div(number, 12) * 12 + 1)));
    case Kind::year:
      return utc(first_second(static_cast<int>(number), 1));
  }
  return 0;
}

std::int64_t BucketRule::label(std::int64_t number) const {
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::every:
      return number * length_s_ + first_s_;
    case Kind::month:
      return number / 12 * 100 + number % 12 + 1;
    case Kind::year:
      return number;
  }
  return 0;
}

}  // namespace windrow
