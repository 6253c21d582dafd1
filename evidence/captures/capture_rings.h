#pragma once

#include <cstdint>
#include <string_view>

#include "evidence/captures/disagreement.h"
#include "evidence/captures/recorded_ring.h"

namespace windrow {

struct CaptureRingResult {
  std::int64_t cases = 0;  // tokens, percentages of nodetool status, lines of nodetool ring, ranges, lists of tokens
  std::int64_t agreeing = 0;
  std::int64_t tokens = 0;
  std::int64_t percentages = 0;
  std::int64_t lines = 0;
  std::int64_t ranges = 0;
  Disagreements disagreements{};
};

/// Gives every node that joins its tokens, from the first token of the first node, and compares them with those it had;
/// then owners, ownership and end points in nodetool's texts. `name` is said of disagreements. Throws
/// RecordedRingError.
CaptureRingResult verify_capture_ring(std::string_view name, const RecordedRing& ring);

}  // namespace windrow
