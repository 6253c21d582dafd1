#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/content/smooth_cut.h"
#include "sim/ring/local_ranges.h"

namespace windrow {

/// How long the files of one writer become.
struct SizeLimit {
  Bytes disk_bytes = 0;
  Bytes chunk_bytes = 0;  // of compression: only whole chunks count as written; 0: every byte does
  std::function<double(std::size_t)> disk_share{};  // disk bytes per uncompressed byte of the n-th file, from 0
};

/// Cuts a merged content into files: a partition that begins after more than the limit is on disk opens a new one
/// (MaxSSTableSizeWriter, getEstimatedOnDiskBytesWritten of SequentialWriter and CompressedSequentialWriter, Cassandra
/// 5.0.9; rule 8.11). Smooth content is cut with the share of the first file. Rows are looked at one by one, unless
/// intervals tell that all of them are one file, and its bytes but for `trusted_doubt` of them (Closeness).
std::vector<CutContent> split_by_size(const ContentSpace& space, Content content, const SizeLimit& limit,
                                      double trusted_doubt);

/// Cuts at shard ends (inclusive, ascending; beyond the last one is a part of its own): empty parts give no file
/// (ShardedCompactionWriter, ShardedMultiWriter; rule 9.13).
std::vector<CutContent> split_by_tokens(const ContentSpace& space, Content content, const std::vector<Token>& ends);

// Of what a node holds of the ring (`local`; null: all of it, as without ring information, V = 1).

/// Ends of `shards` equal shares of it, without the last one's (rule 9.13).
std::vector<Token> shard_ends(const LocalRanges* local, std::int64_t shards);
/// Share of the ring within it from `first` to `last`, both inclusive (rule 9.3).
double spanned_share(const LocalRanges* local, Token first, Token last);

}  // namespace windrow
