#include "sim/content/census_partitions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/content/census.h"
#include "sim/content/census_bases.h"
#include "sim/content/census_blocks.h"
#include "sim/content/census_collector.h"
#include "sim/content/census_memo.h"
#include "sim/content/census_paces.h"
#include "sim/content/census_rows.h"
#include "sim/content/census_slots.h"
#include "sim/content/duplicates.h"
#include "sim/content/keyed_merge.h"
#include "sim/content/merge.h"
#include "sim/content/partition_deletes.h"
#include "sim/content/row_pieces.h"
#include "sim/content/shadow_cohorts.h"
#include "sim/content/size_before.h"
#include "sim/content/stored_rows.h"

namespace windrow {

namespace {

/// Bases of the rows of each bucket of a writer that are held row by row.
using KeyedBases = std::map<std::pair<int, std::int64_t>, HeaderBases>;

template <typename Wanted>
KeyedBases keyed_bases(std::span<const KeyedContent* const> contents, const Wanted& wanted) {
  KeyedBases bases;
  for (const KeyedContent* content : contents) {
    for (const KeyedPartition& partition : *content) {
      if (wanted(partition)) see_rows(partition, bases[{partition.writer, partition.bucket}]);
    }
  }
  return bases;
}

/// How rows are written: as one file has them, or logically.
class Formats {
 public:
  Formats(const ContentSpace& space, const Content* file) : space_(space) {
    if (file != nullptr) of_file_ = space.format(file->bases);
  }
  bool logical() const { return !of_file_; }
  const std::optional<RowFormat>& of_file() const { return of_file_; }
  RowFormat of(std::span<const BucketPiece> pieces, std::span<const KeyedRow> statics = {}) const {
    if (of_file_) return *of_file_;
    HeaderBases bases = bases_of(space_, pieces);
    for (const KeyedRow& row : statics) {
      for (const KeyedCell& cell : row.cells) see_cell(cell, bases);
    }
    return space_.format(bases);
  }
  /// `bases`: of the rows of its bucket.
  RowFormat of(const KeyedPartition& partition, HeaderBases bases) const {
    if (of_file_) return *of_file_;
    see_deletions(partition, bases);
    return space_.format(bases);
  }

