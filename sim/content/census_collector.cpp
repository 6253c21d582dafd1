#include "sim/content/census_collector.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace windrow {

namespace {

bool larger(const LargestPartition& a, const LargestPartition& b) {
  return std::tuple(-a.bytes, a.writer, a.bucket, a.slot) < std::tuple(-b.bytes, b.writer, b.bucket, b.slot);
}

}  // namespace

bool CensusCollector::Paced::like(const PacedPartitions& other, const RateSpread& of) const {
  return spread == &of && alike.events == other.events && alike.cells == other.cells &&
         alike.row_bytes == other.row_bytes && alike.other_bytes == other.other_bytes;
}

void CensusCollector::offer(int writer, std::int64_t bucket, std::int64_t slots, const MeasuredPartitions& partitions) {
  const AlikePartitions& alike = partitions.alike;
  const auto named = std::min(alike.partitions, static_cast<std::int64_t>(keep_));
  for (std::int64_t i = 0; i < named; ++i) {
    const std::int64_t slot = (alike.first_slot + i * alike.step) % slots;
    if (!name({writer, bucket, slot, alike.rows, alike.cells, partitions.bytes})) return;
  }
}

void CensusCollector::add_paced(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike,
                                const RateSpread& spread, std::vector<double> paces) {
  // A node's partitions of a bucket are numbered by shard and entity, too: so many entities of each shard.
  const std::int64_t entities = std::max<std::int64_t>(1, writer.slots(bucket) / writer.shards);
  std::size_t left = keep_;
  for (std::int64_t entity = entities - 1; entity >= 0 && left > 0; --entity) {
    const double rank = (static_cast<double>(entity) + 0.5) / static_cast<double>(entities);
    const double pace = RateSpread::factor_at(spread.upto, paces, rank);
    const Rows rows = alike.rows(std::llround(alike.events * pace));
    for (std::int64_t shard = 0; shard < writer.shards && left > 0; ++shard) {
      const std::int64_t slot = shard * entities + entity;
      if (slot >= writer.slots(bucket)) continue;
      const bool named =
          rows > 0 && name({writer.index, bucket, slot, rows, alike.cells_of(rows), alike.bytes_of(rows), pace});
      left = named ? left - 1 : 0;
    }
  }
  // Most buckets of a steady writer are alike.
  if (spread.parts.size() == 1 && !paced_.empty() && paced_.back().like(alike, spread)) {
    paced_.back().alike.partitions += alike.partitions;
  } else {
    paced_.push_back({alike, &spread, std::move(paces)});
  }
}

void CensusCollector::finish() {
  for (const auto& [alike, spread, paces] : paced_) {
    share_by_pace(alike, spread->upto, paces, [&, &alike = alike](std::int64_t partitions, std::int64_t events) {
      const Rows rows = alike.rows(events);
      count(partitions, rows, alike.cells_of(rows), alike.bytes_of(rows));
    });
  }
  census_.bytes = bytes_.spread();
  census_.rows = rows_.spread();
  census_.cells = cells_.spread();
  for (const auto& [value, count] : bytes_.sorted()) census_.bytes_histogram.add(value, count);
  for (const auto& [value, count] : rows_.sorted()) census_.rows_histogram.add(value, count);
  for (const auto& [value, count] : cells_.sorted()) census_.cells_histogram.add(value, count);
}

void CensusCollector::count(std::int64_t partitions, Rows rows, std::int64_t cells, Bytes bytes) {
  census_.partitions += partitions;
  bytes_.add(bytes, partitions);
  rows_.add(rows, partitions);
  cells_.add(cells, partitions);
}

bool CensusCollector::name(const LargestPartition& partition) {
  if (census_.largest.size() >= keep_ && !larger(partition, census_.largest.back())) return false;
  const auto place = std::ranges::upper_bound(census_.largest, partition, larger);
  census_.largest.insert(place, partition);
  if (census_.largest.size() > keep_) census_.largest.pop_back();
  return true;
}

}  // namespace windrow
