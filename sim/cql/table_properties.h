#pragma once

#include "sim/cql/property_value.h"
#include "sim/cql/settings.h"
#include "sim/cql/statement.h"
#include "sim/schema/table_options.h"

namespace windrow {

/// Reads WITH … over `base`, as TableAttributes.build does. `compaction_options` stays as it was: check_properties has
/// to agree to the map first. `is_new`: a bloom_filter_fp_chance that is not given follows from the strategy.
/// Throws Refused, as all here.
TableOptions build_options(const Properties& properties, TableOptions base, bool is_new, const CqlSettings& settings);

/// TableAttributes.validate: unknown options, and values out of range. Values are judged beside the defaults of a new
/// table, also in ALTER (5.0.9).
void check_properties(const Properties& properties, const CqlSettings& settings);

/// Fills `compaction_options` from the checked map.
void parse_checked_compaction(TableOptions& options, const CqlSettings& settings);

}  // namespace windrow
