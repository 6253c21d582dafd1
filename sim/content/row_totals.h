#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/measure.h"
#include "sim/content/row_format.h"

namespace windrow {

/// Sizes of all rows, given that the size of the row before is written in one byte, or in two but for first rows.
struct RowTotals {
  Rows rows = 0;
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

/// Those of one writer, whose partitions no other has rows of.
struct TotalsOfWriter {
  const Writer* writer = nullptr;
  RowTotals totals{};
  std::int64_t partitions = 0;
};

class TotalsByWriter {
 public:
  TotalsOfWriter& of(const Writer& writer);
  std::span<const TotalsOfWriter> each() const { return {writers_.data(), writers_.size()}; }
  /// Of all writers together.
  RowTotals all() const;

 private:
  boost::container::small_vector<TotalsOfWriter, 1> writers_{};
};

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

/// ContentSpace::count_partitions, and how many of them are whose.
CountedPartitions count_partitions(const ContentSpace& space, std::span<const Cohort> cohorts,
                                   std::vector<PartitionsBetween>* by_token, TotalsByWriter& totals);

/// Adds to what was measured of a content the bytes of its rows, and its partitions. `rows`: with drawn ones, of which
/// there are no totals.
void close_measure(const RowFormat& format, const TotalsByWriter& writers, Rows rows,
                   const CountedPartitions& partitions, ClosedMeasure& measure);

}  // namespace windrow
