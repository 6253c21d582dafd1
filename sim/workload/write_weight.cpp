#include "sim/workload/write_weight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/stats/vint.h"

namespace windrow {

namespace {

// Java objects: a header of 12 bytes, pointers of 4, everything in steps of 8.
constexpr double step = 8;
constexpr double pointer = 4;
constexpr double array_header = 16;
constexpr double small_object = 24;   // of one or two fields: a native cell, LivenessInfo, ComplexColumnData, CellPath
constexpr double buffer_cell = 48;    // BufferCell
constexpr double heap_buffer = 48;    // HeapByteBuffer on a region
constexpr double direct_buffer = 56;  // DirectByteBuffer on a region
constexpr double empty_buffer = 64;   // ByteBufferUtil.EMPTY_BYTE_BUFFER with its array, counted with each owner
constexpr double row_object = 48;     // BTreeRow and its place in the partition's tree
constexpr double clustering_object = 48;
constexpr double deletion_object = 48;  // Row.Deletion, DeletionTime
constexpr double expiry_fields = 8;     // ExpiringLivenessInfo beyond LivenessInfo
constexpr double first_leaf = 24;
constexpr int most_in_leaf = 31;  // BTree.MAX_KEYS

// AtomicBTreePartition with its holder, decorated key and place among the partitions, without the key's bytes.
constexpr double skiplist_partition = 276;
constexpr double native_skiplist_partition = 221;
constexpr double trie_partition = 112;
constexpr double native_trie_partition = 108;
constexpr double partition_deletion = 32;

// NativeCell and NativeClustering: what stands before values.
constexpr double native_cell_header = 21;
constexpr double native_path_length = 4;
constexpr double native_key_length = 4;
constexpr double native_clustering_header = 4;

// InMemoryTrie: blocks of 32 bytes, of which a chain holds 28; a key begins with its token.
constexpr double trie_block = 28;
constexpr double trie_partition_links = 2;
constexpr double trie_token_bytes = 6;  // of 8: the first two are shared with other keys
constexpr double trie_key_end = 2;

// CommitLog and Mutation.
constexpr double log_entry = 12;  // size and two checksums
constexpr double table_id = 16;
constexpr Seconds timestamp_epoch_s = 1'442'880'000;  // EncodingStats: 2015-09-22

double up_to_step(double bytes) { return std::ceil(bytes / step) * step; }

double vint(double value) {
  return static_cast<double>(unsigned_vint_size(static_cast<std::uint64_t>(std::max(0.0, value))));
}

double array_of(int pointers) { return up_to_step(array_header + pointer * pointers); }

/// BTree.sizeOnHeapOf a tree built at once. Leaves have an odd number of places.
double tree_memory(int keys) {
  if (keys == 0) return 0;
  if (keys <= most_in_leaf) return array_of(keys | 1);
  const int leaves = (keys + most_in_leaf + 1) / (most_in_leaf + 1);
  const int in_last = keys - (leaves - 1) * (most_in_leaf + 1);
  return array_of(2 * leaves) + array_of(most_in_leaf) * (leaves - 1) + array_of(in_last | 1);
}

double mean_of(const std::vector<std::int32_t>& sizes) {
  return static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})) /
         static_cast<double>(sizes.size());
}

double value_bytes(const ColumnWrite& column) { return column.null ? 0 : mean_of(column.sizes); }

bool on_heap(const MemtableSettings& settings) { return settings.allocation == MemtableAllocation::heap_buffers; }
bool native(const MemtableSettings& settings) { return settings.allocation == MemtableAllocation::offheap_objects; }

/// The bytes themselves, in regions of the memtable's allocator.
MemoryBytes data(const MemtableSettings& settings, double bytes) {
  return on_heap(settings) ? MemoryBytes{bytes, 0} : MemoryBytes{0, bytes};
}

double buffer(const MemtableSettings& settings, double bytes) {
  return bytes == 0 ? empty_buffer : on_heap(settings) ? heap_buffer : direct_buffer;
}

MemoryBytes cell_memory(const MemtableSettings& settings, double value) {
  if (native(settings)) return {small_object, native_cell_header + value};
  MemoryBytes bytes = data(settings, value);
  bytes.heap += buffer_cell + buffer(settings, value);
  return bytes;
}

MemoryBytes element_memory(const MemtableSettings& settings, double path, double value) {
  MemoryBytes bytes = cell_memory(settings, value);
  bytes += data(settings, path);
  if (native(settings)) {
    bytes.offheap += native_path_length;
  } else {
    bytes.heap += small_object + buffer(settings, path);
  }
  return bytes;
}

MemoryBytes column_memory(const MemtableSettings& settings, const ColumnWrite& column) {
  if (!column.elements) return cell_memory(settings, value_bytes(column));
  MemoryBytes bytes =
      element_memory(settings, column.elements->path_bytes, value_bytes(column)) * column.elements->count;
  bytes.heap += small_object + tree_memory(column.elements->count);
  return bytes;
}

MemoryBytes clustering_memory(const MemtableSettings& settings, const ClusteringRule& clustering) {
  const int columns = clustering.columns;
  if (native(settings)) {
    const double nulls = (columns + 7) / 8;  // a bit each
    return {small_object, native_clustering_header + 2.0 * columns + nulls + clustering.value_bytes};
  }
  MemoryBytes bytes = data(settings, clustering.value_bytes);
  if (columns > 0) bytes.heap += clustering_object + columns * (buffer(settings, 1) + step);
  return bytes;
}

