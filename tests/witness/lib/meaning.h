#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/witness/lib/rows.h"
#include "tests/witness/lib/words.h"

namespace windrow::witness {

/// A row, as it reaches the memtable.
struct MeantRow {
  Micros arrival_us = 0;
  Micros timestamp_us = 0;
  Seconds ttl_s = 0;  // -1: the table's
  std::string key{};  // of the partition, as it is stored
  std::int64_t clustering = 0;
  bool insert = true;
  std::vector<std::int64_t> value_bytes{};  // v0, v1
  std::int64_t static_bytes = 0;            // s0; 0: not written
};

/// Every row that the words mean for a table, by arrival. What is said of each word here is all that is known of it:
/// nothing of the simulator is asked.
std::vector<MeantRow> meant_rows(const ScenarioWords& words, const std::string& table);

}  // namespace windrow::witness
