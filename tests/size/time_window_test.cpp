#include "sim/size/time_window.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

constexpr Seconds hour_s = 3'600;
constexpr Seconds day_s = 86'400;
constexpr Seconds month_s = 2'629'746;

TEST_CASE("a window is a whole number of buckets, and twenty to thirty are a TTL where buckets allow it") {
  CHECK(window_for(90 * day_s, 0).cql() == "'compaction_window_unit': 'DAYS', 'compaction_window_size': 3");
  CHECK(window_for(7 * day_s, 0).cql() == "'compaction_window_unit': 'HOURS', 'compaction_window_size': 6");
  CHECK(window_for(7 * day_s, day_s).cql() == "'compaction_window_unit': 'DAYS', 'compaction_window_size': 1");
  CHECK(window_for(90 * day_s, 7 * day_s).length_s == 7 * day_s);
  CHECK(window_for(90 * day_s, 2 * day_s).length_s == 4 * day_s);
  CHECK(window_for(day_s, 600).length_s == hour_s);
  CHECK(window_for(365 * day_s, month_s).length_s == 31 * day_s);
  CHECK(window_for(0, hour_s).length_s == day_s);
  CHECK(window_for(0, 7 * day_s).length_s == 7 * day_s);
  CHECK(window_for(30 * day_s, 90).length_s % 90 == 0);
}

TEST_CASE("the window that is named has nothing said against it") {
  for (const Seconds ttl_s : {Seconds{0}, hour_s, day_s, 3 * day_s, 10 * day_s, 45 * day_s, 90 * day_s, 3650 * day_s}) {
    for (const Seconds bucket_s : {Seconds{0}, Seconds{1}, Seconds{45}, Seconds{60}, Seconds{600}, hour_s, 6 * hour_s,
                                   10 * hour_s, day_s, 7 * day_s, month_s, 12 * month_s}) {
      CAPTURE(ttl_s);
      CAPTURE(bucket_s);
      const WindowChoice window = window_for(ttl_s, bucket_s);
      CHECK(window.length_s > 0);
      CHECK(is_good_window(window.length_s, ttl_s, bucket_s));
      CHECK(windows_of_bucket(bucket_s, window.length_s) == 1);
    }
  }
}

TEST_CASE("a bucket lies in as many windows as it is longer, and in two where they do not end together") {
  CHECK(windows_of_bucket(7 * day_s, day_s) == 7);
  CHECK(windows_of_bucket(10 * hour_s, day_s) == 2);
  CHECK(windows_of_bucket(hour_s, day_s) == 1);
  CHECK(windows_of_bucket(month_s, 31 * day_s) == 1);
  CHECK(windows_of_bucket(month_s, day_s) == 31);
}

}  // namespace
}  // namespace windrow
