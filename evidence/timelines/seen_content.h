#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/timelines/timeline_case.h"
#include "sim/replica/replica.h"

namespace windrow {

/// The seconds that a write's deletion time may be: any of its step.
class WriteSeconds {
 public:
  explicit WriteSeconds(const TimelineCase& of);
  /// Deletion times and expiries become the first second of their step, where they lie in it.
  void settle(KeyedPartition& partition) const;
  /// How many seconds the step of this write goes on.
  Seconds span(Micros timestamp_us) const;

 private:
  Seconds settled(Micros timestamp_us, Seconds local_deletion_time_s, Seconds ttl_s) const;
  std::map<Micros, std::pair<Seconds, Seconds>> steps_{};
};

/// Where fragments lie. Files of one state are looked at together: into how many a stream is cut varies.
enum class SeenState { memtable, unrepaired, pending, repaired };
constexpr std::size_t seen_states = 4;
std::string_view seen_state_name(SeenState state);

/// A replica's content, merged within each state, nothing purged.
using ContentByState = std::array<KeyedContent, seen_states>;

ContentByState content_by_state(const Replica& replica, const CompareValues& values);
ContentByState content_by_state(const Observation& seen, const CompareValues& values);
KeyedContent whole_content(const Replica& replica, const CompareValues& values);
KeyedContent whole_content(const Observation& seen, const CompareValues& values);

/// Where two contents first differ, in words: partition, row, what each holds. Nothing if they are alike.
struct ContentDifference {
  std::string where{};
  std::string expected{};
  std::string ours{};
};
std::optional<ContentDifference> first_difference(KeyedContent expected, KeyedContent ours, const WriteSeconds& seconds,
                                                  const TimelineCase& of, const CompareValues& values);

/// Rows of the files of each state, of all and of those that stay if all are merged.
struct StateRows {
  Rows all = 0;
  Rows merged = 0;
};
std::array<StateRows, seen_states> rows_by_state(const Replica& replica, const CompareValues& values);
std::array<Rows, seen_states> rows_by_state(const std::vector<SeenFile>& files);

/// One line of a list of SSTables that does not depend on ids and order.
std::string file_line(const SeenFile& file);
std::string file_line(const ReplicaFile& file);

}  // namespace windrow
