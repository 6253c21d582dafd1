#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
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
#include "sim/content/set_counts.h"
#include "sim/content/token_places.h"
#include "sim/schema/sstable_format.h"
#include "sim/workload/table_workload.h"
#include "sim/workload/token_index.h"

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

class LatticePlaces;

/// Questions about contents of one table: which partitions, which rows, in which order. Holds no state but what it
/// remembers.
/// Where partitions lie on the ring is decided once (TokenPlaces): hashed, unless somebody calls use_lattice.
class ContentSpace {
 public:
  ContentSpace(const TableWorkload& workload, int clustering_bytes, SSTableFormat format);

  /// From here on no key is hashed (run.exact_partitions): see LatticePlaces.
  void use_lattice();
  /// The lattice; null where partitions are hashed.
  const LatticePlaces* lattice() const { return lattice_; }
  /// The token of each partition by itself; null where they are spread evenly and none has one of its own. What is held
  /// row by row has its hash all the same: see `tokens`.
  TokenIndex* own_tokens() const { return lattice_ == nullptr ? &tokens_ : nullptr; }
  /// True if the places of the cohort's rows are the lattice's. Where a node owns more partitions of one bucket than of
  /// the next they have none, and nothing is cut by tokens.
  bool on_lattice(const Cohort& cohort) const { return lattice_ != nullptr && !writer_of(cohort).slots_differ(); }
  /// True if what the cohorts hold follows from their intervals, without a look at single partitions.
  bool counted_by_intervals(std::span<const Cohort> cohorts) const { return lattice_ != nullptr || all_whole(cohorts); }
  /// True if their rows can be shown one by one: each lies where its partition does.
  bool has_single_rows(std::span<const Cohort> cohorts) const { return lattice_ == nullptr || all_whole(cohorts); }

  const TableWorkload& workload() const { return *workload_; }
  TokenIndex& tokens() const { return tokens_; }
  SetCounts& set_counts() const { return set_counts_; }
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
      if (first < last) {
        each(bucket, first, last);
      } else {
        bucket = bucket_of(cohort.sub_stream, first) - 1;  // many in a row may be empty
      }
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
    if (lattice_ != nullptr || !cohort.cut_by_tokens() || !sub.in_turn()) return false;
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
  /// Members of the sub-stream that the cohort holds: all, and those in [from, to).
  std::int64_t members(const Cohort& cohort) const { return members_between(cohort, cohort.from, cohort.to); }
  std::int64_t members_between(const Cohort& cohort, std::int64_t from, std::int64_t to) const {
    return cohort.whole() ? to - from : places_->members(*this, cohort, from, to);
  }
  /// True if it holds one; quicker than to count them.
  bool any(const Cohort& cohort) const {
    return cohort.from < cohort.to && (cohort.whole() || places_->any(*this, cohort));
  }
  /// The first and the last that it holds: on a lattice the expected ones of its members, or of so many of them, those
  /// between two tokens. Then those outside of which it holds none: on a lattice its own.
  std::pair<std::int64_t, std::int64_t> ends(const Cohort& cohort, std::optional<std::int64_t> members = {}) const {
    return places_->ends(*this, cohort, members);
  }
  std::pair<std::int64_t, std::int64_t> outer_ends(const Cohort& cohort) const {
    if (cohort.whole()) return {cohort.from, cohort.to - 1};
    return places_->outer_ends(*this, cohort);
  }
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
  std::pair<Token, Token> token_span(const Content& content) const { return places_->span(*this, content); }

  /// Shows every partition, row and marker in the order in which they lie on disk.
  void walk(const Content& content, PartitionSink& sink) const;

 private:
  static constexpr std::size_t remembered_buckets = 256;  // of a sub-stream, by their number modulo this
  struct BucketBegin {
    std::int64_t bucket = INT64_MIN;
    std::int64_t before = 0;
  };
  struct BucketMembers {
    std::int64_t bucket = INT64_MIN;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  static constexpr std::size_t remembered_members = 64;  // of a sub-stream, with their buckets
  struct MemberBucket {
    std::int64_t member = -1;
    std::int64_t bucket = 0;
  };
  static constexpr std::size_t remembered_dates = 64;  // of a sub-stream
  struct MemberDates {
    std::int64_t member = -1;
    SubStream::Dates dates{};
  };
  /// All members of a bucket: that which was asked for last is at hand.
  const BucketMembers& members_of(int s, std::int64_t bucket) const;
  Rows rows_with_drawn(std::span<const Cohort> cohorts) const;
  void add_presence(const Cohort& cohort, std::int64_t bucket, Presence& presence) const;

  const TableWorkload* workload_ = nullptr;
  std::vector<RowValues> values_{};  // by sub-stream
  std::vector<RowShapes> shapes_{};  // by sub-stream
  mutable TokenIndex tokens_{};
  mutable SetCounts set_counts_{};
  mutable std::vector<BucketBegin> bucket_begins_{};    // by sub-stream
  mutable std::vector<BucketMembers> latest_bucket_{};  // the same: asked for last
  mutable std::vector<MemberBucket> member_buckets_{};  // the same
  mutable std::vector<MemberDates> member_dates_{};     // the same
  std::shared_ptr<const TokenPlaces> places_{};
  const LatticePlaces* lattice_ = nullptr;  // the same, if it is one
  int clustering_bytes_ = 0;
  SSTableFormat format_ = SSTableFormat::oa;
};

/// Shows one partition that is held row by row.
void walk_partition(const ContentSpace& space, const KeyedPartition& partition, PartitionSink& sink);

/// The rows of `content` whose partitions lie in [first, last]; bases as they are.
Content restrict_to(const ContentSpace& space, const Content& content, Token first, Token last);

}  // namespace windrow
