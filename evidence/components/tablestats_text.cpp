#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evidence/components/java_text.h"
#include "evidence/components/nodetool_text.h"
#include "evidence/components/tool_tree.h"

namespace windrow {
namespace {

/// Lines of one table, TableStatsPrinter.
class TableLines {
 public:
  TableLines(const TableStats& stats, bool human_readable) : stats_(stats), human_readable_(human_readable) {}

  std::string text() {
    line("Table", stats_.table);
    storage();
    memtable_and_traffic();
    repair_and_filter();
    partitions();
    for (const auto& [label, value] : stats_.sai_lines) line(label, value);
    return text_ + "\n";
  }

 private:
  template <typename Value>
  void line(std::string_view label, const Value& value) {
    text_ += fmt::format("\t\t{}: {}\n", label, value);
  }

  std::string size(Bytes bytes) const { return human_readable_ ? file_size(bytes) : std::to_string(bytes); }

  template <typename Numbers, typename Print>
  static std::string list(const Numbers& numbers, Print print) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : ", ") + print(number);
    return "[" + text + "]";
  }

  void storage() {
    line("SSTable count", stats_.sstable_count);
    line("Old SSTable count", stats_.old_sstable_count);
    line("Max SSTable size", pretty_memory(stats_.max_sstable_bytes));
    if (!stats_.time_window.empty()) line("SSTables Time Window", stats_.time_window);
    if (!stats_.sstables_per_level.empty()) {
      line("SSTables in each level", list(stats_.sstables_per_level, [](std::int64_t n) { return std::to_string(n); }));
      line("SSTable bytes in each level", list(stats_.level_bytes, [this](Bytes bytes) { return size(bytes); }));
    }
    line("Space used (live)", size(stats_.live_bytes));
    line("Space used (total)", size(stats_.total_bytes));
    line("Space used by snapshots (total)", size(stats_.snapshot_bytes));
    line("Off heap memory used (total)", size(stats_.off_heap_bytes()));
    line("SSTable Compression Ratio", java_fixed(stats_.compression_ratio, 5));
    line("Number of partitions (estimate)", stats_.partitions_estimate);
  }

  void memtable_and_traffic() {
    line("Memtable cell count", stats_.memtable_cells);
    line("Memtable data size", size(stats_.memtable_data_bytes));
    line("Memtable off heap memory used", size(stats_.memtable_off_heap_bytes));
    line("Memtable switch count", stats_.memtable_switches);
    line("Speculative retries", stats_.speculative_retries);
    line("Local read count", stats_.reads);
    line("Local read latency", java_fixed(stats_.read_latency_ms, 3) + " ms");
    line("Local write count", stats_.writes);
    line("Local write latency", java_fixed(stats_.write_latency_ms, 3) + " ms");
    line("Local read/write ratio", java_fixed(stats_.read_write_ratio, 5));
    line("Pending flushes", stats_.pending_flushes);
  }

  void repair_and_filter() {
    line("Percent repaired", java_double(stats_.percent_repaired));
    line("Bytes repaired", pretty_memory(stats_.repaired_bytes));
    line("Bytes unrepaired", pretty_memory(stats_.unrepaired_bytes));
    line("Bytes pending repair", pretty_memory(stats_.pending_repair_bytes));
    line("Bloom filter false positives", stats_.filter_false_positives);
    line("Bloom filter false ratio", java_fixed(stats_.filter_false_ratio, 5));
    line("Bloom filter space used", size(stats_.filter_bytes));
    line("Bloom filter off heap memory used", size(stats_.filter_off_heap_bytes));
    line("Index summary off heap memory used", size(stats_.index_summary_off_heap_bytes));
    line("Compression metadata off heap memory used", size(stats_.compression_off_heap_bytes));
  }

  void partitions() {
    line("Compacted partition minimum bytes", stats_.min_partition_bytes);
    line("Compacted partition maximum bytes", stats_.max_partition_bytes);
    line("Compacted partition mean bytes", stats_.mean_partition_bytes);
    line("Average live cells per slice (last five minutes)", java_double(stats_.mean_live_cells_per_slice));
    line("Maximum live cells per slice (last five minutes)", stats_.max_live_cells_per_slice);
    line("Average tombstones per slice (last five minutes)", java_double(stats_.mean_tombstones_per_slice));
    line("Maximum tombstones per slice (last five minutes)", stats_.max_tombstones_per_slice);
    line("Droppable tombstone ratio", java_fixed(stats_.droppable_tombstone_ratio, 5));
  }

