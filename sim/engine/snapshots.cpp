#include "sim/engine/snapshots.h"

#include <algorithm>
#include <numeric>

#include "sim/base/check.h"

namespace windrow {

void Snapshots::take(const TableStore& store, int table, bool scheduled, Micros expires_us) {
  Snapshot snapshot{.table = table, .scheduled = scheduled, .expires_us = expires_us, .files = {}};
  for (const auto& [id, file] : store.sstables()) {
    snapshot.files.push_back(id);
    Held& held = held_[{table, id}];
    held.bytes = file->bytes_on_disk();
    ++held.holders;
  }
  snapshots_.push_back(std::move(snapshot));
  find_next_expiry();
}

void Snapshots::left(int table, std::span<const SSTablePtr> files) {
  if (held_.empty()) return;
  for (const SSTablePtr& file : files) {
    const auto held = held_.find({table, file->id()});
    if (held == held_.end()) continue;
    SIM_CHECK(held->second.live, "a file leaves its table once");
    held->second.live = false;
    bytes_[static_cast<std::size_t>(table)] += held->second.bytes;
  }
}

void Snapshots::let_go(const Snapshot& snapshot) {
  for (const std::int64_t id : snapshot.files) {
    const auto held = held_.find({snapshot.table, id});
    if (--held->second.holders > 0) continue;
    if (!held->second.live) bytes_[static_cast<std::size_t>(snapshot.table)] -= held->second.bytes;
    held_.erase(held);
  }
}

template <typename Goes>
void Snapshots::remove_if(const Goes& goes) {
  std::erase_if(snapshots_, [&](const Snapshot& snapshot) {
    if (!goes(snapshot)) return false;
    let_go(snapshot);
    return true;
  });
  find_next_expiry();
}

void Snapshots::clear(int table) {
  remove_if([table](const Snapshot& snapshot) { return snapshot.table == table; });
}

void Snapshots::keep_newest(int table, int count) {
  auto surplus =
      std::ranges::count_if(
          snapshots_, [table](const Snapshot& snapshot) { return snapshot.scheduled && snapshot.table == table; }) -
      count;
  remove_if([&](const Snapshot& snapshot) { return snapshot.scheduled && snapshot.table == table && surplus-- > 0; });
}

void Snapshots::find_next_expiry() {
  next_expiry_us_ = never;
  for (const Snapshot& snapshot : snapshots_) next_expiry_us_ = std::min(next_expiry_us_, snapshot.expires_us);
}

void Snapshots::expire(Micros now_us) {
  remove_if([now_us](const Snapshot& snapshot) { return snapshot.expires_us <= now_us; });
}

Bytes Snapshots::bytes() const { return std::accumulate(bytes_.begin(), bytes_.end(), Bytes{0}); }

}  // namespace windrow
