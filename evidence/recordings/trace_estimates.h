#pragma once

#include <span>
#include <vector>

#include "evidence/recordings/trace.h"
#include "sim/stats/drop_times.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// The partitions inside one SSTable, ascending by token: a trace does not record them, the scenario's formulas tell.
struct FileTokens {
  std::vector<Token> tokens{};
  std::vector<Bytes> uncompressed_bytes{};  // of each partition; needed for the BTI format only
};

class TokensOf {
 public:
  virtual ~TokensOf() = default;
  /// nullptr if unknown.
  virtual const FileTokens* tokens_of(std::int64_t sstable_id) const = 0;
};

/// The estimates of a recorded SSTable from its recorded statistics.
class TraceEstimates : public Estimates {
 public:
  /// `guesses` counts the times when partition tokens were needed and unknown: then no key is taken to be covered, so
  /// that the file looks worth a tombstone compaction and the call shows that it guessed.
  TraceEstimates(const TraceSSTable& file, bool is_bti, std::int64_t min_index_interval, const TokensOf* tokens,
                 std::int64_t& guesses);

  double droppable_tombstone_ratio(Seconds gc_before_s) const override;
  Seconds ratio_crosses_at(double threshold) const override;
  std::int64_t estimated_keys() const override { return file_.estimated_keys; }
  bool estimation_informative() const override { return file_.informative; }
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange> ranges) const override;
  std::int64_t cells_mean() const override { return cells_mean_; }
  std::int64_t cells_count() const override { return cells_count_; }
  std::pair<Token, Token> token_span() const override { return {file_.first_token, file_.last_token}; }

  const TraceSSTable& file() const { return file_; }
  SSTableView view() const;

 private:
  std::int64_t keys_by_samples(const FileTokens& tokens, std::span<const TokenRange> ranges) const;
  std::int64_t keys_by_bytes(const FileTokens& tokens, std::span<const TokenRange> ranges) const;

  TraceSSTable file_;
  DropTimes drop_times_;
  bool is_bti_ = false;
  std::int64_t min_index_interval_ = 128;
  const TokensOf* tokens_ = nullptr;
  std::int64_t* guesses_ = nullptr;
  std::int64_t cells_mean_ = 0;
  std::int64_t cells_count_ = 0;
};

}  // namespace windrow
