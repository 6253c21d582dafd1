#include "sim/lint/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace windrow {

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::span<const LintRule* const> lint_rules() {
  static constexpr std::array all{&server_refuses,
                                  &needs_a_setting,
                                  &bucket_not_in_partition_key,
                                  &no_time_bucket,
                                  &bucket_or_entity,
                                  &series_or_state,
                                  &ttl_bounds_partition,
                                  &time_only_partition_key,
                                  &large_partitions,
                                  &two_billion_cells,
                                  &too_fine_buckets,
                                  &wide_rows,
                                  &several_bucket_sizes,
                                  &rolling_buckets_without_delete,
                                  &bucket_may_repeat,
                                  &local_time_bucket,
                                  &weeks_from_monday,
                                  &millisecond_clustering,
                                  &clustering_order_against_reads,
                                  &twcs_without_ttl,
                                  &ttl_without_twcs,
                                  &default_compaction_append_only,
                                  &leveled_append_only,
                                  &min_sstable_size_in_bytes,
                                  &timestamp_resolution,
                                  &window_count,
                                  &window_not_multiple_of_bucket,
                                  &several_ttls_in_twcs,
                                  &backfill_into_twcs,
                                  &ttl_below_gc_grace,
                                  &gc_grace_below_repair,
                                  &gc_grace_and_hints,
                                  &expiry_past_2038,
                                  &collection_written_whole,
                                  &null_written,
                                  &table_per_period,
                                  &sai_on_hot_table};
  return all;
}

const LintRule* find_rule(std::string_view id) {
  const auto found = std::ranges::find_if(lint_rules(), [&](const LintRule* rule) { return rule->id == id; });
  return found == lint_rules().end() ? nullptr : *found;
}

std::string findings_as_markdown() {
  std::string text =
      "# Findings of windrow lint\n\n"
      "Written by `windrow lint --catalog`; a test compares. `error`: rows are lost, come back, or a partition grows "
      "without end; "
      "`warning`: it costs disk, reads or compaction; `note`: worth knowing.\n\n"
      "A schema alone is judged by types, options and names: a partition key's `day`, `hour`, `bucket_10min` or `date` "
      "is taken for a time "
      "bucket. A scenario is judged by what it says its streams write, as it begins: a later [change.NAME] is not "
      "looked at, nor are tables "
      "that no stream writes.\n\n"
      "| finding | severity | what |\n|---|---|---|\n";
  for (const LintRule* rule : lint_rules())
    text += fmt::format("| [`{0}`](#{0}) | {1} | {2} |\n", rule->id, severity_name(rule->severity), rule->what);
  for (const LintRule* rule : lint_rules()) {
    text += fmt::format("\n## {}\n\n**{}**: {}.\n\nFound when: {}\n\nWhy: {}\n\nFix: {}\n", rule->id,
                        severity_name(rule->severity), rule->what, rule->seen, rule->why, rule->fix);
  }
  return text;
}

}  // namespace windrow
