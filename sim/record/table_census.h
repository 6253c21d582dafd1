#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/content/census.h"
#include "sim/engine/table_store.h"
#include "sim/record/blockers.h"

namespace windrow {

/// All live files of a table at one second.
struct StoreCensus {
  Census files{};
  Rows memtable_live = 0;  // rows that can be read in the memtable
  BlockReport blocks{};
  Bytes live_bytes = 0;
  std::int64_t cells = 0;
};

/// What the tombstones of a table shadow, wherever they are: in files or in the memtable. Of a table at one moment.
class TableShadows {
 public:
  explicit TableShadows(const TableStore& store);
  const Shadows& operator*() const { return shadows_; }

 private:
  Content memtable_{};
  Shadows shadows_{};
};

/// Rows that lie in several files of a table count in one of them (duplicates_in).
class TableDuplicates {
 public:
  /// To be asked before of(); what is known is looked for again when files have changed.
  void look(const TableStore& store);
  /// Of what the file holds, what the memtable or a file before it has.
  std::span<const Cohort> of(std::int64_t file) const;

 private:
  struct Files {
    std::size_t count = 0;
    std::int64_t sum = 0;  // of their numbers
    friend bool operator==(const Files&, const Files&) = default;
  };
  Files known_{};
  std::map<std::int64_t, std::vector<Cohort>> by_file_{};
};

/// How far all that a file holds has come.
/// Seconds from the first to the last.
struct SecondsSpan {
  Seconds first = INT64_MAX;
  Seconds last = INT64_MIN;
  bool none() const { return first > last; }
  bool meets(Seconds from, Seconds to) const { return first <= to && from <= last; }
  void add(const SecondsSpan& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

enum class FileAge : std::uint8_t { some_live, all_expired, all_past_gc_grace };

/// Counts a table's files again and again. Files in which nothing is dead yet cost no look inside, nor do others that
/// count as they did the last time; else each cohort costs a few divisions. Partitions held row by row are dear: they
/// are counted when the file is new, when the last of its rows has expired or is past gc_grace (what is said to be
/// blocked is purgeable), and when `afresh`, as those of the memtable are.
class TableCensus {
 public:
  StoreCensus take(const TableStore& store, Seconds now_s, bool afresh);
  const TableDuplicates& duplicates_now(const TableStore& store) {
    duplicates_.look(store);
    return duplicates_;
  }
  /// Rows that the last call looked at one by one.
  Rows looked_at() const { return looked_at_; }

 private:
  const Census& known_file(const TableStore& store, const SSTable& file, const CensusTime& time, const Shadows& shadows,
                           bool afresh);
  Census of_intervals(const TableStore& store, const SSTable& file, const CensusTime& time);
  Rows memtable_live(const TableStore& store, const CensusTime& time, const Shadows& shadows, bool afresh);

  struct KnownFile {
    Census census{};
    FileAge age{};      // of rows one by one
    CensusTime time{};  // of intervals
    std::array<SecondsSpan, 3> changing{};
  };

  TableDuplicates duplicates_{};
  std::map<std::int64_t, KnownFile> known_files_{};
  Rows looked_at_ = 0;
};

/// How many rows of the file can be read, where that is known without a look inside: none has expired, and nothing
/// deletes any. For files without duplicates.
std::optional<Rows> surely_readable(const SSTable& file, Seconds now_s, const Shadows& shadows);

/// Tombstones in files and memtable by kind, day and reason to stay.
std::vector<TombstoneRow> tombstones_of_store(const TableStore& store, const BlockReport& blocks, Seconds now_s);

/// When the last row of a content expires; no_deletion_time if one never does.
Seconds last_expiry_s(const ContentSpace& space, const Content& content);

}  // namespace windrow
