#include "sim/cluster/stored_partitions.h"

namespace windrow {

StoredPartitions::StoredPartitions(const TableStore& store, bool unrepaired_alone)
    : values_(values_of(store.space().workload())) {
  for (const auto& [id, file] : store.sstables()) {
    const bool wanted = !unrepaired_alone || store.live().at(id).repair.repaired_at_ms == 0;
    if (wanted && file->content().keyed) parts_.push_back(file->content().keyed);
  }
  if (const Content memtable = store.memtable().raw(); memtable.keyed) parts_.push_back(memtable.keyed);
}

KeyedPartition StoredPartitions::partition(Token token) const {
  KeyedPartition merged{.token = token};
  for (const auto& part : parts_) {
    if (const KeyedPartition* some = find_partition(*part, token)) merge_partition(merged, *some, values_);
  }
  shadow(merged);
  return merged;
}

}  // namespace windrow
