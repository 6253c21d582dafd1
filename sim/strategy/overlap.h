#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/strategy/live_set.h"

namespace windrow {

/// Token intervals, both ends inclusive, disjoint and ascending: the hull of some files (rule 0.6).
class TokenIntervals {
 public:
  /// Intervals of the files given, merged where they meet.
  explicit TokenIntervals(std::vector<std::pair<Token, Token>> spans);
  bool meets(Token first, Token last) const;
  bool meets(const SSTableView& file) const;
  std::span<const std::pair<Token, Token>> each() const { return intervals_; }

 private:
  std::vector<std::pair<Token, Token>> intervals_;
};

/// Live files that meet one of the intervals and whose least timestamp is not above `newest_us`, in live-set order
/// (newest first).
std::vector<const SSTableView*> files_meeting(const LiveSet& live, const TokenIntervals& intervals,
                                              Micros newest_us = std::numeric_limits<Micros>::max());

/// Whether two files share a token.
bool overlap(const SSTableView& a, const SSTableView& b);

}  // namespace windrow
