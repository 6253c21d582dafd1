#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/keys/column_rule.h"
#include "sim/resolve/entity_list.h"
#include "sim/scenario/scenario.h"
#include "sim/schema/type.h"

namespace windrow {

/// One column of a partition key and what goes into it: entity, a bucket, shard, each or a constant.
struct KeyPart {
  std::string column{};
  CqlType type{};
  ColumnRule rule{};
};

/// Why values of a rule cannot be written into a column of this type; empty if they can.
std::string misfit(const CqlType& type, const ColumnRule& rule, const EntityList& entities);

/// A bucket in a number too small for the whole date holds the part that a coarser bucket leaves open, the hour of a
/// day or the day of a month: how long that coarser bucket may be; 0: there is no such part. Nothing: it holds the
/// date.
std::optional<Seconds> tells_part_of(const CqlType& type, const ColumnRule& rule);

/// Bytes that every value of a type has, also where a length stands before them on disk; -1: values differ.
std::int64_t natural_bytes(const CqlType& type);
/// Bytes of what a rule (not a size or collection) writes into a type; the mean, if it varies with the entity.
double rule_bytes(const KeyPart& part, const EntityList& entities);

/// Partition keys of one class of entities: number e of the class is entity first + e / each of the list, and e % each
/// of the columns with each(n) together, the first of them slowest.
std::shared_ptr<const PartitionKeys> make_partition_keys(std::shared_ptr<const EntityList> list, std::int64_t first,
                                                         std::vector<KeyPart> parts);
std::shared_ptr<const EntityNames> make_entity_names(std::shared_ptr<const EntityList> list, std::int64_t first,
                                                     std::int64_t each);
/// Of entities that write into the same partitions.
std::shared_ptr<const EntityNames> make_shared_name(std::int64_t entities);

}  // namespace windrow
