#pragma once

#include <memory>
#include <vector>

#include "sim/content/keyed_merge.h"
#include "sim/engine/table_store.h"

namespace windrow {

/// All rows that a node holds one by one, in files and memtable, as they are now.
class StoredPartitions {
 public:
  explicit StoredPartitions(const TableStore& store, bool unrepaired_alone = false);
  /// Merged, with nothing purged.
  KeyedPartition partition(Token token) const;

 private:
  CompareValues values_;
  std::vector<std::shared_ptr<const KeyedContent>> parts_{};
};

}  // namespace windrow
