#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/content/census.h"
#include "sim/content/drop_minutes.h"
#include "sim/content/each_writer.h"
#include "sim/content/lattice_places.h"
#include "sim/content/measure.h"
#include "sim/content/row_pieces.h"
#include "sim/content/size_before.h"
#include "sim/content/static_shares.h"

namespace windrow {

namespace {

/// How many of a bucket's partitions hold the same numbers of rows.
struct SlotGroup {
  std::int64_t partitions = 0;
  std::int64_t cells = 0;
  double row_bytes = 0;
};

/// Members [first, last) of a cohort: those in one bucket.
struct BucketShare {
  const Cohort* cohort = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a partition has beside its rows, its end of a byte among it, with the mean key of its bucket.
double mean_header_bytes(const ContentSpace& space, const RowFormat& format, const Writer& writer,
                         std::int64_t bucket) {
  return static_cast<double>(format.partition_header(0) + 1) +
         static_cast<double>(space.tokens().all_key_bytes(writer, bucket)) / static_cast<double>(writer.slots(bucket));
}

/// Bytes of a share's rows by the sizes of their values: in the mean over its dates.
class SizesOfRows {
 public:
  SizesOfRows(const ContentSpace& space, const BucketShare& share, const RowFormat& format)
      : values_(space.values(share.cohort->sub_stream)) {
    Cohort rows = *share.cohort;
    rows.from = share.first;
    rows.to = share.last;
    rows.slots = nullptr;
    RowSpans spans;
    find_row_spans(space, rows, dates_of(space, rows, rows.to - rows.from), format, spans);
    const bool valued = has_values(rows.state) && values_.bytes().size() > 1;
    const std::size_t kinds = valued ? values_.bytes().size() : 1;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const std::int64_t value = has_values(rows.state) ? values_.bytes()[kind] : 0;
      double bytes = 0;
      for (const RowSpan& span : spans) {
        const std::int64_t row = format.row_of(span.body + value, format.row_of(span.body + value, 1));
        bytes += static_cast<double>(row * (span.to - span.from));
      }
      bytes_.push_back(bytes / static_cast<double>(rows.to - rows.from));
    }
  }
  bool vary() const { return bytes_.size() > 1; }
  std::int64_t period() const { return vary() ? values_.period() : 1; }
  double of_row(std::int64_t g) const { return bytes_[vary() ? values_.size_of(g) : 0]; }
  /// Most of what a first row lacks: it follows a header of so many bytes, not a row of its own size.
  double first_row_lacks(double header_bytes) const {
    return static_cast<double>(size_before(static_cast<Bytes>(bytes_.front())) -
                               size_before(static_cast<Bytes>(header_bytes)));
  }

 private:
  const RowValues& values_;
  boost::container::small_vector<double, 16> bytes_{};
};

/// Sums over every step-th of values that repeat: n of them from any place, at the cost of one.
class StepSums {
 public:
  template <typename Value>
  StepSums(std::int64_t period, std::int64_t step, const Value& value)
      : orbits_(std::gcd(period, step)), length_(period / orbits_), place_(static_cast<std::size_t>(period)) {
    for (std::int64_t orbit = 0; orbit < orbits_; ++orbit) {
      double sum = 0;
      std::int64_t at = orbit;
      upto_.push_back(0);
      for (std::int64_t i = 0; i < length_; ++i) {
        place_[static_cast<std::size_t>(at)] = i;
        sum += value(at);
        upto_.push_back(sum);
        at = (at + step) % period;
      }
      mean_ += sum / static_cast<double>(period);
    }
    for (std::int64_t orbit = 0; orbit < orbits_; ++orbit) {
      for (std::int64_t i = 0; i <= length_; ++i)
        most_off_ = std::max(most_off_, std::abs(upto(orbit, i) - mean_ * static_cast<double>(i)));
    }
  }
  double of(std::int64_t first, std::int64_t n) const {
    const std::int64_t orbit = first % orbits_;
    const std::int64_t begin = place_[static_cast<std::size_t>(first)];
    const std::int64_t end = begin + n % length_;
    const double rest = end <= length_ ? upto(orbit, end) - upto(orbit, begin)
                                       : upto(orbit, length_) - upto(orbit, begin) + upto(orbit, end - length_);
    return static_cast<double>(n / length_) * upto(orbit, length_) + rest;
  }
  /// All sums of n lie between these.
  std::pair<double, double> bounds(std::int64_t n) const {
    if (orbits_ > 1) return {0, std::numeric_limits<double>::max()};
    const double middle = mean_ * static_cast<double>(n);
    return {middle - 2 * most_off_, middle + 2 * most_off_};
  }
  double mean() const { return mean_; }

