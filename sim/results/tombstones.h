#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// tombstones.csv: Tombstones at the end.
void write_tombstones(const RunRecord& record, Sink& sink);

}  // namespace windrow
