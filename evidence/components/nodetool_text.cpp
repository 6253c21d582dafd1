#include "evidence/components/nodetool_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "evidence/components/java_text.h"
#include "evidence/components/tool_tree.h"

namespace windrow {
namespace {

constexpr std::array<double, 5> histogram_shares = {0.50, 0.75, 0.95, 0.98, 0.99};

// On overflow the percentiles are unknown; minimum and maximum are printed all the same.
Percentiles percentiles_of(const EstimatedHistogram& histogram) {
  Percentiles numbers = no_percentiles;
  for (std::size_t i = 0; i < histogram_shares.size() && !histogram.overflowed(); ++i) {
    numbers[i] = static_cast<double>(histogram.percentile(histogram_shares[i]));
  }
  numbers[5] = static_cast<double>(histogram.min());
  numbers[6] = static_cast<double>(histogram.max());
  return numbers;
}

std::int64_t largest_offset(const EstimatedHistogram& histogram) {
  return EstimatedHistogram::offsets()[histogram.counts().size() - 2];
}

std::string padded(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("{}{:<{}}", i == 0 ? "" : " ", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string rows_merged_text(const CompactionHistoryEntry& entry) {
  std::string text;
  for (const auto& [sources, partitions] : entry.rows_merged)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", sources, partitions);
  return "{" + text + "}";
}

std::string properties_text(const CompactionHistoryEntry& entry) {
  return fmt::format("{{compaction_type:{}}}", entry.compaction_type);
}

ToolValue history_tree(std::span<const CompactionHistoryEntry> entries) {
  ToolValue::List list;
  for (const CompactionHistoryEntry& entry : entries) {
    list.push_back({ToolValue::Map{{"keyspace_name", ToolValue::text(entry.keyspace)},
                                   {"bytes_out", ToolValue::number(entry.bytes_out)},
                                   {"bytes_in", ToolValue::number(entry.bytes_in)},
                                   {"compaction_properties", ToolValue::text(properties_text(entry))},
                                   {"columnfamily_name", ToolValue::text(entry.table)},
                                   {"rows_merged", ToolValue::text(rows_merged_text(entry))},
                                   {"id", ToolValue::text(entry.id)},
                                   {"compacted_at", ToolValue::text(local_date_time(entry.compacted_at_ms))}}});
  }
  return {ToolValue::Map{{"CompactionHistory", {std::move(list)}}}};
}

}  // namespace

std::string tablehistograms_text(const TableHistograms& histograms) {
  std::string text;
  Percentiles sizes = no_percentiles;
  Percentiles cells = no_percentiles;
  if (!histograms.has_sstables) {
    text += "No SSTables exists, unable to calculate 'Partition Size' and 'Cell Count' percentiles\n";
  } else {
    sizes = percentiles_of(histograms.partition_sizes);
    cells = percentiles_of(histograms.cells);
    constexpr std::string_view larger = "{} are larger than {}, unable to calculate percentiles\n";
    if (histograms.partition_sizes.overflowed())
      text += fmt::format(larger, "Row sizes", largest_offset(histograms.partition_sizes));
    if (histograms.cells.overflowed()) text += fmt::format(larger, "Column counts", largest_offset(histograms.cells));
  }
  text += fmt::format("{}/{} histograms\n", histograms.keyspace, histograms.table);
  constexpr std::string_view line = "{:<10}{:>18}{:>18}{:>18}{:>18}{:>18}\n";
  text += fmt::format(line, "Percentile", "Read Latency", "Write Latency", "SSTables", "Partition Size", "Cell Count");
  text += fmt::format(line, "", "(micros)", "(micros)", "", "(bytes)", "");
  constexpr std::array<std::string_view, 7> names = {"50%", "75%", "95%", "98%", "99%", "Min", "Max"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format(line, names[i], java_fixed(histograms.read_latency_us[i], 2),
                        java_fixed(histograms.write_latency_us[i], 2), java_fixed(histograms.sstables_per_read[i], 2),
                        java_fixed(sizes[i], 0), java_fixed(cells[i], 0));
  }
  return text + "\n";
}

std::string compactionhistory_text(std::span<const CompactionHistoryEntry> entries, ToolFormat format) {
  if (entries.empty()) return "There is no compaction history\n";
  if (format == ToolFormat::json) return tool_json(history_tree(entries));
  if (format == ToolFormat::yaml) return tool_yaml(history_tree(entries));
  const auto size = [&](Bytes bytes) {
    return format == ToolFormat::human_readable ? file_size(bytes) : std::to_string(bytes);
  };
  std::vector<std::vector<std::string>> rows = {{"id", "keyspace_name", "columnfamily_name", "compacted_at", "bytes_in",
                                                 "bytes_out", "rows_merged", "compaction_properties"}};
  for (const CompactionHistoryEntry& entry : entries) {
    rows.push_back({entry.id, entry.keyspace, entry.table, local_date_time(entry.compacted_at_ms), size(entry.bytes_in),
                    size(entry.bytes_out), rows_merged_text(entry), properties_text(entry)});
  }
  return "Compaction History: \n" + padded(rows);
}

}  // namespace windrow
