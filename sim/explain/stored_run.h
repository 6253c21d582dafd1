#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/page/charts.h"

namespace windrow {

// A run's result files, read back. Dates stay texts: ISO dates compare as they are.

inline constexpr const char* never_text = "never";

struct StoredSSTable {
  std::int64_t id = 0;
  std::string born{};
  std::string died{};  // empty: alive at the end
  std::string why_born{};
  std::string why_died{};
  std::vector<std::int64_t> parents{};
  std::string window{};  // its first instant; empty: no time windows
  std::int64_t bytes = 0;
  std::int64_t rows = 0;
  std::int64_t partitions = 0;
  std::string oldest_write{};
  std::string newest_write{};
  std::string first_expiry{};
  std::string last_expiry{};  // never: it holds rows without TTL
  std::string droppable_at{};
  std::vector<std::int64_t> blocked_by{};  // memtable_id among them
  std::int64_t frees_bytes = 0;
  std::int64_t holds_bytes = 0;
  std::string goes_at{};
  bool was_blocker = false;
  std::string state{};                          // at the end
  std::optional<std::int64_t> readable_rows{};  // of one that is there at the end
};

/// A compaction that is listed by itself.
struct StoredCompaction {
  std::string start{};
  std::string end{};
  std::string reason{};
  std::int64_t inputs = 0;
  std::int64_t read_bytes = 0;
  std::int64_t output_sstables = 0;
  std::int64_t output_rows = 0;
  std::int64_t purged_rows = 0;
};

struct StoredTable {
  std::string name{};
  std::string strategy{};
  std::string end{};  // of the run
  std::int64_t gc_grace_s = 0;
  std::string node{};         // of several that were run; empty: of the one
  std::int64_t first_id = 0;  // of all that the file has; 0: it has none
  std::int64_t last_id = 0;
  /// Of these the one that was asked about, those that it was made of or became part of, and all that were blocked or
  /// blocked others.
  std::map<std::int64_t, StoredSSTable> sstables{};
  std::vector<StoredCompaction> compactions{};  // that ended when the one that was asked about was born

  const StoredSSTable* find(std::int64_t id) const;
  /// Whom the one that was asked about was compacted into; those that are known.
  std::vector<std::int64_t> children(std::int64_t id) const;
};

/// Names of the tables, in the order of the summary. Throws PageError.
std::vector<std::string> stored_tables(const ResultTexts& texts);
/// What explains one SSTable, `about`, from summary.json, sstables.csv and compactions.csv: of a node, by its number;
/// of the fullest, if none is named. Throws PageError.
StoredTable read_stored_table(const ResultTexts& texts, const std::string& table, std::int64_t about,
                              const std::string& node = {});
/// Numbers of the nodes that were run; none: of several like nodes one.
std::vector<std::string> stored_nodes(const ResultTexts& texts);
/// What both read.
const std::vector<std::string>& stored_run_sources();

}  // namespace windrow
