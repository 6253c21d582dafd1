#pragma once

#include <cstdint>

#include "sim/workload/table_workload.h"

namespace windrow {

/// How a sub-stream's writes fill a column.
const ColumnWrite& column_write(const TableWorkload& workload, int sub_stream, int column);

/// Bytes of the value that a write put into a column.
std::int32_t value_length(const TableWorkload& workload, int sub_stream, std::int64_t row_number, int column);

/// Compares two written values byte by byte, unsigned, as ValueAccessor does: negative, 0 or positive.
/// The bytes are Writer::value_byte's.
int compare_values(const TableWorkload& workload, int sub_stream_a, std::int64_t row_a, int column_a, int sub_stream_b,
                   std::int64_t row_b, int column_b);

}  // namespace windrow
