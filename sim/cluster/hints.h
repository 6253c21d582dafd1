#pragma once

#include <optional>
#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

/// Hints that the live nodes together keep for one that is away: StorageProxy.shouldHint, HintsService, Cassandra
/// 5.0.9. As spans of the time in which the writes came.
class HintsFor {
 public:
  /// The node was away in [from, to): writes that came while neither it was away, nor the oldest hint was kept, for
  /// longer than the window. `first_write_us`: the first that it missed; none: it missed nothing.
  void keep(const NodeSettings& node, Micros from_us, Micros to_us, std::optional<Micros> first_write_us);
  bool any() const { return !spans_.empty(); }
  struct Span {
    Micros from_us = 0;
    Micros to_us = 0;
  };
  /// All of them; none are left.
  std::vector<Span> take();
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::vector<Span> spans_{};
  Micros oldest_us_ = 0;  // when the oldest hint was written
};

}  // namespace windrow
