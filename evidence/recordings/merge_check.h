#pragma once

#include <memory>
#include <optional>

#include "evidence/recordings/oracle_harness.h"
#include "evidence/recordings/recording_check.h"

namespace windrow {

/// The merge test: contents follow the recorded flushes and picks from the scenario's formulas, and every field of
/// every flushed or compacted SSTable is compared.
TestResult check_merges(const Recording& recording, Replay replay);

class MergeCheck;

/// The merge test beside a play whose picks are a strategy's: it says the same as long as they are the recorded ones.
class MergesBeside {
 public:
  MergesBeside(const Recording& recording, Replay replay);
  MergesBeside(const MergesBeside&) = delete;
  MergesBeside& operator=(const MergesBeside&) = delete;
  ~MergesBeside();

  /// To be told what the play does.
  HarnessObserver& observer();
  /// Nothing if the play did not do all that the recording says.
  std::optional<TestResult> finish();

 private:
  std::unique_ptr<MergeCheck> check_;
};

}  // namespace windrow
