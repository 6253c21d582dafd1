#pragma once

#include <cmath>

#include "sim/workload/write_weight.h"

namespace windrow {

// Java objects on a 64-bit JVM with compressed pointers: a header of 12 bytes, pointers of 4, everything in steps of 8.

inline constexpr double object_step = 8;
inline constexpr double pointer_bytes = 4;
inline constexpr double array_header = 16;
inline constexpr double heap_buffer = 48;        // HeapByteBuffer on a region
inline constexpr double clustering_object = 24;  // without the array of its values
inline constexpr double columns_object = 24;     // Columns, without the trees of its columns

inline double up_to_step(double bytes) { return std::ceil(bytes / object_step) * object_step; }

inline double array_of(int pointers) {
  constexpr int header = static_cast<int>(array_header);
  constexpr int pointer = static_cast<int>(pointer_bytes);
  constexpr int step = static_cast<int>(object_step);
  return (header + pointer * pointers + step - 1) / step * step;
}

inline constexpr int most_in_node = 31;   // BTree.MAX_KEYS
inline constexpr int least_in_node = 15;  // BTree.MIN_KEYS

/// BTree.sizeOfStructureOnHeap of a tree built at once (BTree.buildMaximallyDense): full leaves, of which the last two
/// share what one cannot have. Leaves have an odd number of places. One root has up to 32 of them; here any number.
inline double tree_memory(int keys) {
  if (keys == 0) return 0;
  double leaves_bytes = 0;
  int leaves = 1;
  for (; keys > most_in_node; ++leaves) {
    const int in_leaf = keys > most_in_node + least_in_node ? most_in_node : keys / 2;
    leaves_bytes += array_of(in_leaf | 1);
    keys -= in_leaf + 1;
  }
  return (leaves > 1 ? array_of(2 * leaves) : 0) + leaves_bytes + array_of(keys | 1);
}

/// What BTree.sizeOnHeapOf the same tree has beside: the sizes of its root's children.
inline double tree_sizes_memory(int keys) {
  if (keys <= most_in_node) return 0;
  const int children = keys / (most_in_node + 1) + 1;
  return up_to_step(array_header + 4.0 * children);
}

inline bool on_heap(const MemtableSettings& settings) {
  return settings.allocation == MemtableAllocation::heap_buffers;
}
inline bool native(const MemtableSettings& settings) {
  return settings.allocation == MemtableAllocation::offheap_objects;
}

/// The bytes themselves, in regions of the memtable's allocator.
inline MemoryBytes region_bytes(const MemtableSettings& settings, double bytes) {
  return on_heap(settings) ? MemoryBytes{bytes, 0} : MemoryBytes{0, bytes};
}

}  // namespace windrow
