#pragma once

#include "sim/keys/column_rule.h"
#include "sim/keys/key.h"
#include "sim/keys/stream_values.h"
#include "sim/schema/sstable_format.h"
#include "sim/words/plain_values.h"
#include "sim/words/timed.h"

namespace windrow {

// The sections of a scenario as written. A member's initialiser is the key's default; keys() describes each key once,
// and parser, checks, error texts, `windrow keys` and docs/scenario-keys.md are made from it.

struct RunSection {
  Setting<Text> name{};
  Setting<Text> title{};
  Setting<Text> schema{};
  Setting<Moment> start{"2026-01-01"};
  Setting<Duration> length{};
  Setting<Duration> sample{"1d"};
  Setting<Count> seed{"1"};
  Setting<Count> exact_partitions{"2000000"};
  static const Keys<RunSection>& keys();
};

struct DcSection {
  Setting<Count> nodes{"1"};
  Setting<Count> racks{"1"};
  Setting<Count> replication_factor{};
  Setting<Count> num_tokens{"16"};
  static const Keys<DcSection>& keys();
};

void read_value(Cursor& cursor, SSTableFormat& value);

struct NodeSection {
  Setting<Size> heap{"8GiB"};
  Setting<Size> memtable_heap_space{};
  Setting<Size> memtable_offheap_space{};
  Setting<Number> memtable_cleanup_threshold{};
  Setting<Count> memtable_flush_writers{"2"};
  Setting<Number> memtable_heap_per_byte{};
  Setting<Size> commitlog_total_space{};
  Setting<ByteRate> other_writes{"0"};
  Setting<Size> other_disk{"0"};
  Setting<Size> disk{};
  Setting<ByteRate> compaction_throughput{"64MiB/s"};
  Setting<ByteRate> merge_speed{};
  Setting<Count> concurrent_compactors{"2"};
  Setting<Duration> background_check{"60s"};
  Setting<Duration> first_check{"300s"};
  Setting<Duration> restart_every{};
  Setting<Duration> snapshot_every{};
  Setting<Count> keep_snapshots{"1"};
  Setting<SSTableFormat> format{"nb"};
  Setting<bool> allow_unsafe_aggressive_sstable_expiration{"false"};
  static const Keys<NodeSection>& keys();
};

enum class Stagger { spread, none };
void read_value(Cursor& cursor, Stagger& value);

struct StreamSection {
  Setting<ReferredName> table{};
  Setting<ReferredName> like{};
  Setting<Entities> entities{"1"};
  Setting<Timed<StreamRate>> rate{};
  Setting<Shape> shape{"flat"};
  Setting<Growth> growth{"0%/y"};
  Setting<Moment> from{};
  Setting<Moment> until{};
  Setting<Stagger> stagger{"spread"};
  Setting<Op> op{"insert"};
  Setting<NameList> columns{};
  Family<Timed<ColumnRule>> column{};
  Setting<Timed<TtlMix>> ttl{"table"};
  Setting<Lateness> late{"none"};
  Setting<TimestampSource> timestamp{"arrival"};
  Setting<BackfillSpan> backfill{};
  Setting<Count> copies{"1"};
  Setting<ReferredName> of{};
  Setting<Duration> per{};
  Setting<Duration> delay{"0s"};
  Setting<Zone> zone{"UTC"};
  static const Keys<StreamSection>& keys();
};

enum class TablePer { once, month };
void read_value(Cursor& cursor, TablePer& value);

struct TableSection {
  Setting<Size> flush_size{};
  Setting<Text> flushes{};
  Setting<Number> compression_ratio{};
  Setting<TablePer> per{"once"};
  Setting<Duration> drop_after{};
  Setting<OnDrop> on_drop{"snapshot"};
  Family<Text> option{};
  static const Keys<TableSection>& keys();
};

struct ReadSection {
  Setting<ReferredName> of{};
  Setting<Count> latest{};
  Setting<Duration> range{};
  Setting<Rate> rate{};
  Family<Count> probe{};
  static const Keys<ReadSection>& keys();
};

enum class RepairRanges { primary, all };
enum class RepairKindName { full, incremental };
void read_value(Cursor& cursor, RepairRanges& value);
void read_value(Cursor& cursor, RepairKindName& value);

struct RepairSection {
  Setting<NameList> tables{};
  Setting<RepairKindName> kind{"full"};
  Setting<RepairRanges> ranges{"primary"};
  Setting<Moment> from{};
  Setting<Duration> every{};
  Setting<Duration> takes{};
  Setting<ByteRate> throughput{};
  static const Keys<RepairSection>& keys();
};

struct OutageSection {
  Setting<Count> node{};
  Setting<Moment> from{};
  Setting<Duration> length{};
  static const Keys<OutageSection>& keys();
};

struct ChangeSection {
  Setting<Moment> at{};
  Setting<Text> cql{};
  static const Keys<ChangeSection>& keys();
};

enum class ActionName { compact, flush, restart, cleanup, snapshot, clear_snapshot, truncate, drop };
void read_value(Cursor& cursor, ActionName& value);

struct ActionSection {
  Setting<Moment> at{};
  Setting<ActionName> action{};
  Setting<ReferredName> table{};
  static const Keys<ActionSection>& keys();
};

struct LimitsSection {
  Setting<Size> partition_size_max{};
  Setting<Size> partition_size_p99{};
  Setting<Count> partition_rows_max{};
  Setting<Count> partition_cells_max{};
  Setting<Share> disk_used_share{};
  Setting<Count> sstables_max{};
  Setting<Count> pending_compactions_max{};
  Setting<Share> compaction_used_share{};
  Setting<Share> held_back_share{};
  Setting<Count> tombstones_per_read_p99{};
  Setting<Count> sstables_per_read_p99{};
  Setting<Number> node_max_over_mean{};
  Setting<Count> resurrected_rows{};
  Setting<Duration> repair_margin_min{};
  Setting<Number> erasure_days_max{};
  static const Keys<LimitsSection>& keys();
};

/// A section's kind, for help and the reference page: `[run]`, `[stream.NAME]`.
struct SectionInfo {
  enum class Naming { single, named, optional };
  std::string kind{};
  Naming naming = Naming::single;
  std::string heading{};  // "[stream.NAME]"
  std::string meaning{};
  std::vector<KeyInfo> keys{};
};

/// Every section, in the order of a scenario.
const std::vector<SectionInfo>& all_sections();

}  // namespace windrow
