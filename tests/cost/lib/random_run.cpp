#include "tests/cost/lib/random_run.h"

#include <fmt/format.h>

#include <vector>

#include "tests/witness/lib/dice.h"

namespace windrow {

namespace {

using witness::Dice;
using Text = std::string;

constexpr const char* first_month = "2026-01-";

/// One scenario while it is written.
class Draft {
 public:
  Draft(std::uint64_t seed, std::int64_t days, int draw, std::int64_t times)
      : dice_(seed), seed_(seed), days_(days), times_(times) {
    for (int moved = 0; moved < draw; ++moved) dice_.next();
  }

  RandomRun run() {
    centers_ = dice_.percent(12) ? 2 : dice_.percent(45) ? 1 : 0;
    copies_ = centers_ == 0 ? 1 : static_cast<int>(dice_.between(1, 3));
    tables_ = static_cast<int>(dice_.percent(60) ? 1 : dice_.between(2, 3));
    put_run();
    for (int c = 0; c < centers_; ++c) put_center(c);
    if (dice_.percent(60)) put_node();
    put_tables();
    put_streams();
    for (int r = 0; dice_.percent(40) && r < 2; ++r) put_read(r);
    if (centers_ == 1) put_faults();
    if (dice_.percent(15)) put_change();
    if (dice_.percent(20)) put_action();
    if (dice_.percent(50)) put_limits();
    run_.ini = std::move(ini_);
    return std::move(run_);
  }

 private:
  void section(const Text& name) { ini_ += fmt::format("[{}]\n", name); }
  void key(const Text& name, const Text& value) { ini_ += fmt::format("{} = {}\n", name, value); }
  /// A word that is said now and then.
  void maybe(int percent, const Text& name, const Text& value) {
    if (dice_.percent(percent)) key(name, value);
  }
  Text one(std::initializer_list<const char*> choices) { return dice_.one_of(choices); }
  Text number(std::int64_t low, std::int64_t high) { return fmt::format("{}", dice_.between(low, high)); }
  /// A day of the run.
  Text date(std::int64_t low = 1) {
    const std::int64_t last = std::max<std::int64_t>(low, std::min<std::int64_t>(28, days_ - 1));
    return fmt::format("{}{:02}{}", first_month, dice_.between(low, last), one({"", "T08:30:00", "T00:00:01"}));
  }
  Text table(int t) const { return fmt::format("t{}", t); }

  void put_run() {
    section("run");
    key("schema", "t.cql");
    maybe(20, "name", "any");
    maybe(20, "title", "Any run");
    maybe(50, "start", "2026-01-01");
    key("length", fmt::format("{}d", days_));
    maybe(30, "sample", one({"1h", "6h", "12h", "7d", "10min"}));
    maybe(30, "seed", number(1, 99));
    const Text exact = one({"0", "100", "10000"});
    if (dice_.percent(20) && times_ == 1) key("exact_partitions", exact);
    if (times_ > 1) key("exact_partitions", "1000");
    maybe(15, "exact_placements", one({"1000", "100000"}));
    if (seed_ % 7 == 0) key("exact_leaves", seed_ % 2 == 0 ? "0" : "1000");
  }

  void put_center(int c) {
    section(fmt::format("dc.c{}", c));
    const std::int64_t nodes = dice_.percent(60) ? copies_ : dice_.between(copies_, 6);
    nodes_ += static_cast<int>(nodes);
    key("nodes", fmt::format("{}", nodes));
    const bool racks = dice_.percent(30);
    if (racks) key("racks", fmt::format("{}", dice_.percent(50) ? 1 : copies_));
    if (dice_.percent(70)) {
      key("replication_factor", fmt::format("{}", copies_));
    } else {
      key("replication", fmt::format("{}", copies_));
    }
    if (centers_ == 1 && !racks && dice_.percent(10)) {
      Text tokens = "dc,node,rack,token\n";
      for (std::int64_t n = 0; n < nodes; ++n)
        tokens += fmt::format("c{},{},rack1,{}\n", c, n + 1, n * 1'000'000'000'000'000'000);
      run_.files["tokens.csv"] = tokens;
      key("tokens", "tokens.csv");
      key("num_tokens", "1");
      return;
    }
    maybe(40, "num_tokens", one({"1", "4", "16", "32"}));
    if (dice_.percent(25)) {
      key("allocation", one({"replicated", "random"}));
    } else {
      maybe(15, "first_token", "-42");
    }
    maybe(25, "placement", one({"hashed", "alike"}));
  }

