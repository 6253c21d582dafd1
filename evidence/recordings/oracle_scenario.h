#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/covering_deletes.h"

namespace windrow {

/// A scenario text that the recording harness would refuse; what() names the key.
struct OracleScenarioError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One kind of write of a recorded scenario. `_s` of streams are offsets from the scenario's start, as written.
struct OracleStream {
  enum class Bucket { none, hour, day, week, month };
  enum class Op { insert, update, none };
  enum class Statics { none, each, once };  // which rows bring the static columns along
  struct Pause {
    Seconds from_s = 0;
    Seconds to_s = 0;  // exclusive
  };

  int index = 0;
  std::string name{};
  std::string pk_prefix{};
  std::int64_t entities = 1;
  Seconds period_s = 60;
  Seconds phase_s = 0;
  Seconds from_s = 0;
  Seconds to_s = 0;  // exclusive; the scenario's length unless given
  bool spread = true;
  Bucket bucket = Bucket::none;
  std::int64_t shards = 1;
  int columns = 1;
  std::int64_t value_size = 20;
  std::int64_t value_jitter = 0;
  bool mixed_values = false;  // value_kind = mix, else ramp
  Op op = Op::insert;
  Statics statics = Statics::none;
  std::optional<Seconds> ttl_s{};  // nullopt: no TTL clause, the table's default applies; 0: explicitly none
  std::int64_t ttl_alt_every = 0;
  std::optional<Seconds> ttl_alt_s{};
  std::int64_t ck_mod = 0;  // 0: ck = event
  bool timestamp_from_event = false;
  std::int64_t timestamp_offset_us = 0;
  std::int64_t late_every = 0;
  Seconds late_s = 0;
  std::vector<Pause> pauses{};
  bool pauses_delay = false;  // pause_mode = delay, else drop
  DeleteKind delete_kind = DeleteKind::none;
  std::int64_t delete_every = 1;
  std::int64_t delete_remainder = 0;
  Seconds delete_age_s = 0;

  // What follows the recording harness does not have: only the row-exact engine plays it.
  std::int64_t delete_count = 1;  // so many of delete_every
  Seconds delete_from_s = 0;      // one-by-one deletes come from here on, and before delete_to_s
  std::optional<Seconds> delete_to_s{};
  bool delete_by_event = false;  // partition, range: event g deletes what was written delete_age_s before
  Seconds history_from_s = 0;    // rows arrive as said above, but their events run evenly through
  int null_columns = 0;          // so many columns, from the last on, are written as null
  std::int64_t elements = -1;    // of a collection beside the columns, that sorts after them; -1: none
  bool append = false;           // to the collection, else it is written whole
  Seconds history_s = 0;         // [history_from_s, + history_s); 0: events and arrivals are one
};

struct OracleAlter {
  Seconds at_s = 0;  // a point in time
  std::string with{};
};

/// A step of an incremental repair (tests/oracle-repair/README.md).
struct OracleRepair {
  enum class To { pending, repaired, unrepaired, finish, fail };
  enum class Files { all, oldest, newest, every };
  Seconds at_s = 0;  // a point in time
  To to = To::repaired;
  std::string session{};  // of pending, finish and fail
  Files files = Files::all;
  std::int64_t number = 0;  // of oldest and newest; the modulus of every
  std::int64_t remainder = 0;
};

/// A scenario of the recording harness: its keys and defaults are those of tests/oracle/README.md.
struct OracleScenario {
  std::string comment{};
  std::string format = "big";       // big, bti
  std::string compat = "NONE";      // storage_compatibility_mode
  Seconds start_s = 1'767'225'600;  // 2026-01-01T00:00:00Z
  Seconds end_s = 1'767'225'600;
  std::string table{};  // what follows `WITH id = ... AND` of the CREATE TABLE
  int columns = 1;
  int statics = 0;  // static columns
  Seconds tick_s = 3600;
  Seconds sample_every_s = 86'400;
  Seconds flush_every_s = 0;  // 0 = off, as the next two
  Seconds flush_phase_s = 0;
  std::int64_t flush_every_rows = 0;
  Seconds compaction_delay_s = 0;
  std::int64_t compaction_bytes_per_s = 0;
  int compaction_slots = 1;
  bool allow_unsafe_aggressive_sstable_expiration = false;
  std::vector<OracleAlter> alters{};
  std::vector<OracleRepair> repairs{};
  std::vector<Seconds> majors{};  // points in time of major compactions (tests/oracle-tasks/README.md)
  std::vector<OracleStream> streams{};

  bool delayed() const { return compaction_delay_s > 0 || compaction_bytes_per_s > 0; }
  /// The statement the harness runs first.
  std::string create_table() const;
  std::string alter_table(const OracleAlter& alter) const;
};

/// Reads a scenario file: `key = value` lines, unknown keys are errors. Throws OracleScenarioError.
OracleScenario parse_oracle_scenario(std::string_view text);

/// The text of a scenario; keys that have their default are left out. Parses back to an equal scenario.
std::string oracle_scenario_text(const OracleScenario& scenario);

}  // namespace windrow
