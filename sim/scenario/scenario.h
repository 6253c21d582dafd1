#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/schema/compaction_options.h"
#include "sim/schema/sstable_format.h"
#include "sim/schema/table.h"
#include "sim/stats/rate_spread.h"
#include "sim/workload/bucket_rule.h"
#include "sim/workload/covering_deletes.h"
#include "sim/workload/write_weight.h"
#include "sim/workload/writer.h"

namespace windrow {

// A resolved scenario: everything one run needs, as values. Names are looked up, units are converted, distributions are
// classes, `then` and `growth` are stretches. Shares are parts per million and sum to a million. Points in time are
// microseconds since the epoch, UTC.

inline constexpr std::int64_t ppm = 1'000'000;

/// Rows of all entities of a writer together from `from_us` on: `rows` per `period_us`, evenly spread. The fraction of
/// a row that is due when the rate changes is carried over (Rhythm::change_at). rows = 0: silence.
struct RateStretch {
  Micros from_us = 0;
  std::int64_t rows = 0;
  Micros period_us = 1;
  friend bool operator==(const RateStretch&, const RateStretch&) = default;
};

/// A share of a writer's rows with this TTL; SubStream::table_default_ttl (-1) takes the table's, 0 never expires.
struct TtlShare {
  std::int64_t share_ppm = ppm;
  Seconds ttl_s = -1;
};

/// A share of a writer's rows that arrives this much after its event; the rest arrives at once.
struct LateShare {
  std::int64_t share_ppm = 0;
  Micros delay_us = 0;
};

/// What a statement writes into one column that is not part of the primary key.
struct ColumnValue {
  std::string column{};
  int position = 0;  // in Table::regular_columns() (or static_columns())
  bool is_static = false;
  bool fixed_length = false;  // no length prefix on disk
  bool null = false;          // written as null: a tombstone cell
  /// Bytes of a value, or of an element's value in a collection: a deck of equally likely sizes, ascending. A
  /// distribution has 127 of them (a prime, so that a fleet's rhythm does not meet the deck's), whose mean is the
  /// distribution's.
  std::vector<std::int32_t> sizes_bytes = {0};
  bool collection = false;  // one cell per element; written whole (complex deletion first) unless `append`
  bool append = false;
  int elements = 0;
  std::vector<std::int32_t> element_key_sizes_bytes = {0};

  double mean_bytes() const {
    double sum = 0;
    for (const std::int32_t size : sizes_bytes) sum += size;
    return sum / static_cast<double>(sizes_bytes.size());
  }
};

/// What a clustering column holds.
struct ClusteringSpec {
  enum class Source { time, start, each, unique, constant };
  std::string column{};
  Source source =
      Source::time;  // start: the beginning of the bucket or of a derived row's interval; unique: differs in every row
  bool fixed_length = true;
  std::int32_t size_bytes = 8;  // of the value; the mean, rounded, where sizes vary
};

enum class WriteOp { insert, update, overwrite, remove };

/// op = overwrite(keys): rows rewrite so many keys, of all entities together.
struct OverwriteRule {
  enum class Order { random, cyclic, zipf };
  std::int64_t keys = 0;
  Order order = Order::random;
  double zipf_exponent = 0;
};

/// op = delete(kind, age): each event removes what was written `age_us` before it.
struct RemoveRule {
  DeleteKind kind = DeleteKind::row;  // row, range or partition
  Micros age_us = 0;
};

/// Rows with event times [from_us, to_us), written in order at the writer's rate.
struct Backfill {
  Micros from_us = 0;
  Micros to_us = 0;
  std::int64_t rows = 0;  // of all entities; fewer if the run ends before
};

/// What an entity is called, for reports.
class EntityNames {
 public:
  virtual ~EntityNames() = default;
  virtual std::string name(std::int64_t entity) const = 0;
};

/// A class of entities of one stream that write alike. Row g = 0, 1, … is entity g mod `entities`, shard (g / entities)
/// mod `shards`. A stream whose bucket, shards, TTL, … change in time is several writers, one after the other, over the
/// same entities.
struct WriterSpec {
  std::string stream{};
  int table = 0;         // index in Scenario::tables
  int entity_group = 0;  // writers of one group write the same entities of the same table, or delete from them
  std::int64_t entities = 1;
  std::int64_t first_entity = 0;                // in the stream; ascending with the rate, the largest last
  bool single = false;                          // one of the stream's largest entities, kept by itself
  std::shared_ptr<const PartitionKeys> keys{};  // of entities 0 … entities - 1 of this writer
  std::shared_ptr<const EntityNames> names{};   // the same numbering
  std::shared_ptr<const RateSpread> rates{};    // how the entities' rates differ from their mean; null: they do not
  std::int64_t key_bytes = 0;  // length of a partition key, if all are equally long, else of the longest

