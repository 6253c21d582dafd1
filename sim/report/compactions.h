#pragma once

#include "sim/report/run_record.h"
#include "sim/report/sink.h"

namespace windrow {

/// compactions.csv: Compactions.
void write_compactions(const RunRecord& record, Sink& sink);

}  // namespace windrow
