#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "sim/base/units.h"
#include "sim/bytes/component_sizes.h"
#include "sim/content/content.h"
#include "sim/content/file_statistics.h"
#include "sim/content/smooth_cut.h"
#include "sim/content/token_ranks.h"
#include "sim/content/tokens_by_bucket.h"
#include "sim/engine/closeness.h"
#include "sim/ring/local_ranges.h"
#include "sim/schema/sstable_format.h"
#include "sim/stats/bloom_filter.h"
#include "sim/stats/key_sketch.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// What the SSTables that a table writes have in common; ALTER changes it for those that come after.
struct SSTableSettings {
  SSTableFormat format = SSTableFormat::oa;
  double bloom_filter_fp_chance = 0.01;
  std::int64_t min_index_interval = 128;
  Closeness closeness{};  // the same for all of them
  SchemaShape schema{};
  std::shared_ptr<const LocalRanges> local_ranges{};  // what the node holds of the ring; null: all of it
};

/// One SSTable. What it holds never changes; dear statistics are computed when first asked for.
class SSTable final : public Estimates, public std::enable_shared_from_this<SSTable> {
 public:
  struct Identity {
    std::int64_t id = 0;  // its generation
    std::int32_t hash = 0;
    int level = 0;
    Seconds created_s = 0;
    RepairStatus repair{};
    Bytes data_bytes = 0;          // on disk, compressed
    std::int64_t filter_keys = 0;  // what the bloom filter was sized for; 0: its partitions
    double stored_coverage = std::numeric_limits<double>::quiet_NaN();
    bool flushed = false;
    bool looked_at = false;  // its rows, one by one, when it was written
  };
  /// `made`: with its facts, if these are known; `extremes` are among them.
  SSTable(const ContentSpace& space, std::shared_ptr<const SSTableSettings> settings, const Identity& identity,
          CutContent made, const FileExtremes& extremes);

  /// Takes over what somebody has found out of an SSTable with the same rows, of which this one was written; nothing if
  /// its rows are others.
  void learn_from(const SSTable& source) const;

  const Identity& identity() const { return identity_; }
  std::int64_t id() const { return identity_.id; }
  /// Of a piece or a swath made when first asked for.
  const Content& content() const;
  /// What `look(content)` says: of a piece or a swath one that is not kept, for who looks at each file once.
  template <typename Look>
  auto look_once(const Look& look) const {
    if (content_) return look(*content_);
    const Content made = made_content();
    return look(made);
  }
  /// Of its cohorts, found by the first purge of others that asks.
  std::shared_ptr<const TokensByBucket>& kept_tokens() const { return tokens_by_bucket_; }
  /// All that the file holds, where it was written as one; else null.
  const Swath* swath() const { return swath_.get(); }
  /// All that the file holds, where it was cut from a content of plain rows; else none.
  std::span<const PlainRows> piece() const { return piece_.rows; }
  std::size_t cohort_count() const;
  bool cut_by_tokens() const;
  /// Held row by row: some or all of it.
  bool keyed() const { return piece_.empty() && !swath_ && content_->keyed != nullptr; }
  const HeaderBases& bases() const { return swath_ ? swath_->bases : piece_.empty() ? content_->bases : *piece_.bases; }
  const FileExtremes& extremes() const { return extremes_; }
  /// Rows and what else counts as one (counted_rows in sim/content/merge.h).
  Rows counted_rows() const;
  const FileHistograms& histograms() const;
  /// Somebody has asked for them, or for a part of them.
  bool has_histograms() const { return found_ && (found_->histograms || found_->counts); }
  /// Null where filters are not kept, and if the table had none when this file was written.
  const BloomFilter* filter() const;
  /// The table had no filters when this file was written: whoever asks takes every key of its interval for present.
  bool without_filter() const { return settings_->bloom_filter_fp_chance >= 1; }
  const KeySketch& key_sketch() const;
  Bytes bytes_on_disk() const { return bytes_on_disk_; }
  ComponentSizes components() const;  // beside Data.db
  SSTableView view() const;

  double droppable_tombstone_ratio(Seconds gc_before_s) const override;
  Seconds ratio_crosses_at(double threshold) const override;
  Seconds ratio_stays_below_until(double threshold) const override;
  Seconds droppable_from_s() const override { return extremes_.min_local_deletion_time_s; }
  std::int64_t estimated_keys() const override;
  bool estimation_informative() const override;
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange> ranges) const override;
  /// As estimated_keys_for_ranges says of each by itself; one may go round the ring. Repairs ask about the same ranges
  /// again and again: the last answer is kept. It holds until the next question.
  std::span<const std::int64_t> estimated_keys_of_each(std::span<const TokenRange> ranges) const;
  std::int64_t cells_mean() const override { return cells().first; }
  std::int64_t cells_count() const override { return cells().second; }
  std::pair<Token, Token> token_span() const override;
  double spanned() const override;

 private:
  void keep_counts(FileHistograms& looked);
  /// Of a piece or a swath.
  Content made_content() const { return swath_ ? swath_->content() : piece_.content(); }
  bool has_rows_of(const SSTable& other) const;
  /// Share of the ring that its partitions lie in.
  double ring_share() const;
  /// Its rows are counted for them.
  bool counts_drop_times() const;
  /// Points of the histogram of drop times in Statistics.db.
  std::int64_t drop_times_listed() const;
  /// Cells and drop times alone: what rules ask for.
  const FileHistograms& counts() const;
  /// They are not known yet, and cells can be found out for less.
  bool drop_times_wait() const;
  /// Mean and count of cells per partition.
  const std::pair<std::int64_t, std::int64_t>& cells() const;
  const TokenRanks& ranks() const;
  std::int64_t keys_in_samples(std::span<const TokenRange> ranges) const;
  /// Each partition's size, where the file is not too large to look.
  const FileHistograms& sizes() const;
  std::int64_t keys_by_bytes(std::span<const TokenRange> ranges) const;

  struct RangeKeys {
    std::vector<TokenRange> ranges{};
    std::vector<std::int64_t> keys{};
  };
  /// What somebody asked for: most files go without.
  struct Found {
    std::optional<FileHistograms> histograms{};
    std::optional<FileHistograms> counts{};  // without partition sizes
    std::unique_ptr<FileHistograms> kept{};  // counts that nobody has asked for yet
    std::optional<std::pair<std::int64_t, std::int64_t>> cells{};
    std::unique_ptr<const TokenRanks> ranks{};
    RangeKeys asked{};
    std::unique_ptr<const FileHistograms> sizes{};  // where histograms are of intervals
    std::unique_ptr<BloomFilter> filter{};
    std::unique_ptr<KeySketch> key_sketch{};
  };
  Found& found() const {
    if (!found_) found_ = std::make_unique<Found>();
    return *found_;
  }

  static constexpr Rows unknown = -1;
  static constexpr std::pair<Token, Token> no_span{max_token, min_token};  // not yet asked for

  const ContentSpace* space_ = nullptr;
  std::shared_ptr<const SSTableSettings> settings_;  // when it was written
  Identity identity_{};
  mutable std::unique_ptr<const Content> content_{};  // null: a piece or a swath that nobody asked for more
  CutPiece piece_{};
  std::unique_ptr<const Swath> swath_{};
  FileExtremes extremes_{};
  Bytes bytes_on_disk_ = 0;
  mutable Rows counted_rows_ = unknown;
  mutable std::pair<Token, Token> span_ = no_span;
  mutable std::unique_ptr<Found> found_{};
  mutable std::shared_ptr<const TokensByBucket> tokens_by_bucket_{};
};

}  // namespace windrow
