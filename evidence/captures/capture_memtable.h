#pragma once

#include <map>
#include <string>
#include <vector>

#include "evidence/captures/disagreement.h"

namespace windrow {

struct CaptureMemtableResult {
  int cases = 0;
  int agreeing = 0;
  double most_memory = 0;  // shares: how far off the worst of them is
  double most_logged = 0;
  double most_flushed = 0;
  int flushes = 0;
  std::vector<std::string> assumed{};  // shape.column: values of which nothing says how long they are; 12 bytes
  Disagreements disagreements{};
};

/// What memtables of recorded shapes weigh, on the heap and off it, and what their writes take in the commit log, by
/// the functions that runs use. `files`: name to text, *.jsonl of the recordings; how long their values are
/// the line says itself ("sizes"), its statement (a literal), or memtable_sizes()
/// (tests/data/captures/memtable/README.md). Bounds: 2 % of all memory, 3 % of the log, 1 % of the rows of a node's own
/// flushes.
CaptureMemtableResult verify_capture_memtable(const std::map<std::string, std::string>& files);

}  // namespace windrow
