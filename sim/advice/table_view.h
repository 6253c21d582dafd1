#pragma once

#include <string>
#include <vector>

#include "sim/record/run_record.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// A bucket or a shard in a partition key, as a stream of the scenario says it.
struct KeyRule {
  ColumnRule::Kind kind = ColumnRule::Kind::bucket;
  std::string stream{};
  std::string column{};
  Seconds length_s = 0;    // of a bucket
  bool plain = true;       // not rolling, adaptive, or changing in time
  std::int64_t count = 1;  // of shards
};

/// A table as advice looks at it: what was set, and who writes it.
struct AdvisedTable {
  const TableRecord* record = nullptr;
  const TableSpec* spec = nullptr;
  std::string key_name{};  // in keys: of a month's table the one that it is one of
  Seconds window_s = 0;    // 0: not TWCS
  Seconds main_ttl_s = 0;  // of most of its rows; 0: they stay
  std::vector<std::string> streams{};
  std::vector<std::string>
      other_ttl_streams{};                      // some of their rows have another TTL than most of the table's, or none
  std::vector<std::string> ttl_less_streams{};  // of these, those with rows that stay
  std::vector<std::string> stamped_streams{};   // with timestamps that are not those of their arrival
  bool deletes = false;
  std::vector<KeyRule> rules{};

  const TableOptions& options() const { return spec->schema.options; }
  /// Of this stream; nullptr if its partition keys have none.
  const KeyRule* rule(ColumnRule::Kind kind, const std::string& stream) const;
  /// The shortest, 0: there is none.
  Seconds bucket_s() const;
};

const TableRecord* find_table(const RunRecord& record, const std::string& name);
/// `table` is of a run of this scenario.
AdvisedTable advised_table(const LoadedScenario& loaded, const TableRecord& table);

}  // namespace windrow
