#pragma once

#include <span>
#include <string_view>

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// A result file that every run writes.
struct ResultFile {
  std::string_view name{};
  std::string_view content{};
  void (*write)(const RunRecord&, Sink&) = nullptr;
};

std::span<const ResultFile> result_files();

/// Writes all of them.
void write_results(const RunRecord& record, Sink& sink);

}  // namespace windrow
