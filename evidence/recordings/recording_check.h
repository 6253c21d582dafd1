#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "evidence/recordings/trace.h"

namespace windrow {

/// A recording of the real engine with the scenario it was made from.
struct Recording {
  std::string name{};
  OracleScenario scenario{};
  Trace trace{};
};

/// The place where a test and a recording part for the first time.
struct Explanation {
  Seconds t_s = 0;
  std::string where{};               // "pick 37", "flush 12, SSTable 45"
  std::string what{};                // inputs, expired, live order, or the field of an SSTable
  std::string expected{};            // the engine's
  std::string ours{};                // empty: nothing was asked of us
  std::string rule{};                // that decided ours; empty: none did
  std::vector<std::string> state{};  // what the decision saw, line by line
};

/// How many things of one kind agree.
struct AgreeingCount {
  std::string what{};
  std::int64_t number = 0;
};

/// One of the three tests of docs/model.md on one recording.
struct TestResult {
  std::string test{};  // pick, merge, run
  std::vector<AgreeingCount> agreeing{};
  std::int64_t disagreements = 0;
  std::optional<Explanation> first{};
  std::vector<std::string> notes{};

  bool agrees() const { return disagreements == 0; }
  std::int64_t count_of(std::string_view what) const;
  void count(std::string_view what, std::int64_t number = 1);
  /// Only the first one is kept.
  void disagree(Explanation explanation);
};

struct RecordingResult {
  std::string name{};
  std::vector<TestResult> tests{};  // pick, merge, run
  bool agrees() const;
};

/// How closely tables are followed: as `windrow run` does, or with every key hashed, every row looked at and filters
/// bit for bit.
enum class Replay { as_run, exact };

/// Merge: contents follow the recorded flushes and picks. Run: everything follows from the scenario alone. Pick: what
/// of the run a strategy answered.
/// As a run decisions have to be the recorded ones, and statistics near them; exact every field has to be.
RecordingResult check_recording(const Recording& recording, Replay replay);

}  // namespace windrow
