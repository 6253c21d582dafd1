#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_slots.h"
#include "sim/content/partition_census.h"
#include "sim/stats/rate_spread.h"

namespace windrow {

/// The partitions of a writer's bucket, as they would be if all its entities wrote alike.
struct PacedPartitions {
  std::int64_t partitions = 0;  // places for them: an entity that is slow enough has none
  double events = 0;            // of one, in the mean
  Rows rows_per_event = 1;
  double cells = 0;  // of a row
  double row_bytes = 0;
  double other_bytes = 0;  // of a partition, beside its rows

  Rows rows(std::int64_t of_events) const { return of_events * rows_per_event; }
  std::int64_t cells_of(Rows rows) const { return std::llround(cells * static_cast<double>(rows)); }
  Bytes bytes_of(Rows rows) const { return std::llround(row_bytes * static_cast<double>(rows) + other_bytes); }
};

/// `alike`: of all the bucket's pieces; `header_bytes`: of a partition's key and end.
PacedPartitions paced_partitions(const Writer& writer, std::span<const BucketPiece> pieces,
                                 std::span<const AlikePartitions> alike, double header_bytes);

/// Factors of the runs of `spread` for the rows of a bucket: where rates change within it, each counts by its rows.
std::vector<double> paces_of(const RateSpread& spread, const ContentSpace& space, std::span<const BucketPiece> pieces);

/// As std::llround, for less: of what is above -1/2, and far below 2^63.
inline std::int64_t nearest_whole(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  return whole + (number - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

/// Shares the rows out to the runs of entities: calls `put(partitions, events)`; entities of one run differ by an event
/// at most, and no row is lost. Runs that follow each other and have as many events are put together.
template <typename Put>
void share_by_pace(const PacedPartitions& alike, const std::vector<double>& upto, const std::vector<double>& paces,
                   const Put& put) {
  std::int64_t before = 0;
  double due = 0;  // events that no partition has yet
  std::int64_t events = 0;
  std::int64_t have_these = 0;
  std::int64_t have_one_more = 0;
  const auto put_these = [&] {
    if (have_these > 0 && events > 0) put(have_these, events);
  };
  for (std::size_t i = 0; i < upto.size(); ++i) {
    const std::int64_t end = nearest_whole(upto[i] * static_cast<double>(alike.partitions));
    const std::int64_t partitions = end - before;
    before = end;
    const double mean = alike.events * paces[i];
    const auto each = static_cast<std::int64_t>(mean);
    due += (mean - static_cast<double>(each)) * static_cast<double>(partitions);
    const std::int64_t more = std::clamp<std::int64_t>(nearest_whole(due), 0, partitions);
    due -= static_cast<double>(more);
    if (each != events) {
      put_these();
      if (each == events + 1) {
        have_these = have_one_more;
      } else {
        if (have_one_more > 0) put(have_one_more, events + 1);
        have_these = 0;
      }
      have_one_more = 0;
      events = each;
    }
    have_these += partitions - more;
    have_one_more += more;
  }
  put_these();
  if (have_one_more > 0) put(have_one_more, events + 1);
}

/// Names those of a writer's bucket that are among the `most` largest.
void keep_large_ones(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike, const RateSpread& spread,
                     const std::vector<double>& paces, std::vector<LargestPartition>& largest, std::size_t most);

/// Partitions of buckets whose entities differ by pace, until their rows are shared out: successive buckets that are
/// alike together.
class PacedBuckets {
 public:
  /// `paces`: of this bucket, see paces_of.
  void add(const PacedPartitions& alike, const RateSpread& spread, std::vector<double> paces);
  /// As if its buckets came one after the other.
  void add(const PacedBuckets& others);
  /// Gives away all that no bucket before them or after them can be alike with.
  PacedBuckets take_inner();
  /// Calls `count(partitions, rows, cells, bytes)`, again and again.
  template <typename Count>
  void share_out(const Count& count) const {
    for (const Bucket& bucket : buckets_) {
      const PacedPartitions& alike = bucket.alike;
      share_by_pace(alike, bucket.spread->upto, bucket.paces, [&](std::int64_t partitions, std::int64_t events) {
        const Rows rows = alike.rows(events);
        count(partitions, rows, alike.cells_of(rows), alike.bytes_of(rows));
      });
    }
  }

 private:
  struct Bucket {
    PacedPartitions alike{};
    const RateSpread* spread = nullptr;
    std::vector<double> paces{};
    bool like(const PacedPartitions& other, const RateSpread& of) const;
    bool last_of_its_kind = false;  // those that followed it are not here
  };
  std::vector<Bucket> buckets_{};
};

}  // namespace windrow
