#include "sim/content/census_paces.h"

#include <iterator>
#include <utility>

namespace windrow {

PacedPartitions paced_partitions(const Writer& writer, std::span<const BucketPiece> pieces,
                                 std::span<const AlikePartitions> alike, double header_bytes) {
  std::int64_t partitions = 0;
  double rows = 0;
  double cells = 0;
  double bytes = 0;
  bool one_event = true;
  for (const AlikePartitions& some : alike) {
    const auto count = static_cast<double>(some.partitions);
    partitions += some.partitions;
    rows += count * static_cast<double>(some.rows);
    cells += count * static_cast<double>(some.cells);
    bytes += count * some.row_bytes;
    one_event = one_event && some.rows == writer.rows_per_event;
  }
  const bool whole = std::ranges::all_of(pieces, [](const BucketPiece& piece) { return piece.cohort->whole(); });
  // Fewer events than partitions: the slow have none, and of the fast some have several.
  if (one_event && whole) partitions = std::max(partitions, writer.slots(pieces.front().bucket));
  const auto rows_per_event = static_cast<double>(writer.rows_per_event);
  return {.partitions = partitions,
          .events = rows / rows_per_event / static_cast<double>(partitions),
          .rows_per_event = writer.rows_per_event,
          .cells = cells / rows,
          .row_bytes = bytes / rows,
          .other_bytes = header_bytes};
}

std::vector<double> paces_of(const RateSpread& spread, const ContentSpace& space, std::span<const BucketPiece> pieces) {
  if (spread.parts.size() == 1) return spread.parts.front().factors;
  const Writer& writer = space.writer_of(*pieces.front().cohort);
  std::int64_t from = INT64_MAX;
  std::int64_t to = 0;
  for (const BucketPiece& piece : pieces) {
    const SubStream& sub = space.sub_stream(piece.cohort->sub_stream);
    from = std::min(from, sub.row(piece.first));
    to = std::max(to, sub.row(piece.last - 1) + 1);
  }
  std::vector<double> paces(spread.upto.size(), 0);
  for (std::size_t p = 0; p < spread.parts.size(); ++p) {
    const auto rows_before = [&](std::size_t part) {
      if (part == 0) return from;
      if (part == spread.parts.size()) return to;
      return std::clamp(writer.rhythm.count_before(spread.parts[part].from_us / writer.unit_us), from, to);
    };
    const double share = static_cast<double>(rows_before(p + 1) - rows_before(p)) / static_cast<double>(to - from);
    for (std::size_t i = 0; i < paces.size(); ++i) paces[i] += share * spread.parts[p].factors[i];
  }
  return paces;
}

void keep_large_ones(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike, const RateSpread& spread,
                     const std::vector<double>& paces, std::vector<LargestPartition>& largest, std::size_t most) {
  // A node's partitions of a bucket are numbered by shard and entity, too: so many entities of each shard.
  const std::int64_t entities = std::max<std::int64_t>(1, writer.slots(bucket) / writer.shards);
  std::size_t left = most;
  for (std::int64_t entity = entities - 1; entity >= 0 && left > 0; --entity) {
    const double rank = (static_cast<double>(entity) + 0.5) / static_cast<double>(entities);
    const double pace = RateSpread::factor_at(spread.upto, paces, rank);
    const Rows rows = alike.rows(std::llround(alike.events * pace));
    for (std::int64_t shard = 0; shard < writer.shards && left > 0; ++shard) {
      const std::int64_t slot = shard * entities + entity;
      if (slot >= writer.slots(bucket)) continue;
      const bool kept = rows > 0 && keep_if_large(largest, most,
                                                  {writer.index, bucket, slot, rows, alike.cells_of(rows),
                                                   alike.bytes_of(rows), pace});
      left = kept ? left - 1 : 0;
    }
  }
}

bool PacedBuckets::Bucket::like(const PacedPartitions& other, const RateSpread& of) const {
  return !last_of_its_kind && spread == &of && of.parts.size() == 1 && alike.events == other.events &&
         alike.cells == other.cells && alike.row_bytes == other.row_bytes && alike.other_bytes == other.other_bytes;
}

void PacedBuckets::add(const PacedPartitions& alike, const RateSpread& spread, std::vector<double> paces) {
  // Most buckets of a steady writer are alike.
  if (!buckets_.empty() && buckets_.back().like(alike, spread)) {
    buckets_.back().alike.partitions += alike.partitions;
  } else {
    buckets_.push_back({alike, &spread, std::move(paces)});
  }
}

void PacedBuckets::add(const PacedBuckets& others) {
  for (const Bucket& bucket : others.buckets_) {
    add(bucket.alike, *bucket.spread, bucket.paces);
    buckets_.back().last_of_its_kind = bucket.last_of_its_kind;
  }
}

PacedBuckets PacedBuckets::take_inner() {
  PacedBuckets inner;
  if (buckets_.size() < 3) return inner;
  inner.buckets_.assign(std::make_move_iterator(buckets_.begin() + 1), std::make_move_iterator(buckets_.end() - 1));
  buckets_.erase(buckets_.begin() + 1, buckets_.end() - 1);
  buckets_.front().last_of_its_kind = true;
  return inner;
}

}  // namespace windrow
