#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/reads/held_by_cell.h"
#include "sim/reads/held_by_place.h"
#include "sim/reads/partition_query.h"
#include "sim/reads/slot_lane.h"
#include "sim/reads/writer_sources.h"

namespace windrow {

/// Partitions of a bucket that are looked at one by one where none tells of its neighbours.
inline constexpr std::int64_t most_by_themselves = 512;

/// So many files, each asked for its earliest deletion (PartitionQuery::spares_unrepaired), cost as much as a piece.
inline constexpr std::size_t sources_as_a_piece = 8;

/// Where rows of several sub-streams are sought by their newest, a piece costs as much as so many.
inline constexpr std::int64_t pieces_of_newest = 6;

/// Reads of the partitions of one bucket. Between two borders all partitions cost the same, so that one of them tells
/// of all; no row is looked at but of partitions that are held row by row.
class BucketRead {
 public:
  BucketRead(const WriterSources& writer, std::int64_t bucket, const PartitionQuery& query);

  std::int64_t slots() const { return slots_; }
  /// What a look at one partition goes through: parts of cohorts, of all files, or of those around it. `limit`: as in
  /// the query.
  std::int64_t pieces(std::int64_t limit) const;
  /// Ascending, from 0 to slots(): where costs may change.
  const std::vector<std::int64_t>& borders() const { return borders_; }
  /// The partition of a slot; `limit` as in the query. `alone` is set where its neighbours may cost something else
  /// although no border lies between: rows of several sub-streams alternate, and some of them are dead.
  PartitionCost cost(std::int64_t slot, std::int64_t limit, bool& alone) const;

 private:
  /// Members [first, last) of a cohort.
  struct Piece {
    const Cohort* cohort = nullptr;
    const ReadSource* source = nullptr;
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  struct Pieces {
    std::vector<Piece> each{};
    HeldByPlace by_place{};  // of these, where some are cut by tokens that are the lattice's
    HeldByCell by_slot{};    // of these, where they are many
    /// That a look at one partition goes through, in the mean.
    std::size_t looked_through() const {
      const std::size_t of_place = by_place.empty() ? each.size() : by_place.mean_around();
      return by_slot.empty() ? of_place : std::min(of_place, by_slot.mean_around());
    }
  };
  /// Members before these have expired, were written before gc_before, and expired before it.
  struct Borders {
    std::int64_t expired = 0;
    std::int64_t old_write = 0;
    std::int64_t old_expiry = 0;
  };
  /// Rows of one sub-stream in the bucket, and the tombstones that delete them one by one.
  struct Stream {
    Stream(int number, const SubStream& sub_stream, const SubStream::Turn& of_bucket)
        : s(number), sub(&sub_stream), turn(of_bucket) {}
    int s;
    const SubStream* sub;
    SubStream::Turn turn;
    Pieces rows{};
    Pieces tombstones{};
    std::int64_t first = INT64_MAX;  // of all their members
    std::int64_t last = 0;
    std::int64_t slice_from = 0;
    std::int64_t slice_to = 0;
    std::int64_t old_tombstone = 0;                    // deletes before this member are older than gc_before
    std::vector<std::vector<std::int64_t>> by_slot{};  // members, where they do not go around in turn

    SlotLane lane(std::int64_t slot) const {
      return by_slot.empty() ? SlotLane(turn, first, slot) : SlotLane(by_slot[static_cast<std::size_t>(slot)]);
    }
  };

  void add_pieces(const WriterSources& writer);
  Stream& stream_of(int s);
  void find_by_place(Stream& stream) const;
  static void find_by_slot(Stream& stream);
  void cut_slices();
  void find_borders();
  /// Calls `use(piece, from, to)` for those that have numbers [from, to) of the lane. Exact tokens: admits; on the
  /// lattice, where the cohort's tokens are asked of rows: of the partition's.
  template <typename Use>
  void each_held(const Pieces& pieces, const SlotLane& lane, std::int64_t slot, const Use& use) const;
  std::span<const WriterSources::Deleted> deletions_of(std::int64_t slot) const;
  /// What of a partition lies under a deletion: writes that are not newer, and rows of smaller clustering values.
  struct Covered {
    Micros deleted_us = INT64_MIN;
    std::optional<KeyedRange> range{};
  };
  Covered covered_of(std::int64_t slot) const;
  /// True if a file is opened for a deletion that it has.
  bool reads_deletion(const WriterSources::Deleted& deleted, Micros deleted_us) const;
  Seconds gc_before_of(std::span<const SlotLane> lanes, std::int64_t slot, Micros deleted_us) const;
  void add_border(const Stream& stream, std::int64_t member);
  Borders borders_of(const Stream& stream, std::int32_t ttl_s, Seconds gc_before_s) const;
  std::int64_t old_tombstones(const Stream& stream, Seconds gc_before_s) const;
  /// A piece's members [from, to), as numbers of the lane.
  struct HeldNumbers {
    const Piece* piece = nullptr;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  /// What the partition has of these pieces, each row once; calls `again(from, to, piece)` for second copies.
  template <typename Again>
  std::vector<HeldNumbers> held_once(const Pieces& pieces, const SlotLane& lane, std::int64_t slot,
                                     const Again& again) const;
  void add_runs(const Stream& stream, const SlotLane& lane, std::int64_t slot, Seconds gc_before_s,
                const Covered& covered, std::vector<LaneRun>& runs) const;
  PartitionCost sum(std::vector<LaneRun>& runs, std::span<const SlotLane> lanes, std::int64_t limit, bool& alone) const;

  const ContentSpace* space_;
  std::span<const ReadSource> sources_;
  const Writer* writer_;
  bool keyed_ = false;
  std::int64_t bucket_ = 0;
  std::int64_t slots_ = 0;
  PartitionQuery query_{};
  std::vector<Stream> streams_{};
  std::span<const WriterSources::Deleted> deleted_{};  // partitions of the bucket, by slot
  std::vector<std::int64_t> borders_{};
  bool each_slot_ = false;
  bool on_lattice_ = false;  // some piece is cut by tokens that are the lattice's
};

}  // namespace windrow