/// What is written into the regular columns.
std::vector<ColumnWrite> columns_of(const RowWrite& write) {
  if (write.brings == Brings::rows) return write.writer->columns;
  if (write.brings == Brings::row_tombstones || write.writer->columns.empty()) return {};
  ColumnWrite deleted = write.writer->columns.front();
  deleted.elements.reset();
  deleted.null = true;
  return {deleted};
}

double length_and(double bytes) { return bytes == 0 ? 0 : bytes + vint(bytes); }

/// From the entry's size to the row estimate. `deletes`: a local deletion time is among what follows.
double logged_header(const Writer& writer, const std::vector<ColumnWrite>& columns, bool deletes, Seconds ttl_s,
                     Seconds written_s) {
  const auto since_epoch = static_cast<double>(written_s - timestamp_epoch_s);
  const auto key = static_cast<double>(writer.key_bytes);
  double bytes = log_entry + 1 + table_id + key + vint(key) + 1;
  bytes += vint(since_epoch * 1e6) + (deletes || ttl_s > 0 ? vint(since_epoch + static_cast<double>(ttl_s)) : 1) +
           vint(static_cast<double>(ttl_s));
  bytes += vint(static_cast<double>(columns.size()));
  for (const ColumnWrite& column : columns) bytes += length_and(column.name_bytes);
  return bytes + 1;
}

MemoryBytes empty_partition_memory(const MemtableSettings& settings, double key_bytes) {
  MemoryBytes bytes = data(settings, key_bytes);
  const bool trie = settings.memtable == MemtableClass::trie;
  if (native(settings)) {
    bytes.heap += trie ? native_trie_partition : native_skiplist_partition;
    bytes.offheap += native_key_length;
  } else {
    bytes.heap += (trie ? trie_partition : skiplist_partition) + (on_heap(settings) ? 0 : 1);
  }
  if (trie) {
    const double chains = std::ceil((trie_token_bytes + key_bytes + trie_key_end) / trie_block);
    bytes += data(settings, chains * trie_block + trie_partition_links);
  }
  return bytes;
}

}  // namespace

MemoryBytes partition_memory(const MemtableSettings& settings, double key_bytes, int columns) {
  MemoryBytes bytes = empty_partition_memory(settings, key_bytes);
  bytes.heap += first_leaf + tree_memory(columns);
  return bytes;
}

MemoryBytes deleted_partition_memory(const MemtableSettings& settings, double key_bytes) {
  MemoryBytes bytes = empty_partition_memory(settings, key_bytes);
  bytes.heap += partition_deletion;
  return bytes;
}

MemoryBytes row_memory(const MemtableSettings& settings, const RowWrite& write) {
  MemoryBytes bytes = clustering_memory(settings, write.writer->clustering);
  bytes.heap += row_object;
  if (write.brings == Brings::row_tombstones) bytes.heap += deletion_object;
  if (write.brings == Brings::rows && write.writer->insert)
    bytes.heap += small_object + (write.ttl_s > 0 ? expiry_fields : 0);
  const std::vector<ColumnWrite> columns = columns_of(write);
  bytes.heap += tree_memory(static_cast<int>(columns.size()));
  for (const ColumnWrite& column : columns) bytes += column_memory(settings, column);
  return bytes;
}

MemoryBytes rewrite_memory(const MemtableSettings& settings, const RowWrite& write) {
  MemoryBytes bytes;
  for (const ColumnWrite& column : columns_of(write)) {
    const MemoryBytes all = column_memory(settings, column);
    if (!on_heap(settings)) {
      bytes.offheap += all.offheap;
    } else if (column.elements) {
      bytes.heap += column.elements->count * (column.elements->path_bytes + value_bytes(column));
    } else {
      bytes.heap += value_bytes(column);
    }
  }
  return bytes;
}

MemoryBytes range_delete_memory(const MemtableSettings& settings) {
  constexpr double value = 8;
  constexpr double in_arrays = 24;  // RangeTombstoneList: two bounds, a timestamp, a deletion time
  MemoryBytes bytes = data(settings, 2 * value);
  bytes.heap += in_arrays + 2 * (clustering_object + buffer(settings, value) + step);
  return bytes;
}

double logged_row_bytes(const RowWrite& write, Seconds written_s) {
  const Writer& writer = *write.writer;
  const std::vector<ColumnWrite> columns = columns_of(write);
  const bool liveness = write.brings == Brings::rows && writer.insert;
  bool deletes = write.brings != Brings::rows;
  for (const ColumnWrite& column : columns) {
    deletes = deletes || column.null || (column.elements && column.elements->whole);
  }
  // Of all dates only the distance to the smallest follows the header: a byte each.
  double bytes = logged_header(writer, columns, deletes, write.ttl_s, written_s) + 1 + writer.clustering.bytes;
  if (write.brings == Brings::row_tombstones) bytes += 2;
  if (liveness) bytes += 1 + (write.ttl_s > 0 ? 2 : 0);
  const double cell = 1 + (liveness ? 0 : 1 + (write.ttl_s > 0 ? 2 : 0));
  for (const ColumnWrite& column : columns) {
    const double value = value_bytes(column);
    if (column.elements) {
      bytes += (column.elements->whole ? 2 : 0) + vint(column.elements->count) +
               column.elements->count * (cell + length_and(column.elements->path_bytes) + length_and(value));
    } else {
      bytes += cell + (column.null ? 1 : column.fixed_length ? value : length_and(value));
    }
  }
  return bytes + 1;
}

double logged_delete_bytes(const Writer& writer, bool range, Seconds written_s) {
  const double header = logged_header(writer, {}, true, 0, written_s);
  // Two bounds, each with its kind, its number of columns and values, and its deletion.
  return header + (range ? 2.0 * (4 + writer.clustering.bytes + 2) : 2.0) + 1;
}

}  // namespace windrow