 private:
  double upto(std::int64_t orbit, std::int64_t i) const {
    return upto_[static_cast<std::size_t>(orbit * (length_ + 1) + i)];
  }

  std::int64_t orbits_ = 1;
  std::int64_t length_ = 1;
  std::vector<std::int64_t> place_;
  std::vector<double> upto_{};
  double mean_ = 0;
  double most_off_ = 0;
};

std::ptrdiff_t bin_of(double bytes) {
  return std::ranges::lower_bound(EstimatedHistogram::offsets(), std::llround(bytes)) -
         EstimatedHistogram::offsets().begin();
}

/// Something of each slot of a bucket, nothing at first: of few rows among many slots, of those alone that have some.
template <typename Sum>
class BySlot {
 public:
  BySlot(std::int64_t slots, Rows rows) {
    constexpr Rows looked_up_as_one = 16;  // of a plain array, in the time that one of few takes
    if (rows > slots / looked_up_as_one) all_.resize(static_cast<std::size_t>(slots));
  }
  Sum& at(std::int64_t slot) { return all_.empty() ? few_[slot] : all_[static_cast<std::size_t>(slot)]; }

 private:
  std::vector<Sum> all_{};
  std::unordered_map<std::int64_t, Sum> few_{};
};

/// Rows of each partition of a bucket, each with the sizes of its own values.
class BucketRows {
 public:
  BucketRows(const ContentSpace& space, const Writer& writer, std::int64_t bucket, const RowFormat& format)
      : space_(space), writer_(writer), bucket_(bucket), format_(format) {}

  void add(const BucketShare& share) { shares_.push_back(share); }

  /// Shows the bytes of partitions without their headers, those of `header_bytes` looked at for bins and first rows.
  /// `held` tells which partitions there are at all.
  void each(const Presence& held, double header_bytes, const std::function<void(const SlotGroup&)>& group) const {
    if (shares_.size() == 1 && all_in_turn(shares_.front())) {
      each_in_turn(shares_.front(), header_bytes, group);
      return;
    }
    BySlot<SlotSum> slots(writer_.slots(bucket_), members());
    for (const BucketShare& share : shares_) add_rows(share, header_bytes, slots);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> alike;
    held.each_slot([&](std::int64_t slot) {
      const auto& [cells, bytes] = slots.at(slot);
      ++alike[{cells, std::llround(bytes)}];
    });
    for (const auto& [one, partitions] : alike) group({partitions, one.first, static_cast<double>(one.second)});
  }

  /// Calls `each(cells, partitions)` alone, without their bytes.
  template <typename Each>
  void each_cells(const Presence& held, const Each& each) const {
    if (std::ranges::all_of(shares_, [this](const BucketShare& share) { return all_in_turn(share); })) {
      each_cells_in_turn(each);
      return;
    }
    BySlot<std::int64_t> cells(writer_.slots(bucket_), members());
    for (const BucketShare& share : shares_) {
      const SubStream::Turn turn = sub_of(share).turn(bucket_);
      if (share.cohort->slots) {
        each_slot_of(space_, *share.cohort, share.first, share.last,
                     [&](std::int64_t first, std::int64_t, std::int64_t members) {
                       cells.at(turn.slot(first)) += members * cells_of(share);
                     });
        continue;
      }
      for (std::int64_t j = share.first; j < share.last; ++j) cells.at(turn.slot(j)) += cells_of(share);
    }
    held.each_slot([&](std::int64_t slot) { each(cells.at(slot), 1); });
  }

 private:
  using SlotSum = std::pair<std::int64_t, double>;  // cells and bytes

  Rows members() const {
    Rows sum = 0;
    for (const BucketShare& share : shares_) sum += share.last - share.first;
    return sum;
  }

  /// Where slots take turns, they differ by a row of each share at most: what they hold changes at a few slots.
  template <typename Each>
  void each_cells_in_turn(const Each& each) const {
    struct Step {
      std::int64_t slot = 0;
      std::int64_t events = 0;
      std::int64_t cells = 0;
    };
    boost::container::small_vector<Step, 64> steps;
    const std::int64_t slots = writer_.slots(bucket_);
    std::int64_t events = 0;
    std::int64_t cells = 0;
    for (const BucketShare& share : shares_) {
      const std::int64_t rows = share.last - share.first;
      const std::int64_t a_row = cells_of(share);
      events += rows / slots;
      cells += rows / slots * a_row;
      const std::int64_t first = sub_of(share).turn(bucket_).slot(share.first);
      const std::int64_t last = first + rows % slots;
      if (first == last) continue;
      steps.push_back({first, 1, a_row});
      steps.push_back({last <= slots ? last : last - slots, -1, -a_row});
      if (last > slots) steps.push_back({0, 1, a_row});
    }
    std::ranges::sort(steps, {}, &Step::slot);
    std::int64_t from = 0;
    const auto upto = [&](std::int64_t slot) {
      if (from < slot && events > 0) each(cells, slot - from);
      from = slot;
    };
    for (const Step& step : steps) {
      upto(step.slot);
      events += step.events;
      cells += step.cells;
    }
    upto(slots);
  }