  const TableStats& stats_;
  bool human_readable_ = false;
  std::string text_{};
};

ToolValue number(std::int64_t n) { return ToolValue::number(n); }
ToolValue real(double x) { return {ToolValue::Number{java_double(x)}}; }
ToolValue text(std::string words) { return ToolValue::text(std::move(words)); }
ToolValue size_text(Bytes bytes) { return ToolValue::text(std::to_string(bytes)); }

ToolValue texts(const std::vector<std::int64_t>& numbers) {
  ToolValue::List list;
  for (const std::int64_t n : numbers) list.push_back(text(std::to_string(n)));
  return {std::move(list)};
}

// In the order of the tool's hash map.
ToolValue table_tree(const TableStats& stats) {
  return {ToolValue::Map{{"twcs", stats.time_window.empty() ? ToolValue{} : text(stats.time_window)},
                         {"sai_total_queryable_index_ratio", {}},
                         {"memtable_switch_count", number(stats.memtable_switches)},
                         {"sai_post_filtering_read_latency", text("0.000")},
                         {"speculative_retries", number(stats.speculative_retries)},
                         {"average_live_cells_per_slice_last_five_minutes", real(stats.mean_live_cells_per_slice)},
                         {"local_read_latency_ms", text(java_fixed(stats.read_latency_ms, 3))},
                         {"sstable_count", number(stats.sstable_count)},
                         {"compacted_partition_minimum_bytes", number(stats.min_partition_bytes)},
                         {"sstable_compression_ratio", real(stats.compression_ratio)},
                         {"max_sstable_size", number(stats.max_sstable_bytes)},
                         {"sai_index_segments_hit", real(0)},
                         {"memtable_off_heap_memory_used", size_text(stats.memtable_off_heap_bytes)},
                         {"bloom_filter_space_used", size_text(stats.filter_bytes)},
                         {"compacted_partition_maximum_bytes", number(stats.max_partition_bytes)},
                         {"sai_rows_filtered", real(0)},
                         {"droppable_tombstone_ratio", text(java_fixed(stats.droppable_tombstone_ratio, 5))},
                         {"compression_metadata_off_heap_memory_used", size_text(stats.compression_off_heap_bytes)},
                         {"bloom_filter_false_ratio", text(java_fixed(stats.filter_false_ratio, 5))},
                         {"percent_repaired", real(stats.percent_repaired)},
                         {"average_tombstones_per_slice_last_five_minutes", real(stats.mean_tombstones_per_slice)},
                         {"top_tombstone_partitions", {ToolValue::Map{}}},
                         {"sai_total_query_timeouts", number(0)},
                         {"bloom_filter_off_heap_memory_used", size_text(stats.filter_off_heap_bytes)},
                         {"bytes_pending_repair", number(stats.pending_repair_bytes)},
                         {"maximum_tombstones_per_slice_last_five_minutes", number(stats.max_tombstones_per_slice)},
                         {"memtable_cell_count", number(stats.memtable_cells)},
                         {"memtable_data_size", size_text(stats.memtable_data_bytes)},
                         {"local_write_latency_ms", text(java_fixed(stats.write_latency_ms, 3))},
                         {"pending_flushes", number(stats.pending_flushes)},
                         {"local_read_count", number(stats.reads)},
                         {"top_size_partitions", {ToolValue::Map{}}},
                         {"bloom_filter_false_positives", number(stats.filter_false_positives)},
                         {"off_heap_memory_used_total", size_text(stats.off_heap_bytes())},
                         {"index_summary_off_heap_memory_used", size_text(stats.index_summary_off_heap_bytes)},
                         {"sai_local_query_latency_ms", text("0.000")},
                         {"sstables_in_each_level", texts(stats.sstables_per_level)},
                         {"sstable_bytes_in_each_level", texts(stats.level_bytes)},
                         {"space_used_total", size_text(stats.total_bytes)},
                         {"local_write_count", number(stats.writes)},
                         {"sai_sstable_indexes_hit", real(0)},
                         {"local_read_write_ratio", text(java_fixed(stats.read_write_ratio, 5))},
                         {"number_of_partitions_estimate", number(stats.partitions_estimate)},
                         {"sai_disk_used_bytes", {}},
                         {"bytes_repaired", number(stats.repaired_bytes)},
                         {"maximum_live_cells_per_slice_last_five_minutes", number(stats.max_live_cells_per_slice)},
                         {"space_used_live", size_text(stats.live_bytes)},
                         {"compacted_partition_mean_bytes", number(stats.mean_partition_bytes)},
                         {"old_sstable_count", number(stats.old_sstable_count)},
                         {"bytes_unrepaired", number(stats.unrepaired_bytes)},
                         {"space_used_by_snapshots_total", size_text(stats.snapshot_bytes)}}};
}

