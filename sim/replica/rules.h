#pragma once

#include "sim/content/keyed_merge.h"

namespace windrow {

/// What replicas do, as Cassandra 5.0.9 does it. A test turns one at a time, to see that a recording notices.
struct ReplicaRules {
  PurgeRules purge{};

  bool reads_strip_tombstones = true;        // ReadCommand.withoutPurgeableTombstones
  bool reads_spare_unrepaired = true;        // only_purge_repaired_tombstones holds for reads too
  bool read_repair_at_one = false;           // one answer has nothing to be compared with
  bool read_repair_whole_partition = false;  // what a replica lacks is sent, not all that was read

  bool streams_old_tombstones = true;  // sections are sent as they lie on disk
  bool streams_both_ways = true;
  bool streamed_files_keep_state = true;  // repairedAt and pendingRepair are those of the sender's file
  bool leaves_by_index_samples = true;    // else a leaf a partition
  bool shallower_tree_decides = true;     // else the deeper

  bool hints_die_with_gc_grace = true;
  bool hint_window_holds = true;
  bool hint_file_age_counts = true;

  bool pending_files_wait = true;  // files of an ended session are promoted by a compaction, which merges nothing
};

}  // namespace windrow
