#include "sim/advice/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/advice/table_view.h"
#include "sim/base/arithmetic.h"
#include "sim/results/node_load.h"
#include "sim/size/time_window.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

/// A time as scenarios write it.
std::string span_key(Seconds span_s) {
  for (const auto& [unit, length_s] :
       {std::pair<const char*, Seconds>{"d", seconds_per_day}, {"h", 3'600}, {"min", 60}}) {
    if (span_s % length_s == 0) return fmt::format("{}{}", span_s / length_s, unit);
  }
  return fmt::format("{}s", span_s);
}

class Candidates {
 public:
  Candidates(const LoadedScenario& loaded, const RunRecord& record, const LimitOutcome& limit)
      : loaded_(loaded), record_(record), limit_(limit), ratio_(limit.bound > 0 ? limit.value / limit.bound : 2) {}

  std::vector<Remedy> take() {
    const std::string_view name = limit_.name;
    if (name == "disk_used_share") {
      disk();
    } else if (name == "node_max_over_mean") {
      hot_node();
    } else if (name == "pending_compactions_max" || name == "compaction_used_share") {
      throughput();
    } else if (const TableRecord* table = find_table(record_, limit_.table)) {
      const AdvisedTable view = advised_table(loaded_, *table);
      if (name.starts_with("partition_")) partitions(view);
      if (name == "sstables_max") sstables(view);
      if (name == "held_back_share") held_back(view);
      if (name == "erasure_days_max") erasure(view);
    }
    return std::move(found_);
  }

 private:
  void add(std::vector<std::string> settings, std::optional<KeyColumn> column = std::nullopt) {
    const bool there = std::ranges::any_of(found_, [&](const Remedy& remedy) { return remedy.settings == settings; });
    if (!settings.empty() && !there)
      found_.push_back({.settings = std::move(settings), .key_column = std::move(column)});
  }
  static std::string option(const AdvisedTable& table, std::string_view name, const std::string& value) {
    return fmt::format("table.{}.{}={}", table.key_name, name, value);
  }

  // --- by limit

  void held_back(const AdvisedTable& table) {
    if (table.main_ttl_s > 0) {
      std::vector<std::string> same;
      for (const std::string& stream : table.other_ttl_streams)
        same.push_back(fmt::format("stream.{}.ttl={}", stream, span_key(table.main_ttl_s)));
      add(same);
    }
    std::vector<std::string> arrival;
    for (const std::string& stream : table.stamped_streams)
      arrival.push_back(fmt::format("stream.{}.timestamp=arrival", stream));
    add(arrival);
    flush_within_ttl(table);
    shorter_gc_grace(table);
    other_window(table);
    to_time_windows(table);
    single_tombstone_compactions(table);
    if (table.record->strategy != "LeveledCompactionStrategy")
      add({option(table, "compaction.class", "LeveledCompactionStrategy")});
  }

  void sstables(const AdvisedTable& table) {
    const std::string_view strategy = table.record->strategy;
    other_window(table);
    if (table.window_s > 0) {
      const Seconds enough_s = table.window_s * static_cast<Seconds>(std::ceil(ratio_ * 1.02));
      set_window(table, window_of(enough_s));
      set_window(table, window_of(2 * table.window_s));
    }
    if (strategy == "LeveledCompactionStrategy") {
      const auto& options = std::get<LeveledOptions>(table.options().compaction_options);
      const auto size =
          static_cast<std::int64_t>(std::ceil(static_cast<double>(options.sstable_size_in_mb) * ratio_ * 1.1));
      add({option(table, "compaction.sstable_size_in_mb", std::to_string(size))});
    }
    if (strategy == "UnifiedCompactionStrategy") {
      const auto& options = std::get<UnifiedOptions>(table.options().compaction_options);
      if (options.target_sstable_size_bytes != GiB(5)) add({option(table, "compaction.target_sstable_size", "5GiB")});
      const bool tiered = options.scaling_parameters == UnifiedOptions{}.scaling_parameters;
      add({option(table, "compaction.scaling_parameters", tiered ? "L4" : "T4")});
    }
    if (strategy == "SizeTieredCompactionStrategy") {
      const auto& options = std::get<SizeTieredOptions>(table.options().compaction_options);
      if (options.common.min_threshold != 3) add({option(table, "compaction.min_threshold", "3")});
    }
    if (table.main_ttl_s > 0) shorter_gc_grace(table);
    to_time_windows(table);
    for (const char* other : {"SizeTieredCompactionStrategy", "UnifiedCompactionStrategy"}) {
      if (strategy != other) add({option(table, "compaction.class", other)});
    }
  }

  void erasure(const AdvisedTable& table) {
    shorter_gc_grace(table);
    single_tombstone_compactions(table);
    for (const char* other : {"SizeTieredCompactionStrategy", "LeveledCompactionStrategy"}) {
      if (table.record->strategy != other) add({option(table, "compaction.class", other)});
    }
  }

  void partitions(const AdvisedTable& table) {
    const std::string stream = table.record->largest.empty() ? std::string() : table.record->largest.front().stream;
    const KeyRule* bucket = table.rule(ColumnRule::Kind::bucket, stream);
    const KeyRule* shard = table.rule(ColumnRule::Kind::shard, stream);
    if (bucket != nullptr && bucket->plain) {
      for (const std::string_view shorter : shorter_buckets(bucket->length_s, ratio_)) {
        const std::string rule(shorter);
        add({fmt::format("stream.{}.column.{}={}", bucket->stream, bucket->column, rule)});
      }
    }
    if (shard != nullptr && ratio_ <= most_shards) more_shards(*shard, ratio_);
    if (bucket == nullptr) {
      // A partition takes rows for as long as it lives.
      const Seconds lives_s =
          table.main_ttl_s > 0 && table.other_ttl_streams.empty() ? std::min(table.main_ttl_s, run_s()) : run_s();
      for (const std::string_view rule : shorter_buckets(lives_s, ratio_)) new_key(table, "text", "bucket", rule);
    }
    if (shard == nullptr && ratio_ <= most_shards)
      new_key(table, "int", "shard", fmt::format("shard({})", power_of_two(ratio_ * 1.02)));
    if (bucket == nullptr && table.options().default_time_to_live == 0 && limit_.first_breach_us) {
      const Seconds filled_s = (*limit_.first_breach_us - loaded_.scenario.start_us) / us_per_s;
      const Seconds days = filled_s / 2 / seconds_per_day;
      if (days > 0) add({option(table, "default_time_to_live", std::to_string(days * seconds_per_day))});
    }
  }

  void disk() {
    const TableRecord& largest = *std::ranges::max_element(
        record_.tables, {}, [](const TableRecord& table) { return table.disk.value + table.snapshots.value; });
    const AdvisedTable table = advised_table(loaded_, largest);
    if (loaded_.scenario.node.snapshot_every_us > 0) add({"node.keep_snapshots=1"});
    if (largest.snapshots.value > 0 && !largest.family.empty()) add({option(table, "on_drop", "remove")});
    to_time_windows(table);
    if (largest.strategy != "UnifiedCompactionStrategy")
      add({option(table, "compaction.class", "UnifiedCompactionStrategy")});
    if (largest.strategy != "LeveledCompactionStrategy")
      add({option(table, "compaction.class", "LeveledCompactionStrategy")});
    if (table.options().default_time_to_live == 0 && limit_.first_breach_us) {
      const Seconds days = (*limit_.first_breach_us - loaded_.scenario.start_us) / us_per_s / 2 / seconds_per_day;
      if (days > 0) add({option(table, "default_time_to_live", std::to_string(days * seconds_per_day))});
    }
    if (table.main_ttl_s > 0) shorter_gc_grace(table);
    const double more = static_cast<double>(loaded_.scenario.node.disk_bytes) * ratio_ * 1.02;
    add({fmt::format("node.disk={}GiB", static_cast<std::int64_t>(std::ceil(more / (1024.0 * 1024 * 1024))))});
  }

  void throughput() {
    const NodeSettings& node = loaded_.scenario.node;
    const auto mib = static_cast<std::int64_t>(std::ceil(node.compaction_throughput_bytes_per_s * ratio_ / (1 << 20)));
    if (mib > 0) add({fmt::format("node.compaction_throughput={}MiB/s", mib)});
    add({fmt::format("node.concurrent_compactors={}", std::min(64, 2 * node.concurrent_compactors))});
    for (const TableRecord& record : record_.tables) {
      const AdvisedTable table = advised_table(loaded_, record);
      other_window(table);
      to_time_windows(table);
    }
  }

  void hot_node() {
    if (!record_.load) return;
    const HottestNode hottest = hottest_node(*record_.load);
    const std::optional<NamedCause> cause = named_cause(record_, hottest.hour, hottest.node);
    if (!cause) return;
    const auto writer = std::ranges::find(record_.scenario->writers, cause->stream, &WriterSpec::stream);
    if (writer == record_.scenario->writers.end()) return;
    const AdvisedTable table = advised_table(loaded_, record_.tables[static_cast<std::size_t>(writer->table)]);
    const KeyRule* shard = table.rule(ColumnRule::Kind::shard, cause->stream);
    if (shard != nullptr) {
      more_shards(*shard, 2);
      more_shards(*shard, 8);
    } else {
      for (const int shards : {4, 8, 16}) new_key(table, "int", "shard", fmt::format("shard({})", shards));
    }
    const KeyRule* bucket = table.rule(ColumnRule::Kind::bucket, cause->stream);
    if (bucket != nullptr && bucket->plain) {
      const auto shorter = shorter_buckets(bucket->length_s, 2);
      if (!shorter.empty())
        add({fmt::format("stream.{}.column.{}={}", bucket->stream, bucket->column, shorter.front())});
    }
  }

  // --- by what is turned

  void shorter_gc_grace(const AdvisedTable& table) {
    if (table.record->gc_grace_s > seconds_per_day) add({option(table, "gc_grace_seconds", "86400")});
    // Shorter than hints are kept, and lint warns of it.
    if (table.record->gc_grace_s > hint_window_s && !table.deletes)
      add({option(table, "gc_grace_seconds", std::to_string(hint_window_s))});
  }

  void set_window(const AdvisedTable& table, const WindowChoice& window) {
    if (window.length_s == table.window_s) return;
    std::vector<std::string> settings;
    if (table.window_s == 0) settings.push_back(option(table, "compaction.class", "TimeWindowCompactionStrategy"));
    settings.push_back(option(table, "compaction.compaction_window_unit", window.unit));
    settings.push_back(option(table, "compaction.compaction_window_size", std::to_string(window.size)));
    add(std::move(settings));
  }
  static WindowChoice window_of(Seconds length_s) {
    if (length_s % seconds_per_day == 0)
      return {.length_s = length_s, .unit = "DAYS", .size = length_s / seconds_per_day};
    if (length_s % 3'600 == 0) return {.length_s = length_s, .unit = "HOURS", .size = length_s / 3'600};
    return {.length_s = length_s, .unit = "MINUTES", .size = length_s / 60};
  }
  static Seconds windowed(const AdvisedTable& table) { return windowed_s(table.main_ttl_s, table.record->gc_grace_s); }
  void other_window(const AdvisedTable& table) {
    if (table.window_s > 0 && table.main_ttl_s > 0 &&
        !is_good_window(table.window_s, windowed(table), table.bucket_s()))
      set_window(table, window_for(windowed(table), table.bucket_s()));
  }
  void to_time_windows(const AdvisedTable& table) {
    if (table.window_s == 0) set_window(table, window_for(windowed(table), table.bucket_s()));
  }
  /// An SSTable that spans a large part of the TTL goes as late as its newest row.
  void flush_within_ttl(const AdvisedTable& table) {
    const TableRecord& record = *table.record;
    if (table.main_ttl_s == 0 || record.flushes == 0) return;
    const double between_s = static_cast<double>(record.written_until_us - record.written_from_us) / us_per_s /
                             static_cast<double>(record.flushes);
    if (2 * between_s < static_cast<double>(table.main_ttl_s)) return;
    constexpr Seconds ms_per_s = 1'000;
    const Seconds tenth_s = std::max<Seconds>(60, table.main_ttl_s / 10);
    const Seconds period_s = table.window_s > 0 ? std::min(table.window_s, tenth_s) : tenth_s;
    add({option(table, "memtable_flush_period_in_ms", std::to_string(period_s * ms_per_s))});
  }
  void single_tombstone_compactions(const AdvisedTable& table) {
    const CommonCompactionOptions& now = common_options(table.options().compaction_options);
    if (now.unchecked_tombstone_compaction && now.tombstone_compaction_interval_s <= seconds_per_day) return;
    add({option(table, "compaction.unchecked_tombstone_compaction", "true"),
         option(table, "compaction.tombstone_compaction_interval", "86400")});
  }

  void more_shards(const KeyRule& shard, double times) {
    const std::int64_t wanted = shard.count * power_of_two(times * 1.02);
    if (wanted <= 1'024) add({fmt::format("stream.{}.column.{}=shard({})", shard.stream, shard.column, wanted)});
  }

  void new_key(const AdvisedTable& table, const std::string& type, std::string name, std::string_view rule) {
    while (table.spec->schema.find_column(name) != nullptr) name = "time_" + name;
    std::vector<std::string> settings;
    for (const std::string& stream : table.streams)
      settings.push_back(fmt::format("stream.{}.column.{}={}", stream, name, rule));
    add(std::move(settings), KeyColumn{.table = table.key_name, .name = std::move(name), .type = type});
  }

  static std::int64_t power_of_two(double at_least) {
    std::int64_t power = 2;
    while (static_cast<double>(power) < at_least && power < 1'024) power *= 2;
    return power;
  }

  /// The coarsest that divides a partition so far, and the next finer one.
  static std::vector<std::string_view> shorter_buckets(Seconds length_s, double ratio) {
    static constexpr std::array<std::pair<std::string_view, Seconds>, 7> known = {{{"year", 365 * seconds_per_day},
                                                                                   {"month", 31 * seconds_per_day},
                                                                                   {"week", 7 * seconds_per_day},
                                                                                   {"day", seconds_per_day},
                                                                                   {"hour", 3'600},
                                                                                   {"10min", 600},
                                                                                   {"minute", 60}}};
    std::vector<std::string_view> shorter;
    for (const auto& [name, s] : known) {
      if (static_cast<double>(s) * ratio * 1.02 <= static_cast<double>(length_s) && s < length_s && shorter.size() < 2)
        shorter.push_back(name);
    }
    return shorter;
  }

  Seconds run_s() const { return (loaded_.scenario.end_us - loaded_.scenario.start_us) / us_per_s; }

  static constexpr double most_shards = 64;  // for a partition's sake; beyond it a bucket has to help

  const LoadedScenario& loaded_;
  const RunRecord& record_;
  const LimitOutcome& limit_;
  double ratio_ = 2;  // how far beyond
  std::vector<Remedy> found_{};
};

}  // namespace

std::vector<Remedy> candidates(const LoadedScenario& loaded, const RunRecord& record, const LimitOutcome& limit) {
  return Candidates(loaded, record, limit).take();
}

}  // namespace windrow
