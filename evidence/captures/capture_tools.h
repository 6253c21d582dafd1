#pragma once

#include <map>
#include <string>

#include "evidence/captures/disagreement.h"

namespace windrow {

struct CaptureToolsResult {
  int texts = 0;
  int agreeing = 0;
  Disagreements disagreements{};
};

/// Renders again what the tools of a node printed: tablehistograms, tablestats, compactionhistory and sstablemetadata.
/// Partition and cell histograms, sizes and drop times come from data.json where it lists the table's SSTables; what
/// only a running node knows (latencies, counts of requests, positions in its commit log) is read from the recording.
/// `files`: texts by their path below the folder "tools".
CaptureToolsResult verify_capture_tools(const std::map<std::string, std::string>& files);

}  // namespace windrow
