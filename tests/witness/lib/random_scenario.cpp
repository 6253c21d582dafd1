#include "tests/witness/lib/random_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/witness/lib/dice.h"

namespace windrow::witness {
namespace {

using Stream = OracleStream;

enum class Strategy { size_tiered, time_window, leveled, unified };

Strategy some_strategy(Dice& dice, Strategies strategies) {
  switch (strategies) {
    case Strategies::size_tiered_and_time_window:
      return dice.one_of({Strategy::size_tiered, Strategy::time_window});
    case Strategies::leveled_and_unified:
      return dice.one_of({Strategy::leveled, Strategy::unified});
    case Strategies::all:
      break;
  }
  return dice.one_of({Strategy::size_tiered, Strategy::time_window, Strategy::leveled, Strategy::unified});
}

class OptionText {
 public:
  void set(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}'{}': '{}'", text_.empty() ? "" : ", ", name, value);
  }
  std::string map() const { return fmt::format("{{{}}}", text_); }

 private:
  std::string text_;
};

void add_common(Dice& dice, OptionText& options) {
  if (dice.percent(40)) options.set("tombstone_threshold", dice.one_of({"0.05", "0.2", "0.5"}));
  // Never 0: a file that stays worth a tombstone compaction would be rewritten for ever in one second.
  if (dice.percent(40)) options.set("tombstone_compaction_interval", dice.one_of({"60", "3600", "20000"}));
  if (dice.percent(30)) options.set("unchecked_tombstone_compaction", dice.one_of({"true", "false"}));
  if (dice.percent(4)) options.set("only_purge_repaired_tombstones", "true");
  if (dice.percent(50)) {
    const std::int64_t least = dice.between(2, 4);
    options.set("min_threshold", fmt::format("{}", least));
    options.set("max_threshold", fmt::format("{}", least + dice.between(0, 5)));
  }
}

void add_size_tiers(Dice& dice, OptionText& options) {
  if (dice.percent(75)) options.set("min_sstable_size", dice.one_of({"0", "500", "3000", "20000"}));
  if (dice.percent(25)) options.set("bucket_high", dice.one_of({"1.1", "1.8"}));
}

std::string compaction_map(Dice& dice, Strategy strategy, bool allow_unsafe) {
  OptionText options;
  switch (strategy) {
    case Strategy::size_tiered:
      options.set("class", "SizeTieredCompactionStrategy");
      add_size_tiers(dice, options);
      break;
    case Strategy::time_window:
      options.set("class", "TimeWindowCompactionStrategy");
      options.set("compaction_window_unit", dice.one_of({"MINUTES", "HOURS"}));
      options.set("compaction_window_size", dice.one_of({"2", "5", "12", "60"}));
      if (dice.percent(40)) options.set("expired_sstable_check_frequency_seconds", dice.one_of({"0", "5000"}));
      if (allow_unsafe && dice.percent(50)) options.set("unsafe_aggressive_sstable_expiration", "true");
      add_size_tiers(dice, options);
      break;
    case Strategy::leveled:
      options.set("class", "LeveledCompactionStrategy");
      options.set("sstable_size_in_mb", "1");
      options.set("fanout_size", dice.one_of({"2", "3", "10"}));
      if (dice.percent(30)) options.set("single_sstable_uplevel", "true");
      break;
    case Strategy::unified:
      options.set("class", "UnifiedCompactionStrategy");
      options.set("scaling_parameters", dice.one_of({"T4", "T2", "L4", "N", "T3, L5"}));
      options.set("target_sstable_size", "1MiB");
      options.set("min_sstable_size", dice.one_of({"0B", "100KiB"}));
      options.set("base_shard_count", dice.one_of({"1", "2", "4"}));
      if (dice.percent(50)) options.set("sstable_growth", dice.one_of({"0", "0.5", "1"}));
      if (dice.percent(50)) options.set("overlap_inclusion_method", dice.one_of({"NONE", "SINGLE", "TRANSITIVE"}));
      if (dice.percent(30)) options.set("expired_sstable_check_frequency_seconds", "5000");
      return options.map();
  }
  add_common(dice, options);
  return options.map();
}

Seconds some_ttl_s(Dice& dice) { return dice.one_of<Seconds>({600, 3600, 7201, 20'000, 43'200, 86'400, 400'000}); }
Seconds some_grace_s(Dice& dice) { return dice.one_of<Seconds>({0, 60, 3600, 7200, 30'000, 864'000}); }

void add_deletes(Dice& dice, Stream& stream, bool whole_buckets) {
  stream.delete_kind = dice.one_of({DeleteKind::row, DeleteKind::cell});
  stream.delete_every = dice.between(1, 9);
  if (whole_buckets) {
    stream.delete_kind = dice.one_of({DeleteKind::partition, DeleteKind::range});
    stream.delete_every = dice.between(1, 4);
  }
  stream.delete_remainder = dice.between(0, stream.delete_every - 1);
  stream.delete_age_s = dice.one_of<Seconds>({0, 60, 3600, 20'000, 86'400});
}

/// What the recording harness does not have: shares of rows, deletes that begin and end, buckets deleted by event,
/// history.
void go_beyond(Dice& dice, OracleScenario& scenario) {
  const Seconds length_s = scenario.end_s - scenario.start_s;
  for (Stream& stream : scenario.streams) {
    const bool buckets = stream.bucket != Stream::Bucket::none && stream.bucket != Stream::Bucket::month;
    if (stream.op == Stream::Op::none && buckets && dice.percent(50)) add_deletes(dice, stream, true);
    const bool one_by_one = stream.delete_kind == DeleteKind::row || stream.delete_kind == DeleteKind::cell;
    if (one_by_one) {
      stream.delete_count = dice.between(1, stream.delete_every);
      if (dice.percent(50)) stream.delete_from_s = dice.between(0, length_s / 2);
      if (dice.percent(50)) stream.delete_to_s = stream.delete_from_s + dice.between(1, length_s / 2);
    } else if (stream.delete_kind != DeleteKind::none) {
      stream.delete_by_event = dice.percent(75);
      if (stream.delete_by_event) stream.period_s *= dice.between(1, 20);
    }
    if (stream.op == Stream::Op::none || !dice.percent(40)) continue;
    stream.pauses.clear();
    stream.history_from_s = -dice.between(0, 30) * dice.one_of<Seconds>({1000, 3600, 86'400});
    // Rows of a partition are told apart by the second of their event.
    const Seconds shortest_s = length_s / stream.period_s + 1;
    stream.history_s = std::max(shortest_s, dice.between(1, 20) * dice.one_of<Seconds>({600, 3600, 86'400}));
    stream.timestamp_from_event = dice.percent(60);
  }
}

void add_times(Dice& dice, Stream& stream, Seconds length_s) {
  if (dice.percent(20)) stream.phase_s = dice.between(1, 3000);
  if (dice.percent(30)) stream.from_s = dice.between(0, length_s / 2);
  if (dice.percent(30)) stream.to_s = stream.from_s + dice.between(length_s / 8, length_s);
  stream.spread = dice.percent(70);
  if (dice.percent(40)) {
    stream.late_every = dice.between(1, 12);
    stream.late_s = dice.one_of<Seconds>({30, 3600, 20'000, 70'000});
  }
  if (dice.percent(35)) {
    Seconds from_s = 0;
    for (std::int64_t i = dice.between(1, 2); i > 0; --i) {
      from_s += dice.between(0, length_s / 3);
      const Seconds to_s = from_s + dice.between(1, length_s / 4);
      stream.pauses.push_back({.from_s = from_s, .to_s = to_s});
      from_s = to_s;
    }
    stream.pauses_delay = dice.percent(60);
  }
}

Stream some_writer(Dice& dice, Seconds length_s, int columns, bool large) {
  Stream stream;
  stream.to_s = length_s;
  stream.entities = dice.one_of<std::int64_t>({1, 2, 5, 12, 25, 40});
  const std::int64_t rows = dice.between(60, 900);
  stream.period_s = std::max<Seconds>(1, length_s * stream.entities / rows);
  if (dice.percent(60)) stream.period_s = std::max<Seconds>(60, stream.period_s / 60 * 60);
  stream.bucket = dice.one_of({Stream::Bucket::none, Stream::Bucket::hour, Stream::Bucket::day, Stream::Bucket::day,
                               Stream::Bucket::week, Stream::Bucket::month});
  if (dice.percent(25)) stream.shards = dice.between(2, 4);
  stream.columns = dice.percent(60) ? columns : static_cast<int>(dice.between(1, columns));
  stream.value_size = large ? dice.between(2000, 40'000) : dice.between(0, 60);
  if (dice.percent(40)) stream.value_jitter = dice.one_of<std::int64_t>({1, 5, 60, 130});
  stream.mixed_values = dice.percent(30);
  if (dice.percent(35)) stream.op = Stream::Op::update;
  if (dice.percent(50)) stream.ttl_s = dice.percent(25) ? 0 : some_ttl_s(dice);
  if (dice.percent(35)) {
    stream.ttl_alt_every = dice.between(1, 9);
    if (dice.percent(80)) stream.ttl_alt_s = dice.percent(30) ? 0 : some_ttl_s(dice);
  }
  if (dice.percent(35)) stream.ck_mod = dice.one_of<std::int64_t>({1, 2, 7, 30});
  stream.timestamp_from_event = dice.percent(35);
  if (dice.percent(15)) stream.timestamp_offset_us = dice.one_of<std::int64_t>({-1, 1, -3'600'000'000, 30'000'000'000});
  add_times(dice, stream, length_s);
  if (dice.percent(30)) add_deletes(dice, stream, false);
  return stream;
}

/// A stream over another's partitions: it only deletes, or writes the same keys with something changed.
Stream companion(Dice& dice, const Stream& other) {
  Stream stream = other;
  if (dice.percent(60)) {
    stream.op = Stream::Op::none;
    const bool buckets = stream.bucket != Stream::Bucket::none && stream.bucket != Stream::Bucket::month;
    add_deletes(dice, stream, buckets && dice.percent(65));
    return stream;
  }
  if (dice.percent(50)) stream.op = stream.op == Stream::Op::insert ? Stream::Op::update : Stream::Op::insert;
  if (dice.percent(50)) stream.ttl_s = dice.percent(30) ? 0 : some_ttl_s(dice);
  if (dice.percent(50)) stream.late_every = 1;
  if (stream.late_every == 1) stream.late_s = dice.one_of<Seconds>({0, 1, 5000, 50'000});
  if (dice.percent(30)) stream.timestamp_from_event = !stream.timestamp_from_event;
  if (dice.percent(30)) stream.value_size = dice.between(0, 40);
  if (dice.percent(30)) stream.columns = 1;
  return stream;
}

void add_streams(Dice& dice, OracleScenario& scenario, bool large) {
  const Seconds length_s = scenario.end_s - scenario.start_s;
  for (std::int64_t count = dice.between(1, 3); count > 0; --count) {
    Stream stream = !scenario.streams.empty() && dice.percent(55)
                        ? companion(dice, scenario.streams.front())
                        : some_writer(dice, length_s, scenario.columns, large);
    stream.index = static_cast<int>(scenario.streams.size());
    stream.name = std::string(1, static_cast<char>('a' + stream.index));
    if (stream.pk_prefix.empty()) stream.pk_prefix = dice.percent(50) ? "p" : stream.name;
    scenario.streams.push_back(std::move(stream));
  }
}

void add_alters(Dice& dice, OracleScenario& scenario, Strategies strategies) {
  const bool allow_unsafe = scenario.allow_unsafe_aggressive_sstable_expiration;
  Seconds at_s = scenario.start_s;
  for (std::int64_t count = dice.between(1, 3); count > 0; --count) {
    at_s += dice.between(1, (scenario.end_s - scenario.start_s) / 2);
    if (at_s >= scenario.end_s) return;
    std::vector<std::string> changes;
    if (dice.percent(45)) changes.push_back(fmt::format("gc_grace_seconds = {}", some_grace_s(dice)));
    if (dice.percent(30))
      changes.push_back(fmt::format("default_time_to_live = {}", dice.percent(30) ? 0 : some_ttl_s(dice)));
    if (dice.percent(45) || changes.empty())
      changes.push_back(
          fmt::format("compaction = {}", compaction_map(dice, some_strategy(dice, strategies), allow_unsafe)));
    scenario.alters.push_back({.at_s = at_s, .with = fmt::format("{}", fmt::join(changes, " AND "))});
  }
}

}  // namespace

/// Nulls and collections, of streams whose rows are written once and meet nothing but deletes that win.
void fill_columns(Dice& dice, OracleScenario& scenario) {
  for (Stream& stream : scenario.streams) {
    const auto same_keys = [&](const Stream& other) { return other.pk_prefix == stream.pk_prefix; };
    if (std::ranges::count_if(scenario.streams, same_keys) > 1) stream.pk_prefix = stream.name;
    if (stream.op == Stream::Op::none) stream.op = Stream::Op::update;
    stream.ck_mod = 0;
    if (stream.delete_kind != DeleteKind::row) stream.delete_kind = DeleteKind::none;
    if (stream.delete_kind == DeleteKind::row) {
      stream.late_every = 0;
      stream.pauses.clear();
      stream.timestamp_offset_us = std::min<std::int64_t>(0, stream.timestamp_offset_us);
    }
    if (dice.percent(50)) stream.null_columns = static_cast<int>(dice.between(0, stream.columns));
    if (stream.null_columns == stream.columns && stream.op == Stream::Op::update) --stream.null_columns;
    if (stream.null_columns > 0 && dice.percent(50)) continue;
    stream.elements = dice.between(0, 4);
    stream.append = dice.percent(25);
  }
}

OracleScenario random_scenario_of_columns(std::uint64_t seed, Strategies strategies) {
  OracleScenario scenario = random_scenario(seed, strategies);
  scenario.comment += " with nulls and collections";
  Dice dice(seed * 5 + 2);
  fill_columns(dice, scenario);
  return scenario;
}

OracleScenario random_scenario_of_statics(std::uint64_t seed, Strategies strategies) {
  using Statics = Stream::Statics;
  Dice dice(seed * 7 + 3);
  OracleScenario scenario =
      dice.percent(30) ? random_scenario_beyond(seed, strategies) : random_scenario(seed, strategies);
  scenario.comment += " with static columns";
  scenario.statics = dice.one_of({1, 1, 2, 3});
  for (Stream& stream : scenario.streams) {
    if (stream.op != Stream::Op::none)
      stream.statics = dice.one_of({Statics::each, Statics::each, Statics::once, Statics::once, Statics::none});
  }
  return scenario;
}

OracleScenario random_scenario_of_ranges(std::uint64_t seed, Strategies strategies) {
  Dice dice(seed * 11 + 5);
  OracleScenario scenario = random_scenario(seed, strategies);
  scenario.comment += " with ranges deleted";
  const bool filled = dice.percent(25);
  if (filled) fill_columns(dice, scenario);
  for (Stream& stream : scenario.streams) stream.pk_prefix = stream.name;
  Stream& rows = scenario.streams.front();
  rows.delete_kind = DeleteKind::none;
  rows.late_every = 0;
  rows.pauses_delay = false;
  rows.ck_mod = 0;
  rows.timestamp_offset_us = std::min<std::int64_t>(0, rows.timestamp_offset_us);
  if (dice.percent(30)) {
    scenario.statics = dice.one_of({1, 2});
    rows.statics = dice.one_of({Stream::Statics::each, Stream::Statics::once});
  }
  Stream deletes = rows;
  deletes.index = static_cast<int>(scenario.streams.size());
  deletes.name = std::string(1, static_cast<char>('a' + deletes.index));
  deletes.op = Stream::Op::none;
  deletes.statics = Stream::Statics::none;
  deletes.pauses.clear();
  add_deletes(dice, deletes, true);
  deletes.delete_kind = DeleteKind::range;
  // A range that may be older than a row that it covers is met by rows one by one, which have simple cells only.
  if (filled) deletes.delete_age_s = std::max<Seconds>(60, deletes.delete_age_s);
  const bool closed = rows.bucket != Stream::Bucket::none && rows.bucket != Stream::Bucket::month && dice.percent(25);
  deletes.delete_by_event = !closed;
  if (!closed) deletes.period_s *= dice.between(1, 20);
  scenario.streams.push_back(std::move(deletes));
  return scenario;
}

OracleScenario random_scenario_beyond(std::uint64_t seed, Strategies strategies) {
  OracleScenario scenario = random_scenario(seed, strategies);
  scenario.comment += " beyond recordings";
  Dice dice(seed * 3 + 1);
  go_beyond(dice, scenario);
  return scenario;
}

OracleScenario random_scenario(std::uint64_t seed, Strategies strategies) {
  Dice dice(seed);
  OracleScenario scenario;
  scenario.comment = fmt::format("random scenario {}", seed);
  const Strategy first = some_strategy(dice, strategies);
  // Sizes are numbers to both engines: large values reach the levels of LCS and UCS with few rows.
  const bool large = first == Strategy::leveled || first == Strategy::unified || dice.percent(10);
  if (dice.percent(25)) scenario.format = "bti";
  if (scenario.format == "big" && dice.percent(30)) scenario.compat = "CASSANDRA_4";
  scenario.start_s += dice.between(0, 300) * seconds_per_day + dice.one_of<Seconds>({0, 0, 50'000, 86'399});
  scenario.end_s = scenario.start_s + dice.between(12, 72) * 3600;
  scenario.columns = dice.one_of({1, 1, 2, 4});
  scenario.tick_s = dice.one_of<Seconds>({600, 3600, 3600, 10'000});
  const Seconds length_s = scenario.end_s - scenario.start_s;
  add_streams(dice, scenario, large);
  const bool by_rows = dice.percent(25);
  if (by_rows) scenario.flush_every_rows = dice.between(7, 60);
  if (!by_rows || dice.percent(30)) scenario.flush_every_s = std::max<Seconds>(600, length_s / dice.between(8, 60));
  if (scenario.flush_every_s > 0 && dice.percent(30)) scenario.flush_phase_s = dice.between(1, 3000);
  if (dice.percent(40)) {
    scenario.compaction_delay_s = dice.one_of<Seconds>({1, 900, 5000, 20'000});
    if (dice.percent(50)) scenario.compaction_bytes_per_s = dice.between(1, 20) * (large ? 200 : 1);
    scenario.compaction_slots = static_cast<int>(dice.between(1, 3));
  }
  scenario.allow_unsafe_aggressive_sstable_expiration = dice.percent(20);
  const std::string compaction = compaction_map(dice, first, scenario.allow_unsafe_aggressive_sstable_expiration);
  scenario.table = fmt::format("gc_grace_seconds = {} AND bloom_filter_fp_chance = {}", some_grace_s(dice),
                               dice.one_of({"0.01", "0.0001", "0.1", "1.0"}));
  if (dice.percent(50)) scenario.table += fmt::format(" AND default_time_to_live = {}", some_ttl_s(dice));
  if (dice.percent(30)) scenario.table += fmt::format(" AND min_index_interval = {}", dice.one_of({1, 4, 16}));
  scenario.table += fmt::format(" AND compression = {{'enabled': 'false'}} AND compaction = {}", compaction);
  if (dice.percent(45)) add_alters(dice, scenario, strategies);
  return scenario;
}

}  // namespace windrow::witness
