#include "evidence/captures/capture_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "evidence/captures/capture_tool_text.h"
#include "evidence/components/nodetool_text.h"
#include "evidence/components/sstablemetadata_text.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

EstimatedHistogram histogram_of(const Json& buckets, int offsets) {
  EstimatedHistogram histogram(offsets);
  for (const Json& bucket : buckets) histogram.add(bucket.at(0).get<std::int64_t>(), bucket.at(1).get<std::int64_t>());
  return histogram;
}

EstimatedHistogram partition_sizes(const Json& sstable) {
  return histogram_of(sstable.at("partitionSizeHistogram"), EstimatedHistogram::partition_size_offsets);
}

/// What data.json knows of a table's live SSTables, put into the numbers of tablestats.
void set_sstables(TableStats& stats, const Json& sstables) {
  std::vector<EstimatedHistogram> sizes;
  for (const Json& sstable : sstables) sizes.push_back(partition_sizes(sstable));
  std::vector<TableStats::SSTable> list;
  for (const Json& sstable : sstables) {
    const Json& files = sstable.at("components");
    TableStats::SSTable entry{.data_bytes = sstable.at("onDiskLength"),
                              .uncompressed_bytes = sstable.at("uncompressedLength"),
                              .filter_bytes = files.value("Filter.db", Bytes{0}),
                              .compressed = files.contains("CompressionInfo.db"),
                              .partition_sizes = &sizes[list.size()]};
    for (const auto& [name, bytes] : files.items()) entry.all_components_bytes += bytes.get<Bytes>();
    // Of the compression metadata the chunks' offsets stay in memory, of the summary all but its header and end keys.
    if (entry.compressed) entry.compression_off_heap_bytes = files.at("CompressionInfo.db").get<Bytes>() - 39;
    entry.index_summary_off_heap_bytes = stats.index_summary_off_heap_bytes / std::ssize(sstables);
    list.push_back(entry);
  }
  if (list.empty()) return;
  const Bytes summaries = stats.index_summary_off_heap_bytes;
  const double ratio = stats.compression_ratio;
  stats.max_sstable_bytes = stats.live_bytes = stats.total_bytes = stats.unrepaired_bytes = 0;
  stats.filter_bytes = stats.filter_off_heap_bytes = stats.compression_off_heap_bytes = 0;
  stats.min_partition_bytes = stats.max_partition_bytes = stats.mean_partition_bytes = 0;
  stats.set_sstables(list);
  stats.index_summary_off_heap_bytes = summaries;
  // Readers opened before the last chunk was closed (LCS) report a few bytes less than the file has.
  if (std::abs(stats.compression_ratio - ratio) < 1e-5) stats.compression_ratio = ratio;
}

class ToolTexts {
 public:
  explicit ToolTexts(const std::map<std::string, std::string>& files) : files_(files) {
    const auto data = files.find("data.json");
    if (data != files.end()) data_ = Json::parse(data->second);
  }

  CaptureToolsResult verify() {
    for (const auto& [path, text] : files_) {
      const std::string folder = path.substr(0, path.find('/'));
      if (folder == "tablehistograms") table_histograms(path, text);
      if (folder == "tablestats") table_stats(path, text);
      if (folder == "sstablemetadata") sstable_metadata(path, text);
      if (folder.starts_with("compactionhistory")) compaction_history(path, text);
    }
    return std::move(result_);
  }

 private:
  void compare(const std::string& path, const std::string& expected, const std::string& ours) {
    ++result_.texts;
    if (expected == ours) {
      ++result_.agreeing;
      return;
    }
    std::istringstream left(expected);
    std::istringstream right(ours);
    std::string wanted;
    std::string got;
    int number = 0;
    do {
      ++number;
      wanted.clear();
      got.clear();
      std::getline(left, wanted);
      std::getline(right, got);
    } while (wanted == got && left && right);
    result_.disagreements.push_back(
        {.case_name = "tools/" + path, .field = fmt::format("line {}", number), .expected = wanted, .ours = got});
  }

  // A table of this name in data.json; the texts of a second node name other keyspaces.
  const Json* sstables_of(const std::string& keyspace, const std::string& table) const {
    if (keyspace != "tools" || !data_.contains(table)) return nullptr;
    return &data_.at(table).at("sstables");
  }

