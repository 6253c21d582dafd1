#pragma once

#include <optional>

#include "sim/engine/table_store.h"

namespace windrow {

/// Space a new compaction may count on: max(0, round((usable - 50 MiB) * 0.95)) (rule 10.8, shipped settings).
Bytes available_for_compaction(Bytes usable_bytes);

/// What a task needs: all it reads, and what running compactions have still to read
/// (CompactionTask.buildCompactionCandidatesForAvailableDiskSpace, Cassandra 5.0.9; rule 10.8).
Bytes needed_bytes(const Task& task, double running_bytes_left);

/// The same task without its largest input that may be left out (reduceScopeForLimitedSpace of CompactionTask and
/// LeveledCompactionTask, rule 10.9), or at once without as many as free `too_many_bytes` if that makes no other of
/// them expired; nothing if none may.
std::optional<Pick> reduced_scope(const TableStore& table, const Task& task, Bytes too_many_bytes);

/// After an ask at `now_s` whose pick was refused, though none of its files was expired: the earliest time at which
/// another ask could pick something else or need less, while no file comes, goes or changes hands and no memtable is
/// switched; never too late, perhaps too early; no_deletion_time if never.
Millis refusal_holds_until(const TableStore& table, Seconds now_s, const Pick& pick);

}  // namespace windrow
