#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/base/iso_week.h"
#include "sim/base/units.h"
#include "sim/keys/column_rule.h"

namespace windrow {

// Dates as a time bucket's values tell them, in text and in numbers.

struct LocalTime {
  int year = 0;
  unsigned month = 1;
  unsigned day = 1;
  Seconds of_day_s = 0;
  std::int64_t days = 0;
};

inline LocalTime local_time(Seconds local_s) {
  const std::int64_t days = floor_div(local_s, seconds_per_day);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .of_day_s = local_s - days * seconds_per_day,
          .days = days};
}

// 2026-01-31-14-05, cut to what the bucket tells apart.
inline std::string bucket_text(const BucketName& bucket, Seconds local_s) {
  const LocalTime time = local_time(local_s);
  if (bucket.kind == BucketName::Kind::year) return fmt::format(FMT_COMPILE("{:04}"), time.year);
  if (bucket.kind == BucketName::Kind::month) return fmt::format(FMT_COMPILE("{:04}-{:02}"), time.year, time.month);
  if (bucket.from_monday) {
    const IsoWeek week = iso_week(std::chrono::sys_days(std::chrono::days(time.days)));
    return fmt::format("{:04}-W{:02}", week.year, week.week);
  }
  std::string text = fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}"), time.year, time.month, time.day);
  if (bucket.length_s % seconds_per_day != 0) text += fmt::format(FMT_COMPILE("-{:02}"), time.of_day_s / 3600);
  if (bucket.length_s % 3600 != 0) text += fmt::format(FMT_COMPILE("-{:02}"), time.of_day_s / 60 % 60);
  if (bucket.length_s % 60 != 0) text += fmt::format(FMT_COMPILE("-{:02}"), time.of_day_s % 60);
  return text;
}

// 20260131, 2026013114, or a count of minutes or seconds below the hour.
inline std::int64_t bucket_number(const BucketName& bucket, Seconds local_s) {
  const LocalTime time = local_time(local_s);
  if (bucket.kind == BucketName::Kind::year) return time.year;
  const std::int64_t month = std::int64_t{time.year} * 100 + time.month;
  if (bucket.kind == BucketName::Kind::month) return month;
  const std::int64_t day = month * 100 + time.day;
  if (bucket.length_s % seconds_per_day == 0) return day;
  if (bucket.length_s % 3600 == 0) return day * 100 + time.of_day_s / 3600;
  return bucket.length_s % 60 == 0 ? floor_div(local_s, 60) : local_s;
}

// 14 of 2026013114, 31 of 20260131, 1 of 202601: what is left to a number beside a coarser bucket: day, month, year.
inline std::int64_t bucket_part(const BucketName& bucket, Seconds local_s) {
  const LocalTime time = local_time(local_s);
  if (bucket.kind == BucketName::Kind::year) return time.year;
  if (bucket.kind == BucketName::Kind::month) return time.month;
  if (bucket.length_s % seconds_per_day == 0) return time.day;
  if (bucket.length_s % 3600 == 0) return time.of_day_s / 3600;
  return bucket.length_s % 60 == 0 ? time.of_day_s / 60 % 60 : time.of_day_s % 60;
}

/// The first second of the bucket that holds a local second.
inline Seconds begin_of_bucket(const BucketName& bucket, Seconds local_s) {
  if (bucket.kind == BucketName::Kind::equal)
    return floor_div(local_s - bucket.rule().begin(0), bucket.length_s) * bucket.length_s + bucket.rule().begin(0);
  const LocalTime time = local_time(local_s);
  const unsigned month = bucket.kind == BucketName::Kind::month ? time.month : 1;
  const std::chrono::sys_days first = std::chrono::year(time.year) / std::chrono::month(month) / 1;
  return static_cast<Seconds>(first.time_since_epoch().count()) * seconds_per_day;
}

}  // namespace windrow
