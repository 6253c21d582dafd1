#include "sim/content/value_bytes.h"

#include <algorithm>

#include "sim/base/check.h"

namespace windrow {

namespace {

const Writer& writer_of(const TableWorkload& workload, int sub_stream) {
  return workload.sub_streams()[static_cast<std::size_t>(sub_stream)].writer();
}

}  // namespace

const ColumnWrite& column_write(const TableWorkload& workload, int sub_stream, int column) {
  const Writer& writer = writer_of(workload, sub_stream);
  const std::vector<ColumnWrite>& columns = column < first_static_column ? writer.columns : writer.statics;
  const auto write = std::ranges::find(columns, column, &ColumnWrite::column);
  SIM_CHECK(write != columns.end(), "a value of a column that is not written");
  return *write;
}

std::int32_t value_length(const TableWorkload& workload, int sub_stream, std::int64_t row_number, int column) {
  return column_write(workload, sub_stream, column).size_of(row_number);
}

int compare_values(const TableWorkload& workload, int sub_stream_a, std::int64_t row_a, int column_a, int sub_stream_b,
                   std::int64_t row_b, int column_b) {
  const std::int32_t length_a = value_length(workload, sub_stream_a, row_a, column_a);
  const std::int32_t length_b = value_length(workload, sub_stream_b, row_b, column_b);
  const ValueByte byte_a = writer_of(workload, sub_stream_a).value_byte;
  const ValueByte byte_b = writer_of(workload, sub_stream_b).value_byte;
  for (std::int64_t i = 0; i < std::min(length_a, length_b); ++i) {
    const int difference = byte_a(row_a, column_a, i) - byte_b(row_b, column_b, i);
    if (difference != 0) return difference;
  }
  return length_a - length_b;
}

}  // namespace windrow
