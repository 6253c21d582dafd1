#include "sim/record/read_recorder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/record/partition_names.h"

namespace windrow {

namespace {

using Spread = ReadSample::Spread;

Spread spread_of(const WeightedCounts& counts, std::int64_t times = 1) {
  return {counts.percentile(50) * times, counts.percentile(99) * times, counts.max() * times};
}

void keep_largest(Spread& worst, const Spread& seen) {
  worst = {std::max(worst.p50, seen.p50), std::max(worst.p99, seen.p99), std::max(worst.max, seen.max)};
}

/// Of the ring, between the first and the last token that a file's cohorts admit.
double ring_share_of(const Content& content) {
  Token first = max_token;
  Token last = min_token;
  for (const Cohort& cohort : content.cohorts) {
    first = std::min(first, cohort.first_token);
    last = std::max(last, cohort.last_token);
  }
  if (content.keyed && !content.keyed->empty()) {
    first = std::min(first, content.keyed->front().token);
    last = std::max(last, content.keyed->back().token);
  }
  if (first > last) return 0;
  constexpr double ring = 18446744073709551616.0;
  return (static_cast<double>(last) - static_cast<double>(first)) / ring;
}

}  // namespace

std::vector<ReadSource> read_sources(const TableStore& table, const Content& memtable) {
  std::vector<ReadSource> sources;
  double row_bytes = 0;
  const double chance = table.settings().sstables.bloom_filter_fp_chance;
  for (const auto& [id, file] : table.sstables()) {
    const FileExtremes& extremes = file->extremes();
    if (extremes.rows > 0)
      row_bytes = static_cast<double>(extremes.uncompressed_bytes) / static_cast<double>(extremes.rows);
    sources.push_back({.content = &file->content(),
                       .max_timestamp_us = extremes.max_timestamp_us,
                       .row_bytes = row_bytes,
                       .ring_share = ring_share_of(file->content()),
                       .false_positive = chance});
    find_clusterings(table.space(), file->content(), sources.back());
  }
  // Rows in memory are taken to be as large as those of the newest file.
  sources.push_back({.content = &memtable, .memtable = true, .row_bytes = row_bytes, .false_positive = chance});
  return sources;
}

std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, const TableWorkload& workload,
                                                const ReadSpec& read) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<ReadPart>> classes;
  for (const Writer& writer : workload.writers()) {
    const WriterSpec* spec = spec_of(scenario, read.table, writer.spec);
    if (!writer.writes || spec == nullptr || spec->stream != read.stream || writer.rhythm.total() == 0) continue;
    classes[{spec->first_entity, spec->entities}].push_back(
        {.writer = &writer,
         .from_us = spec->backfill ? spec->backfill->from_us : spec->from_us,
         .until_us = spec->backfill ? spec->backfill->to_us : spec->until_us,
         .shards = spec->shards});
  }
  std::vector<std::vector<ReadPart>> all;
  for (auto& [entities, parts] : classes) {
    std::ranges::stable_sort(parts, {}, &ReadPart::from_us);
    all.push_back(std::move(parts));
  }
  return all;
}

ReadRequest request_at(const ReadSpec& read, Micros start_us, Micros now_us, Seconds gc_before_s) {
  ReadRequest request{.now_s = now_us / us_per_s,
                      .gc_before_s = gc_before_s,
                      .latest_rows = read.latest_rows,
                      .newest_us = now_us - 1,  // what is written at this instant is not there yet
                      .start_known = read.start == ReadSpec::Start::known,
                      .shards = read.shards};
  request.to_us = now_us - read.ago_us;
  request.from_us = request.to_us - read.range_us;
  // A stream that loads history begins before the run; no table is older than this.
  constexpr Micros before_any_run = 100 * 365 * seconds_per_day * us_per_s;
  request.oldest_us = read.back_us > 0 ? now_us - read.back_us : start_us - before_any_run;
  return request;
}

