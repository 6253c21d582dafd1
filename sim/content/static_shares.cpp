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
    const Bytes bytes = format.static_row(rows.of(space.workload(), partition.statics));
    const auto cells = std::ssize(partition.statics.cells);
    if (beside[i]) {
      shares[{partition.writer, partition.bucket}].add(cells, bytes);
    } else {
      histograms.cells.add(cells);
      histograms.partition_sizes.add(format.partition_header(partition.key_bytes) + bytes + 1);
    }
  }
  return shares;
}

/// True if nothing is held row by row but static rows.
bool statics_alone(const Content& content) {
  return !content.keyed || std::ranges::all_of(*content.keyed, only_statics);
}

}  // namespace windrow
