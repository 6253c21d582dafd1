#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/fault_record.h"

namespace windrow_test {

/// What became of some rows of a ledger.
struct History {
  std::string_view state{};
  std::vector<int> missed{};
  std::string why{};
  int purged_on = -1;
  windrow::Micros purged_us = 0;
  std::string by{};
  std::vector<int> to{};
  windrow::Micros brought_us = 0;
  windrow::Micros healed_us = 0;
  bool hinted = false;

  std::string text() const;
};

/// Rows of a ledger with one history, in words, and how many: what two ledgers are compared by.
struct Counted {
  windrow::Rows rows = 0;
  windrow::Micros deleted_from_us = 0;
  windrow::Micros deleted_to_us = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};
using Histories = std::map<std::string, Counted>;
Histories histories_of(const std::vector<windrow::SuspectRows>& suspects);
std::string text_of(const Histories& histories);
void count_rows(Histories& all, const History& history, windrow::Rows rows, windrow::Micros from_us,
                windrow::Micros to_us);

}  // namespace windrow_test
