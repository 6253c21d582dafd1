#include "sim/cost/backlog.h"

#include <algorithm>
#include <limits>

namespace windrow {

namespace {

/// As Executor has it, with all compactors at work.
double most_bytes_per_s(const NodeSettings& node) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  const double throughput =
      node.compaction_throughput_bytes_per_s > 0 ? node.compaction_throughput_bytes_per_s : no_limit;
  const double merged = node.merge_speed_bytes_per_s > 0
                            ? node.merge_speed_bytes_per_s * static_cast<double>(node.concurrent_compactors)
                            : no_limit;
  return std::min(throughput, merged);
}

double room_of(const NodeSettings& node) {
  if (node.disk_bytes <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(node.disk_bytes - node.other_disk_bytes);
}

}  // namespace

Backlog::Backlog(const NodeSettings& node, std::size_t tables)
    : compactors_(static_cast<double>(node.concurrent_compactors)),
      bytes_per_s_(most_bytes_per_s(node)),
      room_bytes_(room_of(node)),
      waiting_(tables) {}

std::vector<Passes> Backlog::next(const std::vector<Asked>& asked, double seconds) {
  std::vector<Passes> passes;
  double all_bytes = 0;
  double live_bytes = 0;
  for (std::size_t t = 0; t < asked.size(); ++t) {
    const Asked& each = asked[t];
    waiting_[t].bytes += each.flushes * each.flush_bytes * (each.passes.of_a_row - 1);
    all_bytes += waiting_[t].bytes;
    live_bytes += each.flushes_live * each.flush_bytes;
    passes.push_back(each.passes);
  }
  const double most_bytes = live_bytes < room_bytes_ ? bytes_per_s_ * seconds : 0;
  if (all_bytes <= most_bytes) {
    waiting_.assign(asked.size(), {});
    return passes;
  }
  for (std::size_t t = 0; t < asked.size(); ++t) {
    const Asked& each = asked[t];
    Waiting& waiting = waiting_[t];
    const double done_bytes = waiting.bytes * most_bytes / all_bytes;
    waiting.bytes -= done_bytes;
    const double flushed_bytes = each.flushes * each.flush_bytes;
    const double wanted_bytes = flushed_bytes * (each.passes.of_a_row - 1);
    if (wanted_bytes <= 0) continue;
    // What is merged for the first time goes before what is merged again: those that have waited are more by then.
    const double there = waiting.flushes + each.flushes;
    waiting.flushes = std::max(0.0, there - done_bytes / each.flush_bytes);
    const double done = done_bytes / wanted_bytes;
    Passes& mine = passes[t];
    mine.compactions *= done;
    mine.written = 1 + (mine.written - 1) * done;
    mine.read *= done;
    mine.in_level_0 *= done;
    mine.of_a_row = 1 + (mine.of_a_row - 1) * done;
    // So many are merged at once (max_threshold), and stay until that is done.
    constexpr double at_once = 32;
    mine.waiting = waiting.flushes + at_once * compactors_;
    const bool first_merges_alone = waiting.flushes > at_once;  // those of levels by size, within level 0
    const double inputs = first_merges_alone ? at_once : at_once / 2;
    const double merges = done_bytes / each.flush_bytes / std::max(1.0, each.flushes) / inputs;
    if (merges < mine.compactions || first_merges_alone) {
      if (!mine.cut_by_token) mine.written += merges - mine.compactions;
      mine.compactions = merges;
    }
  }
  return passes;
}

}  // namespace windrow
