#pragma once

#include <vector>

#include "sim/content/smooth_cut.h"

namespace windrow {

/// Cuts a merged content into files: a partition that begins after more than `limit_bytes` opens a new one
/// (MaxSSTableSizeWriter, Cassandra 5.0.9; rule 8.11, uncompressed). `disk_share` is disk bytes per uncompressed byte.
std::vector<CutContent> split_by_size(const ContentSpace& space, Content content, Bytes limit_bytes, double disk_share);

/// Cuts at shard ends (inclusive, ascending; beyond the last one is a part of its own): empty parts give no file
/// (rule 9.13).
std::vector<CutContent> split_by_tokens(const ContentSpace& space, Content content, const std::vector<Token>& ends);

/// Ends of `shards` equal shares of the ring, without the last one's (rule 9.13, no ring information: V = 1).
const std::vector<Token>& shard_ends(std::int64_t shards);

}  // namespace windrow
