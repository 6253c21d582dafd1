#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Bins of an SSTable's estimated tombstone drop times: (point, count), ascending.
class DropTimes {
 public:
  struct Bin {
    Seconds point_s = 0;
    std::int64_t count = 0;
    friend bool operator==(const Bin&, const Bin&) = default;
  };
  DropTimes() = default;
  explicit DropTimes(std::vector<Bin> bins);
  std::span<const Bin> bins() const { return bins_; }
  /// TombstoneHistogram.sum (rule 2.3): estimated number of points <= b; b is cast to 32 bits first, as the engine
  /// does.
  double sum(Seconds b) const;

 private:
  std::vector<Bin> bins_;
  std::vector<double> before_;  // points in the bins before each one, and in all
};

/// Points between two times, both inclusive, wherever they lie there.
struct PointsWithin {
  Seconds first_s = 0;
  Seconds last_s = 0;
  std::int64_t points = 0;
};
/// Up to this b no DropTimes::sum of such points exceeds `points`, whatever their order; no_deletion_time: it never
/// does. Holds for the builder below, and for bins of equal steps, 98 at most from the first point to the last.
Seconds sum_stays_below_until(std::vector<PointsWithin> within, double points);

/// StreamingTombstoneHistogramBuilder, Cassandra 5.0.9 (rules 2.1, 2.2): 100 bins, spool of 100,000, rounded up to 60
/// s. The order of calls matters above 100 distinct minutes, since equal hash places are taken in order of arrival.
class DropTimesBuilder {
 public:
  void add(Seconds point_s, std::int64_t count = 1);
  DropTimes build();  // empties the builder

 private:
  // One occupied cell of the engine's spool, an array of 262,144.
  struct Cell {
    Seconds point_s = -1;
    std::int32_t count = 0;
    std::int32_t place = -1;  // -1: this slot of cells_ is free
  };
  bool try_add(Seconds point_s, std::int64_t count);
  std::size_t slot_of(std::int32_t place) const;
  void grow();
  void flush();

  std::vector<Cell> cells_;  // by place: of few points open addressing, of many the spool itself
  std::size_t used_ = 0;
  std::size_t latest_ = 0;  // slot of the last point added: most points come in runs
  std::vector<DropTimes::Bin> bins_;
};

}  // namespace windrow
