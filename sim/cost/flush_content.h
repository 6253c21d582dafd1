#pragma once

#include <cstddef>
#include <vector>

#include "sim/cost/layout.h"

namespace windrow {

/// What a flush of a piece holds.
struct FlushContent {
  double cohorts = 0;
  double rows = 0;
  double rows_one_by_one = 0;
  double static_rows = 0;        // of these
  double writes_one_by_one = 0;  // a memtable has each, also where one replaces another
  double row_bytes = 0;
  double bytes = 0;          // of all
  double lasting_bytes = 0;  // Compacted::lasting_bytes, not compressed
  double kept_s = 0;
  double partitions = 0;
};

/// Of one of `flushes` of a piece.
FlushContent content_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double piece_s);

/// Flushes of the pieces before `piece` that rows are kept of.
double live_before(const std::vector<double>& flushes, std::size_t piece, double kept_s, double piece_s);

/// How many flushes like these would hold what is kept: some came from larger ones, as of a backfill.
double flushes_held(const std::vector<ExpectedWriter>& writers, std::size_t piece, const FlushContent& content,
                    double piece_s);

/// Keys that are written again and again replace each other: so many flushes hold as many rows as are kept.
double flushes_that_differ(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double live);

}  // namespace windrow
