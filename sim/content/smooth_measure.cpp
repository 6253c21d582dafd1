#include "sim/content/smooth_measure.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <span>
#include <utility>

#include "sim/content/each_writer.h"
#include "sim/content/lattice_places.h"
#include "sim/content/plain_rows.h"
#include "sim/content/row_pieces.h"
#include "sim/content/row_totals.h"

namespace windrow {

namespace {

constexpr std::int64_t no_values[] = {0};

/// Rows of one sub-stream, state and TTL.
class RowsOfKind {
 public:
  RowsOfKind(const ContentSpace& space, const Cohort& cohort, const RowFormat& format)
      : space_(&space),
        format_(&format),
        sub_(&space.sub_stream(cohort.sub_stream)),
        any_(&cohort),
        shape_(&space.shape(cohort.sub_stream, cohort.state)),
        row_(&shape_->body(cohort.ttl_s)),
        values_(has_values(cohort.state) ? space.values(cohort.sub_stream).bytes() : no_values),
        subset_(format.subset(shape_->present)) {}

  bool has(const Cohort& cohort) const { return same_kind(*any_, cohort); }
  /// Those of a cohort, which bear these dates.
  void add(const Cohort& cohort, const LatticeCohort& found, const CohortDates& dates, RowTotals& totals) {
    dates_.oldest_us = std::min(dates_.oldest_us, dates.oldest_us);
    dates_.newest_us = std::max(dates_.newest_us, dates.newest_us);
    dates_.first_s = std::min(dates_.first_s, dates.first_s);
    dates_.last_s = std::max(dates_.last_s, dates.last_s);
    members_ += found.members;
    if (values_.size() == 1 && only_timestamps_differ(*sub_, cohort, dates, *format_, *row_)) {
      add_by_timestamps(cohort, found, dates, totals);
      return;
    }
    MembersInOrder members(*space_, cohort, found);
    each_row_span(*space_, cohort, dates, *format_, members,
                  [&](std::int64_t body, std::span<const std::int64_t> sizes, std::span<const Rows> counts) {
                    add_rows(*format_, body, sizes, counts, sub_->writer().rows_per_event, totals);
                  });
  }
  /// What all of them give; returns how many they are.
  Rows give(FileExtremes& extremes) const {
    feed_extremes(*space_, *any_, dates_, extremes);
    const Rows rows = members_ * sub_->writer().rows_per_event;
    extremes.cells += rows * shape_->columns_set;
    return rows;
  }

 private:
  struct Step {
    Micros at_us = 0;
    std::int64_t below = 0;  // members with earlier timestamps
  };
  struct OfBody {
    std::int64_t body = 0;
    RowTotals one_row{};
  };

  std::int64_t members_below(Micros timestamp_us) {
    const auto known = std::ranges::find(steps_, timestamp_us, &Step::at_us);
    if (known != steps_.end()) return known->below;
    return steps_.emplace_back(Step{timestamp_us, sub_->rank(sub_->rows_below_timestamp(timestamp_us))}).below;
  }
  void add_by_timestamps(const Cohort& cohort, const LatticeCohort& found, const CohortDates& dates,
                         RowTotals& totals) {
    MembersInOrder members(*space_, cohort, found);
    each_timestamp_span(
        cohort, dates, *format_, *row_,
        [&](Micros step_us) { return std::clamp(members_below(step_us), cohort.from, cohort.to); },
        [&](std::int64_t, std::int64_t last, const DateBytes& bytes) {
          add_members(bytes, members.next_up_to(last), totals);
        });
  }
  void add_members(const DateBytes& dates, std::int64_t members, RowTotals& totals) {
    const std::int64_t body = row_->bytes(dates) + subset_;
    const RowTotals& one = one_row(body);
    const Rows rows = members * sub_->writer().rows_per_event;
    totals.rows += rows;
    totals.after_short += one.after_short * rows;
    totals.after_long += one.after_long * rows;
    totals.before_next += one.before_next * rows;
    totals.near_longer += one.near_longer * rows;
    totals.smallest = std::min(totals.smallest, one.smallest);
    totals.largest = std::max(totals.largest, one.largest);
    totals.one_byte_apart = totals.one_byte_apart && one.one_byte_apart;
  }
  const RowTotals& one_row(std::int64_t body) {
    const auto known = std::ranges::find(bodies_, body, &OfBody::body);
    if (known != bodies_.end()) return known->one_row;
    OfBody& made = bodies_.emplace_back();
    made.body = body;
    constexpr Rows one = 1;
    add_rows(*format_, body, values_, {&one, 1}, 1, made.one_row);
    return made.one_row;
  }

