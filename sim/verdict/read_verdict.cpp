#include "sim/verdict/read_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/text/aligned.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

std::string two(const ReadSample::Spread& spread) {
  return fmt::format("{}, {}", human_count(static_cast<double>(spread.p99)),
                     human_count(static_cast<double>(spread.max)));
}

std::string too_many(const ReadRecord& read) {
  if (!read.warned_us) return {};
  std::string text =
      fmt::format("  {}: from {} on a read of a partition meets more than 1,000 tombstones; the server warns",
                  printable(read.spec->name), iso_day(*read.warned_us));
  if (read.refused_us) text += fmt::format("; from {} on more than 100,000, and it refuses", iso_day(*read.refused_us));
  return text + "\n";
}

/// What a query costs that a table's SAI index answers, and that names no partition (storage-attached indexes are
/// local: RangeCommandIterator goes through all ranges, StorageAttachedIndexSearcher through every SSTable's index).
std::string by_index_alone(const RunRecord& record) {
  const Scenario& scenario = *record.scenario;
  int nodes = 0;
  for (const DataCenter& center : scenario.data_centers) nodes = std::max(nodes, center.nodes);
  std::set<int> tables;
  for (const ReadSpec& read : scenario.reads) tables.insert(read.table);
  std::string text;
  for (const int table : tables) {
    const TableSpec& spec = scenario.tables[static_cast<std::size_t>(table)];
    const TableRecord& recorded = record.tables[static_cast<std::size_t>(table)];
    for (const Index& index : spec.schema.indexes) {
      if (!index.is_sai() || recorded.samples.empty()) continue;
      const DataCenter& center = *std::ranges::find(scenario.data_centers, nodes, &DataCenter::nodes);
      const int least = (nodes + center.replication_factor - 1) / std::max(1, center.replication_factor);
      text += fmt::format(
          "  SAI index {} of {}: a query that names no partition asks for all ranges: at least {} of {} {}, each of "
          "which searches the index of every SSTable it has of the table ({} here at the end)\n",
          printable(index.name), printable(spec.name), std::min(nodes, least), nodes, nodes == 1 ? "node" : "nodes",
          recorded.samples.back().sstables);
    }
  }
  return text;
}

}  // namespace

std::string reads_verdict(const RunRecord& record) {
  AlignedText lines({Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
  lines.add_texts({"p99, max; the worst of the run", "requests/s", "partitions a request", "SSTables a partition",
                   "rows", "tombstones", "bytes"});
  std::string remarks;
  for (const ReadRecord& read : record.reads) {
    const ReadSample& worst = read.worst;
    lines.add_texts({printable(read.spec->name), human_count(read.spec->rate_per_s), two(worst.partitions),
                     two(worst.sstables), two(worst.rows), two(worst.tombstones),
                     fmt::format("{}, {}", human_bytes(static_cast<double>(worst.bytes.p99)),
                                 human_bytes(static_cast<double>(worst.bytes.max)))});
    remarks += too_many(read);
    if (record.tables[static_cast<std::size_t>(read.spec->table)].evenly_spread)
      remarks += fmt::format("  {}: tokens are spread evenly, not hashed: SSTables are right to one in p99 and max\n",
                             printable(read.spec->name));
  }
  return lines.text(2) + remarks + by_index_alone(record);
}

}  // namespace windrow
