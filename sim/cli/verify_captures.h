#pragma once

#include "sim/cli/verify_inputs.h"
#include "sim/verify/report.h"

namespace windrow {

/// Reads a folder of captures and recomputes it.
CaptureResult verify_capture(const CaptureFolder& folder);

}  // namespace windrow
