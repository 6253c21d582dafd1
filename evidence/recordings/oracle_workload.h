#pragma once

#include "evidence/recordings/oracle_scenario.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// The writers of a recorded scenario, by the formulas of the recording harness (tests/oracle/README.md, schedule
/// formulas).
TableWorkload oracle_workload(const OracleScenario& scenario);

/// Clustering bytes of the harness's table: header and one bigint.
inline constexpr int oracle_clustering_bytes = 9;

}  // namespace windrow
