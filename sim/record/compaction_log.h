#pragma once

#include <vector>

#include "sim/engine/node.h"
#include "sim/record/run_record.h"

namespace windrow {

/// Compactions of one table: the large ones singly, the others summed per day, strategy and reason.
class CompactionLog {
 public:
  explicit CompactionLog(bool all) : all_(all) {}

  /// `node_bytes`: what the node holds; a compaction above a hundredth of it is kept by itself.
  void add(const CommitEvent& event, std::string_view strategy, Bytes node_bytes);
  /// All rows, by end, then start.
  std::vector<CompactionRow> finish();

 private:
  bool all_ = false;
  std::int64_t day_ = INT64_MIN;
  std::vector<CompactionRow> today_{};
  std::vector<CompactionRow> rows_{};
};

/// "7.4 past window" without the number of the rule; a compaction that no rule chose is the operator's.
std::string_view reason_words(std::string_view rule);

}  // namespace windrow
