#pragma once

#include <string>
#include <string_view>

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// summary.json: every headline number, unit in its name; bytes, rows and seconds are plain numbers, dates ISO.
void write_summary(const RunRecord& record, Sink& sink);

/// "bytes", "rows" and so on.
std::string_view unit_name(LimitSpec::Unit unit);

}  // namespace windrow