  const ContentSpace* space_;
  const RowFormat* format_;
  const SubStream* sub_;
  const Cohort* any_;  // one of them
  const RowShape* shape_;
  const RowBody* row_;
  std::span<const std::int64_t> values_;  // sizes
  int subset_;
  boost::container::small_vector<Step, 4> steps_{};
  boost::container::small_vector<OfBody, 4> bodies_{};
  CohortDates dates_{.oldest_us = INT64_MAX, .newest_us = INT64_MIN, .first_s = INT64_MAX, .last_s = INT64_MIN};
  std::int64_t members_ = 0;
};

bool fits(const ContentSpace& space, std::span<const Cohort> cohorts) {
  if (space.lattice() == nullptr || space.workload().draws_keys()) return false;
  bool fit =
      std::ranges::all_of(cohorts, [&](const Cohort& cohort) { return plain(cohort) && space.on_lattice(cohort); });
  each_writer(space, cohorts, [&](const Writer&, std::span<const Cohort> of_writer) {
    fit = fit && !all_whole(of_writer);  // partitions of those are counted bucket by bucket
  });
  return fit;
}

}  // namespace

std::optional<ClosedMeasure> measure_smooth(const ContentSpace& space, const Content& content, MeasureParts* parts) {
  if (content.cohorts.empty() || content.keyed || !fits(space, content.cohorts)) return {};
  const std::size_t cohorts = content.cohorts.size();
  MeasureParts own;
  if (parts == nullptr) parts = &own;
  parts->cohorts.reserve(cohorts);
  parts->partitions.reserve(cohorts);
  parts->found.reserve(cohorts);
  const RowFormat format = space.format(content.bases);
  TotalsByWriter totals;
  boost::container::small_vector<RowsOfKind, 2> kinds;
  std::size_t kind = 0;  // of the cohort before
  for (const Cohort& cohort : content.cohorts) {
    const LatticeCohort& found = parts->found.emplace_back(space.lattice()->found(space, cohort));
    if (kind == kinds.size() || !kinds[kind].has(cohort)) {
      const auto known = std::ranges::find_if(kinds, [&](const RowsOfKind& each) { return each.has(cohort); });
      kind = static_cast<std::size_t>(known - kinds.begin());
      if (known == kinds.end()) kinds.emplace_back(space, cohort, format);
    }
    RowTotals& of_writer = totals.of(space.writer_of(cohort)).totals;
    const Bytes before = of_writer.after_short;
    kinds[kind].add(cohort, found, dates_of(space, cohort, found.members), of_writer);
    parts->cohorts.push_back({.members = found.members, .row_bytes = of_writer.after_short - before});
  }
  ClosedMeasure measure;
  Rows rows = 0;
  for (const RowsOfKind& each : kinds) rows += each.give(measure.extremes);
  CountedPartitions partitions;
  each_writer(space, content.cohorts, [&](const Writer& writer, std::span<const Cohort> of_writer) {
    const auto first = static_cast<std::size_t>(of_writer.data() - content.cohorts.data());
    const std::size_t before = parts->partitions.size();
    space.lattice()->add_parts_of_ring(space, {of_writer, std::span(parts->found).subspan(first, of_writer.size())},
                                       parts->partitions);
    std::int64_t& partitions_of_writer = totals.of(writer).partitions;
    for (const PartitionsBetween& part : std::span(parts->partitions).subspan(before)) {
      partitions_of_writer += part.partitions;
      partitions.key_bytes += part.key_bytes;
    }
    partitions.number += partitions_of_writer;
  });
  close_measure(format, totals, rows, partitions, measure);
  return measure;
}

}  // namespace windrow
