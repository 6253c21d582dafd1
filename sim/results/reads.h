#pragma once

#include <cstdint>
#include <optional>

#include "sim/record/run_record.h"
#include "sim/results/table_numbers.h"
#include "sim/text/sink.h"

namespace windrow {

/// reads.csv: of each sample, node and [read.NAME] what it costs.
void write_reads(const RunRecord& record, Sink& sink);

/// The same of summary.json: of each number the largest of all samples, and of the last sample.
Json reads_json(const RunRecord& record);

/// Reads of partitions that a node answers in an hour: of each [read.NAME] as many as its rate, the partitions of a
/// request and the replicas that it waits for make, where its stream is written in that hour. Nothing without reads.
std::optional<std::int64_t> reads_in_hour(const RunRecord& record, int hour, int node);

}  // namespace windrow
