#include <algorithm>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/results/table_numbers.h"
#include "sim/text/csv.h"

namespace windrow {

void write_timeline(const RunRecord& record, Sink& sink) {
  std::vector<std::string_view> columns = {"at", "node", "table"};
  std::ranges::transform(sample_numbers(), std::back_inserter(columns), &SampleNumber::name);
  CsvFile csv(sink, "timeline.csv", columns);
  std::size_t samples = 0;
  for (const TableRecord& table : record.tables) samples = std::max(samples, table.samples.size());
  for (std::size_t i = 0; i < samples; ++i) {
    each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
      if (i >= table.samples.size()) return;
      csv.time(table.samples[i].at_us).number(std::int64_t{run.identity.node}).text(table.name);
      for (const SampleNumber& number : sample_numbers()) csv.number_or_empty(number.read(table.samples[i]));
      csv.end_row();
    });
  }
  csv.close();
}

}  // namespace windrow
