#include "tests/cluster/session_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace windrow_test {

using namespace windrow;

RepairStatus SessionBook::now(const RepairStatus& status) const {
  const auto session = ended_.find(status.pending_session);
  return session == ended_.end() ? status : RepairStatus{.repaired_at_ms = session->second};
}

void SessionBook::complain(const Node& node, const std::string& what) {
  if (complaints_.size() < 5) complaints_.push_back(fmt::format("node {} at {}: {}", node_, node.now_us(), what));
}

void SessionBook::flushed(const Node&, const FlushEvent& event) {
  for (const SSTablePtr& file : event.change->added) states_[file->id()] = {};
}

void SessionBook::streamed(const Node& node, const StreamEvent& event) {
  for (const SSTablePtr& file : event.change->added) states_[file->id()] = node.table(0).live().at(file->id()).repair;
}

void SessionBook::started(const Node& node, const Job& job) {
  if (begins_) return;  // it commits later, and its inputs are compared then
  expect_one_holder(node, job.task.pick.inputs);
}

void SessionBook::expect_one_holder(const Node& node, const std::vector<std::int64_t>& files) {
  for (const std::int64_t id : files) {
    if (holder_of(now(states_[id])) != holder_of(now(states_[files.front()])))
      complain(node, fmt::format("a compaction takes file {}, which is another instance's", id));
  }
}

void SessionBook::committed(const Node& node, const CommitEvent& event) {
  if (!begins_) {
    std::vector<std::int64_t> inputs;
    for (const SSTablePtr& file : event.removed) inputs.push_back(file->id());
    expect_one_holder(node, inputs);
  }
  // CompactionTask.getMinRepairedAt, getPendingRepair: of the files that are read.
  std::optional<RepairStatus> least;
  for (const SSTablePtr& file : event.removed) {
    const RepairStatus status = now(states_[file->id()]);
    const bool read = std::ranges::find(event.job->task.expired, file->id()) == event.job->task.expired.end();
    if (read && (!least || status.repaired_at_ms < least->repaired_at_ms)) least = status;
    states_.erase(file->id());
  }
  for (const SSTablePtr& file : event.change->added) {
    const bool divided = event.job->task.pick.kind == PickKind::anticompaction;
    states_[file->id()] = divided ? node.table(0).live().at(file->id()).repair : least.value_or(RepairStatus{});
  }
}

void SessionBook::expect(const Node& node, const char* when) {
  const LiveSet& live = node.table(0).live();
  for (const auto& [id, file] : node.table(0).sstables()) {
    const RepairStatus is = now(live.at(id).repair);
    const RepairStatus should = now(states_[id]);
    if (is != should)
      complain(node, fmt::format("{}: file {} is of state {}/{} and should be of {}/{}", when, id, is.repaired_at_ms,
                                 is.pending_session, should.repaired_at_ms, should.pending_session));
  }
}

void SessionBook::take(const Node& node) {
  begins_ = false;
  states_.clear();
  for (const auto& [id, file] : node.table(0).sstables()) states_[id] = node.table(0).live().at(id).repair;
}

}  // namespace windrow_test
