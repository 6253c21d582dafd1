#pragma once

#include "sim/report/run_record.h"
#include "sim/report/sink.h"

namespace windrow {

/// tombstones.csv: Tombstones at the end.
void write_tombstones(const RunRecord& record, Sink& sink);

}  // namespace windrow
