#pragma once

#include "sim/scenario/scenario.h"

namespace windrow {

/// A table with `per = month` becomes a table for every month of the run, NAME_2026_01 …, UTC: what has its event in a
/// month is written to that month's table, whenever it arrives; changes, actions and limits of the table hold for all
/// of them; `drop_after` the end of its month the table is dropped. Also ends what is written to a table at its drop.
void split_months(Scenario& scenario);

}  // namespace windrow
