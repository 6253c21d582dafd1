#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// sstables.csv: Lives of SSTables.
void write_sstables(const RunRecord& record, Sink& sink);

}  // namespace windrow
