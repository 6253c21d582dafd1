#include "evidence/recordings/oracle_workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "sim/base/check.h"

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

std::uint64_t mix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint8_t mixed_byte(std::int64_t g, int column, std::int64_t i) {
  const std::uint64_t word = mix64(static_cast<std::uint64_t>(g * 1'000'003 + column * 7919 + i / 8));
  return static_cast<std::uint8_t>(word >> (8 * (i % 8)));
}

std::vector<std::int32_t> value_sizes(const OracleStream& stream) {
  std::vector<std::int32_t> sizes;
  for (std::int64_t extra = 0; extra <= stream.value_jitter; ++extra) {
    sizes.push_back(static_cast<std::int32_t>(stream.value_size + extra));
  }
  return sizes;
}

std::vector<ColumnWrite> static_writes(const OracleScenario& scenario, const OracleStream& stream) {
  std::vector<ColumnWrite> columns;
  if (stream.statics == OracleStream::Statics::none) return columns;
  for (int column = 0; column < scenario.statics; ++column)
    columns.push_back({.column = first_static_column + column, .sizes = value_sizes(stream), .step = 7919});
  return columns;
}

/// An element's key has four bytes.
std::vector<ColumnWrite> column_writes(const OracleStream& stream, int all_columns) {
  const std::vector<std::int32_t> sizes = value_sizes(stream);
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
  writer.statics = static_writes(scenario, stream);
  writer.statics_once = stream.statics == OracleStream::Statics::once;
  if (stream.mixed_values) writer.value_byte = mixed_byte;
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

bool one_by_one(const OracleStream& stream) {
  return stream.delete_kind == DeleteKind::row || stream.delete_kind == DeleteKind::cell;
}

bool is_deleted(const OracleStream& stream, std::int64_t g) {
  const std::int64_t every = stream.delete_every;
  const std::int64_t card = ((g - stream.delete_remainder) % every + every) % every;
  return one_by_one(stream) && card * stream.delete_count % every < stream.delete_count;
}

/// Each bucket is deleted once it is closed, entity by entity: whole, or its first half.
std::vector<CoveringDelete> deletes_of_closed_buckets(const OracleScenario& scenario, const OracleStream& stream,
                                                      const Writer& writer) {
  std::vector<CoveringDelete> deletes;
  const Seconds length_s = writer.bucket.length();
  SIM_CHECK(length_s > 0, "partition and range deletes need buckets of equal length");
  const Seconds to_s = std::min(scenario.start_s + stream.to_s, scenario.end_s);
  std::int64_t sequence = 0;
  for (std::int64_t bucket = writer.bucket.number(scenario.start_s + stream.from_s);
       bucket <= writer.bucket.number(to_s - 1); ++bucket) {
    for (std::int64_t entity = 0; entity < stream.entities; ++entity) {
      for (std::int64_t shard = 0; shard < stream.shards; ++shard, ++sequence) {
        if ((bucket + entity) % stream.delete_every != stream.delete_remainder) continue;
        const Seconds arrival_s = (bucket + 1) * length_s + stream.delete_age_s + entity;
        if (arrival_s >= scenario.end_s) continue;
        deletes.push_back({.arrival = arrival_s,
                           .sequence = sequence,
                           .bucket = bucket,
                           .slot = shard * stream.entities + entity,
                           .until_ms = (bucket * length_s + length_s / 2) * 1000});
      }
    }
  }
  return deletes;
}

FateRule fate_of(const OracleScenario& scenario, const OracleStream& stream, const Writer& writer) {
  FateRule fate;
  fate.deletes = {.kind = stream.delete_kind,
                  .age_units = stream.delete_age_s,
                  .arrive_from_units = stream.delete_from_s > 0 ? scenario.start_s + stream.delete_from_s : 0,
                  .arrive_to_units = stream.delete_to_s ? scenario.start_s + *stream.delete_to_s : INT64_MAX};
  if (stream.delete_kind == DeleteKind::partition || stream.delete_kind == DeleteKind::range) {
    fate.deletes.covering = stream.delete_by_event
                                ? deletes_by_event(writer, stream.delete_kind, stream.delete_age_s,
                                                   scenario.start_s + stream.from_s, scenario.end_s, most_keyed_rows)
                                : deletes_of_closed_buckets(scenario, stream, writer);
  }
  std::int64_t modulus = 1;
  if (stream.late_every > 0) modulus = std::lcm(modulus, stream.late_every);
  if (stream.ttl_alt_every > 0) modulus = std::lcm(modulus, stream.ttl_alt_every);
  if (one_by_one(stream)) modulus = std::lcm(modulus, stream.delete_every);
  // The harness names every k-th row; sub-streams are in the order of (late, other TTL, deleted).
  std::map<std::tuple<bool, bool, bool>, std::pair<FateShare, std::vector<std::int64_t>>> shares;
  for (std::int64_t g = 0; g < modulus; ++g) {
    const bool late = stream.late_every > 0 && g % stream.late_every == stream.late_every - 1;
    const bool other_ttl = stream.ttl_alt_every > 0 && g % stream.ttl_alt_every == stream.ttl_alt_every - 1;
    const bool deleted = is_deleted(stream, g);
    const auto ttl_s = other_ttl ? stream.ttl_alt_s : stream.ttl_s;
    const FateShare share{.rows = {},
                          .late_units = late ? stream.late_s : 0,
                          .ttl_s = ttl_s.value_or(SubStream::table_default_ttl),
                          .deleted = deleted};
    const std::vector<std::int64_t> none;
    shares.try_emplace({late, other_ttl, deleted}, share, none).first->second.second.push_back(g);
  }
  fate.shares.clear();
  for (auto& [which, rows] : shares) {
    auto& [share, residues] = rows;
    share.rows = RowShare::remainders(modulus, std::move(residues));
    fate.shares.push_back(std::move(share));
  }
  return fate;
}

}  // namespace

TableWorkload oracle_workload(const OracleScenario& scenario) {
  TableWorkload workload;
  std::map<std::string, int> groups;
  for (const OracleStream& stream : scenario.streams) {
    const int group = groups.try_emplace(stream.pk_prefix, static_cast<int>(groups.size())).first->second;
    Writer writer = writer_of(scenario, stream, group);
    FateRule fate = fate_of(scenario, stream, writer);
    workload.add(std::move(writer), std::move(fate), scenario.end_s);
  }
  workload.finish(most_keyed_rows);
  return workload;
}

}  // namespace windrow
