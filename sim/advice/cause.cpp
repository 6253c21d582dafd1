#include "sim/advice/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/advice/table_view.h"
#include "sim/results/node_load.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

std::string bytes_text(Bytes bytes) { return human_bytes(static_cast<double>(bytes)); }
std::string span_text(Seconds span_s) { return human_span(static_cast<double>(span_s)); }
std::string count_text(std::int64_t count) { return human_count(static_cast<double>(count)); }

/// The sample in which most of the table was held back.
const TableSample& worst_sample(const TableRecord& table) {
  return *std::ranges::max_element(table.samples, {}, [](const TableSample& sample) {
    return sample.live_bytes > 0
               ? 1 - static_cast<double>(sample.readable_bytes) / static_cast<double>(sample.live_bytes)
               : 0.0;
  });
}

std::string blocker_words(const AdvisedTable& table) {
  if (table.record->blockers.empty()) return {};
  const Blocker& first = table.record->blockers.front();
  const std::string name = first.id == memtable_id ? "the memtable" : fmt::format("SSTable {}", first.id);
  std::string text = fmt::format("; at the end {} keeps {} in {}", name, bytes_text(first.holds_bytes),
                                 number_of(first.holds_sstables, "SSTable"));
  if (first.expires_s == no_deletion_time && !table.ttl_less_streams.empty())
    return text + fmt::format(", for it has rows without TTL, written by {}", fmt::join(table.ttl_less_streams, ", "));
  if (first.expires_s == no_deletion_time) return text + ", for it has rows without TTL";
  return text + fmt::format(", for it has rows written from {} on that live until {}", iso_day(first.min_timestamp_us),
                            iso_day(first.expires_s * us_per_s));
}

std::string held_back_cause(const AdvisedTable& table) {
  const TableSample& worst = worst_sample(*table.record);
  std::string text = fmt::format(
      "on {}, of {}, {} waited for gc_grace ({}), {} could go but no compaction had met it, {} was blocked",
      iso_day(worst.at_us), bytes_text(worst.live_bytes), bytes_text(worst.waiting_gc_grace_bytes),
      span_text(table.record->gc_grace_s), bytes_text(worst.purgeable_bytes), bytes_text(worst.blocked_bytes));
  return text + blocker_words(table);
}

std::int64_t size_of(const NamedPartition& partition, std::string_view limit) {
  if (limit == "partition_rows_max") return partition.rows;
  return limit == "partition_cells_max" ? partition.cells : partition.bytes;
}

const LargestOfRun& largest_of_run(const TableRecord& table, std::string_view limit) {
  if (limit == "partition_rows_max") return table.most_rows;
  return limit == "partition_cells_max" ? table.most_cells : table.most_bytes;
}

/// The partition that broke the limit may be gone at the end: then it is named, with the day it was first seen.
std::string partition_cause(const TableRecord& table, std::string_view limit) {
  if (table.largest.empty()) return {};
  const LargestOfRun& most = largest_of_run(table, limit);
  const NamedPartition& last = *std::ranges::max_element(
      table.largest, {}, [limit](const NamedPartition& partition) { return size_of(partition, limit); });
  const bool at_end = size_of(last, limit) >= most.size;
  const NamedPartition& largest = at_end ? last : most.partition;
  std::string text =
      at_end ? fmt::format("the largest partition is {}", printable(largest.entity))
             : fmt::format("on {} the largest partition was {}", iso_day(most.at_us), printable(largest.entity));
  if (largest.has_bucket) text += ", bucket " + largest.bucket;
  if (largest.shard) text += fmt::format(", shard {}", *largest.shard);
  text += fmt::format(", written by {}: {} in {}", printable(largest.stream), bytes_text(largest.bytes),
                      number_of(largest.rows, "row"));
  return largest.has_bucket ? text : text + "; it has no bucket that would end it";
}

