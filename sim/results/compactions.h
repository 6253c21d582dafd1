#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// compactions.csv: Compactions.
void write_compactions(const RunRecord& record, Sink& sink);

}  // namespace windrow
