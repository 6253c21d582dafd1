#pragma once

#include <span>
#include <string_view>

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// A result file.
struct ResultFile {
  std::string_view name{};
  std::string_view content{};
  void (*write)(const RunRecord&, Sink&) = nullptr;
};

// One source file each.
void write_summary(const RunRecord& record, Sink& sink);
void write_timeline(const RunRecord& record, Sink& sink);
void write_partitions(const RunRecord& record, Sink& sink);
void write_largest(const RunRecord& record, Sink& sink);
void write_sstables(const RunRecord& record, Sink& sink);
void write_compactions(const RunRecord& record, Sink& sink);
void write_tombstones(const RunRecord& record, Sink& sink);

std::span<const ResultFile> result_files();
/// Those of a scenario that names data centres.
std::span<const ResultFile> node_files();
/// Those of a scenario with outages or repairs.
std::span<const ResultFile> fault_files();
/// Those of a scenario with reads.
std::span<const ResultFile> read_files();

/// Writes all of them.
void write_results(const RunRecord& record, Sink& sink);

}  // namespace windrow
