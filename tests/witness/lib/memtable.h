#pragma once

#include <map>
#include <set>
#include <vector>

#include "tests/witness/lib/rows.h"

namespace windrow::witness {

/// Minima that a file's deltas refer to (storage 1.2), and the columns its rows are judged against.
struct Header {
  Micros min_timestamp_us = 1'442'880'000'000'000;  // the engine's epochs when nothing was seen
  Seconds min_local_deletion_time_s = 1'442'880'000;
  Seconds min_ttl_s = 0;
  std::set<int> columns{};  // places in name order
  std::set<int> statics{};  // the same of static columns
};

/// A memtable: merges what arrives; its header minima remember everything ever written to it.
class Memtable {
 public:
  void delete_partition(const Key* key, Deletion deletion);
  void delete_range(const Key* key, Range range);
  /// A row as one statement writes it; `columns`: those the statement names.
  void write(const Key* key, const Row& row);
  /// Static cells that the statement writes beside its row.
  void write_statics(const Key* key, const Row& statics);

  bool empty() const { return partitions_.empty(); }
  bool contains(const Key* key) const { return partitions_.contains(key); }
  /// Over everything written; no_timestamp if empty.
  Micros min_timestamp_us() const { return min_timestamp_us_; }
  Header header() const;
  /// AbstractMemtable.minLocalDeletionTime: of an update that neither expires nor deletes it is the engine's epoch.
  Seconds min_local_deletion_time_s() const {
    return saw_undated_ ? Header{}.min_local_deletion_time_s : header().min_local_deletion_time_s;
  }
  /// As flushed: shadowed data left out, nothing purged (rule 3.10).
  std::vector<Partition> sorted() const;

 private:
  struct Entry {
    std::optional<Deletion> deletion{};
    Row statics{};
    std::vector<Range> ranges{};
    std::map<std::int64_t, Row> rows{};
  };
  void saw_timestamp(Micros timestamp_us);
  void saw_deletion(Deletion deletion);
  void saw_expiry(Seconds ttl_s, Seconds local_deletion_time_s);

  std::map<const Key*, Entry, KeyOrder> partitions_;
  std::set<int> columns_;
  std::set<int> statics_;
  Micros min_timestamp_us_ = no_timestamp;
  std::optional<Seconds> min_local_deletion_time_s_;
  std::optional<Seconds> min_ttl_s_;
  bool saw_undated_ = false;
};

}  // namespace windrow::witness
