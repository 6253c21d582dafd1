#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/timelines/text_values.h"
#include "sim/content/keyed_content.h"
#include "sim/replica/read.h"
#include "sim/ring/token_ring.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// A case that cannot be read or played. what() says which step and why.
struct TimelineError : std::runtime_error {
  TimelineError(int line_of_file, const std::string& what) : std::runtime_error(what), line(line_of_file) {}
  int line = 0;  // from 1
};

/// One row of a table (pk text, ck int, …), or a stretch of them.
struct TimelineKey {
  std::string partition{};
  std::optional<std::int64_t> from{};
  std::int64_t to = 0;  // the last one; `from` where it is a row
};

/// A row that a client got. Columns are v = 0, w = 1.
struct ReturnedRow {
  std::string partition{};
  std::int64_t clustering = 0;
  std::optional<std::string> value{};
  std::optional<Micros> timestamp_us{};
  std::optional<Seconds> ttl_left_s{};
};

enum class TimelineAction {
  insert,
  remove,
  flush,
  compact,
  repair,
  repair_across_clock_move,
  read,
  scan,
  clock,
  down,
  up,
  kill,
  start,
  replace,
  nodetool,
  note_hints,
  alter_table,
  wait
};

enum class RemovedKind { row, cell, range, partition };

/// What was done to the cluster or the table. Nodes are numbers: A is 0.
struct TimelineStep {
  TimelineAction action = TimelineAction::clock;
  Millis begin_ms = 0;  // since the epoch
  Millis end_ms = 0;
  bool failed = false;    // the client or tool got an error
  bool observed = false;  // what replicas hold was looked at afterwards

  int coordinator = 0;
  ReplicasAsked asked{};
  std::vector<int> nodes{};
  int node = 0;

  TimelineKey key{};
  RemovedKind removed = RemovedKind::row;
  std::int64_t value = 0;  // by number
  std::int16_t column = 0;
  bool has_liveness = false;
  Micros timestamp_us = 0;
  Seconds ttl_s = 0;

  std::vector<int> contacted{};
  std::vector<ReturnedRow> rows{};

  bool incremental = false;
  bool primary_ranges = false;
  bool force = false;
  std::vector<int> hosts{};
  std::optional<TokenRange> range{};
  bool ok = true;

  std::vector<std::string> tables{};     // of repair_across_clock_move
  std::vector<std::string> compacted{};  // those that A and B compacted meanwhile
  int held_node = 0;
  Millis moved_at_ms = 0;
  Millis moved_to_ms = 0;

  std::string command{};  // of nodetool; options of alter_table
  double real_s = 0;
  bool hard = true;                        // SIGKILL
  std::vector<std::int64_t> hint_files{};  // how many, by node

  std::optional<std::map<std::string, std::vector<int>>> old_value_live_on{};
};

/// What lay where after a step: fragments by SSTable; the memtable is "memtable".
struct SeenFile {
  std::string id{};
  Micros min_timestamp_us = 0;
  Micros max_timestamp_us = 0;
  Seconds min_local_deletion_time_s = 0;
  Seconds max_local_deletion_time_s = 0;
  bool repaired = false;
  bool pending = false;
  Rows rows = 0;
  Token first_token = 0;
  Token last_token = 0;
};

struct Observation {
  std::size_t after_step = 0;
  int node = 0;
  std::optional<std::string> partition{};  // only this one was looked at
  std::optional<std::vector<SeenFile>> files{};
  bool content = true;  // false: only the list of files, and:
  Rows memtable_rows = 0;
  std::map<std::string, KeyedContent> local{};  // by file, or "memtable"; each by token
};

/// What the recording concluded of a row that should be gone.
struct RowVerdict {
  std::vector<int> lives_on{};
  struct Copy {
    std::size_t step = 0;
    int node = 0;
  };
  std::vector<Copy> came_back_on{};
};

struct TimelineCase {
  int line = 0;
  std::string name{};
  std::string timeline{};
  bool chance = false;
  int nodes = 3;
  std::vector<int> center_of{};  // data centre of each node, by number
  std::vector<int> copies{};     // of a row, by data centre
  Seconds start_s = 0;
  std::string table_options{};
  std::map<std::string, Token> tokens{};
  std::map<std::string, std::vector<int>> replica_order{};
  TextValues values{};  // a cell's row_number is its value's
  std::vector<TimelineStep> steps{};
  std::vector<Observation> observations{};
  std::map<std::string, RowVerdict> verdicts{};  // by pk/ck
};

/// The lines of cases.jsonl. Throws TimelineError.
std::vector<TimelineCase> parse_timeline_cases(std::string_view jsonl);

/// Of a moment since the epoch; what is left of a second is dropped.
inline Seconds seconds_of(Millis at) { return at / ms_per_s; }

/// True if the text's first line is a case of this kind.
bool is_timeline_cases(std::string_view jsonl);

}  // namespace windrow