 private:
  const ContentSpace& space_;
  std::optional<RowFormat> of_file_{};
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
  void static_row(const StoredRow& row) override {
    if (format_.header().static_columns == 0) return;
    cells_ += std::ssize(row.cells);
    const Bytes bytes = format_.static_row(row);
    bytes_ += bytes;
    previous_ += bytes;
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

/// Keys drawn at random: how many there are is known, not which.
void add_drawn(const ContentSpace& space, const std::vector<Cohort>& cohorts, const Formats& formats,
               CensusCollector& collector) {
  for (const DrawnRows& drawn : space.drawn_rows(cohorts)) {
    const Writer& writer = *drawn.writer;
    const auto cohort = std::ranges::find_if(cohorts, [&](const Cohort& c) { return &space.writer_of(c) == &writer; });
    const RowFormat format = formats.of(pieces_of(space, writer, cohorts));
    const double row_bytes = typical_row_bytes(space, *cohort, format, cohort->from);
    const std::int64_t partitions = writer.key_is_partition ? drawn.rows : std::min(drawn.rows, writer.most_slots());
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
      collector.add(writer.index, writer.bucket_of(0), std::max(partitions, writer.most_slots()),
                    {alike, std::llround(bytes)});
    };
    put(more, 0, drawn.rows / partitions + 1);
    put(partitions - more, more, drawn.rows / partitions);
  }
}

/// Shows the partitions of several contents that are `wanted`, each once: merged only where more than one holds it.
template <typename Wanted, typename Show>
void show_merged(std::span<const KeyedContent* const> contents, const TableWorkload& workload, const Wanted& wanted,
                 const Show& show) {
  std::vector<const KeyedPartition*> all;
  for (const KeyedContent* content : contents) {
    for (const KeyedPartition& partition : *content) {
      if (wanted(partition)) all.push_back(&partition);
    }
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

std::vector<const KeyedContent*> keyed_of(std::span<const Content* const> contents) {
  std::vector<const KeyedContent*> keyed;
  for (const Content* content : contents) {
    if (content->keyed) keyed.push_back(content->keyed.get());
  }
  return keyed;
}

/// Whether partitions are of writers whose rows are held as intervals.
class ByIntervals {
 public:
  explicit ByIntervals(const TableWorkload& workload) : writers_(workload.writers().size(), 0) {
    for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
      const Writer& writer = workload.sub_streams()[static_cast<std::size_t>(s)].writer();
      writers_[static_cast<std::size_t>(writer.index)] = workload.keyed(s) ? 0 : 1;
    }
  }
  bool operator()(const KeyedPartition& partition) const {
    return writers_[static_cast<std::size_t>(partition.writer)] != 0;
  }

 private:
  std::vector<char> writers_;
};

/// Static rows of partitions whose rows are intervals, by writer and bucket.
using StaticsByBucket = std::map<std::pair<int, std::int64_t>, std::vector<KeyedRow>>;

StaticsByBucket static_rows(const ContentSpace& space, std::span<const Content* const> contents) {
  StaticsByBucket statics;
  if (std::ranges::all_of(space.workload().writers(), [](const Writer& writer) { return writer.statics.empty(); }))
    return statics;
  const std::vector<const KeyedContent*> keyed = keyed_of(contents);
  show_merged(keyed, space.workload(), ByIntervals(space.workload()), [&](const KeyedPartition& partition) {
    if (!partition.statics.empty()) statics[{partition.writer, partition.bucket}].push_back(partition.statics);
  });
  return statics;
}

/// The mean of a bucket's static rows.
struct StaticRow {
  std::int64_t cells = 0;
  Bytes bytes = 0;
};
StaticRow mean_static_row(const ContentSpace& space, const std::vector<KeyedRow>& statics, const RowFormat& format) {
  StaticRow sum;
  if (statics.empty() || format.header().static_columns == 0) return sum;
  StoredRows rows(space.clustering_bytes());
  for (const KeyedRow& row : statics) {
    sum.cells += std::ssize(row.cells);
    sum.bytes += format.static_row(rows.of(space.workload(), row));
  }
  return {sum.cells / std::ssize(statics), sum.bytes / std::ssize(statics)};
}

/// Returns the rows looked at.
Rows add_keyed(const ContentSpace& space, std::span<const Content* const> contents, const Formats& formats,
               CensusCollector& collector) {
  const std::vector<const KeyedContent*> keyed = keyed_of(contents);
  Rows looked_at = 0;
  if (keyed.empty()) return looked_at;
  const ByIntervals by_intervals(space.workload());
  const auto wanted = [&](const KeyedPartition& partition) { return !by_intervals(partition); };  // else with its rows
  const KeyedBases bases = formats.logical() ? keyed_bases(keyed, wanted) : KeyedBases{};
  const auto show = [&](const KeyedPartition& partition) {
    const auto of_bucket = bases.find({partition.writer, partition.bucket});
    const RowFormat format = formats.of(partition, of_bucket == bases.end() ? HeaderBases{} : of_bucket->second);
    PartitionScale scale(format);
    walk_partition(space, partition, scale);
    looked_at += scale.rows();
    if (formats.logical() && scale.rows() == 0) return;  // what is left of one that was deleted
    const std::int64_t slots =
        space.workload().writers()[static_cast<std::size_t>(partition.writer)].slots(partition.bucket);
    collector.add(
        partition.writer, partition.bucket, slots,
        {{.partitions = 1, .first_slot = partition.slot, .step = 1, .rows = scale.rows(), .cells = scale.cells()},
         scale.bytes()});
  };
  show_merged(keyed, space.workload(), wanted, show);
  return looked_at;
}

/// All of them. `join`: what one flush took in after the other at once.
std::vector<Cohort> cohorts_of(std::span<const Content* const> contents, bool join) {
  std::vector<Cohort> cohorts;
  cohorts.reserve(contents.size());
  for (const Content* content : contents) {
    for (const Cohort& cohort : content->cohorts) {
      if (join && cohort.whole() && !cohorts.empty() && cohorts.back().to == cohort.from &&
          alike(cohorts.back(), cohort)) {
        cohorts.back().to = cohort.to;
      } else {
        cohorts.push_back(cohort);
      }
    }
  }
  return cohorts;
}

/// The cohorts of a look at partitions: no row twice, and none that is deleted.
std::vector<Cohort> cohorts_to_count(const ContentSpace& space, std::span<const Content* const> contents,
                                     bool may_share) {
  std::vector<Cohort> cohorts = cohorts_of(contents, !may_share);
  if (may_share) {
    absorb_duplicates(space, cohorts);
  } else {
    join_cohorts(cohorts);
  }
  Rows shadowed = 0;
  shadow_cohorts(space, cohorts, &shadowed);
  PartitionDeletes(space, keyed_of(contents)).shadow(cohorts);
  return cohorts;
}

/// Counts one writer's partitions, bucket by bucket.
class BucketCounter {
 public:
  struct Parts {
    const ContentSpace& space;
    const Formats& formats;
    const StaticsByBucket& statics;
    CensusMemo* memo = nullptr;
    CensusCollector& collector;
    PartitionCensus& census;
  };
  BucketCounter(const Parts& parts, const Writer& writer, const RateSpread* spread)
      : parts_(parts),
        writer_(writer),
        spread_(spread),
        shares_(parts.space, writer),
        short_blocks_(buckets_of_block(writer) == fewest_buckets_of_block) {}

  /// All pieces of the writer, by bucket.
  void count_all(std::vector<BucketPiece> pieces, BlockSums* sums = nullptr) {
    for (auto first = pieces.begin(); first != pieces.end();) {
      const auto last =
          std::find_if(first, pieces.end(), [&](const BucketPiece& p) { return p.bucket != first->bucket; });
      count({first, last}, sums);
      first = last;
    }
  }
  /// The writer's cohorts, whole ones, block by block: only those are counted that were not there before.
  void count_blocks(std::span<const Cohort> cohorts, BlockMemo& memo) {
    const std::vector<BlockPart> parts = parts_of_blocks(parts_.space, writer_, cohorts);
    for (auto first = parts.begin(); first != parts.end();) {
      const auto last = std::find_if(first, parts.end(), [&](const BlockPart& p) { return p.block != first->block; });
      const std::span block(first, last);
      first = last;
      if (const BlockSums* known = memo.recall(writer_.index, block)) {
        known->show(writer_, parts_.collector);
        parts_.census.steps += known->steps();
        continue;
      }
      BlockSums sums(parts_.collector.largest(), parts_.collector.finds());
      count_all(pieces_of_block(parts_.space, block), &sums);
      sums.finish();
      sums.show(writer_, parts_.collector);
      memo.keep(writer_.index, block, std::move(sums));
    }
  }

 private:
  /// The pieces of one bucket, or of buckets that are held alike. `sums`: is told what they are, instead of the
  /// collector.
  void count(std::span<BucketPiece> pieces, BlockSums* sums) {
    const std::int64_t bucket = pieces.front().bucket;
    CensusMemo* memo = (sums == nullptr || short_blocks_) && remembers(pieces) ? parts_.memo : nullptr;
    const bool as_before = memo != nullptr && memo->recall(writer_.index, pieces);
    const bool lasting = memo != nullptr && parts_.statics.empty() && spread_ == nullptr &&
                         std::ranges::all_of(pieces, [](const BucketPiece& piece) { return piece.cohort->whole(); });
    std::optional<CensusMemo::Counted> counted;
    if (as_before && lasting) counted = memo->counted(writer_.index, bucket);
    if (!counted) counted = measured(pieces, as_before, sums);
    if (memo != nullptr) memo->keep(writer_.index, pieces);
    if (lasting) memo->keep_counted(writer_.index, bucket, *counted);
    for (const MeasuredPartitions& each : counted->partitions) {
      if (sums != nullptr) {
        sums->add(bucket, each);
      } else {
        parts_.collector.add(writer_.index, bucket, writer_.slots(bucket), each);
      }
    }
    parts_.census.steps += counted->steps;
    if (sums != nullptr) sums->add_steps(counted->steps);
  }

  /// Static rows beside may change though no row does; where values have many sizes, that is little.
  bool remembers(std::span<const BucketPiece> pieces) const {
    return parts_.statics.empty() || parts_.space.values(pieces.front().cohort->sub_stream).bytes().size() > 1;
  }
  /// Partitions of entities that differ by their pace go to the collector, or to `sums`, as they are.
  CensusMemo::Counted measured(std::span<BucketPiece> pieces, bool rows_are_known, BlockSums* sums) {
    const std::int64_t bucket = pieces.front().bucket;
    const auto found = parts_.statics.find({writer_.index, bucket});
    const std::vector<KeyedRow>& beside = found == parts_.statics.end() ? no_statics_ : found->second;
    const RowFormat format = parts_.formats.of(pieces, beside);
    const StaticRow static_row = mean_static_row(parts_.space, beside, format);
    if (!rows_are_known) measure_rows(parts_.space, pieces, format);
    alike_.clear();
    measured_.clear();
    const std::int64_t steps = shares_.divide(pieces, alike_) + std::ssize(pieces);
    const auto header_of = [&](std::int64_t slot) {
      const auto key_bytes = parts_.space.tokens().key_bytes(writer_, bucket, slot);
      const Bytes before_rows = format.partition_header(key_bytes) + static_row.bytes;
      // The first row follows them, not a row.
      return static_cast<double>(before_rows + 1 + size_before(before_rows) -
                                 (pieces.front().row_bytes >= 128 ? 1 : 0));
    };
    if (spread_ != nullptr && !alike_.empty()) {
      const double header = header_of(alike_.front().first_slot);
      const PacedPartitions alike = paced_partitions(writer_, pieces, alike_, header);
      std::vector<double> paces = paces_of(*spread_, parts_.space, pieces);
      if (sums != nullptr) {
        sums->add_paced(writer_, bucket, alike, *spread_, std::move(paces));
      } else {
        parts_.collector.add_paced(writer_, bucket, alike, *spread_, std::move(paces));
      }
      return {{}, steps};
    }
    for (AlikePartitions& partitions : alike_) {
      partitions.cells += static_row.cells;
      measured_.push_back({partitions, std::llround(partitions.row_bytes + header_of(partitions.first_slot))});
    }
    return {measured_, steps};
  }

  Parts parts_;
  const Writer& writer_;
  const RateSpread* spread_ = nullptr;
  SlotShares shares_;
  bool short_blocks_;  // of which each bucket is remembered by itself as well
  std::vector<KeyedRow> no_statics_{};
  std::vector<AlikePartitions> alike_{};
  std::vector<MeasuredPartitions> measured_{};
};

void take_partitions(const ContentSpace& space, std::span<const Content* const> contents, const Formats& formats,
                     RateSpreads rates, CensusMemo* memo, bool may_share, std::size_t largest,
                     CensusCollector::Finds finds, PartitionCensus& census) {
  CensusCollector collector(census, largest, finds);
  if (memo != nullptr) memo->begin();
  const std::vector<Cohort> cohorts = cohorts_to_count(space, contents, may_share);
  const StaticsByBucket statics = static_rows(space, contents);
  // Of many writers a file has rows of few.
  const bool of_few = formats.of_file() && statics.empty();
  std::vector<const Writer*> held;
  for (const Cohort& cohort : cohorts) {
    const Writer* writer = &space.writer_of(cohort);
    if (of_few && (held.empty() || held.back() != writer)) held.push_back(writer);
  }
  for (const Writer& writer : space.workload().writers()) {
    if (writer.drawn_keys > 0 || (of_few && std::ranges::find(held, &writer) == held.end())) continue;
    const auto spec = static_cast<std::size_t>(writer.spec);
    const RateSpread* spread = spec < rates.size() ? rates[spec] : nullptr;
    const bool together = space.lattice() != nullptr && !writer.slots_differ() && spread == nullptr &&
                          statics.empty() && !all_whole(cohorts) && std::ssize(cohorts) <= pieces_to_look_at;
    BucketCounter counter({space, formats, statics, memo, collector, census}, writer, spread);
    if (formats.of_file()) {
      counter.count_all(pieces_of_file(space, writer, cohorts, *formats.of_file(), together));
    } else if (memo != nullptr && statics.empty() && !writer.bucket.single() && all_whole(cohorts)) {
      counter.count_blocks(cohorts, memo->blocks());
    } else {
      counter.count_all(pieces_of(space, writer, cohorts));
    }
  }
  add_drawn(space, cohorts, formats, collector);
  census.steps += add_keyed(space, contents, formats, collector);
  collector.finish();
}

PartitionCensus all_of(const ContentSpace& space, std::span<const Content* const> contents, const Formats& formats,
                       std::size_t largest, RateSpreads rates, CensusMemo* memo, bool may_share) {
  PartitionCensus census;
  const CensusCollector::Finds finds = memo != nullptr ? memo->finds() : CensusCollector::Finds::all;
  take_partitions(space, contents, formats, rates, memo, may_share, largest, finds, census);
  return census;
}

}  // namespace

PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest, RateSpreads rates, bool may_share) {
  return all_of(space, contents, Formats(space, nullptr), largest, rates, nullptr, may_share);
}

PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest, RateSpreads rates, CensusMemo& memo, bool may_share) {
  return all_of(space, contents, Formats(space, nullptr), largest, rates, &memo, may_share);
}

PartitionCensus census_of_file(const ContentSpace& space, const Content& content, RateSpreads rates) {
  const Content* one = &content;
  return all_of(space, {&one, 1}, Formats(space, &content), 0, rates, nullptr, false);
}

void add_census_of_file(const ContentSpace& space, const Content& content, RateSpreads rates, PartitionCensus& files) {
  const Content* one = &content;
  take_partitions(space, {&one, 1}, Formats(space, &content), rates, nullptr, false, 0, CensusCollector::Finds::added,
                  files);
}

}  // namespace windrow
