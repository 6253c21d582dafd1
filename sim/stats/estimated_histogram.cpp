#include "sim/stats/estimated_histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr std::size_t longest = 164;

constexpr std::array<std::int64_t, longest> make_offsets() {
  std::array<std::int64_t, longest> offsets{};
  offsets[0] = 1;
  for (std::size_t i = 1; i < longest; ++i) {
    const std::int64_t previous = offsets[i - 1];
    const auto next = static_cast<std::int64_t>(static_cast<double>(previous) * 1.2 + 0.5);
    offsets[i] = next == previous ? previous + 1 : next;
  }
  return offsets;
}

constexpr std::array<std::int64_t, longest> all_offsets = make_offsets();

}  // namespace

EstimatedHistogram::EstimatedHistogram(int offsets) : counts_(static_cast<std::size_t>(offsets) + 1) {
  SIM_CHECK(offsets > 0 && static_cast<std::size_t>(offsets) <= longest, "an EstimatedHistogram has 1 to 164 offsets");
}

std::span<const std::int64_t> EstimatedHistogram::offsets() { return all_offsets; }
std::span<const std::int64_t> EstimatedHistogram::counts() const { return counts_; }

void EstimatedHistogram::add(std::int64_t sample, std::int64_t count) {
  const auto end = all_offsets.begin() + static_cast<std::ptrdiff_t>(counts_.size() - 1);
  const auto offset = std::lower_bound(all_offsets.begin(), end, sample);
  counts_[static_cast<std::size_t>(offset - all_offsets.begin())] += count;
}

// Index by index, as TableMetrics.combineHistograms does: the overflow of a shorter one becomes a bucket of the longer.
void EstimatedHistogram::merge(const EstimatedHistogram& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::int64_t EstimatedHistogram::count() const {
  std::int64_t sum = 0;
  for (const std::int64_t bucket : counts_) sum += bucket;
  return sum;
}

bool EstimatedHistogram::overflowed() const { return counts_.back() > 0; }

double EstimatedHistogram::raw_mean() const {
  SIM_CHECK(!overflowed(), "an overflowed histogram has no mean");
  std::int64_t elements = 0;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < counts_.size(); ++i) {
    elements += counts_[i];
    sum += counts_[i] * all_offsets[i];
  }
  return static_cast<double>(sum) / static_cast<double>(elements);
}

std::int64_t EstimatedHistogram::mean() const {
  const double mean = raw_mean();
  return std::isnan(mean) ? 0 : static_cast<std::int64_t>(std::ceil(mean));
}

std::int64_t EstimatedHistogram::percentile(double share) const {
  SIM_CHECK(!overflowed(), "an overflowed histogram has no percentiles");
  const auto wanted = static_cast<std::int64_t>(std::ceil(static_cast<double>(count()) * share));
  if (wanted == 0) return 0;
  std::int64_t seen = 0;
  for (std::size_t i = 0; i + 1 < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted) return all_offsets[i];
  }
  return 0;
}

std::int64_t EstimatedHistogram::min() const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) return i == 0 ? 0 : all_offsets[i - 1] + 1;
  }
  return 0;
}

std::int64_t EstimatedHistogram::max() const {
  if (overflowed()) return std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = counts_.size() - 1; i-- > 0;) {
    if (counts_[i] > 0) return all_offsets[i];
  }
  return 0;
}

}  // namespace windrow