  void put_node() {
    section("node");
    maybe(15, "heap", one({"1GiB", "4GiB", "16GiB"}));
    maybe(15, "memtable_heap_space", one({"4MiB", "64MiB", "1GiB"}));
    maybe(10, "memtable_offheap_space", one({"4MiB", "1GiB"}));
    maybe(15, "memtable", one({"skiplist", "trie"}));
    maybe(15, "memtable_allocation_type", one({"heap_buffers", "offheap_buffers", "offheap_objects"}));
    maybe(15, "memtable_cleanup_threshold", one({"0.1", "0.5"}));
    maybe(15, "memtable_flush_writers", number(1, 4));
    maybe(10, "memtable_heap_per_byte", one({"2", "8.5"}));
    maybe(15, "commitlog_total_space", one({"64MiB", "1GiB"}));
    maybe(15, "other_writes", one({"10kB/s", "1MiB/s"}));
    maybe(15, "other_disk", "10GB");
    maybe(20, "disk", one({"100GB", "1TB"}));
    maybe(30, "compaction_throughput", one({"0", "10kB/s", "16MiB/s"}));
    maybe(20, "merge_speed", one({"5kB/s", "10MiB/s"}));
    maybe(25, "concurrent_compactors", number(1, 8));
    maybe(15, "background_check", one({"1s", "10s", "10min"}));
    maybe(15, "first_check", one({"1s", "1h"}));
    maybe(15, "restart_every", one({"1d", "9h"}));
    maybe(15, "snapshot_every", one({"1d", "5d"}));
    maybe(15, "keep_snapshots", number(1, 9));
    maybe(30, "format", one({"nb", "oa", "da"}));
    maybe(10, "allow_unsafe_aggressive_sstable_expiration", one({"true", "false"}));
    if (centers_ != 1) return;
    maybe(10, "hinted_handoff", one({"true", "false"}));
    maybe(10, "max_hint_window", one({"1h", "1d"}));
    maybe(10, "hinted_handoff_throttle", "10kB/s");
    maybe(10, "lost_mutations", "0.1%");
  }

  Text compaction() {
    const Text common = one({"", "", "", ", 'tombstone_threshold': '0.1'", ", 'unchecked_tombstone_compaction': 'true'",
                             ", 'tombstone_compaction_interval': '3600'", ", 'enabled': 'false'",
                             ", 'only_purge_repaired_tombstones': 'true'"});
    const Text tiers = one({"", "", ", 'min_threshold': '2'", ", 'max_threshold': '8'", ", 'bucket_high': '2.5'"});
    switch (dice_.between(0, 3)) {
      case 0:
        return "'SizeTieredCompactionStrategy'" + tiers + common;
      case 1:
        return "'TimeWindowCompactionStrategy'" +
               one({"", ", 'compaction_window_unit': 'HOURS', 'compaction_window_size': '6'",
                    ", 'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'",
                    ", 'compaction_window_size': '3'", ", 'expired_sstable_check_frequency_seconds': '3600'"}) +
               common;
      case 2:
        return "'LeveledCompactionStrategy'" +
               one({"", ", 'sstable_size_in_mb': '2'", ", 'sstable_size_in_mb': '16', 'fanout_size': '5'",
                    ", 'single_sstable_uplevel': 'true'"}) +
               common;
      default:
        return "'UnifiedCompactionStrategy'" +
               one({"", ", 'scaling_parameters': 'L10'", ", 'scaling_parameters': 'T8, T4, N'",
                    ", 'base_shard_count': '1'", ", 'target_sstable_size': '100MiB', 'min_sstable_size': '1MiB'"}) +
               (common.starts_with(", 'only") || common.starts_with(", 'enabled") ? common : "");
    }
  }

