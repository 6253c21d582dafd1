#include <array>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 11> largest_columns = {"node",  "table", "rank",  "stream", "entity", "bucket",
                                                              "shard", "date",  "bytes", "rows",   "cells"};

}  // namespace

void write_largest(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "largest.csv", largest_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    std::int64_t rank = 0;
    for (const NamedPartition& partition : table.largest) {
      csv.number(std::int64_t{run.identity.node})
          .text(table.name)
          .number(++rank)
          .text(partition.stream)
          .text(partition.entity);
      csv.word(partition.bucket);
      csv.number_or_empty(partition.shard);
      if (partition.has_bucket && !partition.bucket_returns) {
        csv.word(iso_day(partition.bucket_begin_us));
      } else {
        csv.empty();
      }
      csv.number(partition.bytes).number(partition.rows).number(partition.cells).end_row();
    }
  });
  csv.close();
}

}  // namespace windrow
