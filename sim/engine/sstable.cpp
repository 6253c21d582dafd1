#include "sim/engine/sstable.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cmath>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/bytes/row_index.h"
#include "sim/bytes/sketch_bytes.h"
#include "sim/content/drop_minutes.h"
#include "sim/content/measure.h"
#include "sim/content/merge.h"
#include "sim/content/static_rows.h"
#include "sim/stats/sketch_form.h"

namespace windrow {

namespace {

/// A partition in another bin of sizes counts as up to a fifth more or less: what asks for it, asks few files, and
/// once.
constexpr Rows rows_looked_at_for_sizes = 1'000'000;

/// bloom_spec, found once per chance in a row: every SSTable asks.
BloomSpec spec_of(double fp_chance) {
  thread_local std::pair<double, BloomSpec> last{-1, {}};
  if (last.first != fp_chance) last = {fp_chance, bloom_spec(fp_chance)};
  return last.second;
}

constexpr std::int64_t most_drop_times = 100;  // that a file's histogram of drop times holds
/// Smaller files have their drop times counted: a hundred points more or less would be a per cent of them.
constexpr Bytes most_bytes_of_counted_drop_times = 160'000;
/// A sketch that stays sparse is 10 kB more: of larger files less than a per cent.
constexpr Bytes most_bytes_of_seen_sketches = 1'000'000;
/// Files of no more rows are looked at for it, where their cohorts do not tell which rows they have.
constexpr Rows rows_looked_at_for_drop_times = 200;

/// Indexes of rows that the mean partition may have wrong by more than a per cent of Data.db go by all partitions.
constexpr Bytes bytes_to_a_byte_of_doubt = 100;

/// Points of the histogram of drop times of a file that has some: minutes from the first to the last, a hundred at
/// most.
std::int64_t drop_time_bins(const FileExtremes& extremes) {
  // Something that never expires hides the last of the others: what was written last, with the longest TTL.
  const Seconds last_s = extremes.max_local_deletion_time_s == no_deletion_time
                             ? extremes.max_timestamp_us / us_per_s + extremes.max_ttl_s
                             : extremes.max_local_deletion_time_s;
  const Seconds minutes =
      (std::max(last_s, extremes.min_local_deletion_time_s) + 59) / 60 - (extremes.min_local_deletion_time_s + 59) / 60;
  return std::min(most_drop_times, minutes + 1);
}

/// Disjoint ranges from any, ascending; a range whose ends are equal is the whole ring.
using Ranges = boost::container::small_vector<TokenRange, 4>;
Ranges disjoint(std::span<const TokenRange> ranges, bool& whole_ring) {
  Ranges sorted(ranges.begin(), ranges.end());
  whole_ring = std::ranges::any_of(sorted, [](const TokenRange& range) { return range.left == range.right; });
  std::ranges::sort(sorted, {}, &TokenRange::left);
  Ranges merged;
  for (const TokenRange& range : sorted) {
    if (!merged.empty() && range.left <= merged.back().right) {
      merged.back().right = std::max(merged.back().right, range.right);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

/// Tokens and murmur2 of a content's keys.
std::vector<std::pair<Token, std::uint64_t>> sketched_keys(const ContentSpace& space, const Content& content,
                                                           std::int64_t partitions) {
  std::vector<std::pair<Token, std::uint64_t>> keys;
  keys.reserve(static_cast<std::size_t>(partitions));
  TokenIndex& index = space.tokens();
  space.each_bucket(content.cohorts, [&](const Writer& writer, std::int64_t bucket, const Presence& held) {
    const std::vector<Token>& tokens = index.of(writer, bucket).by_slot();
    const std::span<const std::uint64_t> hashes = index.sketch_hashes(writer, bucket);
    held.each_slot([&](std::int64_t slot) {
      keys.emplace_back(tokens[static_cast<std::size_t>(slot)], hashes[static_cast<std::size_t>(slot)]);
    });
  });
  if (content.keyed) {
    const std::vector<bool> beside = beside_rows(space, content);
    for (std::size_t i = 0; i < beside.size(); ++i) {
      const KeyedPartition& partition = (*content.keyed)[i];
      if (beside[i]) continue;
      const Writer& writer = space.workload().writers()[static_cast<std::size_t>(partition.writer)];
      const auto hashes = index.sketch_hashes(writer, partition.bucket);
      keys.emplace_back(partition.token, hashes[static_cast<std::size_t>(partition.slot)]);
    }
  }
  return keys;
}

std::vector<PartitionsOfSize> partition_sizes(const ContentSpace& space, const SSTable& file,
                                              const Closeness& closeness) {
  if (closeness.lattice || !worth_a_look(space, file.content(), file.extremes().rows, closeness.rows_to_look_at))
    return sizes_by_intervals(space, file.content());
  std::vector<PartitionsOfSize> sizes;
  for (const Bytes bytes : file.histograms().partition_bytes) sizes.push_back({bytes, 1});
  return sizes;
}

}  // namespace

SSTable::SSTable(const ContentSpace& space, std::shared_ptr<const SSTableSettings> settings, const Identity& identity,
                 CutContent made, const FileExtremes& extremes)
    : space_(&space),
      settings_(std::move(settings)),
      identity_(identity),
      content_(made.piece.empty() && !made.swath ? std::make_unique<const Content>(std::move(made.content)) : nullptr),
      piece_(std::move(made.piece)),
      swath_(std::move(made.swath)),
      extremes_(extremes) {
  if (made.extremes || swath_) counted_rows_ = extremes_.rows;
  if (made.token_span) span_ = *made.token_span;
  SIM_CHECK(extremes_.partitions > 0, "an SSTable without partitions");
  if (made.by_rows && extremes_.min_local_deletion_time_s != no_deletion_time) {
    const bool few = worth_a_look(*space_, content(), extremes_.rows, settings_->closeness.rows_to_look_at);
    if (few && counts_drop_times()) {
      found().histograms = std::move(made.by_rows->second);
    } else if (few || histograms_by_rows(*space_, content())) {
      keep_counts(made.by_rows->second);
    }
  }
  bytes_on_disk_ = identity_.data_bytes + components().total();
}

/// A second look at every row would find the same.
void SSTable::keep_counts(FileHistograms& looked) {
  found().kept = std::make_unique<FileHistograms>();
  found().kept->cells = std::move(looked.cells);
  found().kept->drop_times = std::move(looked.drop_times);
}

bool SSTable::has_rows_of(const SSTable& other) const {
  if (swath_ && other.swath_) return swath_->has_rows_of(*other.swath_);
  const Content& mine = content();
  const Content& others = other.content();
  if (mine.keyed || others.keyed) return false;
  return std::ranges::equal(mine.cohorts, others.cohorts, [](const Cohort& a, const Cohort& b) {
    return a.from == b.from && a.to == b.to && alike(a, b);
  });
}

void SSTable::learn_from(const SSTable& source) const {
  if (!source.found_ || settings_ != source.settings_ || !has_rows_of(source)) return;
  const Found& known = *source.found_;
  const FileHistograms* const counts = known.histograms ? &*known.histograms
                                       : known.counts   ? &*known.counts
                                                        : known.kept.get();
  if (counts != nullptr && !has_histograms() && !found().kept) {
    found().kept = std::make_unique<FileHistograms>();
    found().kept->cells = counts->cells;
    found().kept->drop_times = counts->drop_times;
  }
  if (known.ranks && !found().ranks) found().ranks = known.ranks->of_same(content());
}

const Content& SSTable::content() const {
  if (!content_) content_ = std::make_unique<const Content>(made_content());
  return *content_;
}

std::size_t SSTable::cohort_count() const {
  if (swath_) return swath_->cohorts();
  return piece_.empty() ? content_->cohorts.size() : piece_.rows.size();
}

bool SSTable::cut_by_tokens() const {
  if (!piece_.empty()) return piece_.rows.front().cut_by_tokens();
  return !swath_ && !content_->cohorts.empty() && content_->cohorts.front().cut_by_tokens();
}

bool SSTable::counts_drop_times() const {
  if (extremes_.min_local_deletion_time_s == no_deletion_time) return false;
  if (identity_.data_bytes >= most_bytes_of_counted_drop_times) return false;
  if (content().keyed) return true;
  return !all_whole(content().cohorts) && extremes_.rows <= rows_looked_at_for_drop_times;
}

std::int64_t SSTable::drop_times_listed() const {
  if (extremes_.min_local_deletion_time_s == no_deletion_time) return 0;
  if (identity_.data_bytes >= most_bytes_of_counted_drop_times) return drop_time_bins(extremes_);
  if (counts_drop_times()) return std::ssize(counts().drop_times.bins());
  return drop_minutes(*space_, content(), most_drop_times);
}

ComponentSizes SSTable::components() const {
  const std::int64_t keys = identity_.filter_keys > 0 ? identity_.filter_keys : extremes_.partitions;
  const EvenPartitions even{.format = settings_->format,
                            .partitions = extremes_.partitions,
                            .key_bytes = extremes_.key_bytes,
                            .data_bytes = extremes_.uncompressed_bytes,
                            .rows = extremes_.rows,
                            .clustering_bytes = space_->clustering_bytes()};
  ComponentSizes sizes = component_sizes(
      {.partitions = even,
       .schema = settings_->schema,
       .columns = bases().columns,
       .statics = bases().statics,
       .ring_share = is_bti(even.format) ? ring_share() : 1,
       .compacted = !identity_.flushed,
       .filter_bytes = without_filter() ? 0 : bloom_filter_file_bytes(keys, spec_of(settings_->bloom_filter_fp_chance)),
       .min_index_interval = settings_->min_index_interval,
       .drop_time_bins = drop_times_listed()});
  const bool may_be_sparse = extremes_.partitions > surely_sparse_keys && extremes_.partitions < surely_dense_keys;
  if (may_be_sparse && settings_->closeness.keep_filters && identity_.data_bytes < most_bytes_of_seen_sketches &&
      sketch_stays_sparse(sketched_keys(*space_, content(), extremes_.partitions)))
    sizes.statistics += sparse_sketch_excess(extremes_.partitions);
  if (row_index_doubt(even) * bytes_to_a_byte_of_doubt > identity_.data_bytes) {
    Bytes& with_row_indexes = is_bti(even.format) ? sizes.rows : sizes.index;
    with_row_indexes +=
        row_indexes(even, partition_sizes(*space_, *this, settings_->closeness)) - row_indexes_of_mean(even);
  }
  return sizes;
}

Rows SSTable::counted_rows() const {
  if (counted_rows_ == unknown) counted_rows_ = windrow::counted_rows(*space_, content());
  return counted_rows_;
}

const FileHistograms& SSTable::histograms() const {
  std::optional<FileHistograms>& known = found().histograms;
  if (!known) {
    const bool look = worth_a_look(*space_, content(), extremes_.rows, settings_->closeness.rows_to_look_at);
    known = look ? measure_by_rows(*space_, content()).second : histograms_by_intervals(*space_, content());
  }
  return *known;
}

const FileHistograms& SSTable::counts() const {
  if (found().histograms) return *found().histograms;
  if (found().counts) return *found().counts;
  if (found().kept) {
    found().counts.emplace(std::move(*found().kept));
    found().kept.reset();
    return *found().counts;
  }
  // One look at its rows tells all histograms.
  const bool look = worth_a_look(*space_, content(), extremes_.rows, settings_->closeness.rows_to_look_at) ||
                    histograms_by_rows(*space_, content());
  if (look) return histograms();
  return found().counts.emplace(histograms_by_intervals(*space_, content(), HistogramParts::cells_and_drop_times));
}

bool SSTable::drop_times_wait() const {
  return !has_histograms() && drop_times_by_intervals(*space_, content()) &&
         !worth_a_look(*space_, content(), extremes_.rows, settings_->closeness.rows_to_look_at);
}

const std::pair<std::int64_t, std::int64_t>& SSTable::cells() const {
  if (found().cells) return *found().cells;
  const EstimatedHistogram cells =
      drop_times_wait() ? histograms_by_intervals(*space_, content(), HistogramParts::cells).cells : counts().cells;
  return found().cells.emplace(cells.mean(), cells.count());
}

const BloomFilter* SSTable::filter() const {
  if (!settings_->closeness.keep_filters || without_filter()) return nullptr;
  std::unique_ptr<BloomFilter>& filter = found().filter;
  if (!filter) {
    filter = std::make_unique<BloomFilter>(identity_.filter_keys, spec_of(settings_->bloom_filter_fp_chance));
    space_->each_partition(content(), [&](const Writer& writer, std::int64_t bucket, std::int64_t slot) {
      filter->add(murmur3(writer.key(slot, bucket)));
    });
  }
  return filter.get();
}

const KeySketch& SSTable::key_sketch() const {
  std::unique_ptr<KeySketch>& sketch = found().key_sketch;
  if (!sketch) {
    sketch = std::make_unique<KeySketch>(sketch_of_file(sketched_keys(*space_, content(), extremes_.partitions)));
  }
  return *sketch;
}

SSTableView SSTable::view() const {
  return {.id = identity_.id,
          .data_bytes = identity_.data_bytes,
          .bytes_on_disk = bytes_on_disk_,
          .min_timestamp_us = extremes_.min_timestamp_us,
          .max_timestamp_us = extremes_.max_timestamp_us,
          .max_local_deletion_time_s = extremes_.max_local_deletion_time_s,
          .created_ms = identity_.created_s * ms_per_s,
          .hash = identity_.hash,
          .level = identity_.level,
          .repair = identity_.repair,
          .stored_coverage = identity_.stored_coverage,
          .estimates = this};
}

double SSTable::droppable_tombstone_ratio(Seconds gc_before_s) const {
  // Points are rounded up: before the earliest deletion time there is none.
  if (gc_before_s < extremes_.min_local_deletion_time_s) return 0.0;
  const std::int64_t cells = cells_mean() * cells_count();
  return cells > 0 ? counts().drop_times.sum(gc_before_s) / static_cast<double>(cells) : 0.0;
}

Seconds SSTable::ratio_stays_below_until(double threshold) const {
  if (!drop_times_wait()) return INT64_MIN;
  constexpr double rounding = 1e-9;
  const auto all_cells = static_cast<double>(cells_mean() * cells_count());
  return sum_stays_below_until(drop_points(*space_, content()), threshold * all_cells * (1 - rounding));
}

Seconds SSTable::ratio_crosses_at(double threshold) const {
  if (extremes_.min_local_deletion_time_s == no_deletion_time) return no_deletion_time;
  const auto bins = counts().drop_times.bins();
  if (bins.empty() || droppable_tombstone_ratio(bins.back().point_s) <= threshold) return no_deletion_time;
  Seconds below = bins.front().point_s - 1;  // nothing is droppable before the first point
  Seconds above = bins.back().point_s;
  if (droppable_tombstone_ratio(below) > threshold) return INT64_MIN;
  while (above - below > 1) {
    const Seconds middle = below + (above - below) / 2;
    (droppable_tombstone_ratio(middle) > threshold ? above : below) = middle;
  }
  return above;
}

std::int64_t SSTable::estimated_keys() const {
  if (settings_->format == SSTableFormat::da) return extremes_.partitions;
  const std::int64_t interval = settings_->min_index_interval;
  return ((extremes_.partitions + interval - 1) / interval + 1) * interval;
}

bool SSTable::estimation_informative() const {
  return settings_->format == SSTableFormat::da || extremes_.partitions > 2 * settings_->min_index_interval;
}

std::int64_t SSTable::estimated_keys_for_ranges(std::span<const TokenRange> ranges) const {
  return settings_->format == SSTableFormat::da ? keys_by_bytes(ranges) : keys_in_samples(ranges);
}

std::span<const std::int64_t> SSTable::estimated_keys_of_each(std::span<const TokenRange> ranges) const {
  RangeKeys& asked = found().asked;
  if (!std::ranges::equal(asked.ranges, ranges)) {
    asked.ranges.assign(ranges.begin(), ranges.end());
    asked.keys.clear();
    for (const TokenRange& range : ranges) {
      if (range.left <= range.right) {
        asked.keys.push_back(estimated_keys_for_ranges({&range, 1}));
        continue;
      }
      const std::array around = {TokenRange{range.left, max_token}, TokenRange{min_token, range.right}};
      asked.keys.push_back(estimated_keys_for_ranges(around));
    }
  }
  return asked.keys;
}

const TokenRanks& SSTable::ranks() const {
  std::unique_ptr<const TokenRanks>& ranks = found().ranks;
  if (!ranks) ranks = std::make_unique<TokenRanks>(*space_, content());
  return *ranks;
}

std::int64_t SSTable::keys_in_samples(std::span<const TokenRange> ranges) const {
  bool whole_ring = false;
  const Ranges merged = disjoint(ranges, whole_ring);
  const std::int64_t interval = settings_->min_index_interval;
  const auto samples_up_to = [&](std::int64_t partitions) { return ceil_div(partitions, interval); };
  std::int64_t samples = whole_ring ? samples_up_to(extremes_.partitions) : 0;
  if (!whole_ring) {
    for (const TokenRange& range : merged)
      samples += samples_up_to(ranks().up_to(range.right)) - samples_up_to(ranks().up_to(range.left));
  }
  return std::max<std::int64_t>(1, samples * interval);
}

const FileHistograms& SSTable::sizes() const {
  if (!histograms().tokens.empty() || !worth_a_look(*space_, content(), extremes_.rows, rows_looked_at_for_sizes))
    return histograms();
  std::unique_ptr<const FileHistograms>& sizes = found().sizes;
  if (!sizes) sizes = std::make_unique<const FileHistograms>(measure_by_rows(*space_, content()).second);
  return *sizes;
}

std::int64_t SSTable::keys_by_bytes(std::span<const TokenRange> ranges) const {
  bool whole_ring = false;
  const Ranges merged = disjoint(ranges, whole_ring);
  const auto [first, last] = token_span();
  if (whole_ring) return extremes_.partitions;
  for (const TokenRange& range : merged) {
    if (range.left <= first && range.right > last) return extremes_.partitions;
  }
  const FileHistograms& dear = sizes();
  double covered = 0;
  if (dear.tokens.empty()) {  // partitions of the file's mean size
    std::int64_t inside = 0;
    for (const TokenRange& range : merged) {
      if (range.left < range.right)
        inside += ranks().up_to(range.right - 1) - (range.left == min_token ? 0 : ranks().up_to(range.left - 1));
    }
    covered = static_cast<double>(inside) * static_cast<double>(extremes_.uncompressed_bytes) /
              static_cast<double>(extremes_.partitions);
  }
  for (std::size_t i = 0; i < dear.tokens.size(); ++i) {
    const bool inside = std::ranges::any_of(
        merged, [&](const TokenRange& range) { return range.left <= dear.tokens[i] && dear.tokens[i] < range.right; });
    covered += inside ? static_cast<double>(dear.partition_bytes[i]) : 0;
  }
  return static_cast<std::int64_t>(std::floor(covered / dear.partition_sizes.raw_mean() + 0.5));
}

std::pair<Token, Token> SSTable::token_span() const {
  if (span_ == no_span) span_ = space_->token_span(content());
  return span_;
}

double SSTable::ring_share() const {
  const double local = settings_->local_ranges == nullptr ? 1 : settings_->local_ranges->coverage();
  const bool narrower = cut_by_tokens() || content().cohorts.empty();
  if (!narrower) return local;
  return space_->own_tokens() == nullptr ? spanned() * local : spanned();
}

double SSTable::spanned() const {
  // Evenly spread tokens lie everywhere.
  if (settings_->local_ranges == nullptr || space_->own_tokens() == nullptr) return Estimates::spanned();
  const auto [first, last] = token_span();
  return settings_->local_ranges->spanned(first, last);
}

}  // namespace windrow
