#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/engine/table_store.h"

namespace windrow {

/// What flushes of a table have written. Where nothing expires, is null or is deleted, and no row has gone or come
/// another way, it is what all its files hold together, in whatever parts compactions have cut it.
class WrittenRows {
 public:
  void flushed(const ContentSpace& space, const Change& change);
  /// What the files hold together, whole cohorts in the order of a content; null where that does not follow.
  std::optional<Content> all(const TableStore& store) const;

 private:
  using Members = std::pair<std::int64_t, std::int64_t>;  // [first, second)

  bool known_ = true;
  std::vector<std::vector<Members>> by_sub_stream_{};
};

}  // namespace windrow
