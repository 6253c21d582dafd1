#pragma once

#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/fleet.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Changes of rate that all writers of a scenario may have together.
inline constexpr std::size_t most_stretches = 3'000'000;

/// A stream that is ready to become writers.
struct StreamParts {
  const Named<StreamSection>& stream;
  const StreamSection* source = nullptr;  // of a derived stream
  const Table& table;
  int table_index = 0;
  const Fleet& fleet;
  const WallClock& clock;  // the writers'
  Pace pace{};             // with those of the streams that it is derived from
  int group = 0;           // of WriterSpec::entity_group
  Micros start_us = 0;
  Micros end_us = 0;
  std::size_t& stretches_left;  // of most_stretches
};

/// One writer per class of entities and stretch of time between two changes of bucket, shards, sizes or TTL (and
/// borders of the buckets that these find open), then the backfill's.
std::vector<WriterSpec> make_writers(const StreamParts& parts);

}  // namespace windrow
