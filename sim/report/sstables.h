#pragma once

#include "sim/report/run_record.h"
#include "sim/report/sink.h"

namespace windrow {

/// sstables.csv: Lives of SSTables.
void write_sstables(const RunRecord& record, Sink& sink);

}  // namespace windrow
