#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/content/cohort.h"
#include "sim/engine/sstable.h"

namespace windrow {

/// An incremental repair, as a node meets it: its number, and what its ranges are of the node's files and rows.
struct SessionRanges {
  std::int64_t session = 0;  // from 1
  std::function<bool(const SSTable&)> meets{};
  std::function<bool(const SSTable&)> covers{};  // all tokens from the file's first to its last lie in one range
  std::function<std::vector<Cohort>(const Cohort&)> inside{};  // disjoint
};

/// What beginning it cost a node.
struct Anticompacted {
  std::int64_t marked = 0;   // files that became the session's as they are
  std::int64_t divided = 0;  // files that were read
  Bytes written_bytes = 0;   // Data.db of the files that took their place
};

}  // namespace windrow
