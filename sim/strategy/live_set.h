#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/strategy/sstable_view.h"

namespace windrow {

/// The live SSTables of one table in the orders strategies need, kept up to date by add and remove (rule 0.2):
/// no strategy sorts or groups what has not changed.
class LiveSet {
 public:
  /// New readers come first, in the order given (rule 0.2); `files` of one flush in writer order, several outputs of one
  /// compaction in hash order (rule 0.2a, see hash_order in sim/stats/java_hash.h). The set owns copies; pointers stay valid till removal.
  void add(std::span<const SSTableView> files);
  void remove(std::span<const std::int64_t> ids);
  void set_compacting(std::span<const std::int64_t> ids, bool compacting);
  void set_level(std::int64_t id, int level);

  std::size_t size() const;
  const SSTableView& at(std::int64_t id) const;
  bool contains(std::int64_t id) const;
  /// Live-set order: newest first.
  std::vector<const SSTableView*> in_live_order() const;

 private:
  struct Orders;
};

}  // namespace windrow
