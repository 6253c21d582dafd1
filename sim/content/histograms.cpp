#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sim/base/arithmetic.h"
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
double mean_header_bytes(const ContentSpace& space, const RowFormat& format, const Writer& writer,
                         std::int64_t bucket) {
  return static_cast<double>(format.partition_header(0) + 1) +
         static_cast<double>(space.tokens().all_key_bytes(writer, bucket)) / static_cast<double>(writer.slots());
}

double mean_row_bytes(const ContentSpace& space, const Cohort& cohort, const RowFormat& format) {
  Bytes bytes = 0;
  const std::int64_t members = space.members(cohort);
  const CohortDates dates = dates_of(space, cohort, members);
  each_row_piece(space, cohort, dates, format, members,
                 [&](std::int64_t body, Rows rows) { bytes += format.row_of(body, format.row_of(body, 1)) * rows; });
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
    if (sub.in_turn()) {
      common_cells_ += rows / slots * cells;
      common_bytes_ += static_cast<double>(rows / slots) * event_bytes;
      for (std::int64_t k = 0; k < rows % slots; ++k) put(sub.slot(share.first + k), cells, event_bytes);
      return;
    }
    for (std::int64_t j = share.first; j < share.last; ++j) put(sub.slot(j), cells, event_bytes);
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

/// Calls `each(cohort, seconds from write to drop, points a row)` for what may be dropped one day.
template <typename Each>
void each_dropping(const ContentSpace& space, const Content& content, const Each& each) {
  for (const Cohort& cohort : content.cohorts) {
    const bool tombstone = cohort.state == RowState::row_tombstone;
    const std::int64_t liveness = !tombstone && space.sub_stream(cohort.sub_stream).writer().insert ? 1 : 0;
    const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
    const std::int64_t after_ttl = cohort.ttl_s > 0 ? liveness + shape.live_cells : 0;
    const std::int64_t at_once = shape.dead_cells + shape.complex_deletions + (tombstone ? 1 : 0);
    if (after_ttl > 0) each(cohort, Seconds{cohort.ttl_s}, after_ttl);
    if (at_once > 0) each(cohort, Seconds{0}, at_once);
  }
}

/// How many points lie at each minute (points are rounded up to the minute anyway).
class PointsByMinute {
 public:
  void add(const ContentSpace& space, const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const std::int64_t each = per_row * sub.writer().rows_per_event;
    Seconds minute = 0;
    bool follows = false;  // the last minute had rows: the next one is looked at before a member is
    for (std::int64_t j = cohort.from; j < cohort.to;) {
      minute = follows ? minute + 60 : (sub.arrival_s(j) + after_write_s + 59) / 60 * 60;
      std::int64_t next = std::min(cohort.to, sub.count_arrived_before_s(minute - after_write_s + 1));
      if (next <= j && follows) {
        follows = false;
        continue;
      }
      next = std::max(j + 1, next);
      at(minute) += space.members_between(cohort, j, next) * each;
      follows = true;
      j = next;
    }
  }

  template <typename Each>
  void each(const Each& each) const {
    for (const auto& [number, counts] : chunks_) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) each((number * chunk_minutes + static_cast<Seconds>(i)) * 60, counts[i]);
      }
    }
  }

 private:
  static constexpr Seconds chunk_minutes = 1024;

  std::int64_t& at(Seconds minute_s) {
    const Seconds minute = minute_s / 60;
    if (latest_ == nullptr || latest_number_ != minute / chunk_minutes) {
      latest_number_ = minute / chunk_minutes;
      latest_ = &chunks_[latest_number_];
      latest_->resize(chunk_minutes);
    }
    return (*latest_)[static_cast<std::size_t>(minute % chunk_minutes)];
  }

  std::map<Seconds, std::vector<std::int64_t>> chunks_{};
  std::vector<std::int64_t>* latest_ = nullptr;
  Seconds latest_number_ = 0;
};

