#include "sim/scenario/open_partitions.h"

#include <algorithm>
#include <limits>
#include <string>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

std::string key_at(const WriterSpec& spec, Micros at_us) {
  return spec.keys->key(0, spec.bucket.label(spec.bucket.number(floor_div(at_us, us_per_s))), 0);
}

/// True if `after` begins in partitions that `before` wrote.
bool goes_on(const WriterSpec& before, const WriterSpec& after) {
  const bool same = before.stream == after.stream && before.entity_group == after.entity_group &&
                    before.first_entity == after.first_entity && before.until_us <= after.from_us;
  const bool rows = before.op != WriteOp::remove && !before.backfill && !after.backfill && !before.unique_partitions &&
                    before.rolling_buckets == 0 && after.rolling_buckets == 0;
  if (!same || !rows || !before.keys || !after.keys || before.bucket.single() != after.bucket.single()) return false;
  const OpenBucket open = bucket_open_at(after.bucket, after.from_us);
  if (before.until_us <= open.begin_us) return false;
  return key_at(before, std::max(before.from_us, open.begin_us)) == key_at(after, after.from_us);
}

}  // namespace

OpenBucket bucket_open_at(const BucketRule& rule, Micros at_us) {
  if (rule.single())
    return {.begin_us = std::numeric_limits<Micros>::min(), .end_us = std::numeric_limits<Micros>::max()};
  const std::int64_t number = rule.number(floor_div(at_us, us_per_s));
  return {.begin_us = rule.begin(number) * us_per_s, .end_us = rule.begin(number + 1) * us_per_s};
}

std::vector<int> writers_of_open_partitions(const std::vector<WriterSpec>& specs) {
  std::vector<int> set(specs.size(), -1);
  for (std::size_t after = 0; after < specs.size(); ++after) {
    for (std::size_t before = 0; before < after; ++before) {
      if (!goes_on(specs[before], specs[after])) continue;
      if (set[before] < 0) set[before] = static_cast<int>(before);
      set[after] = set[before];
    }
  }
  return set;
}

}  // namespace windrow
