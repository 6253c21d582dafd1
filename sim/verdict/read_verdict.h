#pragma once

#include <string>

#include "sim/record/run_record.h"

namespace windrow {

/// What each kind of read costs at the worst, and since when it meets more tombstones than the server warns of or
/// refuses. Of a record with reads.
std::string reads_verdict(const RunRecord& record);

}  // namespace windrow
