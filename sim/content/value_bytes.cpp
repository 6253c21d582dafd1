#include "sim/content/value_bytes.h"

#include <algorithm>

#include "sim/base/check.h"

namespace windrow {

namespace {

std::uint64_t mix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint8_t value_byte(bool mixed, std::int64_t row, int column, std::int64_t i) {
  if (!mixed) return static_cast<std::uint8_t>((row * 31 + column * 13 + i) % 251);
  const std::uint64_t word = mix64(static_cast<std::uint64_t>(row * 1'000'003 + column * 7919 + i / 8));
  return static_cast<std::uint8_t>(word >> (8 * (i % 8)));
}

const Writer& writer_of(const TableWorkload& workload, int sub_stream) {
  return workload.sub_streams()[static_cast<std::size_t>(sub_stream)].writer();
}

}  // namespace

const ColumnWrite& column_write(const TableWorkload& workload, int sub_stream, int column) {
  const std::vector<ColumnWrite>& columns = writer_of(workload, sub_stream).columns;
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
  const bool mixed_a = writer_of(workload, sub_stream_a).mixed_values;
  const bool mixed_b = writer_of(workload, sub_stream_b).mixed_values;
  for (std::int64_t i = 0; i < std::min(length_a, length_b); ++i) {
    const int difference = value_byte(mixed_a, row_a, column_a, i) - value_byte(mixed_b, row_b, column_b, i);
    if (difference != 0) return difference;
  }
  return length_a - length_b;
}

}  // namespace windrow
