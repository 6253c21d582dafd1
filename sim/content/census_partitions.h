#pragma once

#include <cstddef>
#include <span>

#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/partition_census.h"
#include "sim/stats/rate_spread.h"

namespace windrow {

/// How the entities of a table's writers differ, by Writer::spec; null, or none: they do not.
using RateSpreads = std::span<const RateSpread* const>;

/// The partitions of several contents together, all files of a table and its memtable; those of which a delete alone is
/// left are none. Bytes are logical: uncompressed,
/// as an SSTable writes them that has nothing but the bucket of the partition's writer, whatever files the rows lie in.
/// Work follows buckets × writers, not partitions: entities of a writer take turns, so those that share a bucket differ
/// by a row at most; where their rates differ, as `rates` says, a class's rows are theirs by their shares. `may_share`:
/// a row may lie in several contents, and counts once.
PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest = 20, RateSpreads rates = {}, bool may_share = false);

/// The partitions of one file, each row as that file writes it.
PartitionCensus census_of_file(const ContentSpace& space, const Content& content, RateSpreads rates = {});
/// Adds them to those of other files: how many they are, and the histograms.
void add_census_of_file(const ContentSpace& space, const Content& content, RateSpreads rates, PartitionCensus& files);

}  // namespace windrow
