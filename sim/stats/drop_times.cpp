#include "sim/stats/drop_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr std::size_t most_bins = 100;
constexpr std::int64_t round_s = 60;
constexpr std::size_t spool_capacity = 131'072;  // 100,000 rounded up to a power of two
constexpr std::size_t spool_cells = 2 * spool_capacity;
constexpr int probes = 100;
constexpr std::int64_t max_deletion_time = 4'294'967'293;  // Cell.MAX_DELETION_TIME, Cassandra 5.0

Seconds rounded_up(Seconds point_s) {
  const std::int64_t over = point_s % round_s;
  return over == 0 ? point_s : std::min(point_s + round_s - over, max_deletion_time);
}

std::int32_t saturated(std::int64_t count) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(count, std::numeric_limits<std::int32_t>::max()));
}

std::int32_t first_place(Seconds point_s) {
  const auto hash = static_cast<std::uint32_t>(static_cast<std::uint64_t>(point_s) * 948'701'839U);
  return static_cast<std::int32_t>(hash & (spool_capacity - 1));
}

/// Puts points into bins, of which two become one where there are too many.
class Inserter {
 public:
  explicit Inserter(std::vector<DropTimes::Bin>& bins) : bins_(bins) { bins_.reserve(most_bins + 1); }

  void insert(Seconds point_s, std::int64_t count) {
    const std::size_t place = place_of(point_s);
    if (place < bins_.size() && bins_[place].point_s == point_s) {
      bins_[place].count = saturated(bins_[place].count + count);
      return;
    }
    const DropTimes::Bin added{.point_s = point_s, .count = count};
    if (bins_.size() == most_bins && merge_with_neighbour(place, added)) return;
    bins_.insert(bins_.begin() + static_cast<std::ptrdiff_t>(place), added);
    if (bins_.size() > most_bins) merge_closest();
  }

 private:
  Seconds apart(std::size_t at) const { return bins_[at + 1].point_s - bins_[at].point_s; }

  /// The first bin that is not before the point; without a branch that nobody could foresee.
  std::size_t place_of(Seconds point_s) const {
    if (bins_.empty()) return 0;
    const DropTimes::Bin* from = bins_.data();
    std::size_t left = bins_.size();
    while (left > 1) {
      const std::size_t half = left / 2;
      from += from[half - 1].point_s < point_s ? half : 0;
      left -= half;
    }
    return static_cast<std::size_t>(from - bins_.data()) + (from->point_s < point_s ? 1 : 0);
  }

  /// What comes between two bins and is closer to one of them than any two are to each other goes into that one: true.
  bool merge_with_neighbour(std::size_t place, const DropTimes::Bin& added) {
    constexpr Seconds none_s = std::numeric_limits<Seconds>::max();
    const Seconds before_s = place > 0 ? added.point_s - bins_[place - 1].point_s : none_s;
    const Seconds after_s = place < bins_.size() ? bins_[place].point_s - added.point_s : none_s;
    if (std::min(before_s, after_s) >= closest_s_) return false;
    if (before_s <= after_s) {
      bins_[place - 1] = merged(bins_[place - 1], added);
      if (place < bins_.size()) closest_s_ = std::min(closest_s_, apart(place - 1));
    } else {
      bins_[place] = merged(added, bins_[place]);
      if (place > 0) closest_s_ = std::min(closest_s_, apart(place - 1));
    }
    return true;
  }

  /// Of the closest pairs the first.
  void merge_closest() {
    std::size_t at = 0;
    Seconds smallest_s = std::numeric_limits<Seconds>::max();
    for (std::size_t pair = 0; pair + 1 < bins_.size() && smallest_s > closest_s_; ++pair) {
      if (apart(pair) >= smallest_s) continue;
      smallest_s = apart(pair);
      at = pair;
    }
    closest_s_ = smallest_s;
    bins_[at] = merged(bins_[at], bins_[at + 1]);
    bins_.erase(bins_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }

  // DataHolder.mergeNearestPoints: one bin at the weighted mean, rounded up.
  static DropTimes::Bin merged(const DropTimes::Bin& left, const DropTimes::Bin& right) {
    // Wraps like a Java long where both counts are near their cap.
    const auto weighted =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(left.point_s) * static_cast<std::uint64_t>(left.count) +
                                  static_cast<std::uint64_t>(right.point_s) * static_cast<std::uint64_t>(right.count));
    Seconds between_s = weighted / (left.count + right.count);
    if (between_s <= left.point_s) between_s = left.point_s + 1;
    between_s = std::min(between_s, right.point_s);
    return {.point_s = rounded_up(between_s), .count = saturated(left.count + right.count)};
  }

  std::vector<DropTimes::Bin>& bins_;
  /// No two bins are closer, once there are as many as there may be: one in place of two lies between them, so that it
  /// is no closer to those beside it than they were.
  Seconds closest_s_ = 0;
};

}  // namespace

DropTimes::DropTimes(std::vector<Bin> bins) : bins_(std::move(bins)) {
  before_.reserve(bins_.size() + 1);
  before_.push_back(0);
  // Whole numbers far below 2^53: no order of addition matters.
  for (const Bin& bin : bins_) before_.push_back(before_.back() + static_cast<double>(bin.count));
}

