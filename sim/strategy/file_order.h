#pragma once

#include <cstdint>
#include <functional>

#include "sim/strategy/chunked_order.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// A file in an order: by key; a second number, unique to the file, settles ties.
struct FilePlace {
  std::int64_t key = 0;
  std::int64_t tie = 0;
  const SSTableView* file = nullptr;

  friend bool operator<(const FilePlace& a, const FilePlace& b) {
    return a.key != b.key ? a.key < b.key : a.tie < b.tie;
  }
};

using FilePlaces = ChunkedOrder<FilePlace, std::less<>>;

}  // namespace windrow
