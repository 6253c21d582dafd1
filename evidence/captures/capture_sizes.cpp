#include "evidence/captures/capture_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evidence/captures/capture_schema.h"
#include "evidence/captures/capture_statements.h"
#include "evidence/captures/capture_table.h"
#include "evidence/captures/hex_text.h"
#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

// The recordings were compacted on 2026-11-21: decides only what is expired and what may be purged.
constexpr Seconds capture_clock_s = 1'795'252'000;

/// Compares one SSTable with its recording.
class Comparison {
 public:
  Comparison(std::string case_name, const CaptureTolerances& tolerances, CaptureSizesResult& result)
      : case_name_(std::move(case_name)), tolerances_(tolerances), result_(result) {}

  bool agrees() const { return agrees_; }

  void equal(const std::string& field, const Json& expected, const Json& ours) {
    ++result_.numbers;
    if (expected != ours) disagree(field, expected, ours);
  }

  void near(const std::string& field, const Json& expected, Bytes ours, double tolerance) {
    ++result_.numbers;
    const auto wanted = expected.get<double>();
    if (std::abs(static_cast<double>(ours) - wanted) > tolerance * wanted) disagree(field, expected, ours);
  }

  /// `key_interval`: the min_index_interval by which the recording's reader estimated keys.
  void sstable(const Table& table, const CapturedSSTable& ours, const Json& expected, bool reproducible,
               std::int64_t key_interval) {
    equal("uncompressedLength", expected.at("uncompressedLength"), ours.uncompressed_bytes);
    if (!ours.compressed) equal("onDiskLength", expected.at("onDiskLength"), ours.uncompressed_bytes);
    header(table, ours, expected.at("header"));
    statistics(ours, expected, key_interval);
    histograms(ours.statistics, expected);
    partitions(ours, expected);
    components(ours, expected.at("components"), reproducible);
  }

 private:
  void disagree(const std::string& field, const Json& expected, const Json& ours) {
    agrees_ = false;
    result_.disagreements.push_back(
        {.case_name = case_name_, .field = field, .expected = expected.dump(), .ours = ours.dump()});
  }

  void header(const Table& table, const CapturedSSTable& ours, const Json& expected) {
    equal("header.minTimestamp", expected.at("minTimestamp"), ours.header.stats.min_timestamp_us);
    equal("header.minLocalDeletionTime", expected.at("minLocalDeletionTime"),
          ours.header.stats.min_local_deletion_time_s);
    equal("header.minTTL", expected.at("minTTL"), ours.header.stats.min_ttl_s);
    const auto names = [](std::span<const Column> columns, const std::set<int>& named) {
      Json list = Json::array();
      for (const int i : named) list.push_back(columns[static_cast<std::size_t>(i)].name);
      return list;
    };
    const auto sorted = [](Json list) {
      std::sort(list.begin(), list.end());
      return list;
    };
    equal("header.static", sorted(expected.at("static")),
          sorted(names(table.static_columns(), ours.columns.static_columns)));
    equal("header.regular", sorted(expected.at("regular")),
          sorted(names(table.regular_columns(), ours.columns.regular_columns)));
  }

  void statistics(const CapturedSSTable& ours, const Json& expected, std::int64_t interval) {
    const SSTableStatistics& stats = ours.statistics;
    const Json& wanted = expected.at("stats");
    equal("stats.minTimestamp", wanted.at("minTimestamp"), stats.min_timestamp_us);
    equal("stats.maxTimestamp", wanted.at("maxTimestamp"), stats.max_timestamp_us);
    equal("stats.minLocalDeletionTime", wanted.at("minLocalDeletionTime"), stats.min_local_deletion_time_s);
    equal("stats.maxLocalDeletionTime", wanted.at("maxLocalDeletionTime"), stats.max_local_deletion_time_s);
    equal("stats.minTTL", wanted.at("minTTL"), stats.min_ttl_s);
    equal("stats.maxTTL", wanted.at("maxTTL"), stats.max_ttl_s);
    equal("stats.totalColumnsSet", wanted.at("totalColumnsSet"), stats.columns);
    equal("stats.totalRows", wanted.at("totalRows"), stats.rows);
    equal("stats.level", wanted.at("level"), 0);
    const std::int64_t keys =
        is_bti(ours.header.format) ? stats.partitions : (ceil_div(stats.partitions, interval) + 1) * interval;
    equal("stats.estimatedKeys", wanted.at("estimatedKeys"), keys);
  }

