#include "sim/content/census_partitions.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/content/census.h"
#include "sim/content/census_slots.h"
#include "sim/content/keyed_merge.h"
#include "sim/content/merge.h"

namespace windrow {

namespace {

/// In which file a row lies, hence with which bases it is written.
class RowFormats {
 public:
  RowFormats(const ContentSpace& space, std::span<const Content* const> contents) {
    HeaderBases all;
    for (std::size_t c = 0; c < contents.size(); ++c) {
      const HeaderBases& bases = contents[c]->bases;
      formats_.push_back(space.format(bases));
      for (const Cohort& cohort : contents[c]->cohorts)
        places_.push_back({cohort.sub_stream, cohort.from, cohort.to, c});
      all.see(bases);
      all.columns |= bases.columns;
    }
    formats_.push_back(space.format(all));
    std::ranges::sort(places_, {}, [](const Place& p) { return std::tuple(p.sub_stream, p.from, p.content); });
  }

  const RowFormat& of(int sub_stream, std::int64_t member) const {
    auto place = std::ranges::upper_bound(places_, std::pair(sub_stream, member), {},
                                          [](const Place& p) { return std::pair(p.sub_stream, p.from); });
    while (place != places_.begin()) {
      --place;
      if (place->sub_stream != sub_stream) break;
      if (member < place->to) return formats_[place->content];
    }
    return of_all();
  }
  const RowFormat& of_all() const { return formats_.back(); }

 private:
  struct Place {
    int sub_stream = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::size_t content = 0;
  };
  std::vector<RowFormat> formats_{};
  std::vector<Place> places_{};
};

/// Adds up partitions as they come, and keeps the largest.
class Collector {
 public:
  Collector(PartitionCensus& census, std::size_t largest) : census_(census), keep_(largest) {}

  void add(int writer, std::int64_t bucket, std::int64_t slots, const AlikePartitions& alike, Bytes bytes) {
    census_.partitions += alike.partitions;
    bytes_.add(bytes, alike.partitions);
    rows_.add(alike.rows, alike.partitions);
    cells_.add(alike.cells, alike.partitions);
    const auto named = std::min(alike.partitions, static_cast<std::int64_t>(keep_));
    for (std::int64_t i = 0; i < named; ++i) {
      const std::int64_t slot = (alike.first_slot + i * alike.step) % slots;
      const LargestPartition partition{writer, bucket, slot, alike.rows, alike.cells, bytes};
      if (census_.largest.size() >= keep_ && !larger(partition, census_.largest.back())) return;
      const auto place = std::ranges::upper_bound(census_.largest, partition, larger);
      census_.largest.insert(place, partition);
      if (census_.largest.size() > keep_) census_.largest.pop_back();
    }
  }

  void finish() {
    census_.bytes = bytes_.spread();
    census_.rows = rows_.spread();
    census_.cells = cells_.spread();
    for (const auto& [value, count] : bytes_.sorted()) census_.bytes_histogram.add(value, count);
    for (const auto& [value, count] : rows_.sorted()) census_.rows_histogram.add(value, count);
    for (const auto& [value, count] : cells_.sorted()) census_.cells_histogram.add(value, count);
  }

 private:
  static bool larger(const LargestPartition& a, const LargestPartition& b) {
    return std::tuple(-a.bytes, a.writer, a.bucket, a.slot) < std::tuple(-b.bytes, b.writer, b.bucket, b.slot);
  }

  PartitionCensus& census_;
  std::size_t keep_ = 0;
  WeightedValues bytes_{};
  WeightedValues rows_{};
  WeightedValues cells_{};
};

/// Measures one partition that is held row by row.
class PartitionScale final : public PartitionSink {
 public:
  explicit PartitionScale(const RowFormat& format) : format_(format) {}
  void begin_partition(Token, int key_bytes, const DeletionTime& deletion) override {
    rows_ = 0;
    cells_ = 0;
    bytes_ = 0;
    put(format_.partition_header(key_bytes, deletion));
  }
  void row(const StoredRow& row) override {
    ++rows_;
    cells_ += std::ssize(row.cells);
    put(format_.row(row, previous_));
  }
  void marker(const StoredMarker& marker) override { put(format_.marker(marker, previous_)); }
  void end_partition() override { bytes_ += 1; }

  Rows rows() const { return rows_; }
  std::int64_t cells() const { return cells_; }
  Bytes bytes() const { return bytes_; }

 private:
  void put(Bytes bytes) {
    bytes_ += bytes;
    previous_ = bytes;
  }
  const RowFormat& format_;
  Rows rows_ = 0;
  std::int64_t cells_ = 0;
  Bytes bytes_ = 0;
  Bytes previous_ = 0;
};

/// The pieces of a writer's cohorts, by bucket.
std::vector<BucketPiece> pieces_of(const ContentSpace& space, const Writer& writer, const std::vector<Cohort>& cohorts,
                                   const RowFormats& formats) {
  std::vector<BucketPiece> pieces;
  for (const Cohort& cohort : cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    if (&sub.writer() != &writer) continue;
    space.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      const std::int64_t middle = first + (last - first) / 2;
      const double row_bytes = typical_row_bytes(space, cohort, formats.of(cohort.sub_stream, middle), middle);
      pieces.push_back({bucket, &cohort, first, last, row_bytes});
    });
  }
  std::ranges::stable_sort(pieces, {}, &BucketPiece::bucket);
  return pieces;
}

