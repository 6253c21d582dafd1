#include "evidence/recordings/oracle_workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace windrow {

namespace {

constexpr std::int64_t most_keyed_rows = 20'000'000;

/// pk text = prefix + entity [+ ":" + bucket] [+ ":" + shard].
class OracleKeys final : public PartitionKeys {
 public:
  explicit OracleKeys(const OracleStream& stream)
      : prefix_(stream.pk_prefix),
        bucketed_(stream.bucket != OracleStream::Bucket::none),
        sharded_(stream.shards > 1) {}

  std::string key(std::int64_t entity, std::int64_t bucket_label, std::int64_t shard) const override {
    std::string key = fmt::format("{}{}", prefix_, entity);
    if (bucketed_) key += fmt::format(":{}", bucket_label);
    if (sharded_) key += fmt::format(":{}", shard);
    return key;
  }

 private:
  std::string prefix_;
  bool bucketed_ = false;
  bool sharded_ = false;
};

BucketRule bucket_rule(OracleStream::Bucket bucket) {
  switch (bucket) {
    case OracleStream::Bucket::none:
      return BucketRule::none();
    case OracleStream::Bucket::hour:
      return BucketRule::every(3600);
    case OracleStream::Bucket::day:
      return BucketRule::every(seconds_per_day);
    case OracleStream::Bucket::week:
      return BucketRule::every(7 * seconds_per_day);
    case OracleStream::Bucket::month:
      return BucketRule::month();
  }
  return BucketRule::none();
}

DeleteKind delete_kind(OracleStream::Delete kind) {
  switch (kind) {
    case OracleStream::Delete::none:
      return DeleteKind::none;
    case OracleStream::Delete::row:
      return DeleteKind::row;
    case OracleStream::Delete::cell:
      return DeleteKind::cell;
    case OracleStream::Delete::partition:
      return DeleteKind::partition;
    case OracleStream::Delete::range:
      return DeleteKind::range;
  }
  return DeleteKind::none;
}

/// An element's key has four bytes.
std::vector<ColumnWrite> column_writes(const OracleStream& stream, int all_columns) {
  std::vector<std::int32_t> sizes;
  for (std::int64_t extra = 0; extra <= stream.value_jitter; ++extra) {
    sizes.push_back(static_cast<std::int32_t>(stream.value_size + extra));
  }
  std::vector<ColumnWrite> columns;
  for (int column = 0; column < stream.columns; ++column) {
    columns.push_back({.column = column, .fixed_length = false, .sizes = sizes, .step = 7919});
    columns.back().null = column >= stream.columns - stream.null_columns;
  }
  if (stream.elements < 0) return columns;
  columns.push_back({.column = all_columns, .fixed_length = false, .sizes = sizes, .step = 7919});
  columns.back().elements =
      ElementsWrite{.count = static_cast<int>(stream.elements), .whole = !stream.append, .path_bytes = 4};
  return columns;
}

Writer writer_of(const OracleScenario& scenario, const OracleStream& stream, int key_group) {
  Writer writer;
  writer.name = stream.name;
  writer.rhythm =
      Rhythm(scenario.start_s + stream.from_s + stream.phase_s, stream.period_s, stream.entities, stream.spread);
  writer.rhythm.stop_at(std::min(scenario.start_s + stream.to_s, scenario.end_s));
  if (stream.history_s > 0) {
    writer.arrivals = writer.rhythm;
    const std::int64_t rows = std::max<std::int64_t>(1, writer.arrivals->total());
    writer.rhythm = Rhythm(scenario.start_s + stream.history_from_s, stream.history_s, rows, true);
    writer.rhythm.stop_at(scenario.start_s + stream.history_from_s + stream.history_s);
  }
  writer.entities = stream.entities;
  writer.shards = stream.shards;
  writer.bucket = bucket_rule(stream.bucket);
  writer.insert = stream.op == OracleStream::Op::insert;
  writer.writes = stream.op != OracleStream::Op::none;
  writer.columns = column_writes(stream, scenario.columns);
  writer.mixed_values = stream.mixed_values;
  writer.timestamp = {
      .from_event = stream.timestamp_from_event, .offset_us = stream.timestamp_offset_us, .add_row_number = true};
  writer.clustering = {.modulus = stream.ck_mod, .bytes = oracle_clustering_bytes};
  for (const OracleStream::Pause& pause : stream.pauses) {
    writer.pauses.push_back({scenario.start_s + pause.from_s, scenario.start_s + pause.to_s});
  }
  std::ranges::sort(writer.pauses, {}, &Pause::from);
  writer.pauses_delay = stream.pauses_delay;
  writer.key_group = key_group;
  writer.keys = std::make_shared<OracleKeys>(stream);
  return writer;
}

FateRule fate_of(const OracleScenario& scenario, const OracleStream& stream) {
  return {.late_every = stream.late_every,
          .late_units = stream.late_s,
          .ttl_s = stream.ttl_s.value_or(SubStream::table_default_ttl),
          .ttl_alt_every = stream.ttl_alt_every,
          .ttl_alt_s = stream.ttl_alt_s.value_or(SubStream::table_default_ttl),
          .deletes = {.kind = delete_kind(stream.delete_kind),
                      .every = stream.delete_every,
                      .remainder = stream.delete_remainder,
                      .count = stream.delete_count,
                      .age_units = stream.delete_age_s,
                      .from_units = scenario.start_s + stream.from_s,
                      .to_units = std::min(scenario.start_s + stream.to_s, scenario.end_s),
                      .arrive_from_units = stream.delete_from_s > 0 ? scenario.start_s + stream.delete_from_s : 0,
                      .arrive_to_units = stream.delete_to_s ? scenario.start_s + *stream.delete_to_s : INT64_MAX,
                      .each_event = stream.delete_by_event}};
}

}  // namespace

TableWorkload oracle_workload(const OracleScenario& scenario) {
  TableWorkload workload;
  std::map<std::string, int> groups;
  for (const OracleStream& stream : scenario.streams) {
    const int group = groups.try_emplace(stream.pk_prefix, static_cast<int>(groups.size())).first->second;
    workload.add(writer_of(scenario, stream, group), fate_of(scenario, stream), scenario.end_s);
  }
  workload.finish(most_keyed_rows);
  return workload;
}

}  // namespace windrow
