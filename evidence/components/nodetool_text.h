#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/stats/estimated_histogram.h"

namespace windrow {

enum class ToolFormat { text, human_readable, json, yaml };

inline constexpr double no_traffic = std::numeric_limits<double>::quiet_NaN();

/// Seven numbers: 50, 75, 95, 98 and 99 %, minimum, maximum.
using Percentiles = std::array<double, 7>;
inline constexpr Percentiles no_percentiles = {no_traffic, no_traffic, no_traffic, no_traffic,
                                               no_traffic, no_traffic, no_traffic};

/// `nodetool tablehistograms`: TableHistograms, Cassandra 5.0.
struct TableHistograms {
  std::string keyspace{};
  std::string table{};
  bool has_sstables = true;
  // Of all live SSTables together: EstimatedHistogram::merge.
  EstimatedHistogram partition_sizes{EstimatedHistogram::partition_size_offsets};
  EstimatedHistogram cells{EstimatedHistogram::cell_count_offsets};
  Percentiles read_latency_us = no_percentiles;
  Percentiles write_latency_us = no_percentiles;
  Percentiles sstables_per_read = no_percentiles;
};
std::string tablehistograms_text(const TableHistograms& histograms);

/// One table of `nodetool tablestats`. Numbers of traffic that is not simulated are NaN or 0, as on an idle node.
struct TableStats {
  std::string table{};
  std::int64_t sstable_count = 0;
  std::int64_t old_sstable_count = 0;
  Bytes max_sstable_bytes = 0;                     // all components
  std::string time_window{};                       // TWCS: "1 DAYS, max duration: 23 hours 19 minutes 32 seconds"
  std::vector<std::int64_t> sstables_per_level{};  // LCS: nine levels
  std::vector<Bytes> level_bytes{};
  Bytes live_bytes = 0;  // all components
  Bytes total_bytes = 0;
  Bytes snapshot_bytes = 0;
  double compression_ratio = -1.0;  // compressed / uncompressed of all; -1: none
  std::int64_t partitions_estimate = 0;
  std::int64_t memtable_cells = 0;
  Bytes memtable_data_bytes = 0;
  Bytes memtable_off_heap_bytes = 0;
  std::int64_t memtable_switches = 0;
  std::int64_t speculative_retries = 0;
  std::int64_t reads = 0;
  double read_latency_ms = no_traffic;
  std::int64_t writes = 0;
  double write_latency_ms = no_traffic;
  double read_write_ratio = 0;
  std::int64_t pending_flushes = 0;
  double percent_repaired = 100.0;
  Bytes repaired_bytes = 0;  // uncompressed
  Bytes unrepaired_bytes = 0;
  Bytes pending_repair_bytes = 0;
  std::int64_t filter_false_positives = 0;
  double filter_false_ratio = 0;
  Bytes filter_bytes = 0;
  Bytes filter_off_heap_bytes = 0;
  Bytes index_summary_off_heap_bytes = 0;
  Bytes compression_off_heap_bytes = 0;
  Bytes min_partition_bytes = 0;
  Bytes max_partition_bytes = 0;
  Bytes mean_partition_bytes = 0;
  double mean_live_cells_per_slice = no_traffic;
  std::int64_t max_live_cells_per_slice = 0;
  double mean_tombstones_per_slice = no_traffic;
  std::int64_t max_tombstones_per_slice = 0;
  double droppable_tombstone_ratio = 0;
  std::vector<std::pair<std::string, std::string>> sai_lines{};  // label and value, only where a table has such indexes

  /// Adds the sizes of one live SSTable, unrepaired.
  struct SSTable {
    Bytes all_components_bytes = 0;
    Bytes data_bytes = 0;
    Bytes uncompressed_bytes = 0;
    Bytes filter_bytes = 0;                  // 0: none
    Bytes index_summary_off_heap_bytes = 0;  // BIG: entries * 12 and their keys
    Bytes compression_off_heap_bytes = 0;    // 8 per chunk
    bool compressed = false;
    const EstimatedHistogram* partition_sizes = nullptr;
  };
  void set_sstables(std::span<const SSTable> sstables);
  Bytes off_heap_bytes() const;
};

struct KeyspaceStats {
  std::string keyspace{};
  std::int64_t reads = 0;
  double read_latency_ms = no_traffic;
  std::int64_t writes = 0;
  double write_latency_ms = no_traffic;
  std::int64_t pending_flushes = 0;
  std::vector<TableStats> tables{};
};
std::string tablestats_text(std::span<const KeyspaceStats> keyspaces, ToolFormat format = ToolFormat::text);

/// One line of `nodetool compactionhistory`, newest first.
struct CompactionHistoryEntry {
  std::string id{};
  std::string keyspace{};
  std::string table{};
  Millis compacted_at_ms = 0;
  Bytes bytes_in = 0;  // on disk
  Bytes bytes_out = 0;
  std::map<int, std::int64_t> rows_merged{};  // partitions by the number of SSTables they came from
  std::string compaction_type = "Compaction";
};
std::string compactionhistory_text(std::span<const CompactionHistoryEntry> entries,
                                   ToolFormat format = ToolFormat::text);

}  // namespace windrow
