#include "evidence/captures/capture_tool_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/values/cql_time.h"

namespace windrow {
namespace {

using Json = nlohmann::json;
using Fields = std::map<std::string, std::string>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

double real(const std::string& text) {
  return text.starts_with("NaN") || text == ".NaN" ? no_traffic : std::stod(text);
}

// "SSTable bytes in each level" and "sstable_bytes_in_each_level" are one name.
std::string snake_case(std::string_view label) {
  std::string name;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

// "17", "17B", "39.637KiB", "252.89 KiB", "0 bytes".
Bytes size(const std::string& text) {
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  const std::size_t prefix = text.find_first_of("KMGT", end);
  if (prefix == std::string::npos) return static_cast<Bytes>(std::llround(number));
  const auto power = static_cast<int>(std::string_view("KMGT").find(text[prefix])) + 1;
  return static_cast<Bytes>(std::llround(std::ldexp(number, 10 * power)));
}

std::vector<std::int64_t> sizes(const std::string& list) {
  std::vector<std::int64_t> numbers;
  std::istringstream stream(list.substr(1, list.size() - 2));
  for (std::string item; std::getline(stream, item, ',');) numbers.push_back(size(item));
  return numbers;
}

TableStats table_stats(const std::string& name, const Fields& fields) {
  const auto text = [&](const std::string& key) {
    const auto found = fields.find(key);
    return found == fields.end() ? std::string("0") : found->second;
  };
  const auto latency = [&](const std::string& key) {
    return real(fields.contains(key) ? fields.at(key) : text(key + "_ms"));
  };
  TableStats stats{.table = name,
                   .sstable_count = size(text("sstable_count")),
                   .old_sstable_count = size(text("old_sstable_count")),
                   .max_sstable_bytes = size(text("max_sstable_size")),
                   .live_bytes = size(text("space_used_live")),
                   .total_bytes = size(text("space_used_total")),
                   .snapshot_bytes = size(text("space_used_by_snapshots_total")),
                   .compression_ratio = real(text("sstable_compression_ratio")),
                   .partitions_estimate = size(text("number_of_partitions_estimate")),
                   .memtable_cells = size(text("memtable_cell_count")),
                   .memtable_data_bytes = size(text("memtable_data_size")),
                   .memtable_off_heap_bytes = size(text("memtable_off_heap_memory_used")),
                   .memtable_switches = size(text("memtable_switch_count")),
                   .speculative_retries = size(text("speculative_retries")),
                   .reads = size(text("local_read_count")),
                   .read_latency_ms = latency("local_read_latency"),
                   .writes = size(text("local_write_count")),
                   .write_latency_ms = latency("local_write_latency"),
                   .read_write_ratio = real(text("local_read_write_ratio")),
                   .pending_flushes = size(text("pending_flushes")),
                   .percent_repaired = real(text("percent_repaired")),
                   .repaired_bytes = size(text("bytes_repaired")),
                   .unrepaired_bytes = size(text("bytes_unrepaired")),
                   .pending_repair_bytes = size(text("bytes_pending_repair")),
                   .filter_false_positives = size(text("bloom_filter_false_positives")),
                   .filter_false_ratio = real(text("bloom_filter_false_ratio")),
                   .filter_bytes = size(text("bloom_filter_space_used")),
                   .filter_off_heap_bytes = size(text("bloom_filter_off_heap_memory_used")),
                   .index_summary_off_heap_bytes = size(text("index_summary_off_heap_memory_used")),
                   .compression_off_heap_bytes = size(text("compression_metadata_off_heap_memory_used")),
                   .min_partition_bytes = size(text("compacted_partition_minimum_bytes")),
                   .max_partition_bytes = size(text("compacted_partition_maximum_bytes")),
                   .mean_partition_bytes = size(text("compacted_partition_mean_bytes")),
                   .mean_live_cells_per_slice = real(text("average_live_cells_per_slice_last_five_minutes")),
                   .max_live_cells_per_slice = size(text("maximum_live_cells_per_slice_last_five_minutes")),
                   .mean_tombstones_per_slice = real(text("average_tombstones_per_slice_last_five_minutes")),
                   .max_tombstones_per_slice = size(text("maximum_tombstones_per_slice_last_five_minutes")),
                   .droppable_tombstone_ratio = real(text("droppable_tombstone_ratio"))};
  for (const char* key : {"sstables_time_window", "twcs"}) {
    if (fields.contains(key) && fields.at(key) != "null") stats.time_window = fields.at(key);
  }
  if (text("sstables_in_each_level").size() > 2) {
    stats.sstables_per_level = sizes(text("sstables_in_each_level"));
    stats.level_bytes = sizes(text("sstable_bytes_in_each_level"));
  }
  return stats;
}

// "label: value" of a line without its indent.
std::pair<std::string, std::string> label_and_value(const std::string& line) {
  const std::size_t from = line.find_first_not_of("\t ");
  const std::size_t colon = line.find(": ", from);
  return {line.substr(from, colon - from), line.substr(colon + 2)};
}

Fields flat(const Json& object) {
  Fields fields;
  for (const auto& [key, value] : object.items()) {
    if (value.is_array()) {
      std::string list;
      for (const Json& item : value) list += (list.empty() ? "" : ", ") + item.get<std::string>();
      fields[key] = "[" + list + "]";
    } else {
      fields[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return fields;
}

KeyspaceStats keyspace_stats(const std::string& name, const Json& object) {
  const Fields fields = flat(object);
  KeyspaceStats keyspace{.keyspace = name,
                         .reads = size(fields.at("read_count")),
                         .read_latency_ms = real(fields.at("read_latency_ms")),
                         .writes = size(fields.at("write_count")),
                         .write_latency_ms = real(fields.at("write_latency_ms")),
                         .pending_flushes = size(fields.at("pending_flushes"))};
  for (const auto& [table, stats] : object.at("tables").items())
    keyspace.tables.push_back(table_stats(table, flat(stats)));
  return keyspace;
}

// The block style SnakeYAML writes of maps, lists of texts and scalars, as JSON.
Json yaml_block(const std::vector<std::string>& lines, std::size_t& at, std::size_t indent) {
  Json map = Json::object();
  while (at < lines.size() && !lines[at].empty() && lines[at].find_first_not_of(' ') == indent) {
    std::string line = lines[at++].substr(indent);
    const std::size_t colon = line.find(':');
    const std::string key = line.substr(0, colon);
    std::string value = colon + 2 < line.size() ? line.substr(colon + 2) : "";
    if (value == "[]") {
      map[key] = Json::array();
    } else if (value == "{}") {
      map[key] = Json::object();
    } else if (!value.empty()) {
      if (value.starts_with('\'')) value = value.substr(1, value.size() - 2);
      map[key] = value;
    } else if (at < lines.size() && lines[at].substr(std::min(indent, lines[at].size())).starts_with("- ")) {
      Json list = Json::array();
      for (; at < lines.size() && lines[at].substr(std::min(indent, lines[at].size())).starts_with("- "); ++at) {
        list.push_back(lines[at].substr(indent + 3, lines[at].size() - indent - 4));
      }
      map[key] = std::move(list);
    } else {
      map[key] = yaml_block(lines, at, indent + 2);
    }
  }
  return map;
}

std::vector<KeyspaceStats> keyspaces_of(const Json& tree) {
  std::vector<KeyspaceStats> keyspaces;
  for (const auto& [name, value] : tree.items()) {
    if (value.is_object()) keyspaces.push_back(keyspace_stats(name, value));
  }
  return keyspaces;
}

// "2026-11-21T10:05:12.882"
Millis local_time(const std::string& text) { return parse_cql_timestamp(text).value(); }

// "{1:1, 2:1}"
std::map<int, std::int64_t> rows_merged(const std::string& text) {
  std::map<int, std::int64_t> rows;
  std::istringstream stream(text.substr(1, text.size() - 2));
  for (std::string entry; std::getline(stream, entry, ',');) {
    rows[std::stoi(entry)] = std::stoll(entry.substr(entry.find(':') + 1));
  }
  return rows;
}

/// Reads one SSTable's lines of sstablemetadata.
class MetadataReader {
 public:
  RecordedSSTableMetadata read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      if (line.starts_with("   ")) {
        bucket(line);
      } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
        const std::string name = line.substr(0, colon);
        if (name == "Estimated tombstone drop times" || name == "Partition Size" || name == "Column Count")
          block_ = name;
        fields_[name] = line.substr(colon + 2);
      }
    }
    return recorded();
  }

 private:
  // "   42 (42 B) |   197 (  1) OOO."
  void bucket(const std::string& line) {
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos || line.find("Count") != std::string::npos) return;
    const std::int64_t offset = std::stoll(line);
    const std::int64_t count = std::stoll(line.substr(bar + 3));
    if (block_ == "Partition Size") statistics_.partition_sizes.add(offset, count);
    if (block_ == "Column Count") statistics_.cells_per_partition.add(offset, count);
    if (block_ == "Estimated tombstone drop times") bins_.push_back({.point_s = offset, .count = count});
  }

  // The number in the last parentheses: "11/20/2026 18:40:00 (1795200000000000)".
  std::int64_t in_parentheses(const std::string& name) const {
    const std::string& text = fields_.at(name);
    return std::stoll(text.substr(text.rfind('(') + 1));
  }

  RecordedSSTableMetadata recorded() {
    statistics_.min_timestamp_us = in_parentheses("Minimum timestamp");
    statistics_.max_timestamp_us = in_parentheses("Maximum timestamp");
    statistics_.min_local_deletion_time_s = in_parentheses("SSTable min local deletion time");
    statistics_.max_local_deletion_time_s = in_parentheses("SSTable max local deletion time");
    statistics_.min_ttl_s = std::stoll(fields_.at("TTL min"));
    statistics_.max_ttl_s = std::stoll(fields_.at("TTL max"));
    statistics_.columns = std::stoll(fields_.at("totalColumnsSet"));
    statistics_.rows = std::stoll(fields_.at("totalRows"));
    statistics_.drop_times = DropTimes(std::move(bins_));
    RecordedSSTableMetadata recorded;
    recorded.metadata = {.path = fields_.at("SSTable"),
                         .fp_chance = std::stod(fields_.at("Bloom Filter FP chance")),
                         .compressor = fields_.at("Compressor"),
                         .first_token = fields_.at("First token"),
                         .last_token = fields_.at("Last token"),
                         .covered_clusterings = fields_.at("Covered clusterings"),
                         .droppable_tombstones = std::stod(fields_.at("Estimated droppable tombstones")),
                         .level = std::stoi(fields_.at("SSTable Level")),
                         .originating_host_id = fields_.at("Originating host id"),
                         .replay_positions = fields_.at("Replay positions covered"),
                         .statistics = std::move(statistics_),
                         .cardinality = std::stoll(fields_.at("Estimated cardinality")),
                         .key_type = fields_.at("KeyType"),
                         .clustering_types = fields_.at("ClusteringTypes"),
                         .static_columns = fields_.at("StaticColumns"),
                         .regular_columns = fields_.at("RegularColumns")};
    if (fields_.contains("Compression ratio"))
      recorded.metadata.compression_ratio = std::stod(fields_.at("Compression ratio"));
    recorded.metadata.encoding_stats = {
        .min_timestamp_us = in_parentheses("EncodingStats minTimestamp"),
        .min_local_deletion_time_s = in_parentheses("EncodingStats minLocalDeletionTime"),
        .min_ttl_s = std::stoll(fields_.at("EncodingStats minTTL"))};
    recorded.first_line = "SSTable: " + recorded.metadata.path + "\n";
    return recorded;
  }

  Fields fields_{};
  std::string block_{};
  SSTableStatistics statistics_{};
  std::vector<DropTimes::Bin> bins_{};
};

}  // namespace

std::vector<RecordedTableHistograms> recorded_table_histograms(const std::string& text) {
  std::vector<RecordedTableHistograms> tables;
  RecordedTableHistograms table;
  std::size_t row = 0;
  for (const std::string& line : lines_of(text)) {
    table.text += line + "\n";
    if (line.starts_with("No SSTables")) table.histograms.has_sstables = false;
    if (line.ends_with(" histograms")) {
      const std::size_t slash = line.find('/');
      table.histograms.keyspace = line.substr(0, slash);
      table.histograms.table = line.substr(slash + 1, line.rfind(' ') - slash - 1);
      row = 0;
    } else if (!line.empty() && (line.find('%') == 2 || line.starts_with("Min") || line.starts_with("Max"))) {
      std::istringstream words(line.substr(10));
      std::string number;
      for (Percentiles* column : {&table.histograms.read_latency_us, &table.histograms.write_latency_us,
                                  &table.histograms.sstables_per_read}) {
        words >> number;
        (*column)[row] = real(number);
      }
      ++row;
    } else if (line.empty()) {
      tables.push_back(std::exchange(table, {}));
    }
  }
  return tables;
}

std::vector<KeyspaceStats> recorded_table_stats(const std::string& text) {
  std::vector<KeyspaceStats> keyspaces;
  Fields fields;
  std::string table;
  std::vector<std::pair<std::string, std::string>> sai;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("Keyspace: ")) {
      keyspaces.push_back({.keyspace = line.substr(10)});
    } else if (line.starts_with("\t\t")) {
      const auto [label, value] = label_and_value(line);
      if (label == "Table") {
        table = value;
      } else if (label.starts_with("SAI ")) {
        sai.emplace_back(label, value);
      } else {
        fields[snake_case(label)] = value;
      }
    } else if (line.starts_with("\t")) {
      const auto [label, value] = label_and_value(line);
      KeyspaceStats& keyspace = keyspaces.back();
      if (label == "Read Count") keyspace.reads = std::stoll(value);
      if (label == "Read Latency") keyspace.read_latency_ms = real(value);
      if (label == "Write Count") keyspace.writes = std::stoll(value);
      if (label == "Write Latency") keyspace.write_latency_ms = real(value);
      if (label == "Pending Flushes") keyspace.pending_flushes = std::stoll(value);
    } else if (line.empty()) {
      keyspaces.back().tables.push_back(table_stats(table, std::exchange(fields, {})));
      keyspaces.back().tables.back().sai_lines = std::exchange(sai, {});
    }
  }
  return keyspaces;
}

