#pragma once

#include <span>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// What op = delete(row, age) does to the rows of one writer.
struct RowDeletes {
  double share = 0;  // of its rows
  Micros age_us = 0;
  Micros from_us = 0;  // deletes come in [from_us, until_us)
  Micros until_us = 0;
};

/// Deletes of the writers `deletes` that fall to `writer`'s entities and times. They follow its rhythm: as many rows as
/// there are deletes in all, evenly spread over its rows, each deleted at its age; never more than there are rows.
RowDeletes row_deletes_of(const WriterSpec& writer, std::span<const WriterSpec> deletes);

/// Mutations that do not arrive though all are up: this share of the writes, and of the deletes, at each node; each is
/// missing at one node.
struct LostMutations {
  std::int64_t ppm = 0;
  int nodes = 0;
};
LostMutations lost_mutations(const Scenario& scenario);

/// The same of deletes of partitions and ranges: says of each who loses it.
void lose_some(std::vector<CoveringDelete>& deletes, const LostMutations& lost);

/// How the rows of a writer divide: shares of late rows and of TTLs, those deleted one by one, and what of both is
/// lost, each independent of the others. Counted from the first row, no share is off by more than a row for each time
/// that its rows were divided.
FateRule fate_of(const WriterSpec& writer, const RowDeletes& deletes, const LostMutations& lost = {});

}  // namespace windrow
