#pragma once

#include <string>
#include <vector>

#include "evidence/components/nodetool_text.h"
#include "evidence/components/sstablemetadata_text.h"

namespace windrow {

// Reads back what the tools print; numbers that a text rounds come back rounded.

struct RecordedTableHistograms {
  TableHistograms histograms{};  // without partition sizes and cells: the text has percentiles only
  std::string text{};
};
std::vector<RecordedTableHistograms> recorded_table_histograms(const std::string& text);

std::vector<KeyspaceStats> recorded_table_stats(const std::string& text);
std::vector<KeyspaceStats> recorded_table_stats_json(const std::string& text);
std::vector<KeyspaceStats> recorded_table_stats_yaml(const std::string& text);

std::vector<CompactionHistoryEntry> recorded_compaction_history(const std::string& json);

struct RecordedSSTableMetadata {
  SSTableMetadata metadata{};
  std::string first_line{};  // "SSTable: ..." with its end of line
  std::string scan{};        // with -s: all before "Partitioner:"
};
std::vector<RecordedSSTableMetadata> recorded_sstable_metadata(const std::string& text);

}  // namespace windrow
