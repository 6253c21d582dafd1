#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Entities [from, to) of a class, of which as much has been found.
struct Segment {
  std::int64_t from = 0;
  std::int64_t to = 0;
  Rows found = 0;
  std::int64_t partitions = 0;  // read so far
  std::int64_t entities() const { return to - from; }
};

/// Sorted, each once.
inline void put_in_order(std::vector<std::int64_t>& borders) {
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
}

/// Where the slots of any shard, or the segments, have another entity begin; the class's end is the last.
template <typename Slots>
std::vector<std::int64_t> borders_of(const Slots& slots, const std::vector<Segment>& segments, std::int64_t entities) {
  std::vector<std::int64_t> borders = {entities};
  for (const std::int64_t slot : slots) borders.push_back(slot % entities);
  for (const Segment& segment : segments) borders.push_back(segment.from);
  put_in_order(borders);
  return borders;
}

/// Calls `each(part)` for what the segments are between neighbours of `borders`, which have all of theirs.
template <typename Each>
void each_part(const std::vector<Segment>& segments, const std::vector<std::int64_t>& borders, const Each& each) {
  std::size_t s = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    while (segments[s].to <= borders[i]) ++s;
    Segment part = segments[s];
    part.from = borders[i];
    part.to = borders[i + 1];
    each(part);
  }
}

/// Adds a segment behind the last, or lengthens that one.
inline void append(std::vector<Segment>& segments, const Segment& more) {
  const bool alike =
      !segments.empty() && segments.back().found == more.found && segments.back().partitions == more.partitions;
  if (alike) {
    segments.back().to = more.to;
  } else {
    segments.push_back(more);
  }
}

}  // namespace windrow
