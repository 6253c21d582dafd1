#pragma once

#include "sim/cost/layout.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What a sample's reads of a writer look at (ReadCosts::looked_at, looked_pieces).
struct ReadLooks {
  double partitions = 0;
  double pieces = 0;
};
/// `in_part`: files have rows of some of a bucket's partitions, so that neighbours cost each their own. `some_dead`: of
/// the rows, or of what is in them.
ReadLooks looks_of_reads(const Scenario& scenario, const ExpectedWriter& each, std::size_t piece, double piece_s,
                         bool in_part, bool some_dead, const Layout& layout);

}  // namespace windrow
