#include "sim/workload/static_weight.h"

#include <algorithm>

#include "sim/workload/java_memory.h"
#include "sim/workload/written_sizes.h"

namespace windrow {

namespace {

constexpr double place_of_row = 8;  // in the partition's tree, which a static row is not in
// All static rows share one Clustering, which is no NativeClustering.
constexpr MemoryBytes native_clustering{24, 4};

double value_in_row(const ColumnWrite& column) {
  return column.fixed_length ? mean_of(column.sizes) : length_and(mean_of(column.sizes));
}

/// The same cells as those of a row without clustering and liveness, which BTreeRow and its tree hold.
Writer as_row(const Writer& writer) {
  Writer row;
  row.insert = false;
  row.columns = writer.statics;
  row.clustering = {.bytes = 0, .columns = 0, .value_bytes = 0};
  return row;
}

}  // namespace

double share_with_statics(const Writer& writer) {
  if (writer.statics.empty()) return 0;
  const std::int64_t rows = writer.rhythm.total();
  if (!writer.statics_once || rows == 0) return 1;
  const std::int64_t buckets = writer.bucket_of(rows - 1) - writer.bucket_of(0) + 1;
  return std::min(1.0,
                  static_cast<double>(buckets) * static_cast<double>(writer.mean_slots()) / static_cast<double>(rows));
}

StaticMemory static_memory(const MemtableSettings& settings, const RowWrite& write) {
  const Writer& writer = *write.writer;
  if (writer.statics.empty() || write.brings != Brings::rows) return {};
  const Writer row = as_row(writer);
  const RowWrite statics{.writer = &row, .brings = Brings::rows, .ttl_s = write.ttl_s};
  MemoryBytes all = row_memory(settings, statics);
  all.heap += columns_object + tree_memory(static_cast<int>(writer.statics.size())) - place_of_row;
  if (native(settings)) all += native_clustering * -1;
  if (writer.statics_once) return {.a_row = all * share_with_statics(writer), .a_partition = {}};
  const MemoryBytes again = rewrite_memory(settings, statics);
  return {.a_row = again, .a_partition = {all.heap - again.heap, all.offheap - again.offheap}};
}

// SerializationHeader.serializeForMessaging: how many static columns, and their names. UnfilteredSerializer.serialize
// of a static row: two bytes of flags; each cell with its flags and dates.
double logged_static_bytes(const RowWrite& write) {
  if (write.brings != Brings::rows || write.writer->statics.empty()) return 0;
  const double dates = write.ttl_s == 0 ? 1 : 3;
  double bytes = 1 + 2;
  for (const ColumnWrite& column : write.writer->statics)
    bytes += length_and(column.name_bytes) + 1 + dates + value_in_row(column);
  return bytes * share_with_statics(*write.writer);
}

}  // namespace windrow
