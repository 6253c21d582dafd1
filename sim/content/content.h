#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/cohort.h"
#include "sim/content/keyed_content.h"
#include "sim/content/partition_meter.h"
#include "sim/content/presence.h"
#include "sim/content/row_format.h"
#include "sim/content/row_shape.h"
#include "sim/content/row_values.h"
#include "sim/schema/sstable_format.h"
#include "sim/workload/table_workload.h"
#include "sim/workload/token_index.h"
#include "sim/workload/token_lattice.h"

namespace windrow {

/// What one SSTable or memtable holds: intervals of rows, and the partitions of groups that are held row by row.
struct Content {
  std::vector<Cohort> cohorts{};
  std::shared_ptr<const KeyedContent> keyed{};  // null: none
  HeaderBases bases{};

  bool empty() const { return cohorts.empty() && (!keyed || keyed->empty()); }
};

/// Keys drawn by a writer in a content: writes covered, and different keys among them.
struct DrawnRows {
  const Writer* writer = nullptr;
  std::int64_t writes = 0;
  Rows rows = 0;
};

/// Partitions of a writer between two tokens, and the bytes of their keys.
struct PartitionsBetween {
  Token first_token = min_token;
  Token last_token = max_token;
  std::int64_t partitions = 0;
  Bytes key_bytes = 0;
};

/// Partitions of buckets [first, last] between the tokens of some cohorts, which hold all these buckets alike but for
/// changes of pace.
struct SmoothRun {
  std::span<const Cohort* const> cohorts{};
  std::int64_t first_bucket = 0;
  std::int64_t last_bucket = 0;
  std::int64_t partitions = 0;
};

/// Questions about contents of one table: which partitions, which rows, in which order. Holds no state but the tokens.
class ContentSpace {
 public:
  ContentSpace(const TableWorkload& workload, int clustering_bytes, SSTableFormat format)
      : workload_(&workload),
        values_(workload.sub_streams().begin(), workload.sub_streams().end()),
        clustering_bytes_(clustering_bytes),
        format_(format) {
    for (const SubStream& sub : workload.sub_streams()) shapes_.push_back(row_shapes(sub.writer()));
  }

  /// From here on no key is hashed: the tokens of every writer are those of a lattice (run.exact_partitions). Member j
  /// of a sub-stream has the place of slot j, so that a share of a writer's rows is spread over the ring like all of
  /// them.
  void use_lattice();
  bool smooth() const { return !lattices_.empty(); }
  /// True if the places of the cohort's rows are the lattice's. Where a node owns more partitions of one bucket than of
  /// the next they have none, and nothing is cut by tokens.
  bool on_lattice(const Cohort& cohort) const { return smooth() && !writer_of(cohort).slots_differ(); }

  /// From here on rows of some slots are measured by arithmetic, as whole cohorts are, and not one by one: there will
  /// be many, as where replicas stream leaves to each other.
  void measure_slots_by_arithmetic() { slots_by_arithmetic_ = true; }
  bool slots_by_arithmetic() const { return slots_by_arithmetic_ || workload_->deletes_partitions(); }

  const TableWorkload& workload() const { return *workload_; }
  TokenIndex& tokens() const { return tokens_; }
  const SubStream& sub_stream(int s) const { return workload_->sub_streams()[static_cast<std::size_t>(s)]; }
  const RowValues& values(int s) const { return values_[static_cast<std::size_t>(s)]; }
  const RowShape& shape(int s, RowState state) const {
    return shapes_[static_cast<std::size_t>(s)][static_cast<std::size_t>(state)];
  }
  const Writer& writer_of(const Cohort& cohort) const { return sub_stream(cohort.sub_stream).writer(); }
  RowFormat format(const HeaderBases& bases) const { return {bases, format_, clustering_bytes_}; }
  int clustering_bytes() const { return clustering_bytes_; }

