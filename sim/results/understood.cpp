#include "sim/results/understood.h"

namespace windrow {

namespace {

Understood in_seconds(const TableRecord& table, double seconds) {
  Understood what{.partitions_per_day = table.partitions_per_day,
                  .rows_per_partition_p50 = table.partitions.rows.p50,
                  .rows_per_partition_max = table.partitions.rows.max};
  if (table.samples.empty() || seconds <= 0) return what;
  what.rows_per_s = static_cast<double>(table.samples.back().rows_written) / seconds;
  what.flushes_per_day = static_cast<double>(table.flushes) / seconds * static_cast<double>(seconds_per_day);
  if (table.flushed_rows > 0) {
    what.bytes_per_row =
        static_cast<double>(table.flushed_uncompressed_bytes) / static_cast<double>(table.flushed_rows);
  } else if (table.partitions.rows.max > 0) {
    what.bytes_per_row =
        static_cast<double>(table.partitions.bytes.p50) / static_cast<double>(table.partitions.rows.p50);
  }
  what.bytes_per_s_node = what.rows_per_s * what.bytes_per_row;
  return what;
}

double written_s(const TableRecord& table) {
  return static_cast<double>(table.written_until_us - table.written_from_us) / 1e6;
}

}  // namespace

Understood understood(const TableRecord& table) { return in_seconds(table, written_s(table)); }

Understood understood(const RunRecord& record) {
  Understood all;
  for (const TableRecord& table : record.tables) {
    if (table.samples.empty()) continue;
    const double seconds = static_cast<double>(table.samples.back().at_us - record.scenario->start_us) / 1e6;
    if (seconds <= 0) continue;
    const Understood one = in_seconds(table, seconds);
    all.rows_per_s += one.rows_per_s;
    all.bytes_per_s_node += one.bytes_per_s_node;
    all.partitions_per_day += one.partitions_per_day * written_s(table) / seconds;
    all.flushes_per_day += one.flushes_per_day;
    if (one.rows_per_partition_max <= all.rows_per_partition_max) continue;
    all.rows_per_partition_max = one.rows_per_partition_max;
    all.rows_per_partition_p50 = one.rows_per_partition_p50;
  }
  if (all.rows_per_s > 0) all.bytes_per_row = all.bytes_per_s_node / all.rows_per_s;
  return all;
}

}  // namespace windrow