  void put_tables() {
    Text centers;
    for (int c = 0; c < centers_; ++c) centers += fmt::format(", 'c{}': {}", c, copies_);
    const Text simple = fmt::format("'SimpleStrategy', 'replication_factor': {}", copies_);
    Text cql = fmt::format("CREATE KEYSPACE k WITH replication = {{'class': {}}};\n",
                           centers_ < 2 ? simple : "'NetworkTopologyStrategy'" + centers);
    for (int t = 0; t < tables_; ++t) {
      sharded_.push_back(dice_.percent(25));
      bucketed_.push_back(dice_.percent(80));
      labelled_.push_back(dice_.percent(12));
      Text options = fmt::format(" AND compaction = {{'class': {}}}", compaction());
      if (dice_.percent(60)) options += fmt::format(" AND default_time_to_live = {}", one({"3600", "86400", "864000"}));
      if (dice_.percent(60)) options += fmt::format(" AND gc_grace_seconds = {}", one({"0", "10800", "86400"}));
      if (dice_.percent(10)) options += " AND memtable_flush_period_in_ms = 3600000";
      cql += fmt::format(
          "CREATE TABLE k.{} (device text, {}{}at timestamp, value double, note text, tags map<text, text>, "
          "{}PRIMARY KEY ((device{}{}), at)) WITH comment = ''{};\n",
          table(t), bucketed_.back() ? "day text, " : "", sharded_.back() ? "shard int, " : "",
          labelled_.back() ? "site text static, " : "", bucketed_.back() ? ", day" : "",
          sharded_.back() ? ", shard" : "", options);
      section("table." + table(t));
      if (dice_.percent(7)) {
        Text recorded = "time,operations,data_bytes\n";
        for (std::int64_t day = 1; day < std::min<std::int64_t>(days_, 20); ++day)
          recorded += fmt::format("{}{:02}T12:00:00,{},{}\n", first_month, day, 1000, 100'000);
        run_.files["flushes.csv"] = recorded;
        key("flushes", "flushes.csv");
      } else {
        maybe(85, "flush_size", one({"32KiB", "256KiB", "2MiB", "16MiB"}));
      }
      maybe(20, "compression_ratio", one({"0.3", "0.7"}));
      if (dice_.percent(7)) {
        key("per", "month");
        maybe(60, "drop_after", "3d");
        maybe(60, "on_drop", one({"snapshot", "remove", "snapshot for 2d"}));
      }
      maybe(10, "gc_grace_seconds", "7200");
    }
    run_.files["t.cql"] = cql;
  }

  void put_values(int t) {
    if (bucketed_[static_cast<std::size_t>(t)])
      key("column.day", one({"day", "day", "day", "hour", "10min", "week", "month", "6h", "rolling(24, 1h)",
                             "adaptive(day, hour above 500/day)", "day then hour from 2026-01-04", "minute"}));
    if (sharded_[static_cast<std::size_t>(t)])
      key("column.shard", one({"shard(4)", "shard(16)", "adaptive(shard(1), shard(8) above 500/day)", "each(3)"}));
    // What a text or a map holds is said, unless `row` says it, or it is not written.
    const std::int64_t how = dice_.between(0, 99);
    if (how < 12) {
      key("columns", "value");
    } else if (how < 24) {
      key("row", one({"100B", "2KiB"}));
      key("column.tags", "map(3, text(5), text(9))");
    } else {
      key("column.note", one({"text(20)", "text(lognormal(90, 280))", "null", "'x'", "text(2000)"}));
      key("column.tags", one({"map(3, text(5), text(9))", "append(map(1, text(5), text(9)))"}));
      if (labelled_[static_cast<std::size_t>(t)]) {
        key("column.site", "text(8)");
        maybe(60, "statics", one({"each", "once"}));
      }
    }
  }

  void put_times() {
    maybe(25, "ttl",
          one({"none", "table", "1d", "6h 5% + table", "2d 10% + none 1% + 5d", "3d then 1d from 2026-01-03"}));
    maybe(22, "late", one({"1% by 10min..3h", "2% by 1h..2d + 0.1% by 3d", "none", "10% by 1min..2min"}));
    maybe(15, "timestamp", one({"arrival", "event", "event + 5s"}));
    maybe(10, "zone", one({"UTC", "+02:00"}));
    maybe(15, "from", date());
    maybe(10, "until", date(2));
  }

  void put_stream(int s) {
    const int t = static_cast<int>(dice_.between(0, tables_ - 1));
    section(fmt::format("stream.s{}", s));
    sources_.push_back(-1);
    if (s > 0 && dice_.percent(25)) {
      sources_.back() = dice_.between(0, s - 1);
      key("of", fmt::format("s{}", sources_.back()));
      key("table", table(t));
      maybe(40, "per", one({"1h", "10min"}));
      maybe(40, "delay", one({"90s", "1h"}));
      maybe(30, "copies", number(1, 5));
      put_values(t);
      return;
    }
    if (s > 0 && dice_.percent(50)) {
      key("like", fmt::format("s{}", dice_.between(0, s - 1)));
      if (dice_.percent(40)) {
        key("op", one({"delete(row, 1d)", "delete(row, 1h)", "delete(range, 1d)", "delete(partition, 2d)"}));
        maybe(60, "rate", "2/day");
        return;
      }
      maybe(30, "table", table(t));
      maybe(50, "entities", fmt::format("pattern(x{}-%03d, {})", s, dice_.between(1, 40)));
      maybe(50, "rate", one({"5/h", "100/day"}));
      put_times();
      return;
    }
    key("table", table(t));
    key("entities", entities(s));
    const bool overwrites = dice_.percent(8);
    if (overwrites) {
      key("op",
          one({"overwrite(1000)", "overwrite(5000, random)", "overwrite(200, cyclic)", "overwrite(1000, zipf(0.9))"}));
    } else {
      maybe(25, "op", one({"insert", "update"}));
    }
    maybe(10, "backfill", "from 2025-11-01 to 2025-12-01 at 2/s");
    key("rate", one({"1/min", "4/h", "200/day", "1/90s", "lognormal(40/day, 400/day)", "uniform(10/day, 90/day)",
                     "1/min then 1/h from 2026-01-05", "0/s then 30/h from 2026-01-03"}));
    maybe(20, "shape", one({"flat", "daily(peak 20:00, 3x)", "weekly(peak sat, 2x)", "burst(10x, 1h, every 7d)"}));
    maybe(15, "growth", one({"40%/y", "-50%/y", "900%/y"}));
    maybe(15, "stagger", one({"spread", "none"}));
    maybe(10, "copies", number(2, 4));
    put_values(t);
    put_times();
  }

  Text entities(int s) {
    if (dice_.percent(6)) {
      run_.files["fleet.csv"] = "name,rate\na,10/day\nb,100/day\nc,2/h\n";
      return "from(fleet.csv)";
    }
    return dice_.percent(15) ? fmt::format("named(a{}, b{})", s, s)
                             : fmt::format("pattern(d{}-%0{}d, {})", s, times_ > 1 ? 6 : 4,
                                           times_ * dice_.one_of<std::int64_t>({1, 7, 40, 120}));
  }

  void put_streams() {
    streams_ = static_cast<int>(dice_.percent(50) ? 1 : dice_.between(2, 4));
    for (int s = 0; s < streams_; ++s) put_stream(s);
  }

  void put_read(int r) {
    section(fmt::format("read.r{}", r));
    std::int64_t read = dice_.between(0, streams_ - 1);
    for (std::int64_t s = 0; s < streams_; ++s) {
      if (sources_[static_cast<std::size_t>(s)] >= 0 && dice_.percent(60)) read = s;
    }
    const std::int64_t source = sources_[static_cast<std::size_t>(read)];
    key("of", fmt::format("s{}", read));
    if (dice_.percent(50)) {
      key("latest", one({"1", "20", "1000"}));
      maybe(40, "back", one({"1d", "7d"}));
      maybe(40, "start", one({"known", "unknown"}));
      if (source >= 0) maybe(60, "fetch", fmt::format("s{}", source));
    } else {
      key("range", one({"1h", "3d"}));
      maybe(40, "ago", one({"1d", "0s"}));
    }
    key("rate", one({"10/s", "1/min"}));
    maybe(25, "in", number(1, 10));
    maybe(30, "consistency", one({"ONE", "QUORUM", "LOCAL_QUORUM", "ALL"}));
    maybe(12, "probe.shard", number(1, 8));
  }

  void put_faults() {
    if (dice_.percent(30)) {
      section("repair.weekly");
      maybe(25, "tables", "t0");
      maybe(50, "kind", one({"full", "incremental"}));
      maybe(40, "ranges", one({"primary", "all"}));
      maybe(60, "order", one({"together", "node_after_node", "node_after_node"}));
      maybe(25, "subranges", number(1, 4));
      maybe(40, "from", date());
      key("every", one({"1d", "3d", "7d"}));
      if (dice_.percent(60)) {
        key("takes", one({"1h", "6h"}));
      } else {
        key("throughput", one({"1MiB/s", "64MiB/s"}));
      }
      maybe(15, "skip", fmt::format("{}03..{}05", first_month, first_month));
    }
    if (!dice_.percent(30)) return;
    section("outage.away");
    if (dice_.percent(25)) {
      key("rate", "20/y");
    } else {
      key("from", date());
      if (dice_.percent(80)) {
        key("node", number(1, nodes_));
      } else {
        const bool center = centers_ > 0 && dice_.percent(60);
        if (center) key("dc", "c0");
        if (!center || dice_.percent(50)) key("rack", "1");
      }
    }
    key("length", one({"1h", "12h", "2d", "lognormal(2h, 12h)"}));
    maybe(40, "kind", one({"down", "cut_off"}));
    maybe(25, "ends", one({"return", "replace"}));
  }

  void put_change() {
    section("change.other");
    key("at", date());
    key("cql", dice_.percent(75) ? fmt::format("ALTER TABLE k.t0 WITH compaction = {{'class': {}}};", compaction())
                                 : "ALTER TABLE k.t0 WITH default_time_to_live = 43200;");
  }

  void put_action() {
    section("action.once");
    key("at", date());
    key("do", one({"compact", "flush", "restart", "cleanup", "snapshot", "clear_snapshot", "truncate", "drop"}));
    maybe(50, "table", "t0");
  }

  void put_limits() {
    section("limits");
    maybe(30, "partition_size_max", "100MiB");
    maybe(30, "partition_size_p99", "10MiB");
    maybe(30, "partition_rows_max", "100000");
    maybe(30, "partition_cells_max", "1000000");
    maybe(30, "disk_used_share", "50%");
    maybe(30, "sstables_max", "100");
    maybe(30, "pending_compactions_max", "20");
    maybe(30, "compaction_used_share", "80%");
    maybe(30, "held_back_share", "20%");
    maybe(20, "tombstones_per_read_p99", "1000");
    maybe(20, "sstables_per_read_p99", "8");
    maybe(20, "node_max_over_mean", "2");
    maybe(20, "resurrected_rows", "0");
    maybe(20, "repair_margin_min", "1d");
    maybe(20, "erasure_days_max", "30");
  }

  Dice dice_;
  std::uint64_t seed_;
  std::int64_t days_ = 0;
  std::int64_t times_ = 1;  // as many entities
  RandomRun run_{};
  Text ini_{};
  int centers_ = 0;
  int copies_ = 1;
  int nodes_ = 0;
  int tables_ = 1;
  int streams_ = 1;
  std::vector<std::int64_t> sources_{};  // by stream; -1: it is derived from none
  std::vector<bool> sharded_{};
  std::vector<bool> bucketed_{};
  std::vector<bool> labelled_{};
};

}  // namespace

RandomRun random_run(std::uint64_t seed, std::int64_t days, int draw, std::int64_t times) {
  return Draft(seed * 13 + 5, days, draw, times).run();
}

}  // namespace windrow
