#include "sim/keys/sections.h"

namespace windrow {

namespace {

constexpr std::int64_t most_nodes = 1000;

template <std::int64_t Least, std::int64_t Most>
bool within(const Count& value) {
  return value.count >= Least && value.count <= Most;
}
bool positive_time(const Duration& value) { return value.us > 0; }
bool positive_size(const Size& value) { return value.bytes > 0; }
bool positive_rate(const Rate& value) { return value.rows > 0; }
bool run_length(const Duration& value) { return value.us > 0 && value.us <= 100 * us_per_year; }
bool at_least_a_second(const Duration& value) { return value.us >= us_per_s; }
bool at_least_a_minute(const Duration& value) { return value.us >= 60 * us_per_s; }
bool share_of_one(const Number& value) { return value.number > 0 && value.number <= 1; }
bool heap_factor(const Number& value) { return value.number >= 0.1 && value.number <= 1000; }
bool ratio(const Number& value) { return value.number > 0 && value.number <= 10; }
bool at_least_one(const Number& value) { return value.number >= 1 && value.number <= 1e6; }
bool not_negative(const Number& value) { return value.number <= 1e9; }

constexpr const char* times = "such as 90s, 20min, 4h, 10d, 2w, 3y";
constexpr const char* dates = "2026-01-01 or 2026-01-01T08:30:00";

}  // namespace

void read_value(Cursor& cursor, SSTableFormat& value) {
  value = read_choice<SSTableFormat>(cursor,
                                     {{"nb", SSTableFormat::nb}, {"oa", SSTableFormat::oa}, {"da", SSTableFormat::da}});
}

const Keys<RunSection>& RunSection::keys() {
  using S = RunSection;
  static const Keys<S> keys = {
      Key<S>("name", &S::name, "what results call the scenario", "", "any text").without("the file's name"),
      Key<S>("title", &S::title, "what the report is called", "", "any text").without("the name"),
      Key<S>("schema", &S::schema, "file with the CQL of the tables, as the server's DESCRIBE prints it", "path",
             "a path relative to the scenario")
          .required(),
      {"start", &S::start, "first instant of the run", "date", dates},
      Key<S>("length", &S::length, "how long the run is", "time", "above 0s, at most 100y")
          .required()
          .holds(run_length),
      Key<S>("sample", &S::sample, "time between two samples of timeline.csv", "time", "at least 1min")
          .holds(at_least_a_minute),
      {"seed", &S::seed, "begins every random stream of the run", "", "a whole number"},
      Key<S>("exact_partitions", &S::exact_partitions,
             "so many partitions alive at once, and rows in all, are followed one by one where SSTables are cut by "
             "token; above, ownership is smooth",
             "partitions", "0 to 100000000")
          .holds(within<0, 100'000'000>),
  };
  return keys;
}

const Keys<DcSection>& DcSection::keys() {
  using S = DcSection;
  static const Keys<S> keys = {
      Key<S>("nodes", &S::nodes, "nodes of the data centre", "nodes", "1 to 1000").holds(within<1, most_nodes>),
      Key<S>("racks", &S::racks, "racks they stand in", "racks", "1 to the number of nodes")
          .holds(within<1, most_nodes>),
      Key<S>("replication_factor", &S::replication_factor, "copies of every row; must agree with the schema's keyspace",
             "copies", "1 to the number of nodes")
          .holds(within<1, most_nodes>)
          .without("the keyspace's; without one 3, or all nodes if there are fewer"),
      Key<S>("num_tokens", &S::num_tokens, "tokens of each node", "tokens", "1 to 1024").holds(within<1, 1024>),
  };
  return keys;
}

const Keys<NodeSection>& NodeSection::keys() {
  using S = NodeSection;
  static const Keys<S> keys = {
      Key<S>("heap", &S::heap, "maximum heap of the JVM", "size", "above 0").holds(positive_size),
      Key<S>("memtable_heap_space", &S::memtable_heap_space, "heap that all memtables share", "size", "above 0")
          .holds(positive_size)
          .without("a quarter of the heap"),
      Key<S>("memtable_offheap_space", &S::memtable_offheap_space, "off-heap memory that all memtables share", "size",
             "above 0")
          .holds(positive_size)
          .without("a quarter of the heap"),
      Key<S>("memtable_cleanup_threshold", &S::memtable_cleanup_threshold,
             "share of the memtable space at which the largest memtable is flushed", "", "above 0, at most 1")
          .holds(share_of_one)
          .without("1 / (1 + memtable_flush_writers)"),
      Key<S>("memtable_flush_writers", &S::memtable_flush_writers, "flushes at a time", "threads", "1 to 128")
          .holds(within<1, 128>),
      Key<S>("memtable_heap_per_byte", &S::memtable_heap_per_byte,
             "heap bytes that a byte of flushed data takes, as measured", "", "0.1 to 1000")
          .holds(heap_factor)
          .without("estimated from rows, cells and partitions"),
      Key<S>("commitlog_total_space", &S::commitlog_total_space,
             "commit log beyond which the oldest memtables are flushed", "size", "above 0")
          .holds(positive_size)
          .without("the smaller of 8GiB and a quarter of the disk"),
      {"other_writes", &S::other_writes, "what other tables of the node write: it fills the commit log",
       "bytes per time", "0 or more, such as 5MiB/s"},
      {"other_disk", &S::other_disk, "disk that other tables use", "size", "0 or more"},
      Key<S>("disk", &S::disk, "disk of a node", "size", "above 0").holds(positive_size).without("never full"),
      {"compaction_throughput", &S::compaction_throughput, "throttle of all compactions of a node", "bytes per time",
       "0 (none) or more, such as 64MiB/s"},
      Key<S>("merge_speed", &S::merge_speed, "what one compaction thread can merge", "bytes per time",
             "0 (no bound) or more")
          .without("only the throttle bounds it"),
      Key<S>("concurrent_compactors", &S::concurrent_compactors, "compactions at a time", "threads", "1 to 64")
          .holds(within<1, 64>),
      Key<S>("background_check", &S::background_check, "time between two looks for something to compact", "time",
             "at least 1s")
          .holds(at_least_a_second),
      Key<S>("first_check", &S::first_check, "first such look after the node's start", "time", "at least 1s")
          .holds(at_least_a_second),
      Key<S>("restart_every", &S::restart_every, "time between two restarts of a node", "time", "above 0s")
          .holds(positive_time)
          .without("never"),
      Key<S>("snapshot_every", &S::snapshot_every, "time between two snapshots", "time", "above 0s")
          .holds(positive_time)
          .without("never"),
      Key<S>("keep_snapshots", &S::keep_snapshots, "snapshots kept, the oldest go first", "snapshots", "1 to 10000")
          .holds(within<1, 10'000>),
      {"format", &S::format,
       "version of the SSTables: nb is the shipped default of 5.0, oa needs storage_compatibility_mode NONE or "
       "UPGRADING, da is BTI",
       "", "nb, oa, da"},
      {"allow_unsafe_aggressive_sstable_expiration", &S::allow_unsafe_aggressive_sstable_expiration,
       "the JVM property of that name", "", "true, false"},
  };
  return keys;
}

void read_value(Cursor& cursor, Stagger& value) {
  value = read_choice<Stagger>(cursor, {{"spread", Stagger::spread}, {"none", Stagger::none}});
}

const Keys<StreamSection>& StreamSection::keys() {
  using S = StreamSection;
  static const Keys<S> keys = {
      Key<S>("table", &S::table, "the table that is written", "", "a table of the schema")
          .without("must be given, or come from `like`"),
      {"like", &S::like, "another stream: its keys hold here too, unless given", "", "a stream"},
      {"entities", &S::entities, "who writes: devices, services, accounts", "",
       "a number up to 100,000,000, pattern(dev-%05d, 20000), named(a, b), from(fleet.csv)"},
      Key<S>("rate", &S::rate, "how often one entity writes", "rows per time",
             "such as 1/s, 20/min, lognormal(4/day, 400/day), from(profile.csv), A then B from DATE")
          .without("must be given, unless `of` or `backfill` is"),
      {"shape", &S::shape, "how the rate swings around its mean; the peak's factor is times the mean", "",
       "flat, daily(peak 20:00, 3x), weekly(peak sat, 2x), burst(10x, 1h, every 7d)"},
      {"growth", &S::growth, "by how much the rate grows in a year", "share per year", "-90%/y to 1000%/y"},
      Key<S>("from", &S::from, "when the stream begins", "date", dates).without("the run's start"),
      Key<S>("until", &S::until, "when the stream ends", "date", dates).without("the run's end"),
      {"stagger", &S::stagger, "entities of one rate write one after the other, or all at the same instant", "",
       "spread, none"},
      {"op", &S::op, "what a write does", "",
       "insert, update, overwrite(keys[, random|cyclic|zipf(s)]), delete(row|range|partition, age)"},
      Key<S>("columns", &S::columns, "columns that are written, besides the primary key", "", "names joined by +")
          .without("all"),
      {"column.*", &S::column, "what goes into a column", "", std::string(accepted_column_rules)},
      {"ttl", &S::ttl, "TTL of the rows; a part without share takes the rest", "time",
       "a time, table, none, 60d 5% + table, A then B from DATE"},
      {"late", &S::late, "rows that arrive after their event", "share and time", "none, 2% by 1h..2d + 0.1% by 10d"},
      {"timestamp", &S::timestamp, "what write timestamps say", "", "arrival, event, event + 5s"},
      Key<S>("backfill", &S::backfill,
             "old rows that are written from the stream's beginning on, all entities together", "",
             "from DATE to DATE at RATE")
          .without("none"),
      Key<S>("copies", &S::copies, "every event is written so many times, each time to another entity", "copies",
             "1 to 100000")
          .holds(within<1, 100'000>),
      Key<S>("of", &S::of, "the stream that this one is derived from", "", "a stream").without("none"),
      Key<S>("per", &S::per, "a derived stream writes one row per entity and interval that has data", "time",
             "at least 1s")
          .holds(at_least_a_second)
          .without("one row per row"),
      {"delay", &S::delay, "how long after its interval's end (or its event) a row arrives", "time", times},
      {"zone", &S::zone, "the writer's clock: where its days begin", "", "UTC, or an offset such as +02:00"},
  };
  return keys;
}

void read_value(Cursor& cursor, TablePer& value) {
  value = read_choice<TablePer>(cursor, {{"once", TablePer::once}, {"month", TablePer::month}});
}

const Keys<TableSection>& TableSection::keys() {
  using S = TableSection;
  static const Keys<S> keys = {
      Key<S>("flush_size", &S::flush_size, "Data bytes at which the memtable is flushed, as measured", "size",
             "at least 1KiB")
          .holds<Size>([](const Size& value) { return value.bytes >= 1024; })
          .without("the heap, the commit log and its neighbours decide"),
      Key<S>("flushes", &S::flushes, "recorded flushes to follow: CSV with the columns time, operations, data_bytes",
             "path", "a path relative to the scenario")
          .without("none"),
      Key<S>("compression_ratio", &S::compression_ratio,
             "bytes on disk per uncompressed byte, as tablestats measures it", "", "above 0, at most 10")
          .holds(ratio)
          .without("1.0, and disk figures are upper bounds"),
      {"per", &S::per, "month: a table of its own for every month", "", "once, month"},
      Key<S>("drop_after", &S::drop_after, "how long after the end of its month a table of `per = month` is dropped",
             "time", "above 0s")
          .holds(positive_time)
          .without("never"),
      {"on_drop", &S::on_drop, "what is left of a dropped table", "", "snapshot, remove, snapshot for 30d"},
      {"*", &S::option,
       "any option of CREATE TABLE, over the schema's: gc_grace_seconds, default_time_to_live, compaction.class, "
       "compaction.compaction_window_size, …",
       "", "what CQL accepts"},
  };
  return keys;
}

const Keys<ReadSection>& ReadSection::keys() {
  using S = ReadSection;
  static const Keys<S> keys = {
      Key<S>("of", &S::of, "the stream whose rows are read", "", "a stream").required(),
      Key<S>("latest", &S::latest, "reads the newest rows of an entity", "rows", "1 to 10000000")
          .holds(within<1, 10'000'000>)
          .without("`range` must be given"),
      Key<S>("range", &S::range, "reads everything of an entity this far back", "time", "above 0s")
          .holds(positive_time)
          .without("`latest` must be given"),
      Key<S>("rate", &S::rate, "how often, all entities together", "reads per time", "above 0/s")
          .required()
          .holds(positive_rate),
      Key<S>("probe.*", &S::probe, "how many values of a key column the reader asks for", "values", "1 to 1000000")
          .holds(within<1, 1'000'000>),
  };
  return keys;
}

void read_value(Cursor& cursor, RepairRanges& value) {
  value = read_choice<RepairRanges>(cursor, {{"primary", RepairRanges::primary}, {"all", RepairRanges::all}});
}
void read_value(Cursor& cursor, RepairKindName& value) {
  value = read_choice<RepairKindName>(cursor,
                                      {{"full", RepairKindName::full}, {"incremental", RepairKindName::incremental}});
}

const Keys<RepairSection>& RepairSection::keys() {
  using S = RepairSection;
  static const Keys<S> keys = {
      Key<S>("tables", &S::tables, "tables that are repaired", "", "tables joined by +").without("all"),
      {"kind", &S::kind, "full or incremental repair", "", "full, incremental"},
      {"ranges", &S::ranges, "each node repairs its primary ranges, or all that it holds", "", "primary, all"},
      Key<S>("from", &S::from, "first repair", "date", dates).without("one interval after the run's start"),
      Key<S>("every", &S::every, "time between the beginnings of two repairs", "time", "above 0s")
          .required()
          .holds(positive_time),
      Key<S>("takes", &S::takes, "how long one repair of all nodes takes", "time", "above 0s")
          .holds(positive_time)
          .without("`throughput` must be given"),
      Key<S>("throughput", &S::throughput, "bytes validated per time, from which the length follows", "bytes per time",
             "above 0, such as 64MiB/s")
          .holds<ByteRate>([](const ByteRate& value) { return value.bytes_per_s > 0; })
          .without("`takes` must be given"),
  };
  return keys;
}

const Keys<OutageSection>& OutageSection::keys() {
  using S = OutageSection;
  static const Keys<S> keys = {
      Key<S>("node", &S::node, "which node is down, from 1", "", "1 to the number of nodes")
          .required()
          .holds(within<1, most_nodes>),
      Key<S>("from", &S::from, "when it goes down", "date", dates).required(),
      Key<S>("length", &S::length, "how long it is down", "time", "above 0s").required().holds(positive_time),
  };
  return keys;
}

const Keys<ChangeSection>& ChangeSection::keys() {
  using S = ChangeSection;
  static const Keys<S> keys = {
      Key<S>("at", &S::at, "when the statement runs", "date", dates).required(),
      Key<S>("cql", &S::cql, "the statement", "CQL", "ALTER TABLE …").required(),
  };
  return keys;
}

void read_value(Cursor& cursor, ActionName& value) {
  using A = ActionName;
  value = read_choice<A>(cursor, {{"compact", A::compact},
                                  {"flush", A::flush},
                                  {"restart", A::restart},
                                  {"cleanup", A::cleanup},
                                  {"snapshot", A::snapshot},
                                  {"clear_snapshot", A::clear_snapshot},
                                  {"truncate", A::truncate},
                                  {"drop", A::drop}});
}

const Keys<ActionSection>& ActionSection::keys() {
  using S = ActionSection;
  static const Keys<S> keys = {
      Key<S>("at", &S::at, "when it is done", "date", dates).required(),
      Key<S>("do", &S::action, "what an operator does", "",
             "compact, flush, restart, cleanup, snapshot, clear_snapshot, truncate, drop")
          .required(),
      Key<S>("table", &S::table, "the table it is done to", "", "a table of the schema").without("all tables"),
  };
  return keys;
}

const Keys<LimitsSection>& LimitsSection::keys() {
  using S = LimitsSection;
  static const Keys<S> keys = {
      Key<S>("partition_size_max", &S::partition_size_max, "largest partition, all its rows", "size", "above 0")
          .holds(positive_size),
      Key<S>("partition_size_p99", &S::partition_size_p99, "99th percentile of partitions", "size", "above 0")
          .holds(positive_size),
      {"partition_rows_max", &S::partition_rows_max, "rows of a partition", "rows", "0 or more"},
      {"partition_cells_max", &S::partition_cells_max, "cells of a partition", "cells", "0 or more"},
      {"disk_used_share", &S::disk_used_share, "share of a node's disk in use at its peak", "share", "0% to 100%"},
      {"sstables_max", &S::sstables_max, "live SSTables of a table on a node", "SSTables", "0 or more"},
      {"pending_compactions_max", &S::pending_compactions_max, "pending compactions of a node", "compactions",
       "0 or more"},
      {"compaction_used_share", &S::compaction_used_share, "share of the compaction throughput in use", "share",
       "0% to 100%"},
      {"held_back_share", &S::held_back_share, "share of live bytes that have expired and cannot be dropped", "share",
       "0% to 100%"},
      {"tombstones_per_read_p99", &S::tombstones_per_read_p99, "tombstones that a read meets", "tombstones",
       "0 or more"},
      {"sstables_per_read_p99", &S::sstables_per_read_p99, "SSTables that a read touches", "SSTables", "0 or more"},
      Key<S>("node_max_over_mean", &S::node_max_over_mean, "busiest node's writes over the mean node's", "",
             "at least 1")
          .holds(at_least_one),
      {"resurrected_rows", &S::resurrected_rows, "deleted rows that come back", "rows", "0 or more"},
      {"repair_margin_min", &S::repair_margin_min, "time left of gc_grace when a repair has streamed", "time", times},
      Key<S>("erasure_days_max", &S::erasure_days_max, "days from DELETE until the data is gone from disk", "days",
             "0 or more")
          .holds(not_negative),
  };
  return keys;
}

}  // namespace windrow
