#pragma once

#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

/// When values that begin another writer (shards, sizes, TTL: `then … from`) change while partitions of this table are
/// open, ascending. Such a partition counts as two, one for each side (docs/model.md).
std::vector<Micros> changes_in_open_partitions(const Scenario& scenario, int table);

}  // namespace windrow
