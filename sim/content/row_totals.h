#pragma once

#include <cstdint>
#include <span>

#include "sim/content/measure.h"
#include "sim/content/row_format.h"

namespace windrow {

/// Sizes of all rows, given that the size of the row before is written in one byte, or in two but for first rows.
struct RowTotals {
  Bytes after_short = 0;
  Bytes after_long = 0;
  Bytes before_next = 0;  // of all: size_before
  Rows near_longer = 0;   // of sizes at which a byte or two before them may cost another byte, here or in the row after
  std::int64_t smallest = INT64_MAX;  // after a short row
  std::int64_t largest = 0;           // after a long row
  bool one_byte_apart = true;         // a long row before costs exactly one byte more
};

/// `times` times the rows of `counts`, of these sizes of values.
void add_rows(const RowFormat& format, std::int64_t body, std::span<const std::int64_t> sizes,
              std::span<const Rows> counts, Rows times, RowTotals& totals);

/// Static rows beside rows that are held as intervals.
struct MeasuredStatics {
  std::int64_t partitions = 0;
  Bytes before_next = 0;  // of all: size_before
  bool one_byte = true;   // none pays more than one
};

/// Those of a content, static rows of rows that are intervals too.
struct CountedPartitions {
  std::int64_t number = 0;
  Bytes key_bytes = 0;
  MeasuredStatics statics{};
};

/// Adds to what was measured of a content the bytes of its rows, and its partitions.
void close_measure(const RowFormat& format, const RowTotals& totals, Rows rows, const CountedPartitions& partitions,
                   ClosedMeasure& measure);

}  // namespace windrow
