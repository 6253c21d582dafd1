#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/strategy/strategy_manager.h"

namespace windrow::test {

/// What a readable text says of one SSTable's estimates.
class TextEstimates final : public Estimates {
 public:
  Token first = min_token;
  Token last = max_token;
  struct Step {
    Seconds from_s = 0;
    double ratio = 0;
  };
  std::vector<Step> droppable{};  // the ratio from these gc_before on, ascending
  std::int64_t keys = 1000;       // spread evenly

  double droppable_tombstone_ratio(Seconds gc_before_s) const override {
    double ratio = 0;
    for (const Step& step : droppable) ratio = gc_before_s >= step.from_s ? step.ratio : ratio;
    return ratio;
  }
  Seconds ratio_crosses_at(double threshold) const override {
    for (const Step& step : droppable) {
      if (step.ratio > threshold) return step.from_s;
    }
    return no_deletion_time;
  }
  Seconds droppable_from_s() const override { return droppable.empty() ? no_deletion_time : droppable.front().from_s; }
  std::int64_t estimated_keys() const override { return keys; }
  bool estimation_informative() const override { return keys > 256; }
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange> ranges) const override;
  std::int64_t cells_mean() const override { return 10; }
  std::int64_t cells_count() const override { return keys; }
  std::pair<Token, Token> token_span() const override { return {first, last}; }
};

/// A pick as a text that anybody can read and extend: files, now, and below a line of dashes the answer.
///
///   # what this shows
///   compaction class TimeWindowCompactionStrategy, compaction_window_unit HOURS
///   id 1 40MiB newest day 0 hour 3
///   now day 1 hour 4
///   ----
///   normal 1 2 by 7.4 past window
///
/// Lines above the dashes, in any order but for the files, whose last one is the newest of the live set:
///   compaction NAME VALUE, NAME VALUE, ...
///   gc_grace SPAN
///   id N SIZE [newest TIME] [oldest TIME] [expires TIME] [created TIME] [level N] [covers A%-B%] [keys N]
///      [droppable SHARE from TIME] [hash N] [repaired TIME] [pending SESSION] [compacting]
///   memtable oldest TIME
///   highest window TIME | last expired check TIME | level N counter N | level N done up to A%
///   flush average SIZE
///   session N finished | session N failed
///   estimate unrepaired N | estimate repaired N | estimate pending SESSION N     of the call before
///   now TIME
/// TIME is `day N [hour N] [minute N] [second N]` after the epoch, SIZE like 40MiB.
class PickText {
 public:
  explicit PickText(std::string_view text);

  /// The answer as the text has it, and as the strategy gives it.
  const std::string& recorded() const { return recorded_; }
  std::string answer();
  /// The text with the answer that the strategy gives.
  std::string updated();

 private:
  void read_line(std::string_view line);
  void read_file(std::vector<std::string> words);
  void read_state(const std::vector<std::string>& words);

  std::string question_{};
  std::string recorded_{};
  OptionMap compaction_{};
  CompactionOptions options_ = SizeTieredOptions{};
  ManagerState state_{};
  EndedSessions ended_{};
  Seconds gc_grace_s_ = 864'000;
  TableView view_{};
  LiveSet live_{};
  std::deque<TextEstimates> estimates_{};
  std::vector<SSTableView> files_{};
  std::vector<std::vector<std::string>> state_lines_{};
};

}  // namespace windrow::test
