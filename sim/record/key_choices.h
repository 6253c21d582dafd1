#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/text/sink.h"

namespace windrow {

struct RunRecord;

/// What a table's partitions would be with this bucket and so many shards all along: the fullest bucket of the run. Of
/// the scenario's own choice, what the run has at its end: the logical sizes that all its other results name.
struct KeyChoice {
  std::string bucket{};         // as a scenario writes it
  Seconds bucket_length_s = 0;  // the mean; of no bucket: the run's
  std::int64_t shards = 1;
  bool own = false;  // the scenario's own, of streams that write until the end
  Bytes partition_bytes_p50 = 0;
  Bytes partition_bytes_p99 = 0;
  Bytes partition_bytes_max = 0;
  Rows partition_rows_max = 0;
  double partitions_per_year = 0;
  enum class Verdict { fits, too_big, too_small };
  Verdict verdict = Verdict::fits;
};

/// The decision matrix of a table, and the bounds that it was judged by.
struct KeyChoices {
  Bytes bytes_min = 0;
  Bytes bytes_max = 0;
  Rows rows_max = 0;  // 0: no bound
  bool own_is_newer =
      false;  // streams that ended before had other buckets or shards: the run's sizes are of those, too
  std::vector<KeyChoice> cells{};  // by bucket, the longest last, then shards

  const KeyChoice* own() const;
  /// The fewest partitions of those that are not too big; nullptr if all are.
  const KeyChoice* fewest_partitions() const;
};

std::string_view verdict_name(KeyChoice::Verdict verdict);

/// sizes.csv: bucket and shards against partition sizes.
void write_key_choices(const RunRecord& record, Sink& sink);

}  // namespace windrow
