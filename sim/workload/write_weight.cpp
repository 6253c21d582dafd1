#include "sim/workload/write_weight.h"

#include <algorithm>
#include <cmath>

#include "sim/workload/java_memory.h"
#include "sim/workload/written_sizes.h"

namespace windrow {

namespace {

constexpr double small_object = 24;   // of one or two fields: a native cell, LivenessInfo, ComplexColumnData, CellPath
constexpr double buffer_cell = 48;    // BufferCell
constexpr double direct_buffer = 56;  // DirectByteBuffer on a region
constexpr double empty_buffer = 64;   // ByteBufferUtil.EMPTY_BYTE_BUFFER with its array, counted with each owner
constexpr double row_object = 40;     // BTreeRow
constexpr double deletion_object = 48;  // Row.Deletion, DeletionTime
constexpr double expiry_fields = 8;     // ExpiringLivenessInfo beyond LivenessInfo

// NativeCell and NativeClustering: what stands before values.
constexpr double native_cell_header = 21;
constexpr double native_path_length = 4;
constexpr double native_clustering_header = 4;

// CommitLog and Mutation.
constexpr double log_entry = 12;  // size and two checksums
constexpr double table_id = 16;
constexpr Seconds timestamp_epoch_s = 1'442'880'000;  // EncodingStats: 2015-09-22

double value_bytes(const ColumnWrite& column) { return column.null ? 0 : mean_of(column.sizes); }

double buffer(const MemtableSettings& settings, double bytes) {
  return bytes == 0 ? empty_buffer : on_heap(settings) ? heap_buffer : direct_buffer;
}

MemoryBytes cell_memory(const MemtableSettings& settings, double value) {
  if (native(settings)) return {small_object, native_cell_header + value};
  MemoryBytes bytes = region_bytes(settings, value);
  bytes.heap += buffer_cell + buffer(settings, value);
  return bytes;
}

MemoryBytes element_memory(const MemtableSettings& settings, double path, double value) {
  MemoryBytes bytes = cell_memory(settings, value);
  bytes += region_bytes(settings, path);
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
  bytes.heap += small_object + tree_memory(column.elements->count) + tree_sizes_memory(column.elements->count);
  return bytes;
}

MemoryBytes clustering_memory(const MemtableSettings& settings, const ClusteringRule& clustering) {
  const int columns = clustering.columns;
  if (native(settings)) {
    const double nulls = (columns + 7) / 8;  // a bit each
    return {small_object, native_clustering_header + 2.0 * columns + nulls + clustering.value_bytes};
  }
  MemoryBytes bytes = region_bytes(settings, clustering.value_bytes);
  if (columns > 0) bytes.heap += clustering_object + array_of(columns) + columns * (buffer(settings, 1) + object_step);
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

/// From the entry's size to the row estimate. `deletes`: a local deletion time is among what follows.
double logged_header(const Writer& writer, const std::vector<ColumnWrite>& columns, bool deletes, Seconds ttl_s,
                     Seconds written_s) {
  const auto since_epoch = static_cast<double>(written_s - timestamp_epoch_s);
  const auto key = static_cast<double>(writer.key_bytes);
  double bytes = log_entry + 1 + table_id + key + mean_vint(key) + 1;
  bytes += mean_vint(since_epoch * 1e6) +
           (deletes     ? mean_vint(since_epoch)
            : ttl_s > 0 ? mean_vint(since_epoch + static_cast<double>(ttl_s))
                        : 1) +
           mean_vint(static_cast<double>(ttl_s));
  bytes += mean_vint(static_cast<double>(columns.size()));
  for (const ColumnWrite& column : columns) bytes += length_and(column.name_bytes);
  return bytes + 1;
}

}  // namespace

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

double logged_row_bytes(const RowWrite& write, Seconds written_s) {
  const Writer& writer = *write.writer;
  const std::vector<ColumnWrite> columns = columns_of(write);
  const bool liveness = write.brings == Brings::rows && writer.insert;
  bool deletes = write.brings != Brings::rows;
  for (const ColumnWrite& column : columns) {
    deletes = deletes || column.null || (column.elements && column.elements->whole);
  }
  // Of all dates only the distance to the smallest follows the header: a byte each, but for an expiry where something
  // is deleted now.
  const double expiry = write.ttl_s == 0 ? 0 : 1 + (deletes ? mean_vint(static_cast<double>(write.ttl_s)) : 1);
  double bytes = logged_header(writer, columns, deletes, write.ttl_s, written_s) + 1 + writer.clustering.bytes;
  if (write.brings == Brings::row_tombstones) bytes += 2;
  if (liveness) bytes += 1 + expiry;
  const double cell = 1 + (liveness ? 0 : 1 + expiry);
  for (const ColumnWrite& column : columns) {
    const double value = value_bytes(column);
    if (column.elements) {
      bytes += (column.elements->whole ? 2 : 0) + mean_vint(column.elements->count) +
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
