#pragma once

#include <span>
#include <string>

#include "evidence/agreement/report.h"
#include "evidence/timelines/timeline_check.h"

namespace windrow {

/// "22 of 22 reads, 23 of 27 contents of replicas, …": what there was any of.
std::string counts_text(const TimelineCounts& counts);

/// The cases of one file as a capture. Those that depend on chance are remarked on, and not judged.
CaptureResult timeline_result(std::span<const TimelineResult> results);

}  // namespace windrow
