#pragma once

#include <map>
#include <string>

#include "evidence/captures/disagreement.h"

namespace windrow {

struct CaptureMemtableResult {
  int cases = 0;
  int agreeing = 0;
  int refused = 0;         // shapes that a run refuses: static columns
  double most_memory = 0;  // shares: how far off the worst of them is
  double most_logged = 0;
  double most_flushed = 0;
  int flushes = 0;
  int flushes_within_a_percent = 0;
  Disagreements disagreements{};
};

/// What memtables of recorded shapes weigh, on the heap and off it, and what their writes take in the commit log, by
/// the functions that runs use. `files`: name to text, *.jsonl of the recordings; how long their values are
/// memtable_sizes() says (tests/data/captures/memtable/README.md). Bounds: 2 % of all
/// memory, 3 % of the log, 2 % of the rows of a node's own flushes.
CaptureMemtableResult verify_capture_memtable(const std::map<std::string, std::string>& files);

}  // namespace windrow
