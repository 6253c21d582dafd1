#include "tests/cluster/row_fate.h"

#include <algorithm>

namespace windrow_test {

using namespace windrow;

std::vector<int> numbers(const std::vector<bool>& nodes) {
  std::vector<int> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i]) found.push_back(static_cast<int>(i));
  }
  return found;
}

void RowFate::judge(const std::vector<bool>& before, const std::vector<bool>& after, bool delete_stored, Micros now_us,
                    const std::string& what, bool hints) {
  const bool any = std::ranges::find(after, true) != after.end();
  for (std::size_t node = 0; node < after.size(); ++node) {
    if (!after[node] || before[node]) continue;
    healed_us.reset();
    if (hints) {
      missed[node] = true;
      continue;
    }
    if (!spread) {
      brought_by = what;
      brought_us = now_us;
    }
    spread = true;
    brought_to[node] = true;
  }
  if (!any && std::ranges::find(before, true) != before.end()) {
    healed_us = now_us;
    healed_by = what;
    hinted = hints;
  }
  if (any && !delete_stored) permanent = true;
}

History RowFate::history() const {
  const bool healed = healed_us.has_value();
  const SuspectState state = permanent ? SuspectState::permanent
                             : spread  ? SuspectState::spread
                             : visible ? SuspectState::visible
                             : healed  ? SuspectState::healed
                                       : SuspectState::stale;
  return {.state = state_name(state),
          .missed = numbers(missed),
          .why = why,
          .purged_on = purged_on,
          .purged_us = purged_us,
          .by = spread   ? brought_by
                : healed ? healed_by
                         : "",
          .to = numbers(brought_to),
          .brought_us = spread ? brought_us : 0,
          .healed_us = !spread && healed ? *healed_us : 0,
          .hinted = hinted};
}

}  // namespace windrow_test
