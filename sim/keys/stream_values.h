#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/words/distribution.h"
#include "sim/words/plain_values.h"
#include "sim/words/timed.h"
#include "sim/workload/covering_deletes.h"

namespace windrow {

/// Who writes: a number, pattern(dev-%05d, 20000), named(a, b), from(fleet.csv), new(10/s, living 5min).
struct Entities {
  enum class Kind { number, pattern, named, file };
  Kind kind = Kind::number;
  std::int64_t count = 1;
  std::string before{};  // pattern: text before and after the number, which has at least `width` digits
  std::string after{};
  int width = 0;
  bool zeros = false;
  std::vector<std::string> names{};
  std::string file{};
  Seconds living_s = 0;  // new: `count` of them write at a time, for so long, then others in their place; 0: for ever
};
inline constexpr std::int64_t most_entities = 100'000'000;
void read_value(Cursor& cursor, Entities& value);

/// How fast one entity writes: a rate, a distribution of rates over the entities, or from(profile.csv), rates over
/// time.
struct StreamRate {
  std::optional<Rate> exact{};  // of a single value
  Distribution spread{};        // rows per second
  std::string profile_file{};
};
void read_value(Cursor& cursor, StreamRate& value);

/// How a rate swings: flat, daily(peak 20:00, 3x), weekly(peak sat, 2x), burst(10x, 1h, every 7d). The first three keep
/// the mean.
struct Shape {
  enum class Kind { flat, daily, weekly, burst };
  Kind kind = Kind::flat;
  Seconds peak_s = 0;  // of the day; of the week, which begins on Monday
  double factor = 1;   // at the peak, times the mean; of a burst, times the rate
  Micros length_us = 0;
  Micros every_us = 0;
};
void read_value(Cursor& cursor, Shape& value);

/// 40%/y, -10%/y, 40%/y by day
struct Growth {
  double per_year = 0;
  Micros step_us = us_per_year / 12;  // the rate stays the same for so long
};
void read_value(Cursor& cursor, Growth& value);

/// insert, update, overwrite(keys[, random|cyclic|zipf(s)]), delete(row|range|partition, age)
struct Op {
  WriteOp kind = WriteOp::insert;
  OverwriteRule overwrite{};
  RemoveRule remove{};
};
void read_value(Cursor& cursor, Op& value);

/// `7d`, `none`, `table`, `60d 5% + table`: one part may be without share, it takes the rest.
struct TtlMix {
  std::vector<TtlShare> parts{};
};
void read_value(Cursor& cursor, TtlMix& value);

/// `none`, `2% by 1h`, `2% by 1h..2d + 0.1% by lognormal(1d, 5d)`
struct Lateness {
  struct Part {
    std::int64_t share_ppm = 0;
    Distribution delay_us{};
  };
  std::vector<Part> parts{};
};
void read_value(Cursor& cursor, Lateness& value);

/// A time, or a distribution of times: lognormal(2h, 12h).
struct SpreadOfTime {
  Distribution us{};
};
void read_value(Cursor& cursor, SpreadOfTime& value);

/// DATE..DATE
struct SpanOfDates {
  Micros from_us = 0;
  Micros to_us = 0;
};
void read_value(Cursor& cursor, SpanOfDates& value);

/// arrival, event, event + 5s, arrival - 1h
void read_value(Cursor& cursor, TimestampRule& value);

/// from DATE to DATE at RATE
struct BackfillSpan {
  Micros from_us = 0;
  Micros to_us = 0;
  Rate rate{};
};
void read_value(Cursor& cursor, BackfillSpan& value);

/// UTC, +02:00, -05:30; Europe/Berlin, or a file of a clock's changes
struct Zone {
  Seconds offset_s = 0;
  std::string name{};  // of a zone or file, which says the offset
};
void read_value(Cursor& cursor, Zone& value);

/// snapshot, remove, snapshot for 30d
void read_value(Cursor& cursor, DropRule& value);

}  // namespace windrow
