#pragma once

#include "evidence/agreement/report.h"
#include "evidence/cli/verify_inputs.h"

namespace windrow {

/// Reads a folder of captures and recomputes it.
CaptureResult verify_capture(const CaptureFolder& folder);

}  // namespace windrow
