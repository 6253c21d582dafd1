#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/content/census.h"
#include "sim/content/measure.h"
#include "sim/content/row_pieces.h"
#include "sim/content/row_shape.h"

namespace windrow {

namespace {

/// How many of a bucket's partitions hold the same numbers of rows.
struct SlotGroup {
  std::int64_t partitions = 0;
  std::int64_t cells = 0;
  double row_bytes = 0;
};

struct BucketShare {
  const Cohort* cohort = nullptr;
  double mean_row_bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a partition has beside its rows, with the mean key of its bucket.
double mean_header_bytes(const ContentSpace& space, const RowFormat& format, const Writer& writer, std::int64_t bucket) {
  return static_cast<double>(format.partition_header_bytes(0, false) + 1) +
         static_cast<double>(space.tokens().all_key_bytes(writer, bucket)) / static_cast<double>(writer.slots());
}

double mean_row_bytes(const ContentSpace& space, const Cohort& cohort, const RowFormat& format) {
  Bytes bytes = 0;
  const std::int64_t members = space.members(cohort);
  const CohortDates dates = dates_of(space, cohort, members);
  each_row_piece(space, cohort, dates, format, members, [&](std::int64_t body, Rows rows) {
    bytes += format.row_bytes(body, format.row_bytes(body, 1)) * rows;
  });
  return static_cast<double>(bytes) / static_cast<double>(cohort.to - cohort.from);
}

/// Rows of each partition of a bucket: of every slot its own count where a share cannot be told by arithmetic.
class BucketRows {
 public:
  BucketRows(const ContentSpace& space, const Writer& writer) : space_(space), writer_(writer) {}

  void add(const BucketShare& share) {
    const SubStream& sub = space_.sub_stream(share.cohort->sub_stream);
    const std::int64_t cells = cells_of_row(space_, *share.cohort) * writer_.rows_per_event;
    const double event_bytes = share.mean_row_bytes * static_cast<double>(writer_.rows_per_event);
    const std::int64_t rows = share.last - share.first;
    const std::int64_t slots = writer_.slots();
    if (sub.whole()) {
      common_cells_ += rows / slots * cells;
      common_bytes_ += static_cast<double>(rows / slots) * event_bytes;
      for (std::int64_t k = 0; k < rows % slots; ++k) put(sub.row(share.first + k) % slots, cells, event_bytes);
      return;
    }
    for (std::int64_t j = share.first; j < share.last; ++j) put(sub.row(j) % slots, cells, event_bytes);
  }

  /// `held` tells which partitions there are at all.
  void each(const Presence& held, const std::function<void(const SlotGroup&)>& group) const {
    if (extra_.empty()) {
      group({held.count(), common_cells_, common_bytes_});
      return;
    }
    std::map<std::pair<std::int64_t, double>, std::int64_t> alike;
    held.each_slot([&](std::int64_t slot) { ++alike[extra_[static_cast<std::size_t>(slot)]]; });
    for (const auto& [extra, partitions] : alike)
      group({partitions, common_cells_ + extra.first, common_bytes_ + extra.second});
  }

 private:
  void put(std::int64_t slot, std::int64_t cells, double bytes) {
    if (extra_.empty()) extra_.resize(static_cast<std::size_t>(writer_.slots()));
    extra_[static_cast<std::size_t>(slot)].first += cells;
    extra_[static_cast<std::size_t>(slot)].second += bytes;
  }