  /// True if it has all rows of a sub-stream whose members go around all slots.
  bool all_in_turn(const BucketShare& share) const { return sub_of(share).in_turn() && !share.cohort->slots; }
  const SubStream& sub_of(const BucketShare& share) const { return space_.sub_stream(share.cohort->sub_stream); }
  std::int64_t cells_of(const BucketShare& share) const {
    return cells_of_row(space_, *share.cohort) * writer_.rows_per_event;
  }

  /// All rows of a writer: slots take turns.
  void each_in_turn(const BucketShare& share, double header_bytes,
                    const std::function<void(const SlotGroup&)>& group) const {
    const std::int64_t slots = writer_.slots(bucket_);
    const std::int64_t rows = share.last - share.first;
    const std::int64_t cells = cells_of(share);
    const SizesOfRows sizes(space_, share, format_);
    const auto per_event = static_cast<double>(writer_.rows_per_event);
    const double lacks = sizes.first_row_lacks(header_bytes - 1);
    const std::int64_t period = sizes.period();
    const StepSums sums(period, slots, [&](std::int64_t g) { return sizes.of_row(g) * per_event; });
    const std::int64_t first = sub_of(share).written_as(share.first) % period;
    // Slots [from, to), in the order of their turns, have `events` each.
    const auto show = [&](std::int64_t from, std::int64_t to, std::int64_t events) {
      if (from >= to || events == 0) return;
      const auto [low, high] = sums.bounds(events);
      if (bin_of(low + header_bytes - lacks) == bin_of(high + header_bytes - lacks)) {
        group({to - from, events * cells, sums.mean() * static_cast<double>(events) - lacks});
        return;
      }
      for (std::int64_t k = from; k < std::min(to, from + period); ++k)
        group({ceil_div(to - k, period), events * cells, sums.of((first + k) % period, events) - lacks});
    };
    show(0, rows % slots, rows / slots + 1);
    show(rows % slots, slots, rows / slots);
  }

  void add_rows(const BucketShare& share, double header_bytes, BySlot<SlotSum>& slots) const {
    const SubStream& sub = sub_of(share);
    const std::int64_t cells = cells_of(share);
    const SizesOfRows sizes(space_, share, format_);
    const auto per_event = static_cast<double>(writer_.rows_per_event);
    const SubStream::Turn turn = sub.turn(bucket_);
    const std::int64_t count = turn.slots();
    const auto put = [&](std::int64_t slot, std::int64_t events, double bytes) {
      auto& [slot_cells, slot_bytes] = slots.at(slot);
      slot_cells += events * cells;
      slot_bytes += bytes - (slot_bytes == 0 ? sizes.first_row_lacks(header_bytes - 1) : 0);
    };
    if (!sub.in_turn()) {
      for (std::int64_t j = share.first; j < share.last; ++j) {
        put(turn.slot(j), 1, sizes.of_row(sub.written_as(j)) * per_event);
      }
      return;
    }
    const std::int64_t period = sizes.period();
    const StepSums sums(period, count, [&](std::int64_t g) { return sizes.of_row(g) * per_event; });
    const std::int64_t rows = share.last - share.first;
    for (std::int64_t k = 0; k < std::min(rows, count); ++k) {
      if (!space_.admits(*share.cohort, bucket_, turn.slot(share.first + k))) continue;
      const std::int64_t g = sub.written_as(share.first) + k;
      const std::int64_t events = rows / count + (k < rows % count ? 1 : 0);
      put(turn.slot(share.first + k), events, sums.of(g % period, events));
    }
  }

