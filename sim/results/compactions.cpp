#include <array>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 15> compaction_columns = {
    "start",        "end",         "node",        "table",          "strategy",
    "reason",       "count",       "inputs",      "input_bytes",    "output_sstables",
    "output_bytes", "output_rows", "purged_rows", "dropped_unread", "read_bytes"};

}  // namespace

void write_compactions(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "compactions.csv", compaction_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const CompactionRow& row : table.compactions) {
      csv.time(row.start_us).time(row.end_us).number(std::int64_t{run.identity.node}).text(table.name);
      csv.word(row.strategy).word(row.reason).number(row.count).number(row.inputs).number(row.input_bytes);
      csv.number(row.output_sstables).number(row.output_bytes).number(row.output_rows).number(row.purged_rows);
      csv.number(row.dropped_unread).number(row.read_bytes).end_row();
    }
  });
  csv.close();
}

}  // namespace windrow
