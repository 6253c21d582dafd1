#include "sim/engine/expected_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/check.h"
#include "sim/engine/outputs.h"
#include "sim/stats/java_hash.h"

namespace windrow {

// The sketches of what is read, merged in the order of a hash set of files.
std::int64_t approximate_keys(const Task& task) {
  const std::vector<SSTablePtr>& sources = task.sources;
  std::vector<std::int32_t> hashes;
  for (const SSTablePtr& source : sources) hashes.push_back(source->identity().hash);
  std::optional<KeySketch> all;
  for (const std::size_t place : hash_order(hashes)) {
    if (all) {
      all->merge(sources[place]->key_sketch());
    } else {
      all = sources[place]->key_sketch();
    }
  }
  return all->estimate();
}

ExpectedKeys::ExpectedKeys(const Task& task, std::int64_t keys, const LocalRanges* local)
    : task_(task), local_(local), keys_(keys) {
  std::int64_t estimated = 0;
  Bytes bytes = 0;
  for (const SSTablePtr& source : task.sources) {
    estimated += source->estimated_keys();
    bytes += source->identity().data_bytes;
  }
  distinct_ = static_cast<double>(keys) / static_cast<double>(estimated);
  if (task.pick.output_limit_bytes > 0) {
    // MaxSSTableSizeWriter, MajorLeveledCompactionWriter.
    const Bytes expected_bytes = task.pick.fills_levels ? bytes : std::llround(distinct_ * static_cast<double>(bytes));
    keys_ = keys / std::max<std::int64_t>(1, expected_bytes / task.pick.output_limit_bytes);
  } else if (task.shards > 0) {
    ends_ = shard_ends(local, task.shards);
  }
}

std::int64_t ExpectedKeys::of(Token first, Token last) const {
  if (task_.pick.output_limit_bytes > 0 || task_.shards == 0) return keys_;
  const auto shard = std::ranges::lower_bound(ends_, first) - ends_.begin();
  const Token shard_left = shard == 0 ? min_token : ends_[static_cast<std::size_t>(shard) - 1];
  const Token shard_right = shard == std::ssize(ends_) ? max_token : ends_[static_cast<std::size_t>(shard)];
  SIM_CHECK(last <= shard_right, "an output crosses the end of its shard");
  // ShardTracker.shardAdjustedKeyCount, Cassandra 5.0: the running sum is truncated to a whole number at each file.
  std::int64_t inside = 0;
  for (const SSTablePtr& source : task_.sources) {
    const auto [source_first, source_last] = source->token_span();
    const Token source_right = source_last == max_token ? max_token : source_last + 1;
    const Token left = std::max(source_first, shard_left);
    const Token right = std::min(source_right, shard_right);
    double share = 0;
    if (left == source_first && right == source_right) {
      share = 1;
    } else if (left < right) {
      share = spanned_share(local_, left, right - 1) / spanned_share(local_, source_first, source_right - 1);
    }
    inside =
        static_cast<std::int64_t>(static_cast<double>(inside) + static_cast<double>(source->estimated_keys()) * share);
  }
  return std::llround(static_cast<double>(inside) * distinct_);
}

}  // namespace windrow
