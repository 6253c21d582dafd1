#include "sim/cost/size_looks.h"

#include <algorithm>
#include <limits>
#include <variant>

#include "sim/cost/layout.h"
#include "sim/engine/closeness.h"
#include "sim/workload/written_sizes.h"

namespace windrow {

SizeLooks looks_for_sizes(const std::vector<ExpectedWriter>& writers, double rows, bool something_dead,
                          double most_rows, const Passes& passes) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const ExpectedWriter& each : writers) {
    if (each.one_by_one || each.all_rows <= 0) continue;
    least = std::min(least, each.least_row_bytes);
    most = std::max(most, each.most_row_bytes);
  }
  SizeLooks looks;
  if (most <= 0) return looks;
  const bool flushes_differ = mean_vint(least) < mean_vint(most);
  if (flushes_differ && rows <= static_cast<double>(rows_worth_a_look)) looks.in_flushes = 1;
  if (!flushes_differ && !(something_dead && mean_vint(most) > 1)) return looks;
  const double inputs = std::max(2.0, passes.read / std::max(passes.compactions, 1e-9));
  double passes_left = passes.of_a_row - 1;
  for (double of_output = rows * inputs; passes_left > 0 && of_output <= most_rows;
       of_output *= inputs, passes_left -= 1)
    looks.in_outputs += std::min(1.0, passes_left);
  return looks;
}

bool asks_for_drop_times(const CompactionOptions& options) {
  const auto* windows = std::get_if<TimeWindowOptions>(&options);
  return windows != nullptr ? windows->tombstone_compactions
                            : !std::holds_alternative<UnifiedOptions>(options) && common_options(options).enabled;
}

double parts_for_drop_times(const std::vector<ExpectedWriter>& writers, double seconds) {
  constexpr double few = 3;
  constexpr double looks = 3;  // at each: for cells, for drop times, and for what may be dropped
  double parts = 0;
  for (const ExpectedWriter& each : writers)
    parts += looks * kinds_of(each) * std::max(0.0, buckets_in(each, seconds) - few);
  return parts;
}

double looks_for_tombstones(const CompactionOptions& options, SSTableFormat format, const Passes& passes) {
  if (format != SSTableFormat::da || !asks_for_drop_times(options)) return 0;
  if (common_options(options).unchecked_tombstone_compaction) return 0;
  return passes.cut_by_token ? asked_for_drop_times * passes.of_a_row : 1;
}

}  // namespace windrow
