#include "sim/record/open_changes.h"

#include <algorithm>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

/// True if the two write the same keys of buckets, one after the other.
bool goes_on(const WriterSpec& before, const WriterSpec& after) {
  return before.table == after.table && before.stream == after.stream && before.entity_group == after.entity_group &&
         before.first_entity == after.first_entity && before.entities == after.entities &&
         before.until_us == after.from_us && before.bucket_text == after.bucket_text && before.rolling_buckets == 0;
}

bool begins_a_bucket(const BucketRule& bucket, Micros at_us) {
  if (bucket.single() || at_us % us_per_s != 0) return false;
  const Seconds at_s = floor_div(at_us, us_per_s);
  return bucket.begin(bucket.number(at_s)) == at_s;
}

}  // namespace

std::vector<Micros> changes_in_open_partitions(const Scenario& scenario, int table) {
  std::vector<Micros> changes;
  for (const WriterSpec& before : scenario.writers) {
    if (before.table != table || before.op == WriteOp::remove || begins_a_bucket(before.bucket, before.until_us))
      continue;
    const bool goes =
        std::ranges::any_of(scenario.writers, [&](const WriterSpec& after) { return goes_on(before, after); });
    if (goes) changes.push_back(before.until_us);
  }
  std::ranges::sort(changes);
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  return changes;
}

}  // namespace windrow
