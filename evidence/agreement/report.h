#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/captures/disagreement.h"
#include "evidence/recordings/recording_check.h"
#include "evidence/timelines/timeline_check.h"

namespace windrow {

/// What was recomputed of a folder of captures.
struct CaptureResult {
  std::string name{};
  std::int64_t cases = 0;
  std::int64_t agreeing = 0;
  std::string note{};
  Disagreements disagreements{};
  std::vector<std::string> remarks{};               // lines of their own
  std::optional<TimelineCounts> timeline_counts{};  // of cases of a cluster

  bool agrees() const { return agreeing == cases && disagreements.empty(); }
};

struct VerifyReport {
  std::vector<RecordingResult> recordings{};
  std::vector<CaptureResult> captures{};
  bool agrees() const;
};

/// How lines are laid out: names in a column of this width; verdicts in colour, for a terminal.
struct ReportStyle {
  std::size_t name_width = 0;
  bool color = false;
};

/// A line for each test, and below it the explanation of its first disagreement.
std::string recording_text(const RecordingResult& recording, const ReportStyle& style);
std::string capture_text(const CaptureResult& capture, const ReportStyle& style);
/// "44 traces: pick 44, merge 44, run 44 agree; …"
std::string summary_text(const VerifyReport& report);
/// All of it as one JSON object.
std::string report_json(const VerifyReport& report);

}  // namespace windrow
