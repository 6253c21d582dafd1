#include "sim/limits/limits.h"

#include <algorithm>

namespace windrow {

const Knob& Limit::knob(std::string_view strategy) const {
  const auto* own = std::ranges::find(knobs, strategy, &Knob::strategy);
  return own != knobs.end() ? *own : *std::ranges::find(knobs, std::string_view(), &Knob::strategy);
}

const Limit* find_limit(std::string_view key) {
  const auto* found = std::ranges::find(all_limits, key, &Limit::key);
  return found == all_limits.end() ? nullptr : found;
}

const Knob& knob_of(std::string_view limit, std::string_view strategy) {
  static constexpr Knob general;
  const Limit* known = find_limit(limit);
  return known == nullptr ? general : known->knob(strategy);
}

}  // namespace windrow
