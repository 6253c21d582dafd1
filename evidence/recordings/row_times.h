#pragma once

#include <cstdint>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"

namespace windrow {

/// When one write or delete of a recorded scenario reaches the memtable, and the timestamp it carries.
struct RowTime {
  Seconds arrival_s = 0;
  Micros timestamp_us = 0;
};

/// Every write and delete in the recording harness's order of arrival (tests/oracle/README.md, schedule formulas).
std::vector<RowTime> row_times(const OracleScenario& scenario);

}  // namespace windrow
