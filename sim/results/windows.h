#pragma once

#include <vector>

#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// A stretch of time in which a time window of the table is held by the same number of SSTables.
struct WindowSpan {
  Seconds window_s = 0;
  Micros from_us = 0;
  Micros to_us = 0;
  std::int64_t sstables = 0;
  Bytes bytes = 0;
};

/// By window, then time, without the times at which a window is empty. Of SSTables that lived between two samples only,
/// nothing is known.
std::vector<WindowSpan> window_spans(const Lifelines& lifelines, Micros end_us);

/// windows.csv: Time windows: how many SSTables hold each, over time.
void write_windows(const RunRecord& record, Sink& sink);

}  // namespace windrow
