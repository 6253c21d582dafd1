#pragma once

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/set_mask.h"

namespace windrow {

/// What of a row is on disk. A row walks down this list, never up; boundaries are times known in advance.
enum class RowState : std::uint8_t {
  live,             // as written, also after expiry: nothing is written at expiry
  nulls_left,       // rewritten gc_grace after the write: without what its collections replaced, a microsecond older
                    // than its nulls, which something keeps
  settled,          // the same, without what was dead from the start (nulls, replaced elements)
  cells_dead,       // rewritten after expiry, not purgeable: liveness and value-less cells dated at the write (rules
                    // 3.6b, 3.6d)
  nulls_left_dead,  // the same, without what its whole collections replaced
  settled_dead,     // the same, without what was dead from the start
  skeleton,         // liveness only (rule 3.6c)
  row_tombstone,    // of a sub-stream that brings row tombstones
};

/// Rows that are readable until they expire.
inline bool has_values(RowState state) {
  return state == RowState::live || state == RowState::nulls_left || state == RowState::settled;
}

/// Which of a bucket's partitions (by slot), where it is not all of them.
using SlotSet = boost::dynamic_bitset<>;

/// Rows [from, to) of one sub-stream in one state: the unit in which SSTables hold, merge and purge data.
struct Cohort {
  int sub_stream = 0;
  RowState state = RowState::live;
  std::int32_t ttl_s = 0;  // the TTL these rows were written with, 0 = none
  std::int64_t from = 0;   // members of the sub-stream
  std::int64_t to = 0;
  Token first_token = min_token;  // only partitions in this interval, both ends inclusive
  Token last_token = max_token;
  std::shared_ptr<const SlotSet> slots{};  // only these partitions; then all rows lie in one bucket
  SharedSets sets{};  // only partitions of these replica sets: where rows of several nodes are compared (Writer::sets)

  bool cut_by_tokens() const { return first_token != min_token || last_token != max_token; }
  bool whole() const { return !slots && !cut_by_tokens() && !sets; }
};

/// True if every one is whole.
bool all_whole(std::span<const Cohort> cohorts);

/// Sorts by sub-stream and rows, unites disjoint subsets of the same rows, and joins neighbours in equal state. Of each
/// kind of rows, those cut by tokens come in disjoint intervals of tokens.
void join_cohorts(std::vector<Cohort>& cohorts);

/// True if both hold the same kind of rows of the same partitions, so that adjacent intervals are one cohort.
bool alike(const Cohort& a, const Cohort& b);

/// All rows of a sub-stream from this member on.
inline Cohort rows_from(int sub_stream, std::int64_t first) {
  return {.sub_stream = sub_stream, .from = std::max<std::int64_t>(0, first), .to = INT64_MAX};
}

}  // namespace windrow
