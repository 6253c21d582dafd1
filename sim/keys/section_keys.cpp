#include "sim/keys/accepted.h"
#include "sim/keys/sections.h"

namespace windrow {

namespace {

template <std::int64_t Least, std::int64_t Most>
bool within(const Count& value) {
  return value.count >= Least && value.count <= Most;
}
bool positive_size(const Size& value) { return value.bytes > 0; }
template <Bytes Least>
bool at_least_bytes(const Size& value) {
  return value.bytes >= Least;
}
bool run_length(const Duration& value) { return value.us > 0 && value.us <= 100 * us_per_year; }
bool at_least_a_second(const Duration& value) { return value.us >= us_per_s; }
bool at_least_a_minute(const Duration& value) { return value.us >= 60 * us_per_s; }
bool share_of_one(const Number& value) { return value.number > 0 && value.number <= 1; }
bool heap_factor(const Number& value) { return value.number >= 0.1 && value.number <= 1000; }
bool ratio(const Number& value) { return value.number > 0 && value.number <= 10; }

}  // namespace

// Words of a closed list.

static void read_value(Cursor& cursor, SSTableFormat& value) {
  using F = SSTableFormat;
  value = read_choice<F>(cursor, {{"nb", F::nb}, {"oa", F::oa}, {"da", F::da}});
}
static void read_value(Cursor& cursor, DataCenter::Allocation& value) {
  using A = DataCenter::Allocation;
  value = read_choice<A>(cursor, {{"replicated", A::replicated}, {"random", A::random}});
}
static void read_value(Cursor& cursor, DataCenter::Placement& value) {
  using P = DataCenter::Placement;
  value = read_choice<P>(cursor, {{"hashed", P::hashed}, {"alike", P::alike}});
}
static void read_value(Cursor& cursor, TableSpec::Per& value) {
  using P = TableSpec::Per;
  value = read_choice<P>(cursor, {{"once", P::once}, {"month", P::month}});
}
static void read_value(Cursor& cursor, ActionSpec::Kind& value) {
  using K = ActionSpec::Kind;
  value = read_choice<K>(cursor, {{"compact", K::compact},
                                  {"flush", K::flush},
                                  {"restart", K::restart},
                                  {"cleanup", K::cleanup},
                                  {"snapshot", K::snapshot},
                                  {"clear_snapshot", K::clear_snapshot},
                                  {"truncate", K::truncate},
                                  {"drop", K::drop}});
}
static void read_value(Cursor& cursor, MemtableClass& value) {
  using C = MemtableClass;
  value = read_choice<C>(cursor, {{"skiplist", C::skiplist}, {"trie", C::trie}});
}
static void read_value(Cursor& cursor, MemtableAllocation& value) {
  using A = MemtableAllocation;
  value = read_choice<A>(cursor, {{"heap_buffers", A::heap_buffers},
                                  {"offheap_buffers", A::offheap_buffers},
                                  {"offheap_objects", A::offheap_objects}});
}

const Keys<RunSection>& RunSection::keys() {
  using S = RunSection;
  using V = Scenario;
  static const Keys<S> keys = {
      Key<S>("name", &V::name, &Text::text, "what results call the scenario", "", "any text")
          .without("the file's name"),
      Key<S>("title", &V::title, &Text::text, "what the report is called", "", "any text").without("the name"),
      Key<S>("schema", &S::schema, "file with the CQL of the tables, as the server's DESCRIBE prints it", "path",
             "a path relative to the scenario")
          .required(),
      Key<S>("start", &V::start_us, &Moment::us, "first instant of the run", "date", dates).otherwise("2026-01-01"),
      Key<S>("length", &S::length, "how long the run is", "time", "above 0s, at most 100y")
          .required()
          .holds(run_length),
      Key<S>("sample", &V::sample_us, &Duration::us, "time between two samples of timeline.csv", "time",
             "at least 1min")
          .otherwise("1d")
          .holds(at_least_a_minute),
      Key<S>("seed", &V::seed, &Count::count, "begins every random stream of the run", "", "a whole number")
          .otherwise("1"),
      Key<S>(
          "exact_partitions", &V::exact_partitions, &Count::count,
          "so many partitions are followed one by one: alive at once, with twice as many rows in all, where SSTables "
          "are cut by token, else in all; above, they lie evenly on the ring",
          "partitions", "0 to 100000000")
          .otherwise("2000000")
          .holds(within<0, 100'000'000>),
      Key<S>(
          "exact_placements", &V::exact_placements, &Count::count,
          "so many partition keys are hashed to see which nodes hold them, those of the largest load first; the rest "
          "have the replicas of a hashed bucket, or lie evenly on the ring",
          "keys", "0 to 1000000000")
          .holds(within<0, 1'000'000'000>)
          .without("25000000"),
      Key<S>(
          "exact_leaves", &V::exact_leaves, &Count::count,
          "where the nodes that a repair finds to differ, two by two, have so many partitions, whole leaves of their "
          "Merkle trees reach the disks, as in the engine; of more only rows that a node lacks, and leaves are counted",
          "partitions", "0 to 1000000000")
          .holds(within<0, 1'000'000'000>)
          .without("500000"),
  };
  return keys;
}

const Keys<DcSection>& DcSection::keys() {
  using S = DcSection;
  using V = DataCenter;
  static const Keys<S> keys = {
      Key<S>("nodes", &V::nodes, &Count::count, "nodes of the data centre", "nodes", "1 to 1000")
          .otherwise("1")
          .holds(within<1, most_nodes>),
      Key<S>("racks", &V::racks, &Count::count, "racks they stand in", "racks", "1 to the number of nodes")
          .otherwise("1")
          .holds(within<1, most_nodes>),
      Key<S>("replication_factor", &V::replication_factor, &Count::count,
             "copies of every row; must agree with the schema's keyspace", "copies", "1 to the number of nodes")
          .holds(within<1, most_nodes>)
          .without("the keyspace's; without one 3, or all nodes if there are fewer"),
      Key<S>("replication", &S::replication,
             "copies of every row whatever the schema's keyspace says, also in a data centre that it does not have",
             "copies", "1 to the number of nodes")
          .holds(within<1, most_nodes>)
          .without("as the keyspace says"),
      Key<S>("num_tokens", &V::num_tokens, &Count::count, "tokens of each node", "tokens", "1 to 1024")
          .otherwise("16")
          .holds(within<1, 1024>),
      Key<S>("allocation", &V::allocation,
             "how nodes get their tokens: as allocate_tokens_for_local_replication_factor does, or at random", "",
             "replicated, random")
          .otherwise("replicated"),
      Key<S>("first_token", &V::first_token, &TokenNumber::token,
             "first token of the first node, from which all others are allocated", "token",
             "-9223372036854775807 to 9223372036854775807")
          .without("drawn from the seed"),
      Key<S>("tokens", &S::tokens,
             "given tokens: CSV with the columns dc, node, rack, token; nodes are numbers, counted from 1 through all "
             "data centres, racks rack1, rack2, …",
             "path", "a path relative to the scenario")
          .without("allocated"),
      Key<S>("placement", &V::placement,
             "which nodes hold a partition: those that the hash of its key says, or all nodes alike", "",
             "hashed, alike")
          .otherwise("hashed"),
  };
  return keys;
}

const Keys<NodeSection>& NodeSection::keys() {
  using S = NodeSection;
  using V = NodeSettings;
  static const Keys<S> keys = {
      Key<S>("heap", &V::heap_bytes, &Size::bytes, "maximum heap of the JVM", "size", "at least 64MiB")
          .otherwise("8GiB")
          .holds(at_least_bytes<MiB(64)>),
      Key<S>("memtable_heap_space", &V::memtable_heap_bytes, &Size::bytes, "heap that all memtables share", "size",
             "at least 1MiB")
          .holds(at_least_bytes<MiB(1)>)
          .without("a quarter of the heap"),
      Key<S>("memtable_offheap_space", &V::memtable_offheap_bytes, &Size::bytes,
             "off-heap memory that all memtables share", "size", "at least 1MiB")
          .holds(at_least_bytes<MiB(1)>)
          .without("a quarter of the heap"),
      Key<S>("memtable", &V::memtable, "class of the memtables; a sharded skip list weighs what a skip list does", "",
             "skiplist, trie")
          .otherwise("skiplist"),
      Key<S>("memtable_allocation_type", &V::memtable_allocation_type,
             "where memtables keep what is written: values on the heap, values off it, or cells whole off it", "",
             "heap_buffers, offheap_buffers, offheap_objects")
          .otherwise("heap_buffers"),
      Key<S>("memtable_cleanup_threshold", &V::memtable_cleanup_threshold, &Number::number,
             "share of the memtable space at which the largest memtable is flushed", "", "above 0, at most 1")
          .holds(share_of_one)
          .without("1 / (1 + memtable_flush_writers)"),
      Key<S>("memtable_flush_writers", &V::memtable_flush_writers, &Count::count, "flushes at a time", "threads",
             "1 to 128")
          .otherwise("2")
          .holds(within<1, 128>),
      Key<S>("memtable_heap_per_byte", &V::memtable_heap_per_byte, &Number::number,
             "heap bytes that a byte of flushed data takes, as measured", "", "0.1 to 1000")
          .holds(heap_factor)
          .without("estimated from rows, cells and partitions"),
      Key<S>("commitlog_total_space", &V::commitlog_total_space_bytes, &Size::bytes,
             "commit log beyond which the oldest memtables are flushed", "size", "at least 1MiB")
          .holds(at_least_bytes<MiB(1)>)
          .without("the smaller of 8GiB and a quarter of the disk"),
      Key<S>("other_writes", &V::other_writes_bytes_per_s, &ByteRate::bytes_per_s,
             "what other tables of the node write: it fills the commit log", "bytes per time",
             "0 or more, such as 5MiB/s")
          .otherwise("0"),
      Key<S>("other_disk", &V::other_disk_bytes, &Size::bytes, "disk that other tables use", "size", "0 or more")
          .otherwise("0"),
      Key<S>("disk", &V::disk_bytes, &Size::bytes, "disk of a node", "size", "above 0")
          .holds(positive_size)
          .without("never full"),
      Key<S>("compaction_throughput", &V::compaction_throughput_bytes_per_s, &ByteRate::bytes_per_s,
             "throttle of all compactions of a node", "bytes per time", "0 (none) or more, such as 64MiB/s")
          .otherwise("64MiB/s"),
      Key<S>("merge_speed", &V::merge_speed_bytes_per_s, &ByteRate::bytes_per_s, "what one compaction thread can merge",
             "bytes per time", "0 (no bound) or more")
          .without("only the throttle bounds it"),
      Key<S>("concurrent_compactors", &V::concurrent_compactors, &Count::count, "compactions at a time", "threads",
             "1 to 64")
          .otherwise("2")
          .holds(within<1, 64>),
      Key<S>("background_check", &V::background_check_us, &Duration::us,
             "time between two looks for something to compact", "time", "at least 1s")
          .otherwise("60s")
          .holds(at_least_a_second),
      Key<S>("first_check", &V::first_check_us, &Duration::us, "first such look after the node's start", "time",
             "at least 1s")
          .otherwise("300s")
          .holds(at_least_a_second),
      Key<S>("restart_every", &V::restart_every_us, &Duration::us, "time between two restarts of a node", "time",
             "at least 1min")
          .holds(at_least_a_minute)
          .without("never"),
      Key<S>("snapshot_every", &V::snapshot_every_us, &Duration::us, "time between two snapshots", "time",
             "at least 1min")
          .holds(at_least_a_minute)
          .without("never"),
      Key<S>("keep_snapshots", &V::keep_snapshots, &Count::count, "snapshots kept, the oldest go first", "snapshots",
             "1 to 10000")
          .otherwise("1")
          .holds(within<1, 10'000>),
      Key<S>("format", &V::format,
             "version of the SSTables: nb is the shipped default of 5.0, oa needs storage_compatibility_mode NONE or "
             "UPGRADING, da is BTI",
             "", "nb, oa, da")
          .otherwise("nb"),
      Key<S>("allow_unsafe_aggressive_sstable_expiration", &V::allow_unsafe_aggressive_sstable_expiration,
             "the JVM property of that name", "", "true, false")
          .otherwise("false"),
      Key<S>("hinted_handoff", &V::hinted_handoff, "whether writes for a node that is away are kept as hints", "",
             "true, false")
          .without("true"),
      Key<S>("max_hint_window", &V::max_hint_window_us, &Duration::us,
             "how long a node may be away until no more hints are kept for it", "time", "0s or more")
          .without("3h"),
      Key<S>("hinted_handoff_throttle", &V::hinted_handoff_throttle_bytes_per_s, &ByteRate::bytes_per_s,
             "at which a node that is back gets its hints, from all others together", "bytes per time",
             "above 0, such as 1MiB/s")
          .holds<ByteRate>([](const ByteRate& value) { return value.bytes_per_s > 0; })
          .without("1MiB/s"),
      Key<S>("lost_mutations", &V::lost_mutations_ppm, &Share::ppm,
             "share of the writes and deletes that does not arrive at a node though it is up, without a hint", "",
             "0% to 10%, and in all nodes together less than half")
          .holds<Share>([](const Share& value) { return value.ppm <= 10 * ppm_of_percent; })
          .without("0%"),
  };
  return keys;
}

void read_value(Cursor& cursor, Stagger& value) {
  value = read_choice<Stagger>(cursor, {{"spread", Stagger::spread}, {"none", Stagger::none}});
}

void read_value(Cursor& cursor, StaticWrites& value) {
  value = read_choice<StaticWrites>(cursor, {{"each", StaticWrites::each}, {"once", StaticWrites::once}});
}

const Keys<StreamSection>& StreamSection::keys() {
  using S = StreamSection;
  static const Keys<S> keys = {
      Key<S>("table", &S::table, "the table that is written", "", "a table of the schema")
          .without("must be given, or come from `like`"),
      {"like", &S::like, "another stream: its keys hold here too, unless given", "", "a stream"},
      {"entities", &S::entities, "who writes: devices, services, accounts", "",
       "a number up to 100,000,000, pattern(dev-%05d, 20000), named(a, b), from(fleet.csv), new(10/s, living 5min): "
       "so many begin in a time, each a partition that nobody writes to later"},
      Key<S>("rate", &S::rate, "how often one entity writes", "rows per time",
             "such as 1/s, 20/min, lognormal(4/day, 400/day), from(profile.csv), A then B from DATE")
          .without("must be given, unless `of` or `backfill` is"),
      {"shape", &S::shape,
       "how the rate swings around its mean; the peak's factor is times the mean, and "
       "bursts come on top of it",
       "", "flat, daily(peak 20:00, 3x), weekly(peak sat, 2x), burst(10x, 1h, every 7d)"},
      {"growth", &S::growth, "by how much the rate grows in a year, in steps of a month, or smaller ones",
       "share per year", "-90%/y to 1000%/y, 40%/y by week, 40%/y by day"},
      Key<S>("from", &S::from, "when the stream begins", "date", dates).without("the run's start"),
      Key<S>("until", &S::until, "when the stream ends", "date", dates).without("the run's end"),
      {"stagger", &S::stagger, "entities of one rate write one after the other, or all at the same instant", "",
       "spread, none"},
      {"op", &S::op, "what a write does", "",
       "insert, update, overwrite(keys[, random|cyclic|zipf(s)]), delete(row|range|partition, age)"},
      Key<S>("columns", &S::columns, "columns that are written, besides the primary key", "", "names joined by +")
          .without("all"),
      {"column.*", &S::column, "what goes into a column", "", std::string(accepted_column_rules)},
      Key<S>("row", &S::row, "bytes of a row's values: what columns of a known size leave, the others share evenly",
             "size", "at least 1B, such as 100B")
          .holds(at_least_bytes<1>)
          .without("each column says its own"),
      Key<S>("statics", &S::statics, "which rows bring the static columns along: each, or the first of a partition", "",
             "each, once")
          .without("each"),
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
      {"zone", &S::zone, "the writer's clock: where its days begin", "",
       "UTC, an offset such as +02:00, a zone such as Europe/Berlin, or a CSV file of a clock's changes (`from`, "
       "`offset`)"},
  };
  return keys;
}

const Keys<TableSection>& TableSection::keys() {
  using S = TableSection;
  using V = TableSpec;
  static const Keys<S> keys = {
      Key<S>("flush_size", &V::flush_size_bytes, &Size::bytes,
             "Data bytes at which the memtable is flushed, as measured", "size", "at least 1KiB")
          .holds<Size>([](const Size& value) { return value.bytes >= 1024; })
          .without("the heap, the commit log and its neighbours decide"),
      Key<S>("flushes", &S::flushes, "recorded flushes to follow: CSV with the columns time, operations, data_bytes",
             "path", "a path relative to the scenario")
          .without("none"),
      Key<S>("compression_ratio", &V::compression_ratio, &Number::number,
             "bytes on disk per uncompressed byte, as tablestats measures it", "", "above 0, at most 10")
          .holds(ratio)
          .without("1.0, and disk figures are upper bounds"),
      Key<S>("per", &V::per, "month: a table of its own for every month", "", "once, month").otherwise("once"),
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

void read_value(Cursor& cursor, ReadSpec::Start& value) {
  value =
      read_choice<ReadSpec::Start>(cursor, {{"known", ReadSpec::Start::known}, {"unknown", ReadSpec::Start::unknown}});
}

void read_value(Cursor& cursor, Consistency& value) {
  value = read_choice<Consistency>(cursor, {{"ONE", Consistency::one},
                                            {"TWO", Consistency::two},
                                            {"THREE", Consistency::three},
                                            {"QUORUM", Consistency::quorum},
                                            {"LOCAL_ONE", Consistency::one},
                                            {"LOCAL_QUORUM", Consistency::local_quorum},
                                            {"EACH_QUORUM", Consistency::each_quorum},
                                            {"ALL", Consistency::all}});
}

const Keys<ReadSection>& ReadSection::keys() {
  using S = ReadSection;
  using V = ReadSpec;
  static const Keys<S> keys = {
      Key<S>("of", &S::of, "the stream whose rows are read", "", "a stream").required(),
      Key<S>("latest", &V::latest_rows, &Count::count, "reads the newest rows of an entity", "rows", "1 to 10000000")
          .holds(within<1, 10'000'000>)
          .without("`range` must be given"),
      Key<S>("range", &V::range_us, &Duration::us, "reads everything of an entity this far back", "time", "above 0s")
          .holds(positive_time)
          .without("`latest` must be given"),
      Key<S>("ago", &V::ago_us, &Duration::us, "how long before the read the `range` ends", "time", "0s or more")
          .without("it ends at the read"),
      Key<S>("back", &V::back_us, &Duration::us, "how far back `latest` looks for its rows, bucket by bucket", "time",
             "above 0s")
          .holds(positive_time)
          .without("to the beginning of the stream"),
      Key<S>("start", &V::start,
             "whether the reader knows when an entity's rows begin; else `latest` goes on asking for buckets that were "
             "never written, as far as `back`",
             "", "known, unknown")
          .without("known"),
      Key<S>("in", &V::entities, &Count::count, "entities of one request: an IN list", "entities", "1 to 10000")
          .holds(within<1, 10'000>)
          .without("1"),
      Key<S>(
          "fetch", &S::fetch,
          "a stream of which one row is read, in a partition of its own, for every row that `latest` finds: an index "
          "table and what it points to; costs are said as of the read NAME-fetch",
          "", "a stream")
          .without("nothing"),
      Key<S>("consistency", &V::consistency, "how many replicas a read waits for", "",
             "ONE, TWO, THREE, QUORUM, LOCAL_ONE, LOCAL_QUORUM, EACH_QUORUM, ALL")
          .without("LOCAL_ONE"),
      Key<S>("rate", &V::rate_per_s, &Rate::per_s, "how often, all entities together", "reads per time", "above 0/s")
          .required()
          .holds(positive_rate),
      Key<S>(
          "probe.*", &S::probe,
          "how many values of a `shard` or `each` column of the key the reader asks for; others than those written are "
          "asked for in vain",
          "values", "1 to 1000000")
          .holds(within<1, 1'000'000>),
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

const Keys<ActionSection>& ActionSection::keys() {
  using S = ActionSection;
  using V = ActionSpec;
  static const Keys<S> keys = {
      Key<S>("at", &V::at_us, &Moment::us, "when it is done", "date", dates).required(),
      Key<S>("do", &V::kind, "what an operator does", "",
             "compact, flush, restart, cleanup, snapshot, clear_snapshot, truncate, drop")
          .required(),
      Key<S>("table", &S::table, "the table it is done to", "", "a table of the schema").without("all tables"),
  };
  return keys;
}

}  // namespace windrow
