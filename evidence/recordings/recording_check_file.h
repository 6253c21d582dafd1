#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/recordings/trace.h"
#include "sim/engine/sstable.h"

namespace windrow {

struct FieldDifference {
  std::string field{};
  std::string expected{};
  std::string ours{};
};

struct FileComparison {
  std::int64_t fields = 0;  // compared
  std::vector<FieldDifference> differences{};
};

/// What decides about an SSTable: identity, sizes, counts and extremes.
FileComparison compare_identity(const SSTable& ours, const TraceSSTable& recorded);

/// Every recorded field but bytes_on_disk, histograms included. `gc_before_s` is that of the moment of the recording.
FileComparison compare_file(const SSTable& ours, const TraceSSTable& recorded, Seconds gc_before_s);

/// Where the specification says what the field holds.
std::string_view rule_of_field(std::string_view field);

/// How far our size of all components lies from the recorded one, as a share of it: the statistics component is
/// modelled roughly, and the engine itself varies by multiples of 24 bytes (tests/oracle/README.md).
double bytes_on_disk_off(const SSTable& ours, const TraceSSTable& recorded);

}  // namespace windrow
