#pragma once

#include <string>

#include "evidence/agreement/report.h"
#include "evidence/cli/verify_inputs.h"

namespace windrow {

/// What a capture is called beside its result: its kind, and which of several rings.
std::string capture_name(const CaptureFolder& folder);

/// Reads a folder of captures and recomputes it. Throws UserError or nlohmann's exceptions where it cannot be read.
CaptureResult verify_capture(const CaptureFolder& folder);

}  // namespace windrow
