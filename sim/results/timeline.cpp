#include "sim/results/timeline.h"

#include <array>

#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 30> columns = {"at",
                                                      "node",
                                                      "table",
                                                      "live_bytes",
                                                      "readable_bytes",
                                                      "waiting_gc_grace_bytes",
                                                      "blocked_bytes",
                                                      "purgeable_bytes",
                                                      "temporary_bytes",
                                                      "disk_bytes_max",
                                                      "sstables",
                                                      "sstables_max",
                                                      "tombstones",
                                                      "droppable_tombstones",
                                                      "droppable_tombstone_ratio",
                                                      "pending_compactions",
                                                      "pending_compactions_max",
                                                      "write_amplification",
                                                      "space_amplification",
                                                      "rows_written",
                                                      "rows_live",
                                                      "flushes",
                                                      "compactions",
                                                      "compacted_bytes",
                                                      "partitions",
                                                      "partition_p99_bytes",
                                                      "partition_max_bytes",
                                                      "partition_p50_bytes",
                                                      "sstables_per_partition",
                                                      "snapshot_bytes"};

void write_sample(CsvFile& csv, int node, const TableRecord& table, const TableSample& sample) {
  csv.time(sample.at_us).number(std::int64_t{node}).text(table.name);
  csv.number(sample.live_bytes).number(sample.readable_bytes).number(sample.waiting_gc_grace_bytes);
  csv.number(sample.blocked_bytes)
      .number(sample.purgeable_bytes)
      .number(sample.temporary_bytes)
      .number(sample.disk_bytes_max);
  csv.number(sample.sstables).number(sample.sstables_max);
  csv.number(sample.tombstones).number(sample.droppable_tombstones).number(sample.droppable_tombstone_ratio);
  csv.number(sample.pending_compactions).number(sample.pending_compactions_max);
  csv.number(sample.write_amplification).number_or_empty(sample.space_amplification);
  csv.number(sample.rows_written).number(sample.rows_live);
  csv.number(sample.flushes).number(sample.compactions).number(sample.compacted_bytes);
  if (sample.partitions) {
    csv.number(*sample.partitions).number(sample.partition_bytes_p99).number(sample.partition_bytes_max);
    csv.number(sample.partition_bytes_p50).number(sample.sstables_per_partition);
  } else {
    csv.empty().empty().empty().empty().empty();
  }
  csv.number(sample.snapshot_bytes);
  csv.end_row();
}

}  // namespace

void write_timeline(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "timeline.csv", columns);
  std::size_t samples = 0;
  for (const TableRecord& table : record.tables) samples = std::max(samples, table.samples.size());
  for (std::size_t i = 0; i < samples; ++i) {
    for (const TableRecord& table : record.tables) {
      if (i < table.samples.size()) write_sample(csv, record.identity.node, table, table.samples[i]);
    }
  }
  csv.close();
}

}  // namespace windrow
