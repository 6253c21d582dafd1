#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evidence/timelines/timeline_case.h"
#include "evidence/timelines/timeline_ring.h"
#include "sim/replica/rules.h"

namespace windrow {

/// How many of a kind there were, and how many we compute alike.
struct AgreedCount {
  std::int64_t all = 0;
  std::int64_t alike = 0;
  void count(bool agrees) {
    ++all;
    if (agrees) ++alike;
  }
  void add(const AgreedCount& more) {
    all += more.all;
    alike += more.alike;
  }
};

struct TimelineCounts {
  AgreedCount reads{};        // contacts, rows, their order and times
  AgreedCount contents{};     // of a replica, after a step that changed it
  AgreedCount by_state{};     // of those seen with their SSTables: within each repair state and the memtable
  AgreedCount unchanged{};    // replicas that a step left as they were
  AgreedCount repairs{};      // accepted or refused
  AgreedCount verdicts{};     // rows that should be gone: where they live on, and what brought them there
  AgreedCount lists{};        // of SSTables, exactly
  AgreedCount rough_lists{};  // of the others, where files depend on what is not recorded: rows of each repair state
  AgreedCount hint_files{};
  void add(const TimelineCounts& more);
};

/// By name, in the order of the members.
std::vector<std::pair<std::string, AgreedCount>> named_counts(const TimelineCounts& counts);

struct TimelineDifference {
  std::string where{};  // "step 12 read at 93606 s, node B"
  std::string what{};
  std::string expected{};
  std::string ours{};
};

struct TimelineResult {
  std::string name{};
  bool judged = true;  // false: what happened depends on chance
  TimelineCounts counts{};
  std::vector<TimelineDifference> differences{};
  bool agrees() const { return differences.empty(); }
};

/// Replays a case and compares it with what was seen. Throws TimelineError where it cannot be played.
TimelineResult check_timeline(const TimelineCase& of, const TimelineRing& ring, const ReplicaRules& rules = {});

}  // namespace windrow
