#include "sim/record/node_runs.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace windrow {

namespace {

/// Whether the first is worse off: measured, and nearer to its bound, or further beyond it.
bool worse(const LimitOutcome& a, const LimitOutcome& b) {
  if (a.measured != b.measured) return a.measured;
  return a.margin_share() < b.margin_share();
}

}  // namespace

RunRecord joined_runs(std::vector<RunRecord> runs) {
  const auto stopped = std::ranges::find(runs, false, &RunRecord::complete);
  if (stopped != runs.end()) return std::move(*stopped);
  if (runs.size() == 1) return std::move(runs.front());
  for (RunRecord& run : runs) {
    for (LimitOutcome& limit : run.limits) limit.node = run.identity.node;
    run.own_limits = run.limits;
  }
  std::vector<LimitOutcome> worst = runs.front().limits;
  std::int64_t work = 0;
  Work done;
  for (const RunRecord& run : runs) {
    work += run.work;
    done += run.done;
    for (std::size_t i = 0; i < worst.size(); ++i) {
      if (worse(run.limits[i], worst[i])) worst[i] = run.limits[i];
    }
  }
  const auto fullest = std::ranges::max_element(runs, {}, [](const RunRecord& run) { return run.disk.value; });
  RunRecord record = std::move(*fullest);
  record.limits = std::move(worst);
  record.work = work;
  record.done = done;
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    if (run != fullest) record.others.push_back(std::make_shared<const RunRecord>(std::move(*run)));
  }
  return record;
}

std::vector<const RunRecord*> node_runs(const RunRecord& record) {
  std::vector<const RunRecord*> runs{&record};
  for (const auto& other : record.others) runs.push_back(other.get());
  std::ranges::sort(runs, {}, [](const RunRecord* run) { return run->identity.node; });
  return runs;
}

const RunRecord& run_of_node(const RunRecord& record, int node) {
  for (const auto& other : record.others) {
    if (std::ranges::find(other->identity.alike, node) != other->identity.alike.end()) return *other;
  }
  return record;
}

}  // namespace windrow
