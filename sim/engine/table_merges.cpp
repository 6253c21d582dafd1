#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/content/row_sets.h"
#include "sim/engine/compaction_inputs.h"
#include "sim/engine/outputs.h"
#include "sim/engine/table_store.h"

namespace windrow {

std::optional<Swath> TableStore::joined_sources(const Task& task) const {
  if (task.holds_dead || may_hold_duplicates_) return {};
  boost::container::small_vector<MeasuredSwath, 4> swaths;
  for (const SSTablePtr& source : task.sources) {
    if (source->swath() == nullptr) return {};
    swaths.push_back({source->swath(), &source->extremes()});
  }
  std::optional<Swath> all = joined({swaths.data(), swaths.size()});
  if (all) all->bases = bases_of(task.sources);
  return all;
}

Content TableStore::merge_sources(const Task& task, MergeLedger& ledger) const {
  boost::container::small_vector<MergeInput, 4> inputs;
  inputs.reserve(task.sources.size());
  for (const SSTablePtr& source : task.sources)
    inputs.push_back({.content = source->piece().empty() ? &source->content() : nullptr,
                      .counted_rows = source->counted_rows(),
                      .rows = source->piece()});
  std::vector<std::pair<Micros, const SSTable*>> others;  // lighter to put in order than what is made of them
  others.reserve(task.overlapping.size());
  for (const SSTablePtr& other : task.overlapping) others.emplace_back(other->extremes().min_timestamp_us, other.get());
  std::ranges::stable_sort(others, {}, &std::pair<Micros, const SSTable*>::first);
  std::vector<OverlapSource> blockers;
  blockers.reserve(others.size() + 1);
  for (const auto& [min_timestamp_us, other] : others) {
    const auto [first, last] = other->token_span();
    blockers.push_back({.min_timestamp_us = min_timestamp_us,
                        .content = &other->content(),
                        .first_token = first,
                        .last_token = last,
                        .filter = other->filter(),
                        .any_key = other->without_filter(),
                        .kept_tokens = &other->kept_tokens()});
  }
  const Content memtable = task.holds_dead && !memtable_.empty() ? memtable_.raw() : Content{};
  if (!memtable.empty()) blockers.push_back({.min_timestamp_us = memtable_.min_timestamp_us(), .content = &memtable});
  // Asked at the start (PurgeFunction) and again for each partition (CompactionController.getPurgeEvaluator).
  const bool may_purge = !task.never_purge && (task.repaired || !strategy().common().only_purge_repaired_tombstones);
  Content merged = merge_contents(*space_, {inputs.data(), inputs.size()},
                                  {.now_s = task.started_s, .gc_before_s = task.gc_before_s}, std::move(blockers),
                                  may_purge, &ledger, may_hold_duplicates_);
  merged.bases = bases_of(task.sources);
  return merged;
}

Change TableStore::plan_anticompaction(const Task& task, const SessionRanges& session, Seconds now_s) const {
  Change change{.added = {}, .removed = task.pick.inputs, .ledger = {}};
  const Content merged = merge_sources(task, change.ledger);
  SIM_CHECK(!merged.keyed, "rows that are held one by one are divided between repairs");
  Content inside{.cohorts = {}, .bases = merged.bases};
  Content outside = inside;
  for (const Cohort& cohort : merged.cohorts) {
    const std::vector<Cohort> parts = session.inside(cohort);
    for (const Cohort& part : rows_without(*space_, {cohort}, parts)) {
      if (space_->any(part)) outside.cohorts.push_back(part);
    }
    inside.cohorts.insert(inside.cohorts.end(), parts.begin(), parts.end());
  }
  const double input_ratio = compression_of(*space_, task.sources);
  const auto write = [&](Content content, const RepairStatus& status) {
    join_cohorts(content.cohorts);
    if (content.empty()) return;
    Change part;
    part.ledger.out = counted_rows(*space_, content);
    add_cut_by_tokens(part, std::move(content), {},
                      {.number = task.number,
                       .level = task.pick.level,
                       .input_ratio = input_ratio,
                       .stores_coverage = strategy().output_cut() == OutputCut::by_shards,
                       .repair = status,
                       .place = std::ssize(change.added)},
                      now_s);
    change.added.push_back(part.added.front());
  };
  write(std::move(inside), {.pending_session = session.session});
  write(std::move(outside), task.outputs);
  return change;
}

Change TableStore::plan_commit(const Task& task, Seconds now_s) const {
  Change change{.added = {}, .removed = task.pick.inputs, .ledger = {}};
  if (task.sources.empty()) return change;
  const double input_ratio = compression_of(*space_, task.sources);
  const Origin origin{.flush = false,
                      .number = task.number,
                      .level = task.pick.level,
                      .input_ratio = input_ratio,
                      .stores_coverage = task.shards > 0,
                      .repair = task.outputs,
                      .fills_levels = task.pick.fills_levels,
                      .expected_of = &task};
  const std::vector<Token> ends = shard_ends(local_ranges(), std::max<std::int64_t>(1, task.shards));
  const bool one_file = task.pick.output_limit_bytes == 0 && ends.empty();
  if (std::optional<Swath> swath = one_file ? joined_sources(task) : std::nullopt) {
    for (const SSTablePtr& source : task.sources) change.ledger.in += source->counted_rows();
    change.ledger.out = change.ledger.in;
    add_swath(change, std::move(*swath), origin, now_s);
    return change;
  }
  Content merged = merge_sources(task, change.ledger);
  if (merged.empty() || task.pick.output_limit_bytes == 0) {
    add_cut_by_tokens(change, std::move(merged), ends, origin, now_s);
    return change;
  }
  const auto disk_share = [&](std::size_t file) {
    if (!disk_sizer_.share) return input_ratio;
    return disk_sizer_.share({.number = task.number,
                              .file = file,
                              .limit_bytes = task.pick.output_limit_bytes,
                              .chunk_bytes = settings_.chunk_bytes});
  };
  std::vector<CutContent> outputs = split_by_size(
      *space_, std::move(merged),
      {.disk_bytes = task.pick.output_limit_bytes, .chunk_bytes = settings_.chunk_bytes, .disk_share = disk_share},
      settings_.sstables.closeness.trusted_doubt);
  add_outputs(change, outputs, origin, now_s);
  return change;
}

}  // namespace windrow
