#include "sim/strategy/size_tiered.h"

#include <algorithm>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/worth_dropping_tombstones.h"

namespace windrow {
namespace {

/// The bucket that is open while files pass in ascending order (rule 6.3). Its average is computed only where its
/// bounds, the smallest and the largest file, leave the answer open.
template <typename Files>
class OpenBucket {
 public:
  OpenBucket(const Files& files, std::size_t begin, const SizeTieredOptions& options)
      : files_(files),
        begin_(begin),
        end_(begin + 1),
        averaged_(begin + 1),
        average_(files[begin].key),
        options_(options) {}

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  void append() { ++end_; }
  /// All that follow and are similar to the smallest of them whatever the average is, found without a look at each.
  void append_similar_to_first() {
    const Bytes first = files_[begin_].key;
    if (options_.bucket_low >= 1 || first <= 0) return;
    const auto is_similar = [&](const FilePlace& place) {
      return similar(place.key, first, place.key) ||
             (first < options_.min_sstable_size_bytes && place.key < options_.min_sstable_size_bytes);
    };
    end_ = place_behind(files_, end_, is_similar);
  }

  bool takes(Bytes size) {
    const Bytes smallest = files_[begin_].key;
    const Bytes largest = files_[end_ - 1].key;
    const bool small = size < options_.min_sstable_size_bytes;
    if (small && largest < options_.min_sstable_size_bytes) return true;
    if (similar(size, smallest, largest)) return true;
    if (!(small && smallest < options_.min_sstable_size_bytes) && !similar(size, largest, smallest)) return false;
    const Bytes mean = average();
    return similar(size, mean, mean) || (small && mean < options_.min_sstable_size_bytes);
  }

  /// Truncated at every file, as the engine keeps it.
  Bytes average() {
    for (; averaged_ < end_; ++averaged_) {
      const auto count = static_cast<std::int64_t>(averaged_ - begin_);
      average_ = (count * average_ + files_[averaged_].key) / (count + 1);
    }
    return average_;
  }

 private:
  /// Whether size < average * bucket_high and size > average * bucket_low, for some average between the two bounds
  /// given.
  bool similar(Bytes size, Bytes bound_above, Bytes bound_below) const {
    return static_cast<double>(size)<static_cast<double>(bound_above) * options_.bucket_high&& static_cast<double>(
                                                                            size)> static_cast<double>(bound_below) *
           options_.bucket_low;
  }

  Files files_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t averaged_;
  Bytes average_;
  const SizeTieredOptions& options_;
};

template <typename Files, typename Function>
void for_each_bucket(const Files& ascending, const SizeTieredOptions& options, Function function) {
  std::size_t begin = 0;
  while (begin < ascending.size()) {
    OpenBucket bucket(ascending, begin, options);
    bucket.append_similar_to_first();
    while (bucket.end() < ascending.size() && bucket.takes(ascending[bucket.end()].key)) bucket.append();
    function(bucket);
    begin = bucket.end();
  }
}

/// False if no bucket has so many files, found for less: where small files count as large as min_sstable_size, each
/// file of a bucket is at most bucket_high times the average before it, and the last so some multiple of the first.
template <typename Files>
bool may_fill_a_bucket(const Files& ascending, std::size_t files, const SizeTieredOptions& options) {
  constexpr double rounding = 1 + 1e-9;
  if (ascending.size() < files) return false;
  const double high = std::max(1.0, static_cast<double>(options.bucket_high));
  double largest = 1;  // multiple of the first
  double sum = 1;
  for (std::size_t count = 1; count < files; ++count) {
    largest = std::max(largest, sum / static_cast<double>(count) * high);
    sum += largest;
  }
  for (std::size_t last = files - 1; last < ascending.size(); ++last) {
    const Bytes first = std::max(ascending[last + 1 - files].key, options.min_sstable_size_bytes);
    if (static_cast<double>(ascending[last].key) <= static_cast<double>(first) * largest * rounding) return true;
  }
  return false;
}

template <typename Files>
Bytes mean_bytes_on_disk(const Files& ascending, std::size_t begin, std::size_t end) {
  Bytes sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += ascending[i].file->bytes_on_disk;
  return sum / static_cast<std::int64_t>(end - begin);
}

/// Rule 6.5 d, full ties: the first bucket in the order of a Java HashMap keyed by average.
template <typename Files>
std::size_t first_in_map_order(const Files& ascending, const SizeTieredOptions& options,
                               std::span<const std::size_t> tied) {
  std::vector<std::int32_t> hashes;
  std::vector<std::size_t> begins;
  for_each_bucket(ascending, options, [&](OpenBucket<Files>& bucket) {
    const auto average = static_cast<std::uint64_t>(bucket.average());
    hashes.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(average ^ (average >> 32))));
    begins.push_back(bucket.begin());
  });
  for (const std::size_t index : hash_order(hashes)) {
    if (std::ranges::find(tied, begins[index]) != tied.end()) return begins[index];
  }
  return tied.front();
}

