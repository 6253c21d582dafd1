#pragma once

#include "evidence/recordings/oracle_harness.h"
#include "evidence/recordings/recording_check.h"
#include "sim/engine/table_store.h"

namespace windrow {

/// The table of a recording as `create_table` makes it and the scenario's ALTERs change it.
HarnessSchema recorded_schema(const OracleScenario& scenario, std::string_view create_table,
                              const TableWorkload& workload, Replay replay);

/// Compressed sizes are inputs: the n-th flush has the recorded ones, the n-th commit the recorded ratios, output by
/// output. Where nothing was ever compressed a file has its uncompressed size.
DiskSizer recorded_disk_sizes(const Recording& recording);

/// The recorded seconds, of tasks in the order picked, where they are what Data bytes within their bound allow (a run
/// follows them to a thousandth): how long a compaction takes is the harness's arithmetic on bytes. None where every
/// field has to be the same.
CommitTimes recorded_commit_times(const Recording& recording, Replay replay);

}  // namespace windrow
