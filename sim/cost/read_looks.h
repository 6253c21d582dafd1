#pragma once

#include "sim/cost/layout.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Partitions that a sample's reads of a writer look at (ReadCosts::looked_at). `in_part`: files have rows of some of a
/// bucket's partitions, so that neighbours cost each their own.
double looks_of_reads(const Scenario& scenario, const ExpectedWriter& each, std::size_t piece, double piece_s,
                      bool in_part, const Layout& layout);

}  // namespace windrow
