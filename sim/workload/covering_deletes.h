#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/writer.h"

namespace windrow {

/// What a delete takes away: one row, one cell of it, a partition, or the rows of a partition in a range.
enum class DeleteKind { none, row, cell, partition, range };

/// A delete of a whole partition, or of the rows in it whose clustering value lies below `until_ms`.
struct CoveringDelete {
  std::int64_t arrival = 0;   // units
  std::int64_t sequence = 0;  // among the deletes of its writer
  std::int64_t bucket = 0;
  std::int64_t slot = 0;
  std::int64_t until_ms = 0;  // of a range
  int lost_by = -1;           // the node, from 0, that it does not arrive at though it is up; -1: none
};

/// Clustering value, in milliseconds, that no row of a bucket is below.
std::int64_t bucket_begin_ms(const Writer& writer, std::int64_t bucket);

/// Each event of the writer before `end` deletes the partition that it had `age` before, if that is not before `from`:
/// whole, or everything in it that is older. Units. Throws std::length_error of more than `most` events.
std::vector<CoveringDelete> deletes_by_event(const Writer& writer, DeleteKind kind, std::int64_t age, std::int64_t from,
                                             std::int64_t end, std::int64_t most);

}  // namespace windrow
