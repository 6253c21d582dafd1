#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "tests/witness/lib/sstable.h"

namespace windrow::witness {

/// One file to be: which partitions, and what its filter is sized for.
struct Output {
  std::vector<Partition> partitions{};
  std::int64_t filter_keys = 0;
};

/// What a node holds of the ring: ranges (left, right], ascending, none around its end; right = min_token: to the end.
struct HeldRanges {
  std::vector<std::pair<Token, Token>> ranges{};  // none: the whole ring
};
/// Their share of the ring; that of it which a file with these first and last tokens covers; and the last token of
/// share `index` of them, laid end to end.
double coverage_of(const HeldRanges& held);
double stored_coverage(const HeldRanges& held, Token first, Token last);
Token shard_end(const HeldRanges& held, std::int64_t index, std::int64_t shards);

/// Rule 9.13: the token space in equal shares; the last token of share `index`, inclusive.
Token shard_end(std::int64_t index, std::int64_t shards);

/// Share of the ring in (left, right], as the engine's double.
double ring_share(Token left, Token right);
/// Coverage that UCS stores for a file with these first and last tokens (rule 9.13).
double stored_coverage(Token first, Token last);

/// A flush: one file, or under UCS one per shard (rule 9.12; NaN average: before the first flush).
std::vector<Output> cut_flush(std::vector<Partition> partitions, const CompactionOptions& options,
                              double flush_average_bytes, const HeldRanges& held = {});

/// Where LCS opens the next file.
struct SizeCut {
  Bytes limit_bytes = 0;                            // on disk; 0 = never
  Bytes chunk_bytes = 0;                            // of compression; 0: plain files
  std::function<double(std::size_t)> disk_share{};  // of compression: disk bytes per uncompressed byte of the n-th file
};

/// A compaction's writers: one file, cut by size under LCS (rule 8.11), by shards under UCS (rules 9.12, 9.13).
class CompactionCut {
 public:
  /// `inputs`: those that are read, in the order of the engine's set.
  CompactionCut(const CompactionOptions& options, std::span<const std::shared_ptr<const SSTable>> inputs,
                SizeCut by_size, HeldRanges held = {});
  std::vector<Output> cut(std::vector<Partition> partitions, FileFormat format, const Header& header) const;

 private:
  bool full(Bytes written, std::size_t file) const;
  std::vector<Output> cut_by_size(std::vector<Partition> partitions, FileFormat format, const Header& header) const;
  std::vector<Output> cut_by_shard(std::vector<Partition> partitions) const;
  std::int64_t keys_in_shard(std::int64_t shard) const;

  std::vector<std::shared_ptr<const SSTable>> inputs_;
  SizeCut by_size_{};
  HeldRanges held_{};
  std::int64_t shards_ = 0;          // 0: not UCS
  std::int64_t distinct_keys_ = 0;   // as the engine's sketches estimate it
  std::int64_t estimated_keys_ = 0;  // sum over the inputs
};

}  // namespace windrow::witness
