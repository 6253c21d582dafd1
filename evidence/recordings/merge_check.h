#pragma once

#include <map>

#include "evidence/recordings/recording_check.h"
#include "evidence/recordings/trace_estimates.h"

namespace windrow {

/// The partitions of the recorded SSTables as a replay found them; files whose replay differs are not known.
class ReplayedTokens final : public TokensOf {
 public:
  const FileTokens* tokens_of(std::int64_t sstable_id) const override;
  void add(std::int64_t sstable_id, FileTokens tokens) { files_.insert_or_assign(sstable_id, std::move(tokens)); }

 private:
  std::map<std::int64_t, FileTokens> files_{};
};

/// The merge test: contents follow the recorded flushes and picks from the scenario's formulas, and every field of
/// every flushed or compacted SSTable is compared. `tokens`, if given, takes what the replay learned.
TestResult check_merges(const Recording& recording, ReplayedTokens* tokens = nullptr);

}  // namespace windrow
