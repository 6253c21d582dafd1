#include "evidence/recordings/recording_check_schema.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/recordings/oracle_workload.h"
#include "sim/base/arithmetic.h"
#include "sim/bytes/schema_shape.h"
#include "sim/cql/script.h"
#include "sim/scenario/scenario.h"
#include "sim/schema/schema.h"

namespace windrow {
namespace {

/// The recorded table, statement by statement.
class RecordedTable {
 public:
  RecordedTable(const OracleScenario& scenario, std::string_view create_table) {
    settings_.allow_unsafe_aggressive_sstable_expiration = scenario.allow_unsafe_aggressive_sstable_expiration;
    schema_ = read_schema(create_table, settings_);
    table_ = schema_.find_table("oracle", "t");
    if (table_ == nullptr) throw OracleScenarioError("the CREATE TABLE makes no table oracle.t");
  }
  RecordedTable(const RecordedTable&) = delete;  // table_ points into schema_
  RecordedTable& operator=(const RecordedTable&) = delete;

  const Table& table() const { return *table_; }
  const TableOptions& options() const { return table_->options; }
  /// Tells whether the compaction map changed: only then the engine makes a new strategy (rule 12.4).
  bool alter(std::string_view cql) {
    const OptionMap before = options().compaction;
    const Table* changed = apply_alter(cql, schema_, settings_);
    if (changed != nullptr) table_ = changed;
    return options().compaction != before;
  }

 private:
  CqlSettings settings_{};
  Schema schema_{};
  const Table* table_ = nullptr;
};

void settle(TableSettings& settings, const Table& table) {
  const TableOptions& options = table.options;
  settings.gc_grace_s = options.gc_grace_seconds;
  settings.default_ttl_s = options.default_time_to_live;
  settings.chunk_bytes = options.chunk_bytes();
  settings.compaction = options.compaction_options;
  settings.sstables.bloom_filter_fp_chance = options.bloom_filter_fp_chance;
  settings.sstables.min_index_interval = options.min_index_interval;
  settings.sstables.schema = schema_shape(table);
}

SSTableFormat format_of(const OracleScenario& scenario) {
  if (scenario.format == "bti") return SSTableFormat::da;
  return scenario.compat == "CASSANDRA_4" ? SSTableFormat::nb : SSTableFormat::oa;
}

/// The options that the table has at first, and after each ALTER.
std::vector<TableOptions> options_ever(const OracleScenario& scenario, std::string_view create_table) {
  RecordedTable table(scenario, create_table);
  std::vector<TableOptions> ever{table.options()};
  for (const OracleAlter& alter : scenario.alters) {
    table.alter(scenario.alter_table(alter));
    ever.push_back(table.options());
  }
  return ever;
}

struct RecordedSize {
  Bytes disk = 0;
  Bytes uncompressed = 0;
  Bytes largest_partition = 0;  // rather more
};
/// Of what one flush or commit added, in the order of its outputs.
using RecordedSizes = std::vector<RecordedSize>;

class RecordedSizer {
 public:
  explicit RecordedSizer(const Trace& trace) {
    for (const TraceEvent& event : trace.events) {
      if (const auto* flush = std::get_if<TraceFlush>(&event)) flushes_.push_back(sizes_of(flush->added));
      if (const auto* commit = std::get_if<TraceCommit>(&event)) commits_[commit->pick] = sizes_of(commit->added);
    }
  }

  Bytes bytes(const DiskSize& size) const {
    const RecordedSizes* recorded = find(size);
    if (recorded == nullptr || recorded->empty()) return size.uncompressed;
    const std::size_t last = recorded->size() - 1;
    const RecordedSize& file = (*recorded)[std::min(size.file, last)];
    if (size.flush && size.file <= last) return file.disk;
    return file.uncompressed > 0 ? mul_div_floor(size.uncompressed, file.disk, file.uncompressed) : size.uncompressed;
  }

