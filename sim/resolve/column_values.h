#pragma once

#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/entity_keys.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Values of the columns outside the primary key that a stream writes at a time. Fixed-size columns are full; a text or
/// blob without a size is a ScenarioError that shows the line to add.
std::vector<ColumnValue> plan_values(const Named<StreamSection>& stream, const Table& table, const EntityList& entities,
                                     Micros at_us);

}  // namespace windrow
