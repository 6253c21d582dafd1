#include "sim/content/static_shares.h"

#include <algorithm>

#include "sim/content/static_rows.h"
#include "sim/content/stored_rows.h"

namespace windrow {

StaticShares static_shares(const ContentSpace& space, const Content& content, const RowFormat& format,
                           FileHistograms& histograms) {
  StaticShares shares;
  if (!content.keyed) return shares;
  StoredRows rows(space.clustering_bytes());
  const std::vector<bool> beside = beside_rows(space, content);
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const KeyedPartition& partition = (*content.keyed)[i];
    const bool statics = format.header().static_columns > 0;
    const Bytes static_bytes = statics ? format.static_row(rows.of(space.workload(), partition.statics)) : 0;
    const DeletionTime deletion = partition.deletion ? partition.deletion->stored() : DeletionTime{};
    const Bytes header = format.partition_header(partition.key_bytes, deletion);
    const auto cells = std::ssize(partition.statics.cells);
    if (beside[i]) {
      shares[{partition.writer, partition.bucket}].add(
          cells, static_bytes + header - format.partition_header(partition.key_bytes));
    } else {
      histograms.cells.add(cells);
      histograms.partition_sizes.add(header + static_bytes + 1);
    }
  }
  return shares;
}

bool no_rows_one_by_one(const Content& content) {
  return !content.keyed || std::ranges::all_of(*content.keyed, without_rows);
}

}  // namespace windrow