DropTimes drop_times_of(const ContentSpace& space, const Content& content) {
  PointsByMinute points;
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    points.add(space, cohort, after_write_s, per_row);
  });
  DropTimesBuilder builder;
  points.each([&builder](Seconds point, std::int64_t count) { builder.add(point, count); });
  return builder.build();
}

/// Of smooth content: rounded up to equal steps, so few that the engine's bins would hold each of them. The rows that a
/// cohort has between its tokens arrive as all its rows do.
DropTimes smooth_drop_times(const ContentSpace& space, const Content& content) {
  constexpr Seconds most_steps = 98;  // both ends may lie within one
  Seconds first_s = INT64_MAX;
  Seconds last_s = INT64_MIN;
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    first_s = std::min(first_s, sub.arrival_s(cohort.from) + after_write_s);
    last_s = std::max(last_s, sub.arrival_s(cohort.to - 1) + after_write_s);
  });
  if (first_s > last_s) return {};
  const Seconds step_s = ceil_div(std::max<Seconds>(1, last_s - first_s), most_steps * 60) * 60;
  const std::int64_t first_step = ceil_div(first_s, step_s);
  std::vector<DropTimes::Bin> bins(static_cast<std::size_t>(ceil_div(last_s, step_s) - first_step) + 1);
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const std::int64_t members = space.members(cohort);
    const std::int64_t points = per_row * sub.writer().rows_per_event;
    std::int64_t before = 0;
    for (std::int64_t j = cohort.from; j < cohort.to;) {
      const std::int64_t step = ceil_div(sub.arrival_s(j) + after_write_s, step_s);
      j = std::max(j + 1, std::min(cohort.to, sub.count_arrived_before_s(step * step_s - after_write_s + 1)));
      const std::int64_t upto = mul_div_floor(members, j - cohort.from, cohort.to - cohort.from);
      bins[static_cast<std::size_t>(step - first_step)].count += (upto - before) * points;
      before = upto;
    }
  });
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i].point_s = (first_step + static_cast<std::int64_t>(i)) * step_s;
    bins[i].count = std::min<std::int64_t>(bins[i].count, std::numeric_limits<std::int32_t>::max());
  }
  std::erase_if(bins, [](const DropTimes::Bin& bin) { return bin.count == 0; });
  return DropTimes(std::move(bins));
}

/// Of smooth content: partitions share rows evenly, by intervals of tokens and runs of buckets that are held alike.
FileHistograms smooth_histograms(const ContentSpace& space, const Content& content) {
  FileHistograms histograms;
  const RowFormat format = space.format(content.bases);
  for (std::size_t first = 0, last = 0; first < content.cohorts.size(); first = last) {
    const Writer& writer = space.writer_of(content.cohorts[first]);
    for (last = first; last < content.cohorts.size() && &space.writer_of(content.cohorts[last]) == &writer;) ++last;
    const auto cohorts = std::span(content.cohorts).subspan(first, last - first);
    space.each_smooth_run(cohorts, [&](const SmoothRun& run) {
      double cells = 0;
      double bytes = 0;
      for (const Cohort* cohort : run.cohorts) {
        const std::int64_t from = space.members_in(*cohort, run.first_bucket).first;
        const std::int64_t to = space.members_in(*cohort, run.last_bucket).second;
        if (from >= to) continue;
        const auto rows = static_cast<double>(space.members_between(*cohort, from, to) * writer.rows_per_event);
        cells += rows * static_cast<double>(cells_of_row(space, *cohort));
        bytes += rows * typical_row_bytes(space, *cohort, format, from + (to - from) / 2);
      }
      if (bytes == 0) return;
      const auto share = static_cast<double>(std::max<std::int64_t>(1, run.partitions));
      const double header = mean_header_bytes(space, format, writer, run.first_bucket);
      histograms.cells.add(std::llround(cells / share), std::max<std::int64_t>(1, run.partitions));
      histograms.partition_sizes.add(std::llround(bytes / share + header), std::max<std::int64_t>(1, run.partitions));
    });
  }
  histograms.drop_times = smooth_drop_times(space, content);
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
