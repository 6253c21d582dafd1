#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"

// Scenarios of `copies`, `like`, `of` and `then`, as sentences: their text, and (meaning.h) the rows they mean.
namespace windrow::witness {

/// One [stream.NAME], with all it says or inherits. Hours count from the scenario's start.
struct StreamWords {
  enum class Bucket { hour, day, month };
  enum class Statics { none, each, once };  // with no row, with each, with the first of a partition
  template <class T>
  struct Then {
    T value{};
    std::int64_t from_h = 0;
  };

  /// So many rows of a million: late by, or with a TTL of, so much.
  struct Part {
    std::int64_t ppm = 0;
    Seconds seconds = 0;
  };

  std::string name{};
  std::string table{};
  int like = -1;  // what is the same there is not said again
  int of = -1;
  std::int64_t entities = 1;
  std::vector<Then<std::int64_t>> rows_per_day = {{24, 0}};  // of an entity
  std::int64_t copies = 1;
  std::optional<std::int64_t> from_h{};
  std::optional<std::int64_t> until_h{};
  bool update = false;
  std::vector<Then<Seconds>> ttl_s = {{-1, 0}};  // -1: the table's; 0: none
  Seconds late_s = 0;                            // of every row
  std::vector<Part> late_parts{};                // of some; the others come at once
  std::vector<Part> ttl_parts{};                 // of some; the others have ttl_s
  bool timestamp_from_event = false;
  Seconds timestamp_offset_s = 0;  // after the event
  std::vector<Then<Bucket>> bucket = {{Bucket::day, 0}};
  std::int64_t shards = 1;       // of a stream that nothing is derived from
  std::int64_t fast_shards = 0;  // of entities above fast_per_day; 0: of all alike
  std::int64_t fast_per_day = 0;
  bool own_clock = false;  // buckets go by the clock of words_clock
  std::int64_t v0_bytes = 20;
  std::int64_t v1_bytes = 20;
  bool only_v0 = false;
  Statics statics = Statics::none;
  std::int64_t s0_bytes = 20;
  bool at_once = false;                // all entities at the same instant; at an even rate
  Seconds living_s = 0;                // so many entities write for so long, then others; 0: the same for ever
  std::int64_t keys_in_partition = 0;  // written again and again, in turn; 0: every row has a key of its own
  std::int64_t per_min = 0;            // of a derived stream; 0: row by row
  Seconds delay_s = 0;
};

struct TableWords {
  std::string name{};
  std::string options{};  // of CREATE TABLE ... WITH
  std::int64_t flush_bytes = 0;
  std::int64_t flush_period_s = 0;
  bool statics = false;  // it has a static column
};

struct ScenarioWords {
  std::int64_t hours = 24;
  std::string format = "oa";
  std::int64_t throughput_bytes_per_s = 0;  // 0: unlimited
  std::vector<TableWords> tables{};
  std::vector<StreamWords> streams{};  // those they are `like` and `of` stand before them
  std::string ring{};                  // [dc.main], without which there is one node
  std::string alter{};                 // ALTER TABLE oracle.t0 WITH this, in the hour `alter_h`; empty: never
  std::int64_t alter_h = 0;
};

/// 2026-01-30T00:00:00Z: a month ends within the run.
inline constexpr Seconds words_start_s = 1'769'731'200;

/// A clock an hour ahead of UTC, two hours from the 20th hour of the run to the 45th.
inline constexpr const char* words_clock =
    "from,offset\n2026-01-01,+01:00\n2026-01-30T20:00:00,+02:00\n2026-01-31T21:00:00,+01:00\n";

/// A small scenario, the same one for the same seed; at least one of its streams has copies, is like or of another.
ScenarioWords random_words(std::uint64_t seed);

/// A small cluster, whose streams write all at once: so that a node's rows are told apart by their keys alone.
/// `tokens`: of its ring, node by node.
struct RingWords {
  ScenarioWords words{};
  int nodes = 1;
  int copies = 1;
  std::vector<std::pair<std::int64_t, int>> tokens{};  // with their nodes, from 0, ascending
};
RingWords random_ring_words(std::uint64_t seed);
std::string ring_csv(const RingWords& ring);
/// The nodes that hold a key: the first different ones on the ring from its token on.
std::vector<int> holders(const RingWords& ring, const std::string& key);

/// Streams of which shares are late and have TTLs of their own.
ScenarioWords random_words_of_shares(std::uint64_t seed);

/// Streams whose buckets have shards, some more for the fast ones, and shares in half of them.
ScenarioWords random_words_of_shards(std::uint64_t seed);

/// Streams of entities that live shortly, shares in half of them.
ScenarioWords random_words_of_short_lives(std::uint64_t seed);

/// Streams that write the same keys in turn, most with TTLs or late rows.
ScenarioWords random_words_of_overwrites(std::uint64_t seed);

/// Streams that write a static column with each row, some of which come late or with a TTL of their own, or once.
ScenarioWords random_words_of_statics(std::uint64_t seed);

std::string ini_text(const ScenarioWords& words);
std::string cql_text(const ScenarioWords& words);
/// The files that ini_text names.
std::optional<std::string> file_text(const ScenarioWords& words, const std::string& name);

/// Makes failing words fewer and plainer as long as they still fail. `fails` must hold for `words`.
ScenarioWords shrink_words(ScenarioWords words, const std::function<bool(const ScenarioWords&)>& fails);

}  // namespace windrow::witness
