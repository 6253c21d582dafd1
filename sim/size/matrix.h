#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/partition_sizes.h"
#include "sim/base/units.h"
#include "sim/record/key_choices.h"
#include "sim/resolve/input_files.h"
#include "sim/schema/schema.h"
#include "sim/size/closed_bucket.h"

namespace windrow {

/// What a partition should be, before compression, as nodetool tablehistograms counts it. 0: no bound.
struct PartitionLimits {
  Bytes bytes_min = small_partition_bytes;
  Bytes bytes_max = large_partition_bytes;
  Rows rows_max = 0;
  std::int64_t cells_max = 0;
};

/// What somebody wants to know about a table.
struct SizeQuestion {
  Schema schema{};
  std::string table{};  // empty: the only one of the schema
  std::vector<std::string> rates{
      "1/s"};  // of one entity: a rate, a distribution of rates over the entities, or a fleet's .csv
  std::vector<std::string> buckets{"10min", "hour", "day", "week", "month", "year"};
  std::vector<std::int64_t> shards{1};
  std::string bucket_column{};  // of the partition key; empty: by its name and type
  std::string entities{};       // as in a scenario; empty: one, or a thousand where the rate is a distribution
  std::map<std::string, std::string> columns{};  // name to rule, as in a scenario; `null`: is not written
  std::string format = "nb";
  double compression_ratio = 0;  // 0: not known
  PartitionLimits limits{};
  ReadFile read{};  // of fleets and samples
};

/// A mistake in a question: the option that has it, and what is wrong.
struct SizeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using SizeVerdict = KeyChoice::Verdict;

/// One choice of bucket and shards at one rate.
struct SizeCell {
  std::string rate{};
  std::string bucket{};
  std::int64_t shards = 1;
  ClosedBucket size{};
  SizeVerdict verdict = SizeVerdict::fits;
  std::int64_t windows = 1;  // time windows that a bucket lies in: more than one is more SSTables a partition
  bool too_long = false;     // not too big, but in several of them
  std::string reason{};      // why not
};

/// What to take at one rate.
struct SizeAdvice {
  std::string rate{};
  std::string bucket{};
  std::int64_t shards = 1;
  bool fits = false;
  std::string why{};
};

struct SizeMatrix {
  std::string table{};
  std::string format{};
  PartitionLimits limits{};
  double compression_ratio = 0;
  double bytes_per_row = 0;          // of the largest cell: headers weigh nothing there
  std::vector<std::string> notes{};  // what was taken for granted
  std::vector<SizeCell> cells{};     // by rate, bucket, shards, in the order asked
  std::vector<SizeAdvice> advice{};  // one a rate
};

/// Every cell from the engine's own row bytes: each is a scenario of one stream, looked at after one closed bucket.
/// Throws SizeError.
SizeMatrix size_matrix(const SizeQuestion& question);

}  // namespace windrow
