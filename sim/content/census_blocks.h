#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "sim/content/census_collector.h"
#include "sim/content/census_slots.h"
#include "sim/content/content.h"

namespace windrow {

// A census of a table that is looked at again and again finds most buckets as they were: so many successive ones are
// asked for at once, by the rows that cohorts have of them.

/// Members [first, last) of a cohort in a block of buckets.
struct BlockPart {
  std::int64_t block = 0;
  const Cohort* cohort = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Of more, the block that is written is counted for longer; of fewer, there are more to compare and to keep: short
/// buckets, of which there may be a million, are many to a block.
std::int64_t buckets_of_block(const Writer& writer);
/// Of a block of so many each bucket is remembered by itself as well.
constexpr std::int64_t fewest_buckets_of_block = 16;

/// The parts of a writer's cohorts, by block.
std::vector<BlockPart> parts_of_blocks(const ContentSpace& space, const Writer& writer,
                                       std::span<const Cohort> cohorts);
/// As pieces_of (census_rows.h), of one block.
std::vector<BucketPiece> pieces_of_block(const ContentSpace& space, std::span<const BlockPart> parts);

/// What the partitions of a block are, for a collector to whom nobody shows its buckets.
class BlockSums {
 public:
  /// For a census that names so many and finds so much.
  BlockSums(std::size_t largest, CensusCollector::Finds finds) : keep_(largest), finds_(finds) {}
  void add(std::int64_t bucket, const MeasuredPartitions& partitions);
  /// As CensusCollector::add_paced.
  void add_paced(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike, const RateSpread& spread,
                 std::vector<double> paces);
  void add_steps(std::int64_t steps) { steps_ += steps; }
  /// Nothing comes after it: forgets the partitions that are not among the largest, whatever other blocks have.
  void finish();

  /// As if each of its partitions came.
  void show(const Writer& writer, CensusCollector& collector) const;
  std::int64_t steps() const { return steps_; }

 private:
  struct Sum {
    std::int64_t partitions = 0;
    Rows rows = 0;
    std::int64_t cells = 0;
    Bytes bytes = 0;
    std::tuple<Bytes, Rows, std::int64_t> size() const { return {bytes, rows, cells}; }
  };
  struct OfBucket {
    std::int64_t bucket = 0;
    MeasuredPartitions partitions{};
  };
  void add(const Sum& sum);
  void forget_smaller();

  std::size_t keep_ = 0;
  CensusCollector::Finds finds_ = CensusCollector::Finds::all;
  std::vector<Sum> sums_{};          // of maxima one
  std::vector<OfBucket> largest_{};  // as they came
  PacedBuckets paced_{};             // after finish(): the first and the last, which may be alike with another block's
  std::vector<LargestPartition> largest_paced_{};
  std::int64_t steps_ = 0;
};

/// The blocks of one census for the next. Blocks are asked for and told in the same order, by writer, then block; only
/// those of whole cohorts.
class BlockMemo {
 public:
  void begin();
  /// Null if the rows are not those of the census before; else it is kept for the next.
  const BlockSums* recall(int writer, std::span<const BlockPart> parts);
  void keep(int writer, std::span<const BlockPart> parts, BlockSums sums);

 private:
  struct Part {
    std::int32_t sub_stream = 0;
    std::int32_t ttl_s = 0;
    RowState state = RowState::live;
    std::int64_t first = 0;
    std::int64_t last = 0;
    explicit Part(const BlockPart& part);
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Block {
    int writer = 0;
    std::int64_t block = 0;
    std::vector<Part> parts{};
    BlockSums sums;
  };
  std::vector<Block> before_{};
  std::vector<Block> now_{};
  std::size_t next_ = 0;  // of `before_`
};

}  // namespace windrow
