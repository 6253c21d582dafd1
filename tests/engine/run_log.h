#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "sim/engine/node.h"

namespace windrow_test {

using namespace windrow;

/// What happened, in words.
class RunLog final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override {
    std::string line = fmt::format("{} flush t{} {}", event.at_us, event.table, flush_reason_name(event.reason));
    for (const SSTablePtr& sstable : event.change->added)
      line += fmt::format(" {}:{}", sstable->id(), sstable->identity().data_bytes);
    lines.push_back(line);
  }
  void streamed(const Node&, const StreamEvent& event) override {
    std::string line = fmt::format("{} stream t{}", event.at_us, event.table);
    for (const SSTablePtr& sstable : event.change->added) line += fmt::format(" {}", sstable->id());
    lines.push_back(line);
  }
  void started(const Node&, const Job& job) override {
    std::string line = fmt::format("{} start t{} by {}:", job.started_us, job.table, job.task.pick.rule);
    for (const std::int64_t id : job.task.pick.inputs) line += fmt::format(" {}", id);
    lines.push_back(line);
  }
  void committed(const Node&, const CommitEvent& event) override {
    std::string line = fmt::format("{} commit t{} job {}:", event.at_us, event.table, event.job->number);
    for (const SSTablePtr& sstable : event.change->added) {
      line += fmt::format(" {}:{}:{}", sstable->id(), sstable->identity().data_bytes, sstable->extremes().rows);
    }
    lines.push_back(line);
    ++commits;
    if (event.change->added.empty()) ++drops;
  }
  void refused(const Node&, const RefusalEvent& event) override {
    for (std::int64_t i = 0; i < event.times; ++i) {
      lines.push_back(fmt::format("{} refused t{} {} of {}", event.at_us + i * event.every_us, event.table,
                                  event.needed_bytes, event.available_bytes));
    }
    refusals += static_cast<int>(event.times);
    refusals_told_together += static_cast<int>(event.times) - 1;
  }
  void altered(const Node& node, const ChangeSpec& change) override {
    lines.push_back(fmt::format("{} alter t{}", node.now_us(), change.table));
    ++changes;
  }
  void restarted(const Node& node) override {
    lines.push_back(fmt::format("{} restart", node.now_us()));
    ++restarts;
  }
  void sampled(const Node& node) override {
    std::string line =
        fmt::format("{} disk {} waiting {}", node.now_us(), node.disk_used_bytes(), node.pending_candidates());
    for (int t = 0; t < node.table_count(); ++t) line += fmt::format(" {}", node.table(t).memtable().writes());
    lines.push_back(line);
  }

  std::vector<std::string> lines{};
  int commits = 0;
  int drops = 0;
  int refusals = 0;
  int refusals_told_together = 0;  // in one word with others: nobody asked
  int changes = 0;
  int restarts = 0;
};

}  // namespace windrow_test