std::vector<KeyspaceStats> recorded_table_stats_json(const std::string& text) {
  return keyspaces_of(Json::parse(text));
}

std::vector<KeyspaceStats> recorded_table_stats_yaml(const std::string& text) {
  std::size_t at = 0;
  return keyspaces_of(yaml_block(lines_of(text), at, 0));
}

std::vector<CompactionHistoryEntry> recorded_compaction_history(const std::string& json) {
  std::vector<CompactionHistoryEntry> entries;
  const Json tree = Json::parse(json);
  for (const Json& entry : tree.at("CompactionHistory")) {
    const auto properties = entry.at("compaction_properties").get<std::string>();
    const std::size_t colon = properties.find(':');
    entries.push_back({.id = entry.at("id"),
                       .keyspace = entry.at("keyspace_name"),
                       .table = entry.at("columnfamily_name"),
                       .compacted_at_ms = local_time(entry.at("compacted_at")),
                       .bytes_in = entry.at("bytes_in"),
                       .bytes_out = entry.at("bytes_out"),
                       .rows_merged = rows_merged(entry.at("rows_merged")),
                       .compaction_type = properties.substr(colon + 1, properties.size() - colon - 2)});
  }
  return entries;
}

std::vector<RecordedSSTableMetadata> recorded_sstable_metadata(const std::string& text) {
  std::vector<RecordedSSTableMetadata> recorded;
  std::vector<std::string> lines;
  const auto finish = [&] {
    if (lines.empty()) return;
    RecordedSSTableMetadata one = MetadataReader().read(lines);
    if (lines.size() > 1 && !lines[1].starts_with("Partitioner")) {
      for (std::size_t i = 0; i < lines.size() && !lines[i].starts_with("Partitioner"); ++i)
        one.scan += lines[i] + "\n";
    }
    recorded.push_back(std::move(one));
    lines.clear();
  };
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("SSTable: ")) finish();
    lines.push_back(line);
  }
  finish();
  return recorded;
}

}  // namespace windrow
