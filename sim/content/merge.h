#pragma once

#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/keyed_merge.h"
#include "sim/content/plain_rows.h"
#include "sim/content/tokens_by_bucket.h"
#include "sim/stats/bloom_filter.h"

namespace windrow {

/// Something that may hold partitions of a compaction's inputs, and so blocks purging (rule 3.7): an overlapping
/// SSTable (with its key interval and, where filters are kept, its bloom filter) or a memtable.
struct OverlapSource {
  Micros min_timestamp_us = no_timestamp;  // of the whole file or memtable
  const Content* content = nullptr;
  Token first_token = min_token;
  Token last_token = max_token;
  const BloomFilter* filter = nullptr;  // null: false positives are not modelled
  bool any_key = false;  // it has no filter (bloom_filter_fp_chance 1): every key of its interval counts as present
  // The partitions of `content` that are held one by one: writer, bucket, slot. Listed when first asked for.
  using Place = std::tuple<int, std::int64_t, std::int64_t>;
  mutable std::optional<std::vector<Place>> keyed_places{};
  // Of the cohorts of `content`, found when first asked for: for more merges than one where there is a place.
  std::shared_ptr<const TokensByBucket>* kept_tokens = nullptr;
  mutable std::shared_ptr<const TokensByBucket> tokens{};
};

/// Where the rows of the inputs went: in = out + shadowed + purged + duplicates.
struct MergeLedger {
  Rows in = 0;
  Rows out = 0;
  Rows shadowed = 0;  // rows, and tombstones, that a newer write or delete replaced
  Rows purged = 0;
  Rows duplicates = 0;  // second copies of rows of another input
};

/// Rows, row tombstones and partition deletions of a content: what conservation counts (range tombstones split and
/// join).
Rows counted_rows(const ContentSpace& space, const Content& content);

/// What a compaction reads.
struct MergeInput {
  const Content* content = nullptr;  // null: the rows are all
  Rows counted_rows = 0;
  std::span<const PlainRows> rows{};
};

/// Merges and purges (Rows.merge, PurgeFunction, CompactionController.getPurgeEvaluator; rules 3.4 to 3.7). `sources`
/// need no order. `may_purge` is false where purging is switched off; `may_share` is true where a row may lie in two
/// inputs, which is told of no others. The result's bases are left to the caller, and to count that its rows are those
/// that `ledger` says.
Content merge_contents(const ContentSpace& space, std::span<const MergeInput> inputs, const PurgeTimes& times,
                       std::vector<OverlapSource> sources, bool may_purge, MergeLedger* ledger, bool may_share = false);

}  // namespace windrow