  const ContentSpace& space_;
  const Writer& writer_;
  std::int64_t common_cells_ = 0;
  double common_bytes_ = 0;
  std::vector<std::pair<std::int64_t, double>> extra_{};
};

constexpr Seconds minutes_told_apart = 64;

/// Points of a cohort's rows, minute by minute (points are rounded up to the minute anyway). Of a long cohort that is cut
/// by tokens, up to `minutes_told_apart` times: such files are many, and the engine keeps a hundred bins.
void add_points(const ContentSpace& space, const Cohort& cohort, Seconds after_write_s, std::int64_t per_row,
                std::map<Seconds, std::int64_t>& points) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  if (per_row == 0) return;
  const Seconds span_s = sub.arrival_s(cohort.to - 1) - sub.arrival_s(cohort.from);
  const Seconds step_s = cohort.whole() || !space.smooth() ? 60 : std::max<Seconds>(1, span_s / 60 / minutes_told_apart) * 60;
  std::int64_t j = cohort.from;
  while (j < cohort.to) {
    const Seconds point = sub.arrival_s(j) + after_write_s;
    const Seconds minute = (point + step_s - 1) / step_s * step_s;
    const std::int64_t next =
        std::max(j + 1, std::min(cohort.to, sub.count_arrived_before_s(minute - after_write_s + 1)));
    const std::int64_t members = space.members_between(cohort, j, next);
    if (members > 0) points[minute] += members * per_row * sub.writer().rows_per_event;
    j = next;
  }
}

DropTimes drop_times_of(const ContentSpace& space, const Content& content) {
  std::map<Seconds, std::int64_t> points;
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const std::int64_t liveness = cohort.state != RowState::row_tombstone && sub.writer().insert ? 1 : 0;
    const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
    if (cohort.ttl_s > 0) add_points(space, cohort, cohort.ttl_s, liveness + shape.live_cells, points);
    add_points(space, cohort, 0, shape.dead_cells + shape.complex_deletions, points);
    if (cohort.state == RowState::row_tombstone) add_points(space, cohort, 0, 1, points);
  }
  DropTimesBuilder builder;
  for (const auto& [point, count] : points) builder.add(point, count);
  return builder.build();
}

/// Of smooth content: the partitions of the file share its rows evenly, bucket by bucket.
FileHistograms smooth_histograms(const ContentSpace& space, const Content& content) {
  FileHistograms histograms;
  const RowFormat format = space.format(content.bases);
  for (std::size_t first = 0, last = 0; first < content.cohorts.size(); first = last) {
    const Writer& writer = space.writer_of(content.cohorts[first]);
    for (last = first; last < content.cohorts.size() && &space.writer_of(content.cohorts[last]) == &writer;) ++last;
    const auto cohorts = std::span(content.cohorts).subspan(first, last - first);
    std::map<std::int64_t, std::pair<double, double>> buckets;  // cells, bytes
    for (const Cohort& cohort : cohorts) {
      const std::int64_t middle = cohort.from + (cohort.to - cohort.from) / 2;
      const double row_bytes = typical_row_bytes(space, cohort, format, middle);
      space.each_part(cohort, [&](std::int64_t bucket, std::int64_t from, std::int64_t to) {
        const auto rows = static_cast<double>(space.members_between(cohort, from, to) * writer.rows_per_event);
        buckets[bucket].first += rows * static_cast<double>(cells_of_row(space, cohort));
        buckets[bucket].second += rows * row_bytes;
      });
    }
    for (const auto& [bucket, sums] : buckets) {
      const std::int64_t partitions = std::max<std::int64_t>(1, space.smooth_partitions(cohorts, bucket));
      const auto share = static_cast<double>(partitions);
      const double header = mean_header_bytes(space, format, writer, bucket);
      histograms.cells.add(std::llround(sums.first / share), partitions);
      histograms.partition_sizes.add(std::llround(sums.second / share + header), partitions);
    }
  }
  histograms.drop_times = drop_times_of(space, content);
  return histograms;
}

}  // namespace

FileHistograms histograms_by_intervals(const ContentSpace& space, const Content& content) {
  const bool whole = all_whole(content.cohorts);
  const std::vector<DrawnRows> drawn_rows = space.drawn_rows(content.cohorts);
  if (!whole && space.smooth() && !content.keyed) return smooth_histograms(space, content);
  if (content.keyed || !whole) return measure_by_rows(space, content).second;
  FileHistograms histograms;
  const RowFormat format = space.format(content.bases);
  std::vector<double> row_bytes;
  for (const Cohort& cohort : content.cohorts) {
    row_bytes.push_back(mean_row_bytes(space, cohort, format));
  }
  for (const DrawnRows& drawn : drawn_rows) {
    const FileExtremes all = measure_by_intervals(space, content).extremes;
    histograms.cells.add(static_cast<std::int64_t>(drawn.writer->columns.size()), drawn.rows);
    histograms.partition_sizes.add(all.uncompressed_bytes / all.partitions, drawn.rows);
  }
  for (const Writer& writer : space.workload().writers()) {
    if (writer.drawn_keys > 0) continue;
    std::int64_t first_bucket = INT64_MAX;
    std::int64_t last_bucket = INT64_MIN;
    for (const Cohort& cohort : content.cohorts) {
      if (&space.writer_of(cohort) != &writer) continue;
      const auto [first, last] = space.buckets(cohort);
      first_bucket = std::min(first_bucket, first);
      last_bucket = std::max(last_bucket, last);
    }
    for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
      const Presence held = space.presence(content.cohorts, writer.index, bucket);
      if (held.none()) continue;
      BucketRows rows(space, writer);
      for (std::size_t c = 0; c < content.cohorts.size(); ++c) {
        const Cohort& cohort = content.cohorts[c];
        if (&space.writer_of(cohort) != &writer) continue;
        const auto [first, last] = space.members_in(cohort, bucket);
        if (first < last) rows.add({&cohort, row_bytes[c], first, last});
      }
      const double header = mean_header_bytes(space, format, writer, bucket);
      rows.each(held, [&](const SlotGroup& group) {
        histograms.cells.add(group.cells, group.partitions);
        histograms.partition_sizes.add(static_cast<std::int64_t>(group.row_bytes + header + 0.5), group.partitions);
      });
    }
  }
  histograms.drop_times = drop_times_of(space, content);
  return histograms;
}

}  // namespace windrow