  Micros from_us = 0;               // of event times
  Micros until_us = 0;              // exclusive; at most the run's end
  std::vector<RateStretch> rate{};  // ascending, the first at or after from_us
  bool spread = true;               // false: all entities at the same instant
  std::int64_t rows_per_event = 1;  // each(n): so many rows of one partition at one instant; `rate` counts events

  BucketRule bucket = BucketRule::none();
  std::string bucket_text = "none";  // as written: day, 10min, rolling(24, 1h), …
  std::int64_t rolling_buckets = 0;  // rolling(n, d): bucket numbers repeat after n
  std::int64_t adaptive_rows_per_day =
      0;  // adaptive(a, b above r): informative, `bucket` is already chosen by this writer's rate
  std::int64_t shards = 1;
  bool unique_partitions = false;  // a key column differs in every row: every row is a partition

  WriteOp op = WriteOp::insert;
  OverwriteRule overwrite{};
  RemoveRule remove{};
  std::vector<ClusteringSpec> clustering{};
  int clustering_bytes = 0;            // header and values on disk (storage rule 1.5); 0 without clustering columns
  std::vector<ColumnValue> columns{};  // static ones first, each kind by position
  bool statics_once = false;           // static columns are written with the first row of a partition, else with each
  std::vector<TtlShare> ttl = {TtlShare{}};
  std::vector<LateShare> late{};
  Micros delay_us = 0;                 // every row arrives so much after its event (derived streams)
  TimestampRule timestamp{};           // of the arrival, unless stated
  std::optional<Backfill> backfill{};  // then from_us, until_us and rate are of arrivals