int replicas_waited_for(Consistency consistency, const std::vector<DataCenter>& data_centers) {
  int all = 0;
  int of_each = 0;
  for (const DataCenter& center : data_centers) {
    all += center.replication_factor;
    of_each += center.replication_factor / 2 + 1;
  }
  switch (consistency) {
    case Consistency::one:
      return 1;
    case Consistency::two:
      return std::min(2, all);
    case Consistency::three:
      return std::min(3, all);
    case Consistency::quorum:
      return all / 2 + 1;
    case Consistency::local_quorum:
      return data_centers.front().replication_factor / 2 + 1;
    case Consistency::each_quorum:
      return of_each;
    case Consistency::all:
      return all;
  }
  return 1;
}

ReadRecorder::ReadRecorder(const Scenario& scenario, bool only_limits, LimitWatch& limits)
    : scenario_(scenario), only_limits_(only_limits), limits_(limits) {
  for (const ReadSpec& read : scenario.reads) records_.push_back({.spec = &read});
}

bool ReadRecorder::wanted() const {
  return !only_limits_ || limits_.wants(limit_row("sstables_per_read_p99")) ||
         limits_.wants(limit_row("tombstones_per_read_p99"));
}

void ReadRecorder::sampled(const Node& node) {
  if (!wanted()) return;
  std::map<int, std::pair<Content, std::vector<ReadSource>>> tables;
  for (ReadRecord& record : records_) {
    const TableStore& table = node.table(record.spec->table);
    const auto [place, first] = tables.try_emplace(record.spec->table);
    auto& [memtable, sources] = place->second;
    if (first) {
      if (!table.memtable().empty()) memtable = table.memtable().content();
      sources = read_sources(table, memtable);
    }
    sample(node, record, sources);
  }
  see_limits(node.now_us());
}

void ReadRecorder::sample(const Node& node, ReadRecord& record, std::span<const ReadSource> sources) {
  const ReadSpec& read = *record.spec;
  const TableStore& table = node.table(read.table);
  const ReadRequest request = request_at(read, scenario_.start_us, node.now_us(), table.gc_before(node.now_s()));
  ReadCosts costs;
  for (const std::vector<ReadPart>& parts : read_classes(scenario_, table.space().workload(), read))
    add_read_costs(table.space(), sources, parts, request, costs);
  if (costs.sstables.total() == 0) return;
  const auto requests = static_cast<double>(std::max<std::int64_t>(1, costs.partitions.total()));
  const auto entities = static_cast<double>(read.entities);
  const int waited_for = replicas_waited_for(read.consistency, scenario_.data_centers);
  const ReadSample sample{.at_us = node.now_us(),
                          .partitions = spread_of(costs.partitions, read.entities),
                          .replicas = costs.partitions.mean() * entities * waited_for,
                          .sstables = spread_of(costs.sstables),
                          .rows = spread_of(costs.rows),
                          .tombstones = spread_of(costs.tombstones),
                          .bytes = spread_of(costs.bytes),
                          .false_positives = costs.false_positives / requests * entities};
  record.samples.push_back(sample);
  ReadSample& worst = record.worst;
  for (const auto member :
       {&ReadSample::partitions, &ReadSample::sstables, &ReadSample::rows, &ReadSample::tombstones, &ReadSample::bytes})
    keep_largest(worst.*member, sample.*member);
  worst.replicas = std::max(worst.replicas, sample.replicas);
  worst.false_positives = std::max(worst.false_positives, sample.false_positives);
  if (sample.tombstones.max > ReadRecord::tombstone_warn_threshold && !record.warned_us)
    record.warned_us = sample.at_us;
  if (sample.tombstones.max > ReadRecord::tombstone_failure_threshold && !record.refused_us)
    record.refused_us = sample.at_us;
}

void ReadRecorder::see_limits(Micros now_us) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> worst;  // by table: the dearest of its reads
  for (const ReadRecord& record : records_) {
    if (record.samples.empty() || record.samples.back().at_us != now_us) continue;
    auto& [sstables, tombstones] = worst[record.spec->table];
    sstables = std::max(sstables, record.samples.back().sstables.p99);
    tombstones = std::max(tombstones, record.samples.back().tombstones.p99);
  }
  for (const auto& [table, p99] : worst) {
    limits_.see(limit_row("sstables_per_read_p99"), table, static_cast<double>(p99.first), now_us);
    limits_.see(limit_row("tombstones_per_read_p99"), table, static_cast<double>(p99.second), now_us);
  }
}

}  // namespace windrow
