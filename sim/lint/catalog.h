#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/lint/finding.h"

namespace windrow {

// One file each: find_<id with underscores>.cpp. A rule that is listed and not written does not link.
extern const LintRule server_refuses;
extern const LintRule bucket_not_in_partition_key;
extern const LintRule no_time_bucket;
extern const LintRule bucket_or_entity;
extern const LintRule series_or_state;
extern const LintRule twcs_without_ttl;
extern const LintRule ttl_without_twcs;
extern const LintRule window_count;
extern const LintRule window_not_multiple_of_bucket;
extern const LintRule ttl_below_gc_grace;
extern const LintRule gc_grace_below_repair;
extern const LintRule gc_grace_and_hints;
extern const LintRule collection_written_whole;
extern const LintRule millisecond_clustering;
extern const LintRule clustering_order_against_reads;
extern const LintRule local_time_bucket;
extern const LintRule weeks_from_monday;
extern const LintRule wide_rows;
extern const LintRule large_partitions;
extern const LintRule leveled_append_only;
extern const LintRule default_compaction_append_only;
extern const LintRule expiry_past_2038;
extern const LintRule several_ttls_in_twcs;
extern const LintRule backfill_into_twcs;
extern const LintRule rolling_buckets_without_delete;
extern const LintRule bucket_may_repeat;
extern const LintRule several_bucket_sizes;
extern const LintRule sai_on_hot_table;
extern const LintRule needs_a_setting;
extern const LintRule ttl_bounds_partition;
extern const LintRule time_only_partition_key;
extern const LintRule too_fine_buckets;
extern const LintRule two_billion_cells;
extern const LintRule table_per_period;
extern const LintRule null_written;
extern const LintRule min_sstable_size_in_bytes;
extern const LintRule timestamp_resolution;

/// Every rule, in the order of docs/findings.md.
std::span<const LintRule* const> lint_rules();
/// nullptr: there is none of that name.
const LintRule* find_rule(std::string_view id);
/// The page docs/findings.md.
std::string findings_as_markdown();

}  // namespace windrow