  /// The recording tells in which chunk a file ended, but of the chunks only what they are together: they are taken to
  /// be alike, but for an error of a chunk and a half by which the file would end elsewhere.
  double share(const DiskCut& cut) const {
    const auto commit = commits_.find(cut.number);
    if (commit == commits_.end() || commit->second.empty()) return 1;
    const RecordedSizes& sizes = commit->second;
    const RecordedSize& file = sizes[std::min(cut.file, sizes.size() - 1)];
    const double share = static_cast<double>(file.disk) / static_cast<double>(file.uncompressed);
    if (cut.chunk_bytes == 0) return share;
    constexpr double error = 1.5;
    const auto chunk = static_cast<double>(cut.chunk_bytes);
    const auto chunks = static_cast<double>((file.uncompressed - 1) / cut.chunk_bytes);
    const double limit = static_cast<double>(cut.limit_bytes) / chunk;  // in chunks on disk that were not compressed
    const double beyond = chunks - limit / share;
    const bool went_on = cut.file + 1 < sizes.size();
    // The last partition begins before the limit and may be long.
    if (beyond < -error || beyond > error + 1 + static_cast<double>(file.largest_partition) / chunk) return share;
    if (went_on) return limit / (chunks - 0.5);
    return beyond > 0 ? limit / (chunks + 0.5) : share;
  }

 private:
  static Bytes largest_of(const TraceSSTable& file) {
    return file.partition_sizes.empty() ? 0 : file.partition_sizes.back().first.value_or(file.uncompressed_bytes);
  }
  static RecordedSizes sizes_of(const std::vector<TraceSSTable>& files) {
    RecordedSizes sizes;
    for (const TraceSSTable& file : files) {
      sizes.push_back(
          {.disk = file.data_bytes, .uncompressed = file.uncompressed_bytes, .largest_partition = largest_of(file)});
    }
    return sizes;
  }
  const RecordedSizes* find(const DiskSize& size) const {
    if (size.flush) {
      const auto place = static_cast<std::size_t>(size.number - 1);
      return place < flushes_.size() ? &flushes_[place] : nullptr;
    }
    const auto commit = commits_.find(size.number);
    return commit == commits_.end() ? nullptr : &commit->second;
  }

  std::vector<RecordedSizes> flushes_{};
  std::map<std::int64_t, RecordedSizes> commits_{};
};

}  // namespace

HarnessSchema recorded_schema(const OracleScenario& scenario, std::string_view create_table,
                              const TableWorkload& workload, Replay replay) {
  const auto table = std::make_shared<RecordedTable>(scenario, create_table);
  HarnessSchema schema;
  schema.created.keyspace = "oracle";
  schema.created.name = "t";
  schema.created.clustering_bytes = oracle_clustering_bytes;
  schema.created.sstables.format = format_of(scenario);
  settle(schema.created, table->table());
  if (replay == Replay::as_run) {
    schema.created.sstables.closeness =
        closeness_of_run(workload, options_ever(scenario, create_table), Scenario{}.exact_partitions);
  }
  schema.alter = [table, &scenario](TableSettings& settings, const OracleAlter& alter) {
    const bool compaction_changed = table->alter(scenario.alter_table(alter));
    settle(settings, table->table());
    return compaction_changed;
  };
  return schema;
}

CommitTimes recorded_commit_times(const Recording& recording, Replay replay) {
  if (replay == Replay::exact || !recording.scenario.delayed()) return {};
  std::vector<Seconds> recorded;
  for (const TraceEvent& event : recording.trace.events) {
    const auto* pick = std::get_if<TracePick>(&event);
    if (pick != nullptr && pick->commit_at_s) recorded.push_back(*pick->commit_at_s);
  }
  return [recorded = std::move(recorded), next = std::size_t{0}](Seconds picked_s, Seconds computed_s) mutable {
    if (next == recorded.size()) return computed_s;
    const Seconds said_s = recorded[next++];
    const Seconds bound_s = 1 + (computed_s - picked_s) / 1000;
    return std::abs(said_s - computed_s) <= bound_s ? said_s : computed_s;
  };
}

DiskSizer recorded_disk_sizes(const Recording& recording) {
  if (std::ranges::none_of(options_ever(recording.scenario, recording.trace.header.ddl), &TableOptions::is_compressed))
    return {.bytes = [](const DiskSize& size) { return size.uncompressed; }, .share = {}};
  const auto sizer = std::make_shared<const RecordedSizer>(recording.trace);
  return {.bytes = [sizer](const DiskSize& size) { return sizer->bytes(size); },
          .share = [sizer](const DiskCut& cut) { return sizer->share(cut); }};
}

}  // namespace windrow
