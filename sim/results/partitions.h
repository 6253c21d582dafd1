#pragma once

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// partitions.csv: Histograms of partitions in the engine's offsets, logical and per SSTable.
void write_partitions(const RunRecord& record, Sink& sink);

}  // namespace windrow
