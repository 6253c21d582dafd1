#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// largest.csv: The largest partitions.
void write_largest(const RunRecord& record, Sink& sink);

}  // namespace windrow