  const ContentSpace& space_;
  const Writer& writer_;
  std::int64_t bucket_ = 0;
  const RowFormat& format_;
  std::vector<BucketShare> shares_{};
};

/// Of smooth content: partitions share rows evenly, by intervals of tokens and runs of buckets that are held alike.
template <typename Each>
void each_smooth_partition(const ContentSpace& space, const Content& content, const Each& each) {
  const RowFormat format = space.format(content.bases);
  each_writer(space, content.cohorts, [&](const Writer& writer, std::span<const Cohort> cohorts) {
    space.lattice()->each_run(space, cohorts, [&](const SmoothRun& run) {
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
      const std::int64_t partitions = std::max<std::int64_t>(1, run.partitions);
      const auto share = static_cast<double>(partitions);
      const double header = mean_header_bytes(space, format, writer, run.first_bucket);
      each(std::llround(cells / share), std::llround(bytes / share + header), partitions);
    });
  });
}

bool is_smooth(const ContentSpace& space, const Content& content) {
  return !content.keyed && !space.has_single_rows(content.cohorts);
}

enum class Shown { cells_and_bytes, cells };

/// Calls `each(cells, bytes, partitions)` for all partitions; where cells alone are shown, bytes mean nothing.
template <typename Each>
void each_partition(const ContentSpace& space, const Content& content, Shown shown, const Each& each) {
  if (is_smooth(space, content)) {
    each_smooth_partition(space, content, each);
    return;
  }
  const RowFormat format = space.format(content.bases);
  const Bytes empty_bytes = format.header().static_columns > 0 ? format.static_row({}) : 0;
  StaticShares statics = static_shares(space, content, format,
                                       [&](std::int64_t cells, Bytes bytes) { each(cells, bytes, std::int64_t{1}); });
  for (const DrawnRows& drawn : space.drawn_rows(content.cohorts)) {
    const FileExtremes all = measure_by_intervals(space, content).extremes;
    each(std::ssize(drawn.writer->columns), all.uncompressed_bytes / all.partitions, drawn.rows);
  }
  space.each_bucket(content.cohorts, [&](const Writer& writer, std::int64_t bucket, const Presence& held) {
    if (writer.drawn_keys > 0) return;
    BucketRows rows(space, writer, bucket, format);
    for (const Cohort& cohort : content.cohorts) {
      if (&space.writer_of(cohort) != &writer) continue;
      const auto [first, last] = space.members_in(cohort, bucket);
      if (first < last) rows.add({&cohort, first, last});
    }
    StaticShare& share = statics[{writer.index, bucket}];
    const auto show = [&](std::int64_t cells, Bytes bytes, std::int64_t partitions) {
      share.divide(held.count(), partitions, empty_bytes,
                   [&](std::int64_t some, std::int64_t more_cells, Bytes more_bytes) {
                     each(cells + more_cells, bytes + more_bytes, some);
                   });
    };
    if (shown == Shown::cells) {
      rows.each_cells(held, [&](std::int64_t cells, std::int64_t partitions) { show(cells, 0, partitions); });
      return;
    }
    const double header = mean_header_bytes(space, format, writer, bucket);
    rows.each(held, header, [&](const SlotGroup& group) {
      show(group.cells, static_cast<Bytes>(group.row_bytes + header + 0.5), group.partitions);
    });
  });
}

}  // namespace

bool histograms_by_rows(const ContentSpace& space, const Content& content) {
  return !is_smooth(space, content) && (!no_rows_one_by_one(content) || !known_by_intervals(space, content));
}

FileHistograms histograms_by_intervals(const ContentSpace& space, const Content& content, HistogramParts parts) {
  if (histograms_by_rows(space, content)) return measure_by_rows(space, content).second;
  FileHistograms histograms;
  const bool sizes = parts == HistogramParts::all;
  each_partition(space, content, sizes ? Shown::cells_and_bytes : Shown::cells,
                 [&](std::int64_t cells, Bytes bytes, std::int64_t partitions) {
                   histograms.cells.add(cells, partitions);
                   if (sizes) histograms.partition_sizes.add(bytes, partitions);
                 });
  if (parts == HistogramParts::cells) return histograms;
  histograms.drop_times = is_smooth(space, content) ? smooth_drop_times(space, content) : drop_times_of(space, content);
  return histograms;
}

std::vector<PartitionsOfSize> sizes_by_intervals(const ContentSpace& space, const Content& content) {
  std::vector<PartitionsOfSize> sizes;
  if (histograms_by_rows(space, content)) {
    for (const Bytes bytes : measure_by_rows(space, content).second.partition_bytes) sizes.push_back({bytes, 1});
    return sizes;
  }
  each_partition(space, content, Shown::cells_and_bytes, [&](std::int64_t, Bytes bytes, std::int64_t partitions) {
    sizes.push_back({bytes, partitions});
  });
  return sizes;
}

}  // namespace windrow
