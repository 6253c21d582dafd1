#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "evidence/agreement/report.h"
#include "tests/support/xz.h"

namespace windrow::test {

inline Recording read_recording(const std::string& root, const std::string& name) {
  return {.name = name,
          .scenario = parse_oracle_scenario(read_file(root + "/scenarios/" + name + ".ini")),
          .trace = parse_trace(read_xz(root + "/traces/" + name + "/trace.jsonl.xz"))};
}

/// Holds all recordings of a folder to be reproduced.
inline VerifyReport check_agreement(const std::string& root, Replay replay) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/traces"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  VerifyReport report;
  for (const std::string& name : names) {
    report.recordings.push_back(check_recording(read_recording(root, name), replay));
    const RecordingResult& result = report.recordings.back();
    CHECK(result.tests.size() == 3);
    CHECK_MESSAGE(result.agrees(), recording_text(result, {}));
  }
  return report;
}

}  // namespace windrow::test
