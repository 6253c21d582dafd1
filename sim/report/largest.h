#pragma once

#include "sim/report/run_record.h"
#include "sim/report/sink.h"

namespace windrow {

/// largest.csv: The largest partitions.
void write_largest(const RunRecord& record, Sink& sink);

}  // namespace windrow
