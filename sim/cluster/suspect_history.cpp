#include "sim/cluster/suspect_history.h"

#include <tuple>
#include <vector>

namespace windrow {

namespace {

std::vector<int> nodes_of(std::uint64_t mask) {
  std::vector<int> nodes;
  for (int node = 0; node < 64; ++node) {
    if ((mask >> static_cast<unsigned>(node) & 1) != 0) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

void SuspectHistory::judge(Micros now_us, const std::string& what, bool hints) {
  const Mask gained = shown() & ~was_shown();
  if (gained != 0 && hints) {
    // Who gets a row as a hint never had it, so that it has forgotten nothing: of this delete it has not heard.
    missed |= gained;
    healed_at_us.reset();
  } else if (gained != 0) {
    if (!spread) {
      brought_at_us = now_us;
      brought_by = what;
    }
    spread = true;
    brought_to |= gained;
    healed_at_us.reset();
  }
  if (shown() == 0 && was_shown() != 0) {
    healed_at_us = now_us;
    healed_by = what;
    hinted = hints;
  }
  if (shown() != 0 && deleted == 0) permanent = true;
}

bool SuspectHistory::same_as(const SuspectHistory& other) const {
  const auto history = [](const SuspectHistory& of) {
    return std::tie(of.missed, of.why, of.purged_on, of.purged_at_us, of.brought_by, of.brought_to, of.brought_at_us,
                    of.visible, of.spread, of.permanent, of.hinted, of.healed_by, of.healed_at_us);
  };
  return history(*this) == history(other) && (healed_at_us || expired == other.expired);
}

void SuspectHistory::tell(SuspectRows& rows) const {
  rows.missed_by = nodes_of(missed);
  rows.why = why;
  rows.hinted = hinted;
  rows.state = permanent      ? SuspectState::permanent
               : spread       ? SuspectState::spread
               : visible      ? SuspectState::visible
               : healed_at_us ? SuspectState::healed
                              : SuspectState::stale;
  if (purged_on) {
    rows.purged_on = purged_on;
    rows.purged_at_us = purged_at_us;
  }
  if (spread) {
    rows.brought_by = brought_by;
    rows.brought_to = nodes_of(brought_to);
    rows.brought_at_us = brought_at_us;
  } else if (healed_at_us) {
    rows.brought_by = healed_by;
  }
  if (healed_at_us) rows.until_us = healed_at_us;
}

}  // namespace windrow