  /// SubStream::count_before_bucket and the bucket of a member: what was counted lately is not counted again.
  std::int64_t count_before_bucket(int s, std::int64_t bucket) const;
  std::int64_t bucket_of(int s, std::int64_t member) const;
  /// SubStream::dates: those asked for lately are remembered, since merges ask again for what flushes asked.
  SubStream::Dates dates(int s, std::int64_t member) const;
  /// First and last bucket a cohort has rows in.
  std::pair<std::int64_t, std::int64_t> buckets(const Cohort& cohort) const;
  /// The cohort's members [first, second) in a bucket.
  std::pair<std::int64_t, std::int64_t> members_in(const Cohort& cohort, std::int64_t bucket) const;
  /// Calls `each(bucket, first, last)` for the cohort's members [first, last) of every bucket that has some, ascending.
  template <typename Each>
  void each_part(const Cohort& cohort, const Each& each) const {
    const SubStream& sub = sub_stream(cohort.sub_stream);
    const bool single = sub.writer().bucket.single();
    std::int64_t bucket = bucket_of(cohort.sub_stream, cohort.from);
    for (std::int64_t first = cohort.from; first < cohort.to; ++bucket) {
      const std::int64_t last =
          single ? cohort.to : std::clamp(count_before_bucket(cohort.sub_stream, bucket + 1), first, cohort.to);
      if (first < last) each(bucket, first, last);
      first = last;
    }
  }
  /// True if the cohort may hold rows of this partition (its slots and tokens, not its rows). A lattice's tokens are
  /// asked of rows, not here.
  bool admits(const Cohort& cohort, std::int64_t bucket, std::int64_t slot) const;
  /// Exact tokens: calls `each(slot, first, count)` for every slot of which the cohort, cut by tokens, has some of the
  /// members [from, to) of one bucket: the first of them, and how many, `slots` apart. False, and no call, where that
  /// is no arithmetic or more work than to look at each member.
  template <typename Each>
  bool each_slot_inside(const Cohort& cohort, std::int64_t bucket, std::int64_t from, std::int64_t to,
                        const Each& each) const {
    const SubStream& sub = sub_stream(cohort.sub_stream);
    if (smooth() || !cohort.cut_by_tokens() || !sub.in_turn()) return false;
    const auto inside = tokens_.slots_between(sub.writer(), bucket, cohort.first_token, cohort.last_token);
    if (std::ssize(inside) >= to - from) return false;
    const SubStream::Turn turn = sub.turn(bucket);
    const std::int64_t slots = turn.slots();
    const std::int64_t slot_of_from = turn.slot(from);
    for (const std::int64_t slot : inside) {
      if ((cohort.slots || cohort.sets) && !admits(cohort, bucket, slot)) continue;
      const std::int64_t first = from + (slot >= slot_of_from ? slot - slot_of_from : slot - slot_of_from + slots);
      if (first < to) each(slot, first, (to - first + slots - 1) / slots);
    }
    return true;
  }
  /// Members of the sub-stream that the cohort holds.
  std::int64_t members(const Cohort& cohort) const;
  /// True if it holds one; quicker than to count them.
  bool any(const Cohort& cohort) const;
  /// Smooth: the cohort's members in [from, to); first and last of all `members` (as if no slot were missing).
  std::int64_t members_between(const Cohort& cohort, std::int64_t from, std::int64_t to) const;
  std::pair<std::int64_t, std::int64_t> ends(const Cohort& cohort, std::int64_t members) const;
  /// Smooth: partitions of a bucket of which a writer's cohorts hold rows.
  std::int64_t smooth_partitions(std::span<const Cohort> cohorts, std::int64_t bucket) const;
  /// Smooth: true if a writer's cohorts, or the bucket as partitions of it are counted, have rows of one partition on
  /// both sides of the border below `token`.
  bool parts_a_partition(std::span<const Cohort> cohorts, std::int64_t bucket, Token token) const;
  /// Smooth: shows the partitions of a writer's cohorts.
  void each_smooth_run(std::span<const Cohort> cohorts, const std::function<void(const SmoothRun&)>& each) const;
  Rows rows(const Cohort& cohort) const {
    const Writer& writer = writer_of(cohort);
    if (writer.drawn_keys > 0) return writer.different_keys(cohort.to - cohort.from);
    return (cohort.whole() ? cohort.to - cohort.from : members(cohort)) * writer.rows_per_event;
  }
  Rows rows(std::span<const Cohort> cohorts) const {
    if (workload_->draws_keys()) return rows_with_drawn(cohorts);
    Rows sum = 0;
    for (const Cohort& cohort : cohorts) sum += rows(cohort);
    return sum;
  }
  std::vector<DrawnRows> drawn_rows(std::span<const Cohort> cohorts) const;

