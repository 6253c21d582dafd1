#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/entity_keys.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What a stream's writes put into the columns of its table, from one `then` to the next.
struct ColumnPlan {
  std::vector<KeyPart> partition_key{};
  std::optional<ColumnRule> bucket{};  // the finest one of the key
  std::int64_t shards = 1;
  std::int64_t each_in_key = 1;  // each(n) in the partition key: so many partitions instead of rows
  std::int64_t rows_per_event = 1;
  bool unique_partitions = false;
  Seconds living_s = 0;  // of entities that live shortly: how long each of their partitions is written
  bool entities_share_partitions = false;  // the entity is a clustering column
  std::vector<ClusteringSpec> clustering{};
  int clustering_bytes = 0;
  std::string coarse_column{};     // with `time`, and the only one to tell rows apart: a date, or a small number
  std::int64_t coarse_values = 0;  // how many of a bucket a small number tells apart; 0: a date, one a day
  bool rows_differ = false;        // no two rows have the same primary key
  std::vector<ColumnValue> columns{};
};

/// Columns of a stream at a time. Refuses columns that do not exist, key columns and sizes that are not said, and
/// values that do not fit a column's type.
ColumnPlan plan_columns(const Named<StreamSection>& stream, const Table& table, const EntityList& entities,
                        Micros at_us);

/// The plan for entities of this rate: fast ones have more shards of adaptive(a, b above r); the finer bucket on
/// demand.
ColumnPlan plan_at_rate(ColumnPlan plan, double rows_per_s, bool fine_bucket);

}  // namespace windrow
