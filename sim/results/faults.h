#pragma once

#include <optional>
#include <string>

#include "sim/cluster/fault_record.h"
#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

// Of a record with faults: what outages and repairs did (sim/cluster).

/// When the first deleted row of a table (-1: of all) is no longer kept from readers: gc_grace of its delete is over,
/// or it is brought back before that. Nothing if none comes back.
std::optional<Micros> first_resurrected_us(const FaultRecord& faults, int table);

/// The stream that wrote the rows.
std::string stream_of(const RunRecord& record, const SuspectRows& rows);
/// Why no deleted row of a table can come back, where that is so whatever is missed.
std::optional<std::string> why_nothing_comes_back(const RunRecord& record, int table);

/// "repair.weekly.every is safe up to 6d (7d: 1203 rows come back), as all 11 values tried say".
std::string safe_bound_text(const SafeBound& bound);

/// Holds the ledger and the repairs to the limits resurrected_rows and repair_margin_min.
void judge_faults(RunRecord& record);

void write_resurrections(const RunRecord& record, Sink& sink);
void write_repairs(const RunRecord& record, Sink& sink);
void write_outages(const RunRecord& record, Sink& sink);
/// Of a run in which a node was replaced.
void write_replacements(const RunRecord& record, Sink& sink);

}  // namespace windrow