/// Keys drawn at random: how many there are is known, not which.
void add_drawn(const ContentSpace& space, const std::vector<Cohort>& cohorts, const RowFormats& formats,
               Collector& collector) {
  for (const DrawnRows& drawn : space.drawn_rows(cohorts)) {
    const Writer& writer = *drawn.writer;
    const auto cohort = std::ranges::find_if(cohorts, [&](const Cohort& c) { return &space.writer_of(c) == &writer; });
    const RowFormat& format = formats.of(cohort->sub_stream, cohort->from);
    const double row_bytes = typical_row_bytes(space, *cohort, format, cohort->from);
    const std::int64_t partitions = writer.key_is_partition ? drawn.rows : std::min(drawn.rows, writer.slots());
    const auto key_bytes = static_cast<std::int64_t>(writer.key(0, writer.bucket_of(0)).size());
    const std::int64_t more = drawn.rows % partitions;
    const auto put = [&](std::int64_t count, std::int64_t first, Rows rows) {
      if (count == 0 || rows == 0) return;
      const AlikePartitions alike{.partitions = count,
                                  .first_slot = first,
                                  .step = 1,
                                  .rows = rows,
                                  .cells = rows * cells_of_row(space, *cohort),
                                  .row_bytes = 0};
      const double bytes =
          static_cast<double>(rows) * row_bytes + static_cast<double>(format.partition_header(key_bytes) + 1);
      collector.add(writer.index, writer.bucket_of(0), std::max(partitions, writer.slots()), alike,
                    std::llround(bytes));
    };
    put(more, 0, drawn.rows / partitions + 1);
    put(partitions - more, more, drawn.rows / partitions);
  }
}

/// Shows the partitions of several contents, each once: merged only where more than one holds it.
template <typename Show>
void show_merged(std::span<const KeyedContent* const> contents, const TableWorkload& workload, const Show& show) {
  std::vector<const KeyedPartition*> all;
  for (const KeyedContent* content : contents) {
    for (const KeyedPartition& partition : *content) all.push_back(&partition);
  }
  std::ranges::stable_sort(all, {}, &KeyedPartition::token);
  for (auto first = all.begin(); first != all.end();) {
    const auto last =
        std::find_if(first, all.end(), [&](const KeyedPartition* p) { return p->token != (*first)->token; });
    if (last - first == 1) {
      show(**first);
    } else {
      KeyedPartition merged = **first;
      for (auto next = first + 1; next != last; ++next) merge_partition(merged, **next, values_of(workload));
      shadow(merged);
      if (!merged.empty()) show(merged);
    }
    first = last;
  }
}

/// Returns the rows looked at.
Rows add_keyed(const ContentSpace& space, std::span<const Content* const> contents, const RowFormat& format,
               Collector& collector) {
  std::vector<const KeyedContent*> keyed;
  for (const Content* content : contents) {
    if (content->keyed) keyed.push_back(content->keyed.get());
  }
  Rows looked_at = 0;
  if (keyed.empty()) return looked_at;
  PartitionScale scale(format);
  const auto show = [&](const KeyedPartition& partition) {
    walk_partition(space, partition, scale);
    looked_at += scale.rows();
    const std::int64_t slots = space.workload().writers()[static_cast<std::size_t>(partition.writer)].slots();
    collector.add(
        partition.writer, partition.bucket, slots,
        {.partitions = 1, .first_slot = partition.slot, .step = 1, .rows = scale.rows(), .cells = scale.cells()},
        scale.bytes());
  };
  show_merged(keyed, space.workload(), show);
  return looked_at;
}

}  // namespace

PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest) {
  PartitionCensus census;
  Collector collector(census, largest);
  const RowFormats formats(space, contents);
  std::vector<Cohort> cohorts;
  for (const Content* content : contents)
    cohorts.insert(cohorts.end(), content->cohorts.begin(), content->cohorts.end());
  join_cohorts(cohorts);
  Rows shadowed = 0;
  shadow_cohorts(space, cohorts, &shadowed);
  std::vector<AlikePartitions> alike;
  for (const Writer& writer : space.workload().writers()) {
    if (writer.drawn_keys > 0) continue;
    const std::vector<BucketPiece> pieces = pieces_of(space, writer, cohorts, formats);
    if (pieces.empty()) continue;
    const SlotShares shares(space, writer);
    for (auto first = pieces.begin(); first != pieces.end();) {
      const auto last =
          std::find_if(first, pieces.end(), [&](const BucketPiece& p) { return p.bucket != first->bucket; });
      alike.clear();
      census.steps += shares.divide({first, last}, alike) + (last - first);
      const RowFormat& format = formats.of(first->cohort->sub_stream, first->first);
      for (const AlikePartitions& partitions : alike) {
        const auto key_bytes = space.tokens().key_bytes(writer, first->bucket, partitions.first_slot);
        const auto header = static_cast<double>(format.partition_header(key_bytes) + 1);
        collector.add(writer.index, first->bucket, writer.slots(), partitions,
                      std::llround(partitions.row_bytes + header));
      }
      first = last;
    }
  }
  add_drawn(space, cohorts, formats, collector);
  census.steps += add_keyed(space, contents, formats.of_all(), collector);
  collector.finish();
  return census;
}

}  // namespace windrow