ToolValue keyspace_tree(const KeyspaceStats& keyspace) {
  ToolValue::Map tables;
  for (const TableStats& table : keyspace.tables) tables.emplace_back(table.table, table_tree(table));
  return {ToolValue::Map{{"write_latency_ms", real(keyspace.write_latency_ms)},
                         {"tables", {std::move(tables)}},
                         {"read_latency_ms", real(keyspace.read_latency_ms)},
                         {"pending_flushes", number(keyspace.pending_flushes)},
                         {"write_count", number(keyspace.writes)},
                         {"read_latency", real(keyspace.read_latency_ms)},
                         {"read_count", number(keyspace.reads)}}};
}

}  // namespace

Bytes TableStats::off_heap_bytes() const {
  return memtable_off_heap_bytes + filter_off_heap_bytes + index_summary_off_heap_bytes + compression_off_heap_bytes;
}

// TableMetrics: sizes and minima over the SSTables, the mean weighted by partitions with integer division.
void TableStats::set_sstables(std::span<const SSTable> sstables) {
  sstable_count = std::ssize(sstables);
  if (sstables.empty()) return;
  percent_repaired = 0;
  Bytes compressed = 0;
  Bytes uncompressed = 0;
  std::int64_t partition_bytes = 0;
  std::int64_t partitions = 0;
  for (const SSTable& sstable : sstables) {
    max_sstable_bytes = std::max(max_sstable_bytes, sstable.all_components_bytes);
    live_bytes += sstable.all_components_bytes;
    total_bytes += sstable.all_components_bytes;
    unrepaired_bytes += sstable.uncompressed_bytes;
    filter_bytes += sstable.filter_bytes;
    filter_off_heap_bytes += std::max<Bytes>(sstable.filter_bytes - 8, 0);
    index_summary_off_heap_bytes += sstable.index_summary_off_heap_bytes;
    compression_off_heap_bytes += sstable.compression_off_heap_bytes;
    if (sstable.compressed) {
      compressed += sstable.data_bytes;
      uncompressed += sstable.uncompressed_bytes;
    }
    const EstimatedHistogram& sizes = *sstable.partition_sizes;
    min_partition_bytes = partitions == 0 ? sizes.min() : std::min(min_partition_bytes, sizes.min());
    max_partition_bytes = std::max(max_partition_bytes, sizes.max());
    partition_bytes += sizes.mean() * sizes.count();
    partitions += sizes.count();
  }
  if (uncompressed > 0) compression_ratio = static_cast<double>(compressed) / static_cast<double>(uncompressed);
  if (partitions > 0) mean_partition_bytes = partition_bytes / partitions;
}

std::string tablestats_text(std::span<const KeyspaceStats> keyspaces, ToolFormat format) {
  std::int64_t tables = 0;
  for (const KeyspaceStats& keyspace : keyspaces) tables += std::ssize(keyspace.tables);
  if (format == ToolFormat::json || format == ToolFormat::yaml) {
    ToolValue::Map tree = {{"total_number_of_tables", number(tables)}};
    for (const KeyspaceStats& keyspace : keyspaces) tree.emplace_back(keyspace.keyspace, keyspace_tree(keyspace));
    return format == ToolFormat::json ? tool_json({std::move(tree)}) : tool_yaml({std::move(tree)});
  }
  std::string out = fmt::format("Total number of tables: {}\n----------------\n", tables);
  for (const KeyspaceStats& keyspace : keyspaces) {
    out += fmt::format("Keyspace: {}\n\tRead Count: {}\n\tRead Latency: {} ms\n\tWrite Count: {}\n", keyspace.keyspace,
                       keyspace.reads, java_double(keyspace.read_latency_ms), keyspace.writes);
    out += fmt::format("\tWrite Latency: {} ms\n\tPending Flushes: {}\n", java_double(keyspace.write_latency_ms),
                       keyspace.pending_flushes);
    for (const TableStats& table : keyspace.tables)
      out += TableLines(table, format == ToolFormat::human_readable).text();
    out += "----------------\n";
  }
  return out;
}

}  // namespace windrow
