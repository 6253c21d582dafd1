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

inline double up_to_step(double bytes) { return std::ceil(bytes / object_step) * object_step; }

inline double array_of(int pointers) { return up_to_step(array_header + pointer_bytes * pointers); }

/// BTree.sizeOnHeapOf a tree built at once. Leaves have an odd number of places.
inline double tree_memory(int keys) {
  constexpr int most_in_leaf = 31;  // BTree.MAX_KEYS
  if (keys == 0) return 0;
  if (keys <= most_in_leaf) return array_of(keys | 1);
  const int leaves = (keys + most_in_leaf + 1) / (most_in_leaf + 1);
  const int in_last = keys - (leaves - 1) * (most_in_leaf + 1);
  return array_of(2 * leaves) + array_of(most_in_leaf) * (leaves - 1) + array_of(in_last | 1);
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
