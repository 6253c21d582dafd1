#pragma once

#include <cstdint>
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

 private:
  std::vector<std::pair<Token, Token>> intervals_;
};

/// Whether two files share a token.
bool overlap(const SSTableView& a, const SSTableView& b);

}  // namespace windrow
