#include <array>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 6> tombstone_columns = {"node",      "table", "kind",
                                                               "drop_date", "count", "why_it_stays"};

}  // namespace

void write_tombstones(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "tombstones.csv", tombstone_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const TombstoneRow& row : table.tombstones) {
      csv.number(std::int64_t{run.identity.node}).text(table.name).word(tombstone_kind_name(row.kind));
      csv.word(iso_day(row.drop_day * seconds_per_day * us_per_s)).number(row.count).word(row.why).end_row();
    }
  });
  csv.close();
}

}  // namespace windrow
