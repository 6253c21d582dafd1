#pragma once

#include <optional>
#include <vector>

#include "sim/bytes/row_index.h"
#include "sim/content/content.h"
#include "sim/content/file_statistics.h"
#include "sim/content/lattice_places.h"
#include "sim/content/row_pieces.h"

namespace windrow {

/// Extremes, counts and bytes by arithmetic on intervals: work per cohort and bucket, not per row.
struct ClosedMeasure {
  FileExtremes extremes{};
  /// By how much the bytes may be wrong at most. More than 0 where a row's size depends on which row stands before it
  /// (sizes on both sides of 128 bytes): then bytes are counted as if each row followed any row of the file.
  Bytes doubt = 0;
  bool exact_bytes() const { return doubt == 0; }
};
/// What the measure of smooth content without keys drawn at random is made of.
struct MeasureParts {
  struct OfCohort {
    std::int64_t members = 0;
    Bytes row_bytes = 0;  // of their rows, if each followed a short one
  };
  std::vector<OfCohort> cohorts{};              // in the content's order
  std::vector<PartitionsBetween> partitions{};  // see ContentSpace::count_partitions
  std::vector<LatticeCohort> found{};           // the cohorts, if all of them are on lattices and have no slots
};
/// `parts` are found out too where they are asked for.
ClosedMeasure measure_by_intervals(const ContentSpace& space, const Content& content, MeasureParts* parts = nullptr);

/// True if no more than a share of the bytes is in doubt.
inline bool is_trusted(const ClosedMeasure& closed, double share) {
  return static_cast<double>(closed.doubt) <= share * static_cast<double>(closed.extremes.uncompressed_bytes);
}

/// True if every row of the cohort, which holds some partitions of one bucket alone, follows by arithmetic.
bool by_slots(const ContentSpace& space, const Cohort& cohort);
/// True if each cohort is whole, or one of those: measured by intervals, all counts and extremes are exact.
bool known_by_intervals(const ContentSpace& space, const Content& content);

/// Timestamps, deletion times and TTLs of a cohort's rows, which bear `dates`.
void feed_extremes(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, FileExtremes& extremes);

/// True if a content of so many rows, at most `most`, is looked at row by row: each of them is known.
bool worth_a_look(const ContentSpace& space, const Content& content, Rows rows, Rows most);

/// Everything, by looking at every row.
ByRows measure_by_rows(const ContentSpace& space, const Content& content);
/// Of content that is held row by row, all of it: the extremes by what a look at every row found.
FileExtremes extremes_of_keyed(const KeyedContent& content, const FileExtremes& found);

/// Histograms by arithmetic: cells per partition are exact; partition sizes add up the values that each partition has,
/// with the mean dates of its bucket (where cut by tokens on a lattice: the mean row of a cohort); drop times are exact
/// below 100 distinct minutes, and above them are spooled in order of time.
/// Sizes are by far the dearest where they vary, drop times where rows come for long: left out, where intervals can
/// tell the rest without them.
enum class HistogramParts { all, cells_and_drop_times, cells };
FileHistograms histograms_by_intervals(const ContentSpace& space, const Content& content,
                                       HistogramParts parts = HistogramParts::all);

/// True if those are of a look at every row, however many there are: intervals cannot tell how rows lie in partitions.
bool histograms_by_rows(const ContentSpace& space, const Content& content);

/// Partition sizes by the same arithmetic, before they are put into bins.
std::vector<PartitionsOfSize> sizes_by_intervals(const ContentSpace& space, const Content& content);

/// True if drop times come from intervals, however large the content is: then drop_points tells where they lie.
bool drop_times_by_intervals(const ContentSpace& space, const Content& content);
/// The points of a content's drop times, by the intervals in which the rows of each cohort arrive.
std::vector<PointsWithin> drop_points(const ContentSpace& space, const Content& content);

}  // namespace windrow
