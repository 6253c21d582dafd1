#pragma once

#include <string>

#include "sim/record/run_record.h"

namespace windrow {

/// Whether deleted rows came back, which and why; repairs against gc_grace. Of a record with faults.
std::string faults_verdict(const RunRecord& record);

}  // namespace windrow
