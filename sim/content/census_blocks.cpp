#include "sim/content/census_blocks.h"

#include <algorithm>
#include <utility>

#include "sim/base/arithmetic.h"

namespace windrow {

std::int64_t buckets_of_block(const Writer& writer) {
  constexpr std::int64_t most = 256;
  constexpr Seconds long_enough_s = 4 * 3'600;
  const Seconds length_s = writer.bucket.length();
  return length_s > 0 ? std::clamp(long_enough_s / length_s, fewest_buckets_of_block, most) : fewest_buckets_of_block;
}

std::vector<BlockPart> parts_of_blocks(const ContentSpace& space, const Writer& writer,
                                       std::span<const Cohort> cohorts) {
  std::vector<BlockPart> parts;
  const std::int64_t buckets = buckets_of_block(writer);
  for (const Cohort& cohort : cohorts) {
    if (&space.writer_of(cohort) != &writer || cohort.from >= cohort.to) continue;
    std::int64_t block = floor_div(space.bucket_of(cohort.sub_stream, cohort.from), buckets);
    for (std::int64_t first = cohort.from; first < cohort.to; ++block) {
      const std::int64_t before = space.count_before_bucket(cohort.sub_stream, (block + 1) * buckets);
      const std::int64_t last = std::clamp(before, first, cohort.to);
      if (first < last) {
        parts.push_back({.block = block, .cohort = &cohort, .first = first, .last = last});
      } else {
        block = floor_div(space.bucket_of(cohort.sub_stream, first), buckets) - 1;  // many may be empty
      }
      first = last;
    }
  }
  std::ranges::stable_sort(parts, {}, &BlockPart::block);
  return parts;
}

std::vector<BucketPiece> pieces_of_block(const ContentSpace& space, std::span<const BlockPart> parts) {
  std::vector<BucketPiece> pieces;
  for (const BlockPart& part : parts) {
    Cohort inside = *part.cohort;
    inside.from = part.first;
    inside.to = part.last;
    space.each_part(inside, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      pieces.push_back({.bucket = bucket, .cohort = part.cohort, .first = first, .last = last});
    });
  }
  std::ranges::stable_sort(pieces, {}, &BucketPiece::bucket);
  return pieces;
}

void BlockSums::add(std::int64_t bucket, const MeasuredPartitions& partitions) {
  const AlikePartitions& alike = partitions.alike;
  largest_.push_back({bucket, partitions});
  add({alike.partitions, alike.rows, alike.cells, partitions.bytes});
}

void BlockSums::add(const Sum& sum) {
  if (finds_ != CensusCollector::Finds::maxima || sums_.empty()) {
    sums_.push_back(sum);
    return;
  }
  Sum& all = sums_.front();
  all.partitions += sum.partitions;
  all.rows = std::max(all.rows, sum.rows);
  all.cells = std::max(all.cells, sum.cells);
  all.bytes = std::max(all.bytes, sum.bytes);
}

void BlockSums::add_paced(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike,
                          const RateSpread& spread, std::vector<double> paces) {
  keep_large_ones(writer, bucket, alike, spread, paces, largest_paced_, keep_);
  paced_.add(alike, spread, std::move(paces));
}

void BlockSums::finish() {
  paced_.take_inner().share_out([this](std::int64_t partitions, Rows rows, std::int64_t cells, Bytes bytes) {
    add({partitions, rows, cells, bytes});
  });
  std::ranges::sort(sums_, {}, &Sum::size);
  std::size_t kept = 0;
  for (const Sum& sum : sums_) {
    if (kept > 0 && sums_[kept - 1].size() == sum.size()) {
      sums_[kept - 1].partitions += sum.partitions;
    } else {
      sums_[kept++] = sum;
    }
  }
  sums_.resize(kept);
  sums_.shrink_to_fit();
  forget_smaller();
}

void BlockSums::forget_smaller() {
  // Of partitions as large those of the earliest bucket come first; within a bucket their slots decide, not known here.
  const auto order = [](const OfBucket& one) { return std::pair(-one.partitions.bytes, one.bucket); };
  std::vector<OfBucket> sorted = largest_;
  std::ranges::sort(sorted, {}, order);
  std::int64_t before = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    if (before >= static_cast<std::int64_t>(keep_)) {
      std::erase_if(largest_, [&, end = order(*first)](const OfBucket& one) { return order(one) >= end; });
      break;
    }
    const auto last =
        std::find_if(first, sorted.end(), [&](const OfBucket& one) { return order(one) != order(*first); });
    for (; first != last; ++first) before += first->partitions.alike.partitions;
  }
  largest_.shrink_to_fit();
}

void BlockSums::show(const Writer& writer, CensusCollector& collector) const {
  for (const Sum& sum : sums_) collector.count(sum.partitions, sum.rows, sum.cells, sum.bytes);
  for (const OfBucket& one : largest_)
    collector.offer(writer.index, one.bucket, writer.slots(one.bucket), one.partitions);
  collector.add_sizes(paced_);
  for (const LargestPartition& one : largest_paced_) collector.offer(one);
}

BlockMemo::Part::Part(const BlockPart& part)
    : sub_stream(part.cohort->sub_stream),
      ttl_s(part.cohort->ttl_s),
      state(part.cohort->state),
      first(part.first),
      last(part.last) {}

void BlockMemo::begin() {
  std::swap(before_, now_);
  now_.clear();
  next_ = 0;
}

const BlockSums* BlockMemo::recall(int writer, std::span<const BlockPart> parts) {
  const auto place = [](const Block& block) { return std::pair(block.writer, block.block); };
  const std::pair here(writer, parts.front().block);
  while (next_ < before_.size() && place(before_[next_]) < here) ++next_;
  if (next_ == before_.size() || place(before_[next_]) != here) return nullptr;
  Block& known = before_[next_];
  const auto same = [](const Part& one, const BlockPart& other) { return one == Part(other); };
  if (!std::ranges::equal(known.parts, parts, same)) return nullptr;
  now_.push_back(std::move(known));
  ++next_;
  return &now_.back().sums;
}

void BlockMemo::keep(int writer, std::span<const BlockPart> parts, BlockSums sums) {
  now_.push_back({.writer = writer,
                  .block = parts.front().block,
                  .parts = std::vector<Part>(parts.begin(), parts.end()),
                  .sums = std::move(sums)});
}

}  // namespace windrow