  /// Rows per second of all entities at the end of the run's first stretch that is not silent.
  double rows_per_s() const {
    for (const RateStretch& stretch : rate) {
      if (stretch.rows > 0) {
        return static_cast<double>(stretch.rows) * static_cast<double>(rows_per_event) * 1e6 /
               static_cast<double>(stretch.period_us);
      }
    }
    return 0;
  }
};

/// One line of `flushes = flushes.csv`: when, after how many writes, how large.
struct RecordedFlush {
  Micros at_us = 0;
  std::int64_t operations = 0;
  Bytes data_bytes = 0;
};

/// What happens to a dropped table of `per = month`.
struct DropRule {
  Micros after_us = 0;  // 0: never dropped
  enum class Snapshot { keep, none, for_a_time };
  Snapshot snapshot = Snapshot::keep;
  Micros snapshot_kept_us = 0;
};

struct TableSpec {
  Table schema{};              // the scenario's table.T.OPTION applied
  std::string name{};          // as the schema names it, without keyspace
  Bytes flush_size_bytes = 0;  // Data bytes; 0: the memtable's heap decides
  std::vector<RecordedFlush> flushes{};
  double compression_ratio = 1.0;
  bool compression_measured = false;
  std::vector<std::string> not_counted{};  // indexes and views: what they write, use and compact comes on top
  enum class Per { once, month };
  Per per = Per::once;  // month: a table of its own for every month
  DropRule drop{};
  std::string family{};  // of a month's table: the table that it is one of
};

struct NodeSettings {
  Bytes heap_bytes = GiB(8);
  Bytes memtable_heap_bytes = 0;     // 0: a quarter of the heap
  Bytes memtable_offheap_bytes = 0;  // 0: a quarter of the heap
  MemtableClass memtable = MemtableClass::skiplist;
  MemtableAllocation memtable_allocation_type = MemtableAllocation::heap_buffers;
  MemtableSettings memtable_settings() const { return {.memtable = memtable, .allocation = memtable_allocation_type}; }
  double memtable_cleanup_threshold = 0;  // 0: 1 / (1 + memtable_flush_writers)
  int memtable_flush_writers = 2;
  double memtable_heap_per_byte = 0;      // heap per Data byte; 0: estimated from rows and cells (rule 12.7)
  Bytes commitlog_total_space_bytes = 0;  // 0: min(8 GiB, a quarter of the disk)
  double other_writes_bytes_per_s = 0;
  Bytes other_disk_bytes = 0;
  Bytes disk_bytes = 0;                                           // 0: never full
  double compaction_throughput_bytes_per_s = 64.0 * 1024 * 1024;  // 0: unlimited
  double merge_speed_bytes_per_s = 0;  // of one compactor thread; 0: only the throughput limits
  int concurrent_compactors = 2;
  Micros background_check_us = 60 * us_per_s;
  Micros first_check_us = 300 * us_per_s;  // after the start of the node
  Micros restart_every_us = 0;             // 0: never
  Micros snapshot_every_us = 0;
  int keep_snapshots = 1;
  SSTableFormat format = SSTableFormat::nb;
  bool allow_unsafe_aggressive_sstable_expiration = false;
  bool hinted_handoff = true;
  Micros max_hint_window_us = 3 * 3600 * us_per_s;
  double hinted_handoff_throttle_bytes_per_s = 1024 * 1024;  // of all coordinators together
  std::int64_t lost_mutations_ppm = 0;  // of the writes that a node should get: they do not arrive, nobody hints them
  friend bool operator==(const NodeSettings&, const NodeSettings&) = default;
};

struct DataCenter {
  std::string name = "main";
  int nodes = 1;
  int racks = 1;
  int replication_factor = 1;
  int num_tokens = 16;
  enum class Allocation { replicated, random };
  Allocation allocation = Allocation::replicated;
  std::optional<Token> first_token{};  // of the first node, where tokens are allocated; none: the seed's
  enum class Placement { hashed, alike };
  Placement placement = Placement::hashed;  // alike: every node has the mean node's share
};

struct ClusterRing;

/// How many replicas a read waits for (ConsistencyLevel.blockFor, storage rule 4.1).
enum class Consistency { one, two, three, quorum, local_quorum, each_quorum, all };

/// A kind of request: the newest rows of an entity, or those of a time; each entity of the stream as often as another.
struct ReadSpec {
  enum class Start { known, unknown };
  std::string name{};
  std::string stream{};
  int table = 0;
  std::int64_t latest_rows = 0;
  Micros range_us = 0;
  Micros ago_us = 0;           // a range ends so long before the read
  Micros back_us = 0;          // latest: buckets that are older are not looked for; 0: no bound
  Start start = Start::known;  // latest: of the entities' rows; unknown: `back_us` is all that stops it
  std::int64_t entities = 1;   // of a request: an IN list
  Consistency consistency = Consistency::one;
  double rate_per_s = 0;
  std::vector<std::pair<std::string, std::int64_t>> probes{};  // column, values asked
  std::int64_t shards = 0;                                     // asked in a bucket; 0: those that are written
};

struct RepairSpec {
  std::string name{};
  std::vector<int> tables{};
  enum class Kind { full, incremental };
  Kind kind = Kind::full;
  enum class Ranges { primary, all };
  Ranges ranges = Ranges::primary;
  enum class Order { together, node_after_node };
  Order order = Order::together;  // together: all ranges of all nodes at once, whatever `ranges` says
  std::int64_t subranges = 1;     // sessions that each of a node's ranges is divided between, one after the other
  Micros from_us = 0;
  Micros every_us = 0;
  Micros takes_us = 0;  // all nodes together, from the first one's beginning to the last one's end
  double throughput_bytes_per_s = 0;
  Micros skip_from_us = 0;  // repairs that would begin in [from, to) do not
  Micros skip_to_us = 0;
};

/// A node that nothing reaches for a time. Down: its process has ended. Cut off: it goes on by itself.
struct OutageSpec {
  enum class Kind { down, cut_off };
  enum class Ends { returns, replaced };
  std::string name{};
  int node = 1;  // users count from 1
  Micros from_us = 0;
  Micros length_us = 0;
  Kind kind = Kind::down;
  Ends ends = Ends::returns;  // replaced: by a new node of its tokens, with nothing on its disk
};

/// ALTER TABLE at a time: the table as it is from then on (earlier changes included).
struct ChangeSpec {
  std::string name{};
  Micros at_us = 0;
  int table = 0;
  std::string cql{};
  Table after{};
};

struct ActionSpec {
  enum class Kind { compact, flush, restart, cleanup, snapshot, clear_snapshot, truncate, drop };
  std::string name{};
  Micros at_us = 0;
  Kind kind = Kind::flush;
  int table = -1;    // -1: every table
  bool told = true;  // among the incidents
};

/// A bound of [limits], in the unit of its row (sim/limits).
struct LimitSpec {
  std::string name{};
  int table = -1;  // -1: each table, or the node
  double value = 0;
};

struct Scenario {
  std::string name{};  // of the file, without .ini
  std::string title{};
  Micros start_us = 0;
  Micros end_us = 0;
  std::uint64_t seed = 1;
  Micros sample_us = seconds_per_day * us_per_s;
  std::int64_t exact_partitions = 2'000'000;
  std::int64_t exact_placements = 25'000'000;  // keys that are hashed to see which nodes hold them
  std::int64_t exact_leaves = 500'000;         // partitions of all pairs of nodes between which a repair copies leaves
  std::string keyspace{};

  NodeSettings node{};
  std::vector<DataCenter> data_centers = {DataCenter{}};
  std::shared_ptr<const ClusterRing> ring{};  // of their nodes; null where nobody asked for data centres
  std::vector<TableSpec> tables{};            // in the order of the schema
  std::vector<WriterSpec> writers{};          // in the order of the streams: settles ties of arrival
  std::vector<ChangeSpec> changes{};          // ascending in time
  std::vector<ActionSpec> actions{};
  std::vector<ReadSpec> reads{};
  std::vector<RepairSpec> repairs{};
  std::vector<OutageSpec> outages{};
  std::vector<LimitSpec> limits{};
};

}  // namespace windrow
