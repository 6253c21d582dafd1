#include "sim/content/static_shares.h"

#include <algorithm>

#include "sim/content/range_markers.h"
#include "sim/content/static_rows.h"
#include "sim/content/stored_rows.h"

namespace windrow {

namespace {

Bytes marker_bytes(const ContentSpace& space, const RowFormat& format, const KeyedPartition& partition,
                   Bytes before_markers) {
  Bytes bytes = 0;
  Bytes previous = before_markers;
  RangeMarkers(space, partition).all([&](const StoredMarker& marker) {
    previous = format.marker(marker, previous);
    bytes += previous;
  });
  return bytes;
}

}  // namespace

StaticShares static_shares(const ContentSpace& space, const Content& content, const RowFormat& format,
                           const std::function<void(std::int64_t cells, Bytes bytes)>& without_rows) {
  StaticShares shares;
  if (!content.keyed) return shares;
  StoredRows rows(space.clustering_bytes());
  const std::vector<bool> beside = beside_rows(space, content);
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const KeyedPartition& partition = (*content.keyed)[i];
    // What lies between a partition's header and its rows.
    const bool statics = format.header().static_columns > 0;
    const Bytes static_bytes = statics ? format.static_row(rows.of(space.workload(), partition.statics)) : 0;
    const DeletionTime deletion = partition.deletion ? partition.deletion->stored() : DeletionTime{};
    const Bytes header = format.partition_header(partition.key_bytes, deletion);
    const Bytes before_rows = header + static_bytes + marker_bytes(space, format, partition, header + static_bytes);
    const auto cells = std::ssize(partition.statics.cells);
    if (beside[i]) {
      shares[{partition.writer, partition.bucket}].add(cells,
                                                       before_rows - format.partition_header(partition.key_bytes));
    } else {
      without_rows(cells, before_rows + RowFormat::end_of_partition);
    }
  }
  return shares;
}

bool no_rows_one_by_one(const Content& content) {
  return !content.keyed || std::ranges::all_of(*content.keyed, without_rows);
}

}  // namespace windrow
