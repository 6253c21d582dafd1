#include "evidence/agreement/timeline_result.h"

#include <fmt/format.h>

#include "evidence/recordings/recording_check_state.h"

namespace windrow {

std::string counts_text(const TimelineCounts& counts) {
  std::string text;
  for (const auto& [name, count] : named_counts(counts)) {
    if (count.all == 0) continue;
    text += fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", grouped(count.alike), grouped(count.all), name);
  }
  return text;
}

CaptureResult timeline_result(std::span<const TimelineResult> results) {
  CaptureResult file{.name = "timelines", .cases = 0, .agreeing = 0, .note = {}, .disagreements = {}};
  TimelineCounts all;
  for (const TimelineResult& result : results) {
    if (!result.judged) {
      file.remarks.push_back(
          fmt::format("{} depends on chance, not judged: {}", result.name, counts_text(result.counts)));
      continue;
    }
    ++file.cases;
    all.add(result.counts);
    if (result.agrees()) {
      ++file.agreeing;
      continue;
    }
    file.remarks.push_back(fmt::format("{}: {}", result.name, counts_text(result.counts)));
    for (const TimelineDifference& difference : result.differences) {
      file.disagreements.push_back({.case_name = result.name,
                                    .field = difference.where + ": " + difference.what,
                                    .expected = difference.expected,
                                    .ours = difference.ours});
    }
  }
  file.note = counts_text(all);
  file.timeline_counts = all;
  return file;
}

}  // namespace windrow