std::string sstables_cause(const AdvisedTable& table) {
  const TableRecord& record = *table.record;
  std::string text =
      fmt::format("{} on {}", number_of(record.sstables.value, "SSTable"), iso_day(record.sstables.at_us));
  if (!record.windows) return text + " from " + number_of(record.flushes, "flush", "flushes");
  text += fmt::format("; at the end {} of {}, {} with one SSTable", number_of(record.windows->windows, "window"),
                      span_text(table.window_s), count_text(record.windows->with_one_sstable));
  if (table.main_ttl_s == 0) return text + "; rows without TTL keep every window";
  return text + fmt::format("; a window stays for TTL and gc_grace, {} and {}", span_text(table.main_ttl_s),
                            span_text(record.gc_grace_s));
}

std::string disk_cause(const RunRecord& record) {
  const TableRecord& largest =
      *std::ranges::max_element(record.tables, {}, [](const TableRecord& table) { return table.disk.value; });
  std::string text = fmt::format("{} had {} on {}, {} of it outputs of compactions beside their inputs",
                                 printable(largest.name), human_bytes(largest.disk.value), iso_day(largest.disk.at_us),
                                 bytes_text(largest.disk_peak_temporary_bytes));
  double snapshots = 0;
  for (const TableRecord& table : record.tables) snapshots += table.snapshots.value;
  if (snapshots > 0) text += fmt::format("; snapshots kept up to {} beside it", human_bytes(snapshots));
  if (record.scenario->node.other_disk_bytes > 0)
    text += fmt::format("; other data {}", bytes_text(record.scenario->node.other_disk_bytes));
  return text;
}

std::string throughput_cause(const RunRecord& record) {
  const CompactionRow* most = nullptr;
  const TableRecord* of = nullptr;
  for (const TableRecord& table : record.tables) {
    for (const CompactionRow& row : table.compactions) {
      if (most != nullptr && row.read_bytes <= most->read_bytes) continue;
      most = &row;
      of = &table;
    }
  }
  if (most == nullptr) return {};
  return fmt::format("each byte of {} is written {}; most at once is read for {} on {}, {}", printable(of->name),
                     number_of(of->write_amplification(), "time"), most->reason, iso_day(most->start_us),
                     bytes_text(most->read_bytes));
}

std::string node_cause(const RunRecord& record) {
  if (!record.load) return {};
  const HottestNode hottest = hottest_node(*record.load);
  const std::optional<NamedCause> cause = named_cause(record, hottest.hour, hottest.node);
  if (!cause) return {};
  std::string text = fmt::format("node {} in the hour from {}: most is {} of {}", hottest.node + 1,
                                 iso_time(record.load->hours().begin_us(hottest.hour)), printable(cause->entity),
                                 printable(cause->stream));
  if (!cause->bucket.empty()) text += ", bucket " + printable(cause->bucket);
  if (!cause->replicas.empty()) text += fmt::format(", one partition, on nodes {}", nodes_text(cause->replicas));
  return text;
}

std::string erasure_cause(const TableRecord& table) {
  return fmt::format(
      "{} still on disk at the end; a tombstone frees them only where a compaction "
      "reads both, after gc_grace ({})",
      number_of(table.erasure_pending_rows, "deleted row is", "deleted rows are"), span_text(table.gc_grace_s));
}

}  // namespace

std::string cause_of(const LoadedScenario& loaded, const RunRecord& record, const LimitOutcome& limit) {
  const std::string_view name = limit.name;
  if (name == "disk_used_share") return disk_cause(record);
  if (name == "node_max_over_mean") return node_cause(record);
  if (name == "pending_compactions_max" || name == "compaction_used_share") return throughput_cause(record);
  const TableRecord* table = find_table(record, limit.table);
  if (table == nullptr || table->samples.empty()) return {};
  if (name.starts_with("partition_")) return partition_cause(*table, name);
  if (name == "erasure_days_max") return erasure_cause(*table);
  const AdvisedTable view = advised_table(loaded, *table);
  if (name == "sstables_max") return sstables_cause(view);
  if (name == "held_back_share") return held_back_cause(view);
  return {};
}

}  // namespace windrow
