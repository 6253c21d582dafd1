#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "evidence/recordings/oracle_harness.h"
#include "evidence/recordings/oracle_workload.h"
#include "evidence/recordings/trace.h"
#include "evidence/recordings/trace_estimates.h"
#include "tests/support/oracle_cql.h"

namespace windrow::test {

/// The partitions of every recorded SSTable: the scenario's rows, played along the recorded flushes and picks.
class PlayedTokens final : public TokensOf, private HarnessObserver {
 public:
  PlayedTokens(const OracleScenario& scenario, const Trace& trace) : workload_(oracle_workload(scenario)) {
    for (const TraceEvent& event : trace.events) {
      if (const auto* pick = std::get_if<TracePick>(&event)) picks_.push_back(pick);
      if (const auto* flush = std::get_if<TraceFlush>(&event)) remember(flush->added);
      if (const auto* commit = std::get_if<TraceCommit>(&event)) remember(commit->added);
    }
    PickSettings settings;
    const auto apply = [&](TableSettings& table, std::string_view cql) {
      const OptionMap before = settings.compaction;
      apply_oracle_cql(settings, cql, scenario.allow_unsafe_aggressive_sstable_expiration);
      table.compaction = settings.options;
      table.gc_grace_s = settings.gc_grace_s;
      if (const auto found = option(cql, "default_time_to_live")) table.default_ttl_s = std::stoll(*found);
      if (const auto found = option(cql, "bloom_filter_fp_chance")) {
        table.sstables.bloom_filter_fp_chance = std::stod(*found);
      }
      return before != settings.compaction;
    };
    HarnessSchema schema;
    schema.created.keyspace = "oracle";
    schema.created.clustering_bytes = oracle_clustering_bytes;
    schema.created.sstables.keep_filters = true;
    schema.created.sstables.format = format_of(scenario);
    apply(schema.created, trace.header.ddl);
    schema.alter = [&](TableSettings& table, const OracleAlter& alter) {
      return apply(table, scenario.alter_table(alter));
    };
    play({.scenario = &scenario,
          .workload = &workload_,
          .schema = schema,
          .sizer = {.bytes = [](const DiskSize& size) { return size.uncompressed; }},
          .picks = [this](TableStore&, Seconds now_s) { return recorded_pick(now_s); },
          .observer = this});
  }

  const FileTokens* tokens_of(std::int64_t sstable_id) const override {
    const auto file = tokens_.find(sstable_id);
    return file == tokens_.end() ? nullptr : &file->second;
  }

 private:
  static std::optional<std::string> option(std::string_view cql, const std::string& name) {
    const std::string statement(cql);
    std::smatch found;
    if (!std::regex_search(statement, found, std::regex(name + R"(\s*=\s*([0-9.]+))"))) return std::nullopt;
    return found[1];
  }
  static SSTableFormat format_of(const OracleScenario& scenario) {
    if (scenario.format == "bti") return SSTableFormat::da;
    return scenario.compat == "NONE" ? SSTableFormat::oa : SSTableFormat::nb;
  }

  void remember(const std::vector<TraceSSTable>& added) {
    for (const TraceSSTable& file : added) partitions_[file.id] = file.partitions;
  }

  Pick recorded_pick(Seconds now_s) {
    if (next_pick_ == picks_.size() || picks_[next_pick_]->t_s != now_s) return {};
    const TracePick& recorded = *picks_[next_pick_++];
    Pick pick;
    pick.kind = recorded.kind == "expired_only" ? PickKind::expired_only : PickKind::normal;
    pick.inputs = recorded.inputs;
    pick.level = recorded.level;
    pick.output_limit_bytes = recorded.max_sstable_bytes.value_or(0);
    return pick;
  }

  void flushed(Seconds, const char*, const TableStore&, const Change& change) override { keep(change); }
  void committed(Seconds, const TableStore&, const Task&, const Change& change) override { keep(change); }
  void keep(const Change& change) {
    for (const SSTablePtr& file : change.added) {
      const FileHistograms& histograms = file->histograms();
      // A replay that went another way than the recording knows nothing.
      const auto recorded = partitions_.find(file->id());
      if (recorded == partitions_.end() || recorded->second != std::ssize(histograms.tokens)) continue;
      tokens_[file->id()] = {.tokens = histograms.tokens, .uncompressed_bytes = histograms.partition_bytes};
    }
  }

  TableWorkload workload_;
  std::vector<const TracePick*> picks_{};
  std::size_t next_pick_ = 0;
  std::map<std::int64_t, std::int64_t> partitions_{};
  std::map<std::int64_t, FileTokens> tokens_{};
};

}  // namespace windrow::test
