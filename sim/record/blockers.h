#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/record/run_record.h"

namespace windrow {

/// What decides whether a file can be dropped unread, or keeps others from it.
struct FileFacts {
  std::int64_t id = 0;
  Bytes bytes = 0;
  Micros min_timestamp_us = 0;
  Micros max_timestamp_us = 0;
  Seconds max_local_deletion_time_s = no_deletion_time;
};

struct MemtableFacts {
  Micros min_timestamp_us = no_timestamp;  // no_timestamp: empty
  std::function<Seconds()>
      expires_s{};  // asked only if it blocks: when the last of its rows expires, or no_deletion_time
};

struct BlockReport {
  std::vector<BlockedFile> blocked{};  // in the order of the files
  std::vector<Blocker> blockers{};     // by oldest write, then id
  Bytes blocked_bytes = 0;
};

/// Rule 4.3 with all files of the table tested together, as the periodic check does (rules 7.6, 9.10), whatever their
/// tokens: a file whose newest deletion time lies before `gc_before_s` is kept by every other, not expired file and
/// memtable with a write as old as its newest one. It goes when the last of these expires: an expired file blocks
/// nobody, though it be blocked itself.
BlockReport find_blocked(std::span<const FileFacts> files, const MemtableFacts& memtable, Seconds gc_before_s,
                         Seconds gc_grace_s);

}  // namespace windrow
