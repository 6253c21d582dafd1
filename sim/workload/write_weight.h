#pragma once

#include "sim/base/units.h"
#include "sim/workload/sub_stream.h"
#include "sim/workload/writer.h"

namespace windrow {

// What a write weighs before it is flushed, Cassandra 5.0.9 on a 64-bit JVM with compressed pointers: memory as
// Memtable.getMemoryUsage counts it in AtomicBTreePartition, BTreeRow and NativeAllocator (rule 12.7), and the commit
// log. Sizes that vary count as their mean.

enum class MemtableClass { skiplist, trie };
enum class MemtableAllocation { heap_buffers, offheap_buffers, offheap_objects };

struct MemtableSettings {
  MemtableClass memtable = MemtableClass::skiplist;
  MemtableAllocation allocation = MemtableAllocation::heap_buffers;
};

struct MemoryBytes {
  double heap = 0;
  double offheap = 0;
  MemoryBytes& operator+=(const MemoryBytes& other) {
    heap += other.heap;
    offheap += other.offheap;
    return *this;
  }
  friend MemoryBytes operator*(const MemoryBytes& each, double number) {
    return {each.heap * number, each.offheap * number};
  }
  friend bool operator==(const MemoryBytes&, const MemoryBytes&) = default;
};

/// One row that a writer writes, or deletes.
struct RowWrite {
  const Writer* writer = nullptr;
  Brings brings = Brings::rows;
  Seconds ttl_s = 0;  // 0: never expires
};

/// A row that the memtable does not have yet.
MemoryBytes row_memory(const MemtableSettings& settings, const RowWrite& write);
/// The same row written again: what is replaced is not given back, its objects are used again.
MemoryBytes rewrite_memory(const MemtableSettings& settings, const RowWrite& write);

/// A mutation of one row in the commit log, written at about this time (CommitLog.add, Mutation.serializer).
double logged_row_bytes(const RowWrite& write, Seconds written_s);
/// A mutation that deletes a partition, or a range of it.
double logged_delete_bytes(const Writer& writer, bool range, Seconds written_s);

}  // namespace windrow
