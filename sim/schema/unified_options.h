#pragma once

#include "sim/schema/sub_option_reader.h"

namespace windrow {

/// The sub-options of UnifiedCompactionStrategy; throws CompactionOptionError (Controller.validateOptions,
/// Cassandra 5.0.9).
UnifiedOptions read_unified_options(const SubOptionReader& reader, CommonCompactionOptions common,
                                    bool allow_unsafe_expiration);

}  // namespace windrow
