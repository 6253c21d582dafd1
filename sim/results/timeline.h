#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// timeline.csv: Per sample and table: bytes by stage of life, SSTables, tombstones, amplification; `_max` since the
/// last sample.
void write_timeline(const RunRecord& record, Sink& sink);

}  // namespace windrow
