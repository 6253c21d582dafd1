#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/words/distribution.h"
#include "sim/words/plain_values.h"
#include "sim/words/timed.h"
#include "sim/workload/bucket_rule.h"

namespace windrow {

/// A time bucket as named: minute 10min hour day week month year, any duration.
struct BucketName {
  enum class Kind { equal, month, year };
  Kind kind = Kind::equal;
  Seconds length_s = seconds_per_day;
  bool from_monday =
      false;  // a week of the ISO calendar; a duration such as 7d is cut from the epoch, as time windows are
  std::string text = "day";

  /// By UTC.
  BucketRule rule() const;
  /// Mean length, to compare with other spans.
  Seconds nominal_length_s() const;
};

/// How large a value within another is: an element of a collection, a field of a user type.
struct PartSize {
  enum class Kind { bytes, null, set, list, map, udt };
  Kind kind = Kind::bytes;
  Distribution bytes{};           // as one: text(20)
  std::int64_t elements = 0;      // of a collection: set(3, text(10))
  std::vector<PartSize> parts{};  // of those that have no size of their own, or of all
};

/// What goes into a column: the right side of `column.NAME = …`.
struct ColumnRule {
  enum class Kind { entity, bucket, shard, each, start, time, unique, null, constant, size, set, list, map, udt };
  Kind kind = Kind::size;
  BucketName bucket{};
  std::int64_t rolling = 0;       // rolling(24, 1h): so many buckets of this length in turn
  BucketName fine_bucket{};       // adaptive(day, hour above 5000/day)
  double fine_above_per_s = 0;    // 0: not adaptive
  std::int64_t count = 0;         // shard(n), each(n)
  std::int64_t fine_count = 0;    // adaptive(shard(1), shard(16) above 5000/day)
  Distribution bytes{};           // text(20), blob(1KiB), each(50, text(20))
  std::int64_t elements = 0;      // set(5, text(10)), map(5, text(8), text(20)), list(5): of numbers
  std::vector<PartSize> parts{};  // of its elements or fields: of those that have no size of their own, or of all
  bool append = false;            // to a collection: what was there stays
  std::string constant{};
  std::string text{};  // as written
};
void read_value(Cursor& cursor, ColumnRule& value);

inline constexpr std::string_view accepted_column_rules =
    "entity, a bucket (minute, 10min, hour, day, week, month, year, any time, rolling(24, 1h), adaptive(day, hour "
    "above 5000/day)), "
    "shard(4), adaptive(shard(1), shard(16) above 5000/day), each(50, text(20)), start, time, unique, null, 'a "
    "constant', text(20), blob(lognormal(90, 280)), set(5, "
    "text(10)), "
    "list(5, text(10)), map(5, text(8), text(20)), append(set(1, text(10))), udt(text(20), "
    "text(5))";

}  // namespace windrow
