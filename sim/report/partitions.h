#pragma once

#include "sim/report/run_record.h"
#include "sim/report/sink.h"

namespace windrow {

/// partitions.csv: Histograms of partitions in the engine's offsets, logical and per SSTable.
void write_partitions(const RunRecord& record, Sink& sink);

}  // namespace windrow
