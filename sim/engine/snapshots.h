#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/table_store.h"

namespace windrow {

/// Snapshots of a node: hard links, which cost nothing while the table has the file, and its bytes from then on.
class Snapshots {
 public:
  static constexpr Micros never = std::numeric_limits<Micros>::max();

  explicit Snapshots(int tables) : bytes_(static_cast<std::size_t>(tables), 0) {}

  /// Holds the live files of a table. `scheduled`: one of those that keep_newest counts.
  void take(const TableStore& store, int table, bool scheduled, Micros expires_us);
  /// Files that the table no longer has.
  void left(int table, std::span<const SSTablePtr> files);
  void clear(int table);
  /// Of the scheduled ones of each table, the newest `count` stay.
  void keep_newest(int table, int count);
  Micros next_expiry() const { return next_expiry_us_; }
  void expire(Micros now_us);

  /// Bytes on disk that only snapshots keep.
  Bytes bytes(int table) const { return bytes_[static_cast<std::size_t>(table)]; }
  Bytes bytes() const;

 private:
  struct Held {
    Bytes bytes = 0;
    int holders = 0;
    bool live = true;
  };
  struct Snapshot {
    int table = 0;
    bool scheduled = false;
    Micros expires_us = never;
    std::vector<std::int64_t> files{};
  };
  void find_next_expiry();
  void let_go(const Snapshot& snapshot);
  template <typename Goes>
  void remove_if(const Goes& goes);

  std::vector<Snapshot> snapshots_{};  // in the order of their making
  std::map<std::pair<int, std::int64_t>, Held> held_{};
  std::vector<Bytes> bytes_;
  Micros next_expiry_us_ = never;
};

}  // namespace windrow