  /// Which partitions of a writer's bucket the cohorts hold.
  Presence presence(std::span<const Cohort> cohorts, int writer, std::int64_t bucket) const;
  /// Calls `each(writer, bucket, presence)` for every bucket in which cohorts have rows. Of keys drawn at random all
  /// are held.
  void each_bucket(std::span<const Cohort> cohorts,
                   const std::function<void(const Writer&, std::int64_t, const Presence&)>& each) const;
  /// Calls `each(writer, bucket, slot)` for every partition, by writer, bucket and slot.
  void each_partition(const Content& content,
                      const std::function<void(const Writer&, std::int64_t, std::int64_t)>& each) const;
  /// Partitions, and the bytes of their keys; appends to `by_token` where they lie, by writer: keys drawn at random are
  /// not among those.
  std::pair<std::int64_t, Bytes> count_partitions(std::span<const Cohort> cohorts,
                                                  std::vector<PartitionsBetween>* by_token = nullptr) const;
  /// First and last token; of intervals by bucket, without walking rows.
  std::pair<Token, Token> token_span(const Content& content) const;

  /// Smooth: first and last token that a cohort's partitions, evenly spread over its tokens, have on average; it has so
  /// many members.
  std::pair<Token, Token> expected_span(const Cohort& cohort, std::int64_t members) const;

  /// Shows every partition, row and marker in the order in which they lie on disk.
  void walk(const Content& content, PartitionSink& sink) const;

 private:
  static constexpr std::size_t remembered_buckets = 256;  // of a sub-stream, by their number modulo this
  struct BucketBegin {
    std::int64_t bucket = INT64_MIN;
    std::int64_t before = 0;
  };
  static constexpr std::size_t remembered_dates = 64;  // of a sub-stream
  struct MemberDates {
    std::int64_t member = -1;
    SubStream::Dates dates{};
  };
  Rows rows_with_drawn(std::span<const Cohort> cohorts) const;
  /// Positions of the cohort's tokens on its writer's lattice.
  struct Positions {
    const TokenLattice* lattice = nullptr;
    const Rounds* rounds = nullptr;  // of its sub-stream
    TokenLattice::Border first{};
    TokenLattice::Border last{};  // exclusive
    bool hold(std::int64_t j) const {
      const std::int64_t position = lattice->position(j % lattice->slots(), rounds->round_of(j / lattice->slots()));
      return first.position <= position && position < last.position;
    }
    /// The difference of two of these is how many of the members between them lie here.
    std::int64_t rank(std::int64_t j) const {
      const TokenLattice::Dealt dealt = lattice->dealt(j);
      return lattice->rank(dealt, last, *rounds) - lattice->rank(dealt, first, *rounds);
    }
    std::int64_t count(std::int64_t from, std::int64_t to) const { return rank(to) - rank(from); }
  };
  friend class SmoothPartitions;
  friend class MembersByToken;
  friend class MembersInOrder;
  friend class AloneOnLattice;
  Positions positions(const Cohort& cohort) const;
  /// Smooth: of one writer's cohorts, by intervals that share no token.
  std::vector<PartitionsBetween> smooth_partitions_by_token(std::span<const Cohort> cohorts) const;
  std::pair<Token, Token> smooth_token_span(const Content& content) const;
  void add_presence(const Cohort& cohort, std::int64_t bucket, Presence& presence) const;

  const TableWorkload* workload_ = nullptr;
  std::vector<RowValues> values_{};  // by sub-stream
  std::vector<RowShapes> shapes_{};  // by sub-stream
  mutable TokenIndex tokens_{};
  mutable std::vector<BucketBegin> bucket_begins_{};   // by sub-stream
  mutable std::vector<std::int64_t> latest_bucket_{};  // the same: asked for last
  mutable std::vector<MemberDates> member_dates_{};    // the same
  std::vector<TokenLattice> lattices_{};               // by writer; empty unless smooth
  std::vector<Rounds> rounds_{};                       // by sub-stream; the same
  bool slots_by_arithmetic_ = false;
  int clustering_bytes_ = 0;
  SSTableFormat format_ = SSTableFormat::oa;
};

/// Shows one partition that is held row by row.
void walk_partition(const ContentSpace& space, const KeyedPartition& partition, PartitionSink& sink);

/// The rows of `content` whose partitions lie in [first, last]; bases as they are.
Content restrict_to(const ContentSpace& space, const Content& content, Token first, Token last);

}  // namespace windrow
