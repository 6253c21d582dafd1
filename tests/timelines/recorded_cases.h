#pragma once

#include <string>
#include <vector>

#include "evidence/timelines/timeline_case.h"
#include "tests/support/xz.h"

namespace windrow::test {

inline const std::string& recorded_text() {
  static const std::string text = read_xz("tests/cluster-oracle/cases.jsonl.xz");
  return text;
}

inline const std::vector<TimelineCase>& recorded_cases() {
  static const std::vector<TimelineCase> cases = parse_timeline_cases(recorded_text());
  return cases;
}

}  // namespace windrow::test
