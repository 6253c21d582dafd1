#include "sim/record/blockers.h"

#include <algorithm>
#include <tuple>

namespace windrow {

namespace {

Seconds stops_blocking_s(Seconds expires_s, Seconds gc_grace_s) {
  return expires_s == no_deletion_time ? no_deletion_time : expires_s + gc_grace_s + 1;
}

/// All that may block, by oldest write; and for each how late it and those before it stop.
class BlockOrder {
 public:
  BlockOrder(std::span<const FileFacts> files, const MemtableFacts& memtable, Seconds gc_before_s, Micros newest_us) {
    for (const FileFacts& file : files) {
      if (file.max_local_deletion_time_s < gc_before_s || file.min_timestamp_us > newest_us) continue;
      blockers_.push_back(
          {.id = file.id, .expires_s = file.max_local_deletion_time_s, .min_timestamp_us = file.min_timestamp_us});
    }
    if (memtable.min_timestamp_us <= newest_us) {
      blockers_.push_back(
          {.id = memtable_id, .expires_s = memtable.expires_s(), .min_timestamp_us = memtable.min_timestamp_us});
    }
    std::ranges::sort(blockers_, {}, [](const Blocker& b) { return std::tuple(b.min_timestamp_us, b.id); });
    latest_expiry_.reserve(blockers_.size());
    for (const Blocker& blocker : blockers_) {
      latest_expiry_.push_back(latest_expiry_.empty() ? blocker.expires_s
                                                      : std::max(latest_expiry_.back(), blocker.expires_s));
    }
    held_bytes_.resize(blockers_.size());
    held_files_.resize(blockers_.size());
  }

  void hold(const FileFacts& file, Seconds gc_grace_s, BlockReport& report) {
    const auto end = std::ranges::upper_bound(blockers_, file.max_timestamp_us, {}, &Blocker::min_timestamp_us);
    const auto count = static_cast<std::size_t>(end - blockers_.begin());
    if (count == 0) return;
    BlockedFile blocked{.id = file.id,
                        .bytes = file.bytes,
                        .droppable_since_s = file.max_local_deletion_time_s + gc_grace_s + 1,
                        .blocked_by = {},
                        .blockers = static_cast<std::int64_t>(count),
                        .goes_at_s = stops_blocking_s(latest_expiry_[count - 1], gc_grace_s)};
    for (std::size_t i = 0; i < std::min(count, blockers_named); ++i) blocked.blocked_by.push_back(blockers_[i].id);
    // Blockers before the last one hold this file too: summed up in finish().
    held_bytes_[count - 1] += file.bytes;
    held_files_[count - 1] += 1;
    if (count == 1) blockers_.front().frees_bytes += file.bytes;
    report.blocked_bytes += file.bytes;
    report.blocked.push_back(std::move(blocked));
  }

  std::vector<Blocker> finish() {
    Bytes bytes = 0;
    std::int64_t files = 0;
    for (std::size_t i = blockers_.size(); i-- > 0;) {
      bytes += held_bytes_[i];
      files += held_files_[i];
      blockers_[i].holds_bytes = bytes;
      blockers_[i].holds_sstables = files;
    }
    return std::move(blockers_);
  }

 private:
  std::vector<Blocker> blockers_{};
  std::vector<Seconds> latest_expiry_{};
  std::vector<Bytes> held_bytes_{};
  std::vector<std::int64_t> held_files_{};
};

}  // namespace

BlockReport find_blocked(std::span<const FileFacts> files, const MemtableFacts& memtable, Seconds gc_before_s,
                         Seconds gc_grace_s) {
  BlockReport report;
  Micros newest_us = INT64_MIN;
  for (const FileFacts& file : files) {
    if (file.max_local_deletion_time_s < gc_before_s) newest_us = std::max(newest_us, file.max_timestamp_us);
  }
  if (newest_us == INT64_MIN) return report;
  BlockOrder order(files, memtable, gc_before_s, newest_us);
  for (const FileFacts& file : files) {
    if (file.max_local_deletion_time_s < gc_before_s) order.hold(file, gc_grace_s, report);
  }
  report.blockers = order.finish();
  std::erase_if(report.blockers, [](const Blocker& blocker) { return blocker.holds_sstables == 0; });
  return report;
}

}  // namespace windrow
