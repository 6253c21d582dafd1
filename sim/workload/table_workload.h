#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/covering_deletes.h"
#include "sim/workload/share_forest.h"
#include "sim/workload/sub_stream.h"
#include "sim/workload/writer.h"

namespace windrow {

/// Deletes of a writer.
struct DeleteRule {
  DeleteKind kind = DeleteKind::none;
  // Of rows and cells, one by one (FateShare::deleted):
  std::int64_t age_units = 0;
  std::int64_t arrive_from_units = 0;  // deletes that would come outside of this span never do
  std::int64_t arrive_to_units = INT64_MAX;
  std::vector<CoveringDelete> covering{};  // of partitions and ranges
  bool row_by_row = false;                 // of partitions and ranges: rows are held one by one, too
};

/// Rows that share a fate.
struct FateShare {
  RowShare rows{};
  std::int64_t late_units = 0;
  Seconds ttl_s = SubStream::table_default_ttl;
  bool deleted = false;     // one by one, by FateRule::deletes
  int lost_by = -1;         // the node that their writes do not arrive at (SubStream::lost_by)
  int delete_lost_by = -1;  // the same of their deletes
};

/// How the rows of a writer divide into sub-streams: those that are late, have another TTL, will be deleted. The shares
/// together are all rows.
struct FateRule {
  std::vector<FateShare> shares = {FateShare{}};
  DeleteRule deletes{};
};

/// The place of a write in the order of arrivals: time (units), then writer, then writes before deletes, then row
/// number.
struct ArrivalPlace {
  std::int64_t time = 0;
  int writer = 0;
  int kind = 0;  // 0 write, 1 delete
  std::int64_t sequence = 0;
  friend auto operator<=>(const ArrivalPlace&, const ArrivalPlace&) = default;
};

/// One write of a group that is held row by row.
struct KeyedArrival {
  ArrivalPlace place{};
  int sub_stream = -1;      // of rows, row and cell tombstones; -1: a partition or range delete
  std::int64_t member = 0;  // j of the sub-stream, or place among DeleteRule::covering
};

/// Sub-streams of one writer that differ by their rows alone: what arrives follows from one number.
struct Together {
  std::vector<int> sub_streams{};
  ShareForest shares{};
  std::size_t first_place = 0;  // TableWorkload::place_of the first of them
};

/// Everything that is written to one table.
/// A group of writers whose rows may meet (keys written again, partitions shared, deletes of cells) is held row by row;
/// all others are intervals of row numbers. Deletes of partitions and of prefixes of them lie beside, one by one.
class TableWorkload {
 public:
  TableWorkload() = default;
  TableWorkload(const TableWorkload&) = delete;  // sub-streams point to their writers, which stay where they are
  TableWorkload& operator=(const TableWorkload&) = delete;
  TableWorkload(TableWorkload&&) = default;
  TableWorkload& operator=(TableWorkload&&) = default;
  ~TableWorkload() = default;

  /// Writers are added in the order that settles ties of arrival; `end` is the run's end in units.
  void add(Writer writer, FateRule fate, std::int64_t end);
  /// To be called once, after the last add. Refuses (std::length_error) more than `most_keyed_rows` rows held one by
  /// one.
  void finish(std::int64_t most_keyed_rows);

  const std::deque<Writer>& writers() const { return writers_; }
  const std::vector<SubStream>& sub_streams() const { return sub_streams_; }
  /// Sub-stream of the rows that tombstone sub-stream `s` deletes one by one, else -1.
  int target_of(int s) const { return target_of_[static_cast<std::size_t>(s)]; }
  /// Each sub-stream is in one of them.
  const std::vector<Together>& together() const { return together_; }
  /// By place, how many members each sub-stream has below the row number that `rows_of(sub-stream, counter)` says: the
  /// same of all that come together. The counter is of the rhythm of the sub-stream's writer.
  template <typename RowsOf>
  void ranks(const RowsOf& rows_of, std::span<std::int64_t> ranks) const {
    boost::container::small_vector<std::int64_t, 32> rows(together_.size(), boost::container::default_init);
    std::optional<Rhythm::Counter> counter;
    for (std::size_t group = 0; group < rows.size(); ++group) {
      const SubStream& sub = sub_streams_[static_cast<std::size_t>(together_[group].sub_streams.front())];
      if (!counter || !counter->counts(sub.writer().rhythm)) counter.emplace(sub.writer().rhythm);
      rows[group] = rows_of(sub, *counter);
    }
    all_shares_.ranks({rows.data(), rows.size()}, ranks);
  }
  /// Of so many numbers at least, `ranks` need no copy (ShareForest::room).
  std::size_t room_for_ranks() const { return all_shares_.room(); }
  int group_of(int s) const { return group_of_[static_cast<std::size_t>(s)]; }
  /// Where a sub-stream stands if those that come together follow each other, group by group.
  std::size_t place_of(int s) const { return place_of_[static_cast<std::size_t>(s)]; }
  /// The same of all.
  std::span<const std::size_t> places() const { return place_of_; }
  bool keyed(int s) const {
    return keyed_group_[static_cast<std::size_t>(sub_streams_[static_cast<std::size_t>(s)].writer().key_group)];
  }
  /// True if partitions or ranges are deleted whose rows need not be held row by row.
  bool deletes_partitions() const { return deletes_partitions_; }
  /// True if some writer draws its keys (Writer::drawn_keys).
  bool draws_keys() const { return draws_keys_; }
  const std::vector<KeyedArrival>& keyed_arrivals() const { return keyed_arrivals_; }
  const DeleteRule& deletes_of(int writer) const { return fates_[static_cast<std::size_t>(writer)].deletes; }

  /// Members of an interval-held sub-stream that come before `place`, unsent ones included.
  std::int64_t members_before(int s, const ArrivalPlace& place) const;
  /// Writes of all kinds before `place`, without those that are never sent.
  std::int64_t arrivals_before(const ArrivalPlace& place) const;
  /// The place just after the `count`-th write of the table; nothing if there are fewer before `end`.
  std::optional<ArrivalPlace> place_after(std::int64_t count, std::int64_t end) const;

 private:
  void add_rows(const Writer& writer, const FateShare& share, const DeleteRule& deletes);
  void put_together();
  /// True if the ranges that are deleted of a group's partitions are what comes first in them, all of it there before.
  bool ranges_are_prefixes(int key_group) const;
  void list_keyed_arrivals(std::int64_t most_keyed_rows);
  void refuse_beyond(std::int64_t most_keyed_rows, std::int64_t more) const;

  std::deque<Writer> writers_{};
  std::vector<FateRule> fates_{};
  std::vector<SubStream> sub_streams_{};
  std::vector<int> target_of_{};
  std::vector<Together> together_{};
  ShareForest all_shares_{};
  std::vector<int> group_of_{};
  std::vector<std::size_t> place_of_{};
  std::vector<char> keyed_group_{};
  std::vector<KeyedArrival> keyed_arrivals_{};
  std::int64_t end_ = 0;
  bool draws_keys_ = false;
  bool deletes_partitions_ = false;
};

}  // namespace windrow
