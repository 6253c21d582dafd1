#include "evidence/recordings/recording_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "evidence/recordings/merge_check.h"
#include "evidence/recordings/run_check.h"

namespace windrow {
std::int64_t TestResult::count_of(std::string_view what) const {
  const auto found = std::ranges::find(agreeing, what, &AgreeingCount::what);
  return found == agreeing.end() ? 0 : found->number;
}

void TestResult::count(std::string_view what, std::int64_t number) {
  const auto found = std::ranges::find(agreeing, what, &AgreeingCount::what);
  if (found == agreeing.end()) {
    agreeing.push_back({.what = std::string(what), .number = number});
  } else {
    found->number += number;
  }
}

void TestResult::disagree(Explanation explanation) {
  ++disagreements;
  if (!first) first = std::move(explanation);
}

bool RecordingResult::agrees() const { return std::ranges::all_of(tests, &TestResult::agrees); }

RecordingResult check_recording(const Recording& recording, Replay replay) {
  MergesBeside beside(recording, replay);
  RunResults played = check_run(recording, replay, &beside.observer());
  // A run that did what was recorded has followed the recorded picks.
  std::optional<TestResult> merge;
  if (played.pick.agrees() && played.run.agrees()) merge = beside.finish();
  if (!merge) merge = check_merges(recording, replay);
  return {.name = recording.name, .tests = {std::move(played.pick), std::move(*merge), std::move(played.run)}};
}

}  // namespace windrow
