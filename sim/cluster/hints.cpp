#include "sim/cluster/hints.h"

#include <algorithm>
#include <utility>

namespace windrow {

void HintsFor::keep(const NodeSettings& node, Micros from_us, Micros to_us, std::optional<Micros> first_write_us) {
  if (!node.hinted_handoff || !first_write_us) return;
  const Micros oldest_us = spans_.empty() ? *first_write_us : oldest_us_;
  // At the window itself a hint is still kept.
  const Micros until_us =
      std::min({to_us, from_us + node.max_hint_window_us + 1, oldest_us + node.max_hint_window_us + 1});
  if (*first_write_us >= until_us) return;
  spans_.push_back({from_us, until_us});
  oldest_us_ = oldest_us;
}

std::vector<HintsFor::Span> HintsFor::take() { return std::exchange(spans_, {}); }

}  // namespace windrow
