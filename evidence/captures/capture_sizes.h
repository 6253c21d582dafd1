#pragma once

#include <string_view>

#include "evidence/captures/disagreement.h"

namespace windrow {

struct CaptureSizesResult {
  int cases = 0;
  int agreeing = 0;
  std::int64_t numbers = 0;  // compared
  Disagreements disagreements{};
};

/// How far a modelled file may lie from its recording: Statistics.db 25 %, Partitions.db and Rows.db 10 %.
struct CaptureTolerances {
  double statistics = 0.25;
  double bti_indexes = 0.10;
};

/// Recomputes every recording of row_sizes/cases.jsonl from its statements: Data.db, partitions, headers, statistics,
/// histograms and the sizes of all components.
CaptureSizesResult verify_capture_sizes(std::string_view cases_jsonl, const CaptureTolerances& tolerances = {});

}  // namespace windrow
