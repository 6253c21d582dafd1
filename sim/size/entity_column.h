#pragma once

#include <cstddef>
#include <optional>

#include "sim/schema/table.h"

namespace windrow {

/// Can its values tell writers apart?
bool can_be_entity(const CqlType& type);

/// Of a partition key's columns without a bucket or shard, the one that most likely says who writes: one that
/// identifies, else the first. None: no column can.
std::optional<std::size_t> entity_place(const Table& table);

}  // namespace windrow
