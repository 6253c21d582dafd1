#include "sim/content/merge.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/content/duplicates.h"
#include "sim/content/partition_deletes.h"
#include "sim/content/purge_cohorts.h"
#include "sim/content/shadow_cohorts.h"
#include "sim/content/static_rows.h"

namespace windrow {

namespace {

/// Files that were cut from one lie side by side: what continues one of the rows before only lengthens it. Of Cohort or
/// PlainRows.
template <typename Many, typename Rows>
void append_rows(Many& all, const Rows& more) {
  if (more.first_token == min_token) {  // it continues none
    all.push_back(more);
    return;
  }
  constexpr std::size_t looked_at = 8;  // as many as two inputs have
  const std::size_t from = all.size() - std::min(all.size(), looked_at);
  const auto before = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(from), all.end(), [&](const Rows& other) {
    return other.last_token != max_token && other.last_token + 1 == more.first_token && other.from == more.from &&
           other.to == more.to && same_kind(other, more) && plain(other) && plain(more);
  });
  if (before != all.end()) {
    before->last_token = more.last_token;
  } else {
    all.push_back(more);
  }
}

std::vector<Cohort> join_inputs(std::span<const MergeInput> inputs) {
  const bool all_plain = std::ranges::all_of(inputs, [](const MergeInput& input) {
    return input.content == nullptr ||
           std::ranges::all_of(input.content->cohorts, [](const Cohort& cohort) { return plain(cohort); });
  });
  if (all_plain) {
    ManyRows rows;
    std::size_t most = 0;
    for (const MergeInput& input : inputs)
      most += input.content == nullptr ? input.rows.size() : input.content->cohorts.size();
    rows.reserve(most);
    for (const MergeInput& input : inputs) {
      if (input.content == nullptr) {
        for (const PlainRows& each : input.rows) append_rows(rows, each);
      } else {
        for (const Cohort& cohort : input.content->cohorts) append_rows(rows, plain_rows(cohort));
      }
    }
    return joined_cohorts(rows);
  }
  std::vector<Cohort> cohorts;
  for (const MergeInput& input : inputs) {
    if (input.content == nullptr) {
      for (const PlainRows& each : input.rows) append_rows(cohorts, cohort_of(each));
    } else {
      for (const Cohort& cohort : input.content->cohorts) append_rows(cohorts, cohort);
    }
  }
  join_cohorts(cohorts);
  return cohorts;
}

/// The same of inputs that may share rows; counts the second copies.
std::vector<Cohort> absorb_inputs(const ContentSpace& space, std::span<const MergeInput> inputs, Rows* duplicates) {
  std::vector<Cohort> cohorts;
  for (const MergeInput& input : inputs) {
    for (const PlainRows& each : input.rows) cohorts.push_back(cohort_of(each));
    if (input.content != nullptr)
      cohorts.insert(cohorts.end(), input.content->cohorts.begin(), input.content->cohorts.end());
  }
  const Rows before = space.rows(cohorts);
  absorb_duplicates(space, cohorts);
  *duplicates = before - space.rows(cohorts);
  return cohorts;
}

KeyedContent merge_keyed_inputs(const ContentSpace& space, std::span<const MergeInput> inputs) {
  std::vector<const KeyedContent*> keyed;
  for (const MergeInput& input : inputs) {
    if (input.content != nullptr && input.content->keyed) keyed.push_back(input.content->keyed.get());
  }
  return merge_keyed(keyed, values_of(space.workload()));
}

Rows keyed_rows(const KeyedContent& content) {
  Rows rows = 0;
  for (const KeyedPartition& partition : content) {
    rows += static_cast<Rows>(partition.rows.size()) + (partition.deletion ? 1 : 0);
  }
  return rows;
}

/// The evaluator of rule 3.7 for one partition; `sources` by minimum timestamp.
Micros earliest_elsewhere(const ContentSpace& space, const std::vector<OverlapSource>& sources,
                          const KeyedPartition& partition, RowsHeld& held) {
  for (const OverlapSource& source : sources) {
    if (held.by(*source.content, partition)) return source.min_timestamp_us;
    if (source.content->keyed && find_partition(*source.content->keyed, partition.token) != nullptr)
      return source.min_timestamp_us;
    if (partition.token < source.first_token || partition.token > source.last_token) continue;
    if (source.any_key) return source.min_timestamp_us;
    if (source.filter == nullptr) continue;
    const Writer& writer = space.workload().writers()[static_cast<std::size_t>(partition.writer)];
    if (source.filter->might_contain(murmur3(writer.key(partition.slot, partition.bucket))))
      return source.min_timestamp_us;
  }
  return no_timestamp;
}

}  // namespace

Rows counted_rows(const ContentSpace& space, const Content& content) {
  return space.rows(content.cohorts) + (content.keyed ? keyed_rows(*content.keyed) : 0);
}

Content merge_contents(const ContentSpace& space, std::span<const MergeInput> inputs, const PurgeTimes& times,
                       std::vector<OverlapSource> sources, bool may_purge, MergeLedger* ledger, bool may_share) {
  if (!std::ranges::is_sorted(sources, {}, &OverlapSource::min_timestamp_us))
    std::ranges::stable_sort(sources, {}, &OverlapSource::min_timestamp_us);
  const PurgeTimes expiry_only{.now_s = times.now_s, .gc_before_s = never_purged_s};
  MergeLedger went;
  Content merged;
  KeyedContent keyed;
  bool any_keyed = false;
  merged.cohorts = may_share ? absorb_inputs(space, inputs, &went.duplicates) : join_inputs(inputs);
  for (const MergeInput& input : inputs) {
    went.in += input.counted_rows;
    any_keyed = any_keyed || (input.content != nullptr && input.content->keyed);
  }
  const bool drawn = !space.drawn_rows(merged.cohorts).empty();
  shadow_cohorts(space, merged.cohorts, &went.shadowed);
  if (any_keyed) {
    keyed = merge_keyed_inputs(space, inputs);
    const KeyedContent* one = &keyed;
    PartitionDeletes(space, {&one, 1}).shadow(merged.cohorts);
    const Rows before = keyed_rows(keyed);
    RowsHeld held(space);
    purge_keyed(keyed, may_purge ? times : expiry_only,
                [&](const KeyedPartition& partition) { return earliest_elsewhere(space, sources, partition, held); });
    went.purged += before - keyed_rows(keyed);
  }
  // Joining changes no rows: whoever cuts the result into files counts them again.
  const Rows before = any_keyed || drawn ? space.rows(merged.cohorts) : went.in - went.shadowed - went.duplicates;
  if (!may_purge) sources.clear();
  const bool purged = purge_cohorts(space, merged.cohorts, may_purge ? times : expiry_only, sources);
  const Rows left = purged ? space.rows(merged.cohorts) : before;
  went.purged += before - left;
  went.out = left + keyed_rows(keyed);
  // Rows that met others of the same key are counted here; all else is counted where it happens.
  if (any_keyed || drawn) went.shadowed = went.in - went.out - went.purged - went.duplicates;
  SIM_CHECK(went.in == went.out + went.shadowed + went.purged + went.duplicates && went.shadowed >= 0,
            "rows are lost or made by a merge");
  if (!keyed.empty()) merged.keyed = std::make_shared<const KeyedContent>(std::move(keyed));
  if (ledger != nullptr) *ledger = went;
  return merged;
}

}  // namespace windrow
