#pragma once

#include <vector>

#include "sim/cost/passes.h"
#include "sim/cost/writes.h"

namespace windrow {

/// How often a row that is held in intervals is in an SSTable whose rows are looked at one by one for their sizes
/// (TableStore::measure): each row says how long the one before it is, in one byte or in more, so that where rows of
/// both kinds lie side by side intervals leave bytes in doubt. `rows`: of a flush; `something_dead`: compactions write
/// what is left of dead rows beside others; `most_rows`: of an output that is looked at (flushes: rows_worth_a_look).
struct SizeLooks {
  double in_flushes = 0;
  double in_outputs = 0;  // of compactions
};
SizeLooks looks_for_sizes(const std::vector<ExpectedWriter>& writers, double rows, bool something_dead,
                          double most_rows, const Passes& passes);

}  // namespace windrow
