#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

// A recording of the real engine: JSON Lines, fields as in tests/oracle/README.md "Trace format".

struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TraceSSTable {
  std::int64_t id = 0;
  std::int64_t generation = 0;
  std::int32_t hash = 0;
  Bytes data_bytes = 0;
  Bytes uncompressed_bytes = 0;
  Bytes bytes_on_disk = 0;
  std::int64_t partitions = 0;
  std::int64_t estimated_keys = 0;
  bool informative = false;
  Rows rows = 0;
  std::int64_t cells_set = 0;
  std::int64_t cells_estimate = 0;  // mean * count of the histogram
  Micros min_timestamp_us = 0;
  Micros max_timestamp_us = 0;
  Seconds min_local_deletion_time_s = no_deletion_time;
  Seconds max_local_deletion_time_s = no_deletion_time;
  Seconds min_ttl_s = 0;
  Seconds max_ttl_s = 0;
  int level = 0;
  Millis repaired_at_ms = 0;     // 0: not repaired
  std::string pending_repair{};  // session; empty: none
  Token first_token = 0;
  Token last_token = 0;
  Millis created_ms = 0;
  double droppable_ratio_now = 0;
  std::vector<std::pair<Seconds, std::int64_t>> drop_times{};  // point, count
  std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>>
      partition_sizes{};  // offset (nullopt: overflow), count
  std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>> cell_counts{};
  // While the strategy is UCS:
  std::optional<double> stored_coverage{};
  std::optional<double> span{};
  std::optional<double> density{};
};

struct TraceHeader {
  std::string scenario{};
  std::string engine{};
  std::string format{};
  std::string compat{};
  Seconds start_s = 0;
  Seconds end_s = 0;
  Seconds tick_s = 0;
  std::string ddl{};
};

struct TraceAlter {
  Seconds t_s = 0;
  std::string cql{};
};

/// The repair status of files changes, or that of a session.
struct TraceRepair {
  Seconds t_s = 0;
  std::string to{};  // pending S, repaired, unrepaired, finish S, fail S
  Millis repaired_at_ms = 0;
  std::vector<std::int64_t> files{};
};

/// The task that ends a session's pending state; it has no number.
struct TraceRepairFinished {
  Seconds t_s = 0;
  std::string session{};
  std::string to{};  // repaired, unrepaired
  Millis repaired_at_ms = 0;
  std::vector<std::int64_t> files{};
  std::vector<std::int64_t> live{};
};

struct TraceFlush {
  Seconds t_s = 0;
  std::string reason{};  // timer, rows, alter
  std::vector<TraceSSTable> added{};
  std::optional<double> flush_average_bytes{};  // UCS: flush_ema, after this flush
};

/// A major compaction: the inputs of its tasks, all of them taken before the first one begins. Each has a pick that
/// says `major`, and a commit.
struct TraceMajor {
  Seconds t_s = 0;
  std::vector<std::vector<std::int64_t>> tasks{};  // each ascending
};

struct TraceUnifiedLevel {
  struct Bucket {
    std::int64_t overlap = 0;
    std::vector<std::int64_t> ids{};  // by descending maximum timestamp
  };
  int index = 0;
  int fanout = 0;
  int threshold = 0;
  double max_density = 0;
  std::int64_t overlap = 0;
  std::vector<std::int64_t> ids{};  // by ascending density
  std::vector<Bucket> buckets{};    // none below the threshold
};

struct TracePick {
  Seconds t_s = 0;
  std::int64_t pick = 0;
  Seconds gc_before_s = 0;
  std::string strategy{};
  std::string task{};
  std::string type{};
  std::string kind{};                                 // normal, tombstone, expired_only
  std::vector<std::int64_t> inputs{};                 // ascending
  std::vector<std::int64_t> expired{};                // inputs dropped unread
  std::vector<std::int64_t> live{};                   // before the task, in live-set order
  std::optional<Micros> memtable_min_timestamp_us{};  // nullopt: empty
  std::vector<std::int64_t> compacting{};             // delayed mode: held by other tasks
  std::optional<Seconds> commit_at_s{};               // delayed mode
  std::optional<double> ratio{};                      // tombstone
  bool major = false;                                 // then pending and level say nothing of it
  std::int64_t pending = 0;                           // the strategy's estimate after the call
  int level = 0;
  std::string holder{};  // unrepaired, repaired, pending S; empty where nothing is ever repaired
  std::vector<std::pair<std::string, std::int64_t>> estimates{};  // of holders, before the call
  std::optional<Millis> highest_window_ms{};                      // TWCS, after the call
  std::optional<Millis> last_expired_check_ms{};
  std::optional<Bytes> max_sstable_bytes{};      // LCS
  std::array<std::int64_t, 9> last_compacted{};  // 0: none
  std::array<int, 9> counters{};
  std::optional<double> flush_average_bytes{};  // UCS
  std::optional<Bytes> flush_size_bytes{};
  std::vector<TraceUnifiedLevel> unified_levels{};  // before the call, expired files included

  static constexpr const char* level_change_task = "SingleSSTableLCSTask";
  /// The input goes to another level at once; no commit follows.
  bool changes_level() const { return task == level_change_task; }
};

struct TraceCommit {
  Seconds t_s = 0;
  std::int64_t pick = 0;
  std::vector<std::int64_t> removed{};
  std::vector<TraceSSTable> added{};
  std::optional<std::vector<std::int64_t>> live{};  // with several outputs: live-set order afterwards
};

struct TraceLevelChange {
  Seconds t_s = 0;
  std::int64_t id = 0;
  int level = 0;
};

/// Pick loops since the previous such event that picked nothing at all.
struct TraceNullTicks {
  std::int64_t count = 0;
};

struct TraceSample {
  Seconds t_s = 0;
  std::vector<std::int64_t> live{};
  Bytes live_bytes = 0;
  Bytes live_bytes_on_disk = 0;
};

struct TraceEnd {
  Seconds t_s = 0;
  Rows rows = 0;
  std::int64_t flushes = 0;
  std::int64_t picks = 0;
  std::vector<std::int64_t> live{};
};

using TraceEvent = std::variant<TraceAlter, TraceRepair, TraceRepairFinished, TraceMajor, TraceFlush, TracePick,
                                TraceCommit, TraceLevelChange, TraceNullTicks, TraceSample, TraceEnd>;

struct Trace {
  TraceHeader header{};
  std::vector<TraceEvent> events{};
};

/// Reads the text of a trace. Throws TraceError with the line.
Trace parse_trace(std::string_view text);

}  // namespace windrow
