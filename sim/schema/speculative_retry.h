#pragma once

#include <string>
#include <string_view>

#include "sim/schema/option_error.h"

namespace windrow {

/// speculative_retry and additional_write_policy as system_schema shows them: "99p", "50ms", "MIN(99p,50ms)", "ALWAYS",
/// "NEVER" (SpeculativeRetryPolicy.fromString, Cassandra 5.0.9). Throws OptionError.
std::string effective_speculative_retry(std::string_view text);

}  // namespace windrow