double DropTimes::sum(Seconds b) const {
  // (int) of a Java long whose caller clamps to the largest int first.
  const Seconds limit = std::min<Seconds>(b, std::numeric_limits<std::int32_t>::max());
  const auto after = std::ranges::upper_bound(bins_, limit, {}, &Bin::point_s);
  if (after == bins_.begin()) return 0;
  const auto count_before = static_cast<std::size_t>(after - bins_.begin());
  if (after == bins_.end()) return before_.back();
  const Bin& before = *(after - 1);
  const auto left = static_cast<double>(before.count);
  const double weight =
      static_cast<double>(limit - before.point_s) / static_cast<double>(after->point_s - before.point_s);
  const double middle = left + (static_cast<double>(after->count) - left) * weight;
  double sum = before_[count_before];
  sum -= left;
  sum += (left + middle) * weight / 2;
  sum += left / 2;
  return sum;
}

// With a hundred bins and one more the closest two are merged, which are not further apart than a hundredth of all: no
// bin ever holds points of both sides of a larger gap. Before the first bin behind a gap, of c points, a sum is at most
// what lies before the gap, and c / 2 * w^2 where w is how far b is from bin to bin.
Seconds sum_stays_below_until(std::vector<PointsWithin> within, double points) {
  constexpr Seconds step_apart_s = 2 * round_s;
  std::erase_if(within, [](const PointsWithin& each) { return each.points <= 0; });
  if (within.empty()) return no_deletion_time;
  std::ranges::sort(within, {}, &PointsWithin::first_s);
  Seconds last_s = INT64_MIN;
  for (const PointsWithin& each : within) last_s = std::max(last_s, each.last_s);
  const Seconds extent_s = last_s - within.front().first_s;
  double before = 0;  // points on this side of the gap
  Seconds before_s = 0;
  for (std::size_t i = 0; i < within.size();) {
    const Seconds first_s = rounded_up(within[i].first_s);
    Seconds upto_s = within[i].last_s;
    double here = 0;
    const auto reaches = [&](Seconds next_s) { return 98 * (next_s - upto_s - step_apart_s) <= extent_s; };
    for (; i < within.size() && reaches(within[i].first_s); ++i) {
      here += static_cast<double>(within[i].points);
      upto_s = std::max(upto_s, within[i].last_s);
    }
    if (before > 0 && before + here / 2 > points) {
      const double way = std::sqrt(2 * (points - before) / here) * static_cast<double>(first_s - before_s);
      return before_s + static_cast<Seconds>(way) - 1;
    }
    before += here;
    before_s = first_s;
    if (before > points) return first_s - 1;
  }
  return no_deletion_time;
}

std::size_t DropTimesBuilder::slot_of(std::int32_t place) const {
  if (cells_.size() == spool_cells) return static_cast<std::size_t>(place);
  const std::size_t mask = cells_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(place) * 0x9E3779B1U >> 7;
  slot &= mask;
  while (cells_[slot].place >= 0 && cells_[slot].place != place) slot = (slot + 1) & mask;
  return slot;
}

void DropTimesBuilder::grow() {
  constexpr std::size_t most_hashed = 8'192;
  const std::size_t wanted = std::max<std::size_t>(2 * cells_.size(), 64);
  std::vector<Cell> old(wanted <= most_hashed ? wanted : spool_cells);
  old.swap(cells_);
  for (const Cell& cell : old) {
    if (cell.place >= 0) cells_[slot_of(cell.place)] = cell;
  }
}

bool DropTimesBuilder::try_add(Seconds point_s, std::int64_t count) {
  if (used_ > spool_capacity) return false;
  if (4 * (used_ + 1) > 3 * cells_.size()) grow();
  const std::int32_t first = first_place(point_s);
  for (std::int32_t attempt = 0; attempt < probes; ++attempt) {
    const std::int32_t place = (first + attempt) % static_cast<std::int32_t>(spool_cells);
    const std::size_t slot = slot_of(place);
    Cell& cell = cells_[slot];
    if (cell.place < 0) {
      cell = {.point_s = point_s, .count = saturated(count), .place = place};
      ++used_;
    } else if (cell.point_s == point_s) {
      cell.count = saturated(cell.count + count);
    } else {
      continue;
    }
    latest_ = slot;
    return true;
  }
  return false;
}

void DropTimesBuilder::add(Seconds point_s, std::int64_t count) {
  const Seconds rounded = rounded_up(point_s);
  if (used_ > 0 && used_ <= spool_capacity && cells_[latest_].point_s == rounded) {
    cells_[latest_].count = saturated(cells_[latest_].count + count);
    return;
  }
  if (try_add(rounded, count)) return;
  flush();
  SIM_CHECK(try_add(rounded, count), "an empty spool takes any point");
}

// Ascending place in the spool, hence hash order and not time order.
void DropTimesBuilder::flush() {
  Inserter bins(bins_);
  if (cells_.size() < spool_cells) {
    std::erase_if(cells_, [](const Cell& cell) { return cell.place < 0; });
    std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.place < b.place; });
  }
  for (const Cell& cell : cells_) {
    if (cell.place >= 0) bins.insert(cell.point_s, cell.count);
  }
  cells_.clear();
  used_ = 0;
  latest_ = 0;
}

DropTimes DropTimesBuilder::build() {
  flush();
  std::vector<DropTimes::Bin> bins;
  bins.swap(bins_);
  return DropTimes(std::move(bins));
}

}  // namespace windrow
