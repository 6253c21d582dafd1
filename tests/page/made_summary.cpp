#include "tests/page/made_summary.h"

namespace windrow::test {

nlohmann::json made_summary() {
  return nlohmann::json::parse(R"({
    "scenario": "made", "title": "Made for a test", "version": "0.1", "scenario_hash": "abc",
    "start": "2026-01-01T00:00:00Z", "end": "2027-01-01T00:00:00Z", "seed": 1,
    "growth_factor_safe": null, "growth_factor_breaks": null, "growth_stops_at": null, "growth_note": null,
    "advice": [],
    "understood": {"rows_per_s": 333, "bytes_per_row": 35.6, "bytes_per_s_node": 11866},
    "limits": [],
    "incidents": [],
    "nodes": [{"node": 1, "live_bytes": 6442450944, "peak_disk_bytes": 10737418240,
               "peak_disk_date": "2026-08-20T00:00:00Z", "other_disk_bytes": 0, "disk_capacity_bytes": null,
               "peak_disk_share": null}],
    "tables": {"t": {
      "strategy": "TimeWindowCompactionStrategy", "disk_sizes_known": true, "not_counted": "",
      "filters_left_out": false,
      "understood": {"rows_per_s": 333, "bytes_per_row": 35.6, "bytes_per_s_node": 11866, "partitions_per_day": 20000,
                     "flushes_per_day": 21.2, "rows_per_partition": {"p50": 1440, "max": 864000}},
      "live_sstables": 12, "live_bytes": 6442450944, "readable_bytes": 6442450944, "waiting_gc_grace_bytes": 0,
      "blocked_bytes": 0,
      "purgeable_bytes": 0, "peak_disk_bytes": 10737418240, "peak_disk_date": "2026-08-20T00:00:00Z",
      "peak_disk_temporary_bytes": 3650722201, "peak_disk_temporary_share": 0.34, 
      "live_growth": "not asked", "live_growth_bytes_per_year": null, "live_growth_share": 0,
      "live_growth_since": null, "live_growth_why": null, "live_growth_run_s": null,
      "rows_purged": 0, "rows_expired": 0, "rows_shadowed": 0,
      "peak_sstables": 20, "peak_sstables_date": "2026-04-11T00:00:00Z", "peak_blocked_bytes": 0,
      "peak_pending_compactions": 7, "peak_pending_compactions_date": "2026-03-04T00:00:00Z",
      "windows": {"count": 10, "with_one_sstable": 9}, "window_s": 86400, "default_time_to_live_s": 7776000,
      "gc_grace_s": 864000,
      "partitions": 5000, "partition_bytes": {"min": 100, "p50": 1024, "p99": 2048, "max": 113246208},
      "largest_partition": {"entity": "jon_haddad", "bucket": "2026-01-01", "shard": 0, "bytes": 113246208,
        "rows": 864000, "cells": 864000},
      "first_large_partition": "2026-01-02T00:00:00Z", "large_partition_bytes": 104857600,
      "key_choices": {"partition_bytes_min": 10485760, "partition_bytes_max": 104857600, "partition_rows_max": null,
        "own_is_newer": false,
        "own": {"bucket": "day", "bucket_length_s": 86400, "shards": 4, "partition_bytes_max": 113246208,
                "partition_rows_max": 864000, "partitions_per_year": 24437480, "verdict": "too big"},
        "fewest_partitions": {"bucket": "day", "bucket_length_s": 86400, "shards": 8, "partition_bytes_max": 56623104,
                "partition_rows_max": 432000, "partitions_per_year": 39908005, "verdict": "fits"}},
      "first_blocked": null, "blocked_sstables": 0, "blocked_for_ever_sstables": 0,
      "blocked_until": null, "blockers": [],
      "first_refused_compaction": null, "refused_compactions": 0,
      "droppable_tombstone_ratio": 0.01, "peak_droppable_tombstone_ratio": 0.0138,
      "peak_droppable_tombstone_ratio_date": "2026-05-17T00:00:00Z",
      "sstables_per_partition": 2, "peak_sstables_per_partition": 3.5,
      "peak_sstables_per_partition_date": "2026-01-02T00:00:00Z",
      "tombstone_drops": {"count": 1000, "overdue": 0, "first": "2027-01-01", "last": "2027-01-11"},
      "compaction_reasons": [{"reason": "past window", "compactions": 5, "read_bytes": 1000, "share": 0.626}],
      "write_amplification": 3.73, "rewritten_whole_windows_bytes": 0
    }}
  })");
}

nlohmann::json with(const std::vector<std::pair<std::string, nlohmann::json>>& values) {
  nlohmann::json summary = made_summary();
  for (const auto& [name, value] : values) summary["tables"]["t"][name] = value;
  return summary;
}

}  // namespace windrow::test
