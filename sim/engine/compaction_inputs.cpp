#include "sim/engine/compaction_inputs.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <utility>

#include "sim/engine/outputs.h"

namespace windrow {

namespace {

/// Of keys drawn at random, rows of each source that are still there after the merge: newer files' keys replace older
/// ones'. Newest write first.
using Survivors = boost::container::small_vector<std::pair<const SSTable*, Rows>, 4>;
Survivors survivors(const ContentSpace& space, const std::vector<SSTablePtr>& sources) {
  Survivors rows;
  for (const SSTablePtr& source : sources) rows.emplace_back(source.get(), source->extremes().rows);
  std::ranges::sort(rows, std::ranges::greater{},
                    [](const auto& entry) { return entry.first->extremes().max_timestamp_us; });
  std::vector<Cohort> newer;
  Rows before = 0;
  for (auto& [source, left] : rows) {
    newer.insert(newer.end(), source->content().cohorts.begin(), source->content().cohorts.end());
    const Rows together = space.rows(newer);
    left = together - before;
    before = together;
  }
  return rows;
}

}  // namespace

HeaderBases bases_of(const std::vector<SSTablePtr>& sources) {
  HeaderBases bases;
  for (const SSTablePtr& source : sources) {
    bases.see(source->extremes().min_timestamp_us);
    bases.see_deletion(source->extremes().min_local_deletion_time_s);
    bases.see_ttl(source->extremes().min_ttl_s);
    bases.columns |= source->bases().columns;
    bases.statics |= source->bases().statics;
  }
  return bases;
}

double compression_of(const ContentSpace& space, const std::vector<SSTablePtr>& sources) {
  double on_disk = 0;
  double uncompressed = 0;
  if (!space.workload().draws_keys()) {
    for (const SSTablePtr& source : sources) {
      on_disk += static_cast<double>(source->identity().data_bytes);
      uncompressed += static_cast<double>(source->extremes().uncompressed_bytes);
    }
    return on_disk / uncompressed;
  }
  for (const auto& [source, left] : survivors(space, sources)) {
    const Rows rows = source->extremes().rows;  // none where there are only deleted partitions
    const double share = rows == 0 ? 1 : static_cast<double>(left) / static_cast<double>(rows);
    on_disk += share * static_cast<double>(source->identity().data_bytes);
    uncompressed += share * static_cast<double>(source->extremes().uncompressed_bytes);
  }
  return on_disk / uncompressed;
}

double density_of(const std::vector<SSTablePtr>& sources, const LocalRanges* local) {
  Bytes bytes = 0;
  Token first = max_token;
  Token last = min_token;
  for (const SSTablePtr& source : sources) {
    bytes += source->identity().data_bytes;
    first = std::min(first, source->token_span().first);
    last = std::max(last, source->token_span().second);
  }
  const double share = spanned_share(local, first, last);
  const double coverage = local != nullptr ? local->coverage() : 1;
  return static_cast<double>(bytes) / (share < 0x1p-48 ? 1.0 : share) * coverage;
}

}  // namespace windrow
