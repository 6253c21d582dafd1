#include "tests/cluster/histories.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace windrow_test {

using namespace windrow;

std::string History::text() const {
  return fmt::format("{} missed {} {} purged {} {} by '{}' to {} {} healed {} hinted {}", state, fmt::join(missed, "+"),
                     why, purged_on, purged_us, by, fmt::join(to, "+"), brought_us, healed_us, hinted);
}

void count_rows(Histories& all, const History& history, Rows rows, Micros from_us, Micros to_us) {
  Counted& counted = all[history.text()];
  counted.deleted_from_us = counted.rows == 0 ? from_us : std::min(counted.deleted_from_us, from_us);
  counted.deleted_to_us = std::max(counted.deleted_to_us, to_us);
  counted.rows += rows;
}

Histories histories_of(const std::vector<SuspectRows>& suspects) {
  Histories all;
  for (const SuspectRows& line : suspects) {
    // Rows that expired have no history of healing.
    const bool healed = !line.brought_at_us && !line.brought_by.empty();
    const History history{.state = state_name(line.state),
                          .missed = line.missed_by,
                          .why = line.why,
                          .purged_on = line.purged_on.value_or(-1),
                          .purged_us = line.purged_at_us.value_or(0),
                          .by = line.brought_by,
                          .to = line.brought_to,
                          .brought_us = line.brought_at_us.value_or(0),
                          .healed_us = healed ? line.until_us.value_or(0) : 0,
                          .hinted = line.hinted};
    count_rows(all, history, line.rows, line.deleted_from_us, line.deleted_to_us);
  }
  return all;
}

std::string text_of(const Histories& histories) {
  std::string text;
  for (const auto& [history, counted] : histories)
    text += fmt::format("{} rows deleted {} to {}: {}\n", counted.rows, counted.deleted_from_us / us_per_s,
                        counted.deleted_to_us / us_per_s, history);
  return text;
}

}  // namespace windrow_test
