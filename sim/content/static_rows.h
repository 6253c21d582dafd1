#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/presence.h"

namespace windrow {

// Static rows, and deletions of partitions and of what is first in them, whose rows are held as intervals: each is held
// by itself, in a KeyedPartition that has nothing else, and merged and purged there. The rows may lie beside it or not.

/// True if no row is held one by one.
bool without_rows(const KeyedPartition& partition);

/// Those that the writes of these whole cohorts make, by token: of each partition the newest, or that which came with
/// its first row.
KeyedContent static_rows_of(const ContentSpace& space, std::span<const Cohort> cohorts);

/// Of each partition in the content's `keyed`, in their order: whether intervals of the content hold rows of it.
std::vector<bool> beside_rows(const ContentSpace& space, const Content& content);

/// Which partitions contents hold rows of, as intervals. The contents must outlive this.
class RowsHeld {
 public:
  explicit RowsHeld(const ContentSpace& space) : space_(&space) {}
  bool by(const Content& content, const KeyedPartition& partition);

 private:
  const ContentSpace* space_;
  std::map<std::pair<const Content*, std::pair<int, std::int64_t>>, Presence> held_{};
};

}  // namespace windrow
