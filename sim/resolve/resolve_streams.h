#pragma once

#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/input_files.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// The writers of all streams: a class of entities between two changes of bucket, shards or TTL each. `text.streams`
/// have their `like` filled in. Streams of one table must not share entities. `rate_factor` multiplies every stream's
/// own rate; derived streams follow their source.
std::vector<WriterSpec> resolve_streams(const ScenarioText& text, const std::vector<TableSpec>& tables, Micros start_us,
                                        Micros end_us, InputFiles& files, double rate_factor = 1);

}  // namespace windrow
