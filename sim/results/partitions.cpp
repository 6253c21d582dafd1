#include <algorithm>
#include <array>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 7> histogram_columns = {"node", "table", "scope",     "quantity",
                                                               "from", "to",    "partitions"};

/// Filled buckets only: samples in (from, to], the engine's offsets; the overflow has no end.
void write_histogram(CsvFile& csv, int node, const TableRecord& table, std::string_view scope,
                     std::string_view quantity, const EstimatedHistogram& histogram) {
  const auto counts = histogram.counts();
  const auto offsets = EstimatedHistogram::offsets();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    csv.number(std::int64_t{node})
        .text(table.name)
        .word(scope)
        .word(quantity)
        .number(i == 0 ? std::int64_t{0} : offsets[i - 1]);
    if (i + 1 < counts.size()) {
      csv.number(offsets[i]);
    } else {
      csv.empty();
    }
    csv.number(counts[i]).end_row();
  }
}

}  // namespace

void write_partitions(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "partitions.csv", histogram_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const auto& [scope, census] :
         {std::pair<std::string_view, const PartitionCensus*>{"logical", &table.partitions},
          {"sstable", &table.fragments}}) {
      write_histogram(csv, run.identity.node, table, scope, "bytes", census->bytes_histogram);
      write_histogram(csv, run.identity.node, table, scope, "rows", census->rows_histogram);
      write_histogram(csv, run.identity.node, table, scope, "cells", census->cells_histogram);
    }
  });
  csv.close();
}

}  // namespace windrow
