#pragma once

#include <span>

#include "sim/base/units.h"
#include "sim/schema/table_options.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// SSTables of no more rows than this may be looked at row by row.
inline constexpr Rows rows_worth_a_look = 2000;

/// How closely a table's SSTables are followed. As it stands here: every key hashed, every row looked at, filters bit
/// for bit.
struct Closeness {
  Rows rows_to_look_at = INT64_MAX;  // histograms of larger files come from intervals
  /// What intervals may leave in doubt of an SSTable's bytes before its rows are looked at: a share of them.
  double trusted_doubt = 0;
  bool lattice = false;      // no key is hashed (ContentSpace::use_lattice)
  bool keep_filters = true;  // false: nothing is kept from being purged by a false positive
};

/// What `windrow run` does, and `windrow verify` unless it is asked to be exact. `ever`: the options that the table has
/// at first, and after each ALTER; `exact_partitions`: run.exact_partitions.
Closeness closeness_of_run(const TableWorkload& workload, std::span<const TableOptions> ever,
                           std::int64_t exact_partitions);

}  // namespace windrow