  void table_histograms(const std::string& path, const std::string& text) {
    if (text.find(" histograms\n") == std::string::npos) return;  // an error message
    std::string ours;
    for (RecordedTableHistograms& recorded : recorded_table_histograms(text)) {
      if (const Json* sstables = sstables_of(recorded.histograms.keyspace, recorded.histograms.table)) {
        TableHistograms& histograms = recorded.histograms;
        histograms.has_sstables = !sstables->empty();
        for (const Json& sstable : *sstables) {
          histograms.partition_sizes.merge(partition_sizes(sstable));
          histograms.cells.merge(
              histogram_of(sstable.at("cellCountHistogram"), EstimatedHistogram::cell_count_offsets));
        }
        ours += tablehistograms_text(histograms);
      } else if (!recorded.histograms.has_sstables) {
        ours += tablehistograms_text(recorded.histograms);
      } else {
        // System tables: nothing is known of their SSTables.
        ours += recorded.text;
      }
    }
    compare(path, text, ours);
  }

  void table_stats(const std::string& path, const std::string& text) {
    const bool json = path.ends_with(".json");
    const bool yaml = path.ends_with(".yaml");
    std::vector<KeyspaceStats> keyspaces = json   ? recorded_table_stats_json(text)
                                           : yaml ? recorded_table_stats_yaml(text)
                                                  : recorded_table_stats(text);
    for (KeyspaceStats& keyspace : keyspaces) {
      for (TableStats& table : keyspace.tables) {
        if (const Json* sstables = sstables_of(keyspace.keyspace, table.table)) set_sstables(table, *sstables);
      }
    }
    const ToolFormat format = json                       ? ToolFormat::json
                              : yaml                     ? ToolFormat::yaml
                              : path.ends_with("-H.txt") ? ToolFormat::human_readable
                                                         : ToolFormat::text;
    compare(path, text, tablestats_text(keyspaces, format));
  }

  void compaction_history(const std::string& path, const std::string& text) {
    if (!text.starts_with("Compaction History") && !text.starts_with("CompactionHistory") && !text.starts_with("{"))
      return;
    // The entries are those of the JSON text, printed in each form.
    const auto source = files_.find("compactionhistory.json");
    if (source == files_.end()) return;
    const std::vector<CompactionHistoryEntry> entries = recorded_compaction_history(source->second);
    const ToolFormat format = path.ends_with(".json")   ? ToolFormat::json
                              : path.ends_with(".yaml") ? ToolFormat::yaml
                                                        : ToolFormat::text;
    compare(path, text, compactionhistory_text(entries, format));
  }

  void sstable_metadata(const std::string& path, const std::string& text) {
    if (!text.starts_with("SSTable: ")) return;
    std::string ours;
    for (RecordedSSTableMetadata& recorded : recorded_sstable_metadata(text)) {
      if (const Json* sstable = sstable_of(recorded.metadata.path)) {
        SSTableStatistics& statistics = recorded.metadata.statistics;
        statistics.partition_sizes = partition_sizes(*sstable);
        statistics.cells_per_partition =
            histogram_of(sstable->at("cellCountHistogram"), EstimatedHistogram::cell_count_offsets);
        std::vector<DropTimes::Bin> bins;
        for (const Json& bin : sstable->at("tombstoneDropTimes"))
          bins.push_back({.point_s = bin.at(0), .count = bin.at(1)});
        statistics.drop_times = DropTimes(std::move(bins));
      }
      ours += recorded.scan + sstablemetadata_text(recorded.metadata, path.find("-u.") != std::string::npos);
      // With -s a scan of the data stands before the rest.
      if (!recorded.scan.empty()) ours.erase(ours.find("SSTable: ", recorded.scan.size()), recorded.first_line.size());
    }
    compare(path, text, ours);
  }

  // "data/tools/mixed-<id>/nb-4-big" names an SSTable of data.json.
  const Json* sstable_of(const std::string& path) const {
    const std::size_t slash = path.rfind('/');
    const std::size_t table_at = path.rfind('/', slash - 1) + 1;
    const std::string keyspace =
        path.substr(path.rfind('/', table_at - 2) + 1, table_at - 2 - path.rfind('/', table_at - 2));
    const std::string directory = path.substr(table_at, slash - table_at);
    const Json* sstables = sstables_of(keyspace, directory.substr(0, directory.rfind('-')));
    if (sstables == nullptr) return nullptr;
    for (const Json& sstable : *sstables) {
      if (sstable.at("file").get<std::string>().starts_with(path.substr(slash + 1) + "-")) return &sstable;
    }
    return nullptr;
  }

  const std::map<std::string, std::string>& files_;
  Json data_ = Json::object();
  CaptureToolsResult result_{};
};

}  // namespace

CaptureToolsResult verify_capture_tools(const std::map<std::string, std::string>& files) {
  return ToolTexts(files).verify();
}

}  // namespace windrow