  static Json buckets(const EstimatedHistogram& histogram) {
    Json filled = Json::array();
    for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
      if (histogram.counts()[i] > 0) filled.push_back({EstimatedHistogram::offsets()[i], histogram.counts()[i]});
    }
    return filled;
  }

  void histograms(const SSTableStatistics& stats, const Json& expected) {
    equal("partitionSizeHistogram", expected.at("partitionSizeHistogram"), buckets(stats.partition_sizes));
    equal("cellCountHistogram", expected.at("cellCountHistogram"), buckets(stats.cells_per_partition));
    Json times = Json::array();
    for (const DropTimes::Bin& bin : stats.drop_times.bins()) times.push_back({bin.point_s, bin.count});
    equal("tombstoneDropTimes", expected.at("tombstoneDropTimes"), times);
  }

  void partitions(const CapturedSSTable& ours, const Json& expected) {
    equal("partition_count", expected.at("partition_count"), ours.statistics.partitions);
    const Json& listed = expected.at("partitions");
    for (std::size_t i = 0; i < std::min(listed.size(), ours.partitions.size()); ++i) {
      const WrittenPartition& written = ours.partitions[i].written;
      const auto field = [&](const char* name) { return fmt::format("partitions[{}].{}", i, name); };
      equal(field("key"), listed[i].at("key"), hex_text(ours.partitions[i].key));
      equal(field("token"), listed[i].at("token"), ours.partitions[i].token);
      equal(field("position"), listed[i].at("position"), written.position);
      equal(field("size"), listed[i].at("size"), written.bytes);
      equal(field("rows"), listed[i].at("rows"), written.rows);
      equal(field("cells"), listed[i].at("cells"), written.cells);
      equal(field("tombstone_cells"), listed[i].at("tombstone_cells"), written.tombstone_cells);
      equal(field("markers"), listed[i].at("markers"), written.markers);
      equal(field("static_row"), listed[i].at("static_row"), written.has_static_row ? 1 : 0);
      equal(field("deleted"), listed[i].at("deleted"), written.deleted ? 1 : 0);
      if (listed[i].contains("promoted_index_bytes")) {
        equal(field("promoted_index_bytes"), listed[i].at("promoted_index_bytes"), written.promoted_index_bytes);
      }
    }
    const auto counts = [&](const char* name, auto number) {
      if (!expected.contains(name)) return;
      std::map<std::int64_t, std::int64_t> counted;
      for (const SSTablePartition& partition : ours.partitions) ++counted[number(partition.written)];
      equal(name, expected.at(name),
            Json(std::vector<std::pair<std::int64_t, std::int64_t>>(counted.begin(), counted.end())));
    };
    counts("size_counts", [](const WrittenPartition& written) { return written.bytes; });
    counts("row_counts", [](const WrittenPartition& written) { return written.rows; });
    counts("cell_counts", [](const WrittenPartition& written) { return written.cells; });
  }

  void components(const CapturedSSTable& ours, const Json& expected, bool reproducible) {
    for (const auto& [name, bytes] : expected.items()) {
      const std::string field = "components." + name;
      const auto size = ours.components.find(name);
      if (size == ours.components.end()) {
        // Compressed: their bytes depend on the values, which are kept for uncompressed tables only.
        if (!(ours.compressed && (name == "Data.db" || name == "Digest.crc32"))) equal(field, bytes, Json());
      } else if (name == "Statistics.db") {
        near(field, bytes, size->second, tolerances_.statistics);
      } else if (name == "Partitions.db" || name == "Rows.db") {
        near(field, bytes, size->second, tolerances_.bti_indexes);
      } else if (name != "Digest.crc32" || reproducible) {
        equal(field, bytes, size->second);
      }
    }
    for (const auto& [name, bytes] : ours.components) {
      // The offline reader of one recording deleted the summary before it was measured (captures/DIFFERENCES.md).
      if (name != "Summary.db" && !expected.contains(name)) equal("components." + name, Json(), bytes);
    }
  }

  std::string case_name_;
  CaptureTolerances tolerances_{};
  CaptureSizesResult& result_;
  bool agrees_ = true;
};

// A node chooses timeuuids of list elements and clocks of counters: the bytes are others each time, their number is
// not.
bool reproducible(const Table& table) {
  return std::none_of(table.columns.begin(), table.columns.end(), [](const Column& column) {
    return column.type.is_counter() || (column.type.kind == CqlType::Kind::list && column.type.is_multi_cell());
  });
}

int generation_of(const Json& sstable) {
  const auto file = sstable.at("file").get<std::string>();
  return std::stoi(file.substr(file.find('-') + 1));
}

SSTableFormat format_of(const std::string& version) {
  return version == "nb" ? SSTableFormat::nb : version == "oa" ? SSTableFormat::oa : SSTableFormat::da;
}

/// An offline reader takes the default min_index_interval for the table's; a node that has the SSTable open does not
/// (rule 1.7).
std::int64_t key_interval(const Json& recording, const Table& table) {
  constexpr std::int64_t default_interval = 128;
  return recording.value("reader", "offline") == "node" ? table.options.min_index_interval : default_interval;
}

void verify_case(const Json& recording, const CaptureTolerances& tolerances, CaptureSizesResult& result) {
  const auto format = recording.at("format").get<std::string>();
  Comparison comparison(format + "/" + recording.at("name").get<std::string>(), tolerances, result);
  const Table definition = captured_table(recording);
  CapturedTable table(definition, format_of(format), capture_clock_s);
  std::size_t entry = 0;
  for (const Json& step : recording.at("steps")) {
    const auto op = step.at("op").get<std::string>();
    if (op != "flush" && op != "compact") {
      each_statement(step, [&](const Json& statement) { table.apply(statement); });
      continue;
    }
    if (op == "flush") {
      table.flush();
    } else {
      table.compact();
    }
    std::vector<Json> expected = recording.at("expected").at(entry++).at("sstables");
    std::sort(expected.begin(), expected.end(),
              [](const Json& a, const Json& b) { return generation_of(a) < generation_of(b); });
    comparison.equal("sstables", expected.size(), table.sstables().size());
    for (std::size_t i = 0; i < std::min(expected.size(), table.sstables().size()); ++i) {
      comparison.sstable(definition, table.sstables()[i], expected[i], reproducible(definition),
                         key_interval(recording, definition));
    }
  }
  ++result.cases;
  if (comparison.agrees()) ++result.agreeing;
}

}  // namespace

CaptureSizesResult verify_capture_sizes(std::string_view cases_jsonl, const CaptureTolerances& tolerances) {
  CaptureSizesResult result;
  while (!cases_jsonl.empty()) {
    const std::string_view line = cases_jsonl.substr(0, cases_jsonl.find('\n'));
    cases_jsonl.remove_prefix(std::min(line.size() + 1, cases_jsonl.size()));
    if (!line.empty()) verify_case(Json::parse(line), tolerances, result);
  }
  return result;
}

}  // namespace windrow
