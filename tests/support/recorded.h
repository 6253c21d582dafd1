#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
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

/// Holds all recordings of a folder to be reproduced, each read once: a report for every way to follow them.
inline std::vector<VerifyReport> check_agreement(const std::string& root, std::initializer_list<Replay> replays) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/traces"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  std::vector<VerifyReport> reports(replays.size());
  for (const std::string& name : names) {
    const Recording recording = read_recording(root, name);
    for (auto report = reports.begin(); const Replay replay : replays) {
      const RecordingResult& result = report->recordings.emplace_back(check_recording(recording, replay));
      ++report;
      CHECK(result.tests.size() == 3);
      CHECK_MESSAGE(result.agrees(), recording_text(result, {}));
    }
  }
  return reports;
}

}  // namespace windrow::test
