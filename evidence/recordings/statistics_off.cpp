#include "evidence/recordings/statistics_off.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace windrow {

namespace {

constexpr double rows_bound = 0.005;
constexpr double data_bound = 0.001;
constexpr double all_bound = 0.02;

/// Statistics.db of a compaction's output lists the intervals of the commit log that its rows came from, 24 bytes each:
/// consecutive flushes make one, if the engine switched memtables without a gap, which differs from run to run of the
/// same recording (tests/oracle/README.md has the measurement). They are not followed. At most 30 were seen in a file.
constexpr double most_bytes_of_intervals = 40 * 24;

}  // namespace

bool StatisticsOff::is_statistic(std::string_view field) {
  static constexpr std::array<std::string_view, 4> names{"id", "gen", "hash", "created_ms"};
  return std::ranges::find(names, field) == names.end();
}

void StatisticsOff::take(Worst& worst, double recorded, double ours, const std::string& where) {
  if (recorded == ours) return;
  const double off = recorded == 0 ? 1 : std::abs(ours - recorded) / std::abs(recorded);
  if (off <= worst.off) return;
  worst = {
      .off = off, .where = where, .expected = fmt::format("{:.0f}", recorded), .ours = fmt::format("{:.0f}", ours)};
}

void StatisticsOff::see(const SSTable& ours, const TraceSSTable& recorded, const FileComparison& comparison,
                        const std::string& where) {
  const std::string file = fmt::format("{}, SSTable {}", where, recorded.id);
  take(rows_, static_cast<double>(recorded.rows), static_cast<double>(ours.extremes().rows), file);
  take(data_, static_cast<double>(recorded.data_bytes), static_cast<double>(ours.identity().data_bytes), file);
  const auto all = static_cast<double>(recorded.bytes_on_disk);
  const auto followed = static_cast<double>(ours.bytes_on_disk());
  const double intervals = ours.identity().flushed ? 0 : std::clamp(all - followed, 0.0, most_bytes_of_intervals);
  take(all_, all, followed + intervals, file);
  for (const FieldDifference& difference : comparison.differences) {
    if (is_statistic(difference.field)) ++fields_[difference.field];
  }
}

void StatisticsOff::see_bytes(const char* what, double recorded, double ours, const std::string& where) {
  take(data_, recorded, ours, fmt::format("{}, {}", where, what));
}

void StatisticsOff::see_ratio(double recorded, double ours) { ratio_ = std::max(ratio_, std::abs(recorded - ours)); }

void StatisticsOff::conclude(TestResult& result) const {
  result.notes.push_back(fmt::format("rows within {:.3f} %, Data bytes {:.4f} %, all components {:.1f} %",
                                     100 * rows_.off, 100 * data_.off, 100 * all_.off));
  if (ratio_ > 0) result.notes.push_back(fmt::format("droppable ratios within {:.5f}", ratio_));
  std::string differing;
  for (const auto& [field, files] : fields_)
    differing += fmt::format("{}{} of {}", differing.empty() ? "" : ", ", field, files);
  if (!differing.empty()) result.notes.push_back("not as recorded: " + differing);
  const auto judge = [&result](const Worst& worst, double bound, const char* what) {
    if (worst.off <= bound) return;
    result.disagree(
        {.t_s = 0,
         .where = worst.where,
         .what = fmt::format("{}, {:.3f} % off where {:.1f} % are allowed", what, 100 * worst.off, 100 * bound),
         .expected = worst.expected,
         .ours = worst.ours,
         .rule = "",
         .state = {}});
  };
  judge(rows_, rows_bound, "rows");
  judge(data_, data_bound, "Data bytes");
  judge(all_, all_bound, "bytes of all components");
}

}  // namespace windrow
