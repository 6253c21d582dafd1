#pragma once

#include "sim/base/units.h"
#include "sim/workload/sub_stream.h"

namespace windrow {

/// Bytes of a row in Data.db, roughly: MemtableWeight::flushed says how far off it is.
double data_bytes_of(const SubStream& sub, Seconds ttl_s);

}  // namespace windrow