template <typename Files>
SizeTier tier_of(const Files& ascending, const SizeTieredOptions& options) {
  SizeTier best;
  const auto min_threshold = static_cast<std::size_t>(options.common.min_threshold);
  const auto max_threshold = static_cast<std::size_t>(options.common.max_threshold);
  if (!may_fill_a_bucket(ascending, min_threshold, options)) return best;
  const auto mean_of = [&](std::size_t begin, std::size_t end) { return mean_bytes_on_disk(ascending, begin, end); };
  Bytes best_mean = -1;
  std::vector<std::size_t> tied;
  for_each_bucket(ascending, options, [&](const OpenBucket<Files>& bucket) {
    const std::size_t count = bucket.end() - bucket.begin();
    if (count < min_threshold) return;
    best.estimated_remaining += ceil_div(static_cast<std::int64_t>(count), options.common.max_threshold);
    const std::size_t end = bucket.begin() + std::min(count, max_threshold);
    if (end < bucket.end() && ascending[end - 1].key == ascending[end].key) best.ties_matter = true;
    if (best.begin != best.end) {  // a choice: only now do the means matter
      if (best_mean < 0) best_mean = mean_of(best.begin, best.end);
      const Bytes mean = mean_of(bucket.begin(), end);
      if (mean < best_mean) return;
      if (mean == best_mean) {
        if (tied.empty()) tied.push_back(best.begin);
        tied.push_back(bucket.begin());
        return;
      }
      tied.clear();
      best_mean = mean;
    }
    best.begin = bucket.begin();
    best.end = end;
  });
  if (tied.empty()) return best;
  best.begin = first_in_map_order(ascending, options, tied);
  for_each_bucket(ascending, options, [&](const OpenBucket<Files>& bucket) {
    if (bucket.begin() == best.begin) best.end = std::min(bucket.end(), bucket.begin() + max_threshold);
  });
  return best;
}

}  // namespace

SizeTier most_interesting_tier(const InOrder<FilePlace>& ascending, const SizeTieredOptions& options) {
  return ascending.is_flat() ? tier_of(ascending.flat(), options) : tier_of(ascending, options);
}

std::vector<std::int64_t> ids_of(const InOrder<FilePlace>& files, std::size_t begin, std::size_t end) {
  std::vector<std::int64_t> ids;
  ids.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) ids.push_back(files[i].file->id);
  return ids;
}

namespace {

class SizeTiered final : public Strategy {
 public:
  explicit SizeTiered(const SizeTieredOptions& options) : Strategy(options.common), options_(options) {}

  std::unique_ptr<StrategyOrder> new_order() const override { return std::make_unique<SizeOrder>(); }
  bool compacts_for_tombstones() const override { return true; }
  Answer next_task(const StrategyState& state, const TableView& view) const override;
  Pick major_task() const override { return {.kind = PickKind::normal, .rule = "6.9 major compaction"}; }
  PickStands pick_stands() const override { return PickStands::until_one_expires; }  // tiers do not change with time

 private:
  SizeTieredOptions options_;
};

// SizeTieredCompactionStrategy.getNextBackgroundSSTables (rule 6.2).
Answer SizeTiered::next_task(const StrategyState& state, const TableView& view) const {
  Answer answer{.state = state};
  Pick& pick = answer.pick;
  const InOrder<FilePlace> ascending = view.own().order<SizeOrder>().places();
  const SizeTier tier = most_interesting_tier(ascending, options_);
  pick.estimated_remaining = tier.estimated_remaining;
  if (tier.begin != tier.end) {
    pick.kind = PickKind::normal;
    pick.rule = "6.5 most interesting bucket";
    pick.inputs = ids_of(ascending, tier.begin, tier.end);
    return answer;
  }
  const SSTableView* largest = nullptr;
  for_each_worth_dropping(common(), view, [&](const SSTableView& file) {
    const bool larger = largest == nullptr || file.data_bytes > largest->data_bytes ||
                        (file.data_bytes == largest->data_bytes && file.live_rank > largest->live_rank);
    if (larger) largest = &file;
    return true;
  });
  if (largest != nullptr) {
    pick.kind = PickKind::tombstone;
    pick.rule = "6.2 largest file worth dropping tombstones";
    pick.inputs.push_back(largest->id);
  }
  return answer;
}

}  // namespace

StrategyPtr new_strategy(const SizeTieredOptions& options) { return std::make_shared<const SizeTiered>(options); }

}  // namespace windrow
