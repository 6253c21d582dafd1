#include "sim/verdict/table_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/text/aligned.h"
#include "sim/text/spark.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

std::string bytes_text(Bytes bytes) { return human_bytes(static_cast<double>(bytes)); }
std::string count_text(std::int64_t count) { return human_count(static_cast<double>(count)); }
std::string day_text(Seconds at_s) { return iso_day(at_s * us_per_s); }
std::string span_text(Seconds span_s) { return human_span(static_cast<double>(span_s)); }
std::string percentile_text(const DelayPercentile& percentile) {
  return (percentile.at_least ? "more than " : "") + span_text(percentile.s);
}
std::string longest_text(const DelaySummary& delay) {
  return delay.still_there > 0 ? fmt::format("the longest so far {}", span_text(delay.max_s))
                               : "at most " + span_text(delay.max_s);
}

void add_partitions(const TableRecord& table, AlignedText& lines) {
  const PartitionCensus& sizes = table.partitions;
  if (sizes.partitions == 0) return;
  std::string of = fmt::format("{}: median {}, p99 {}, max {}", count_text(sizes.partitions),
                               bytes_text(sizes.bytes.p50), bytes_text(sizes.bytes.p99), bytes_text(sizes.bytes.max));
  if (!table.largest.empty()) {
    const NamedPartition& largest = table.largest.front();
    of += fmt::format(" ({}{}{})", printable(largest.entity), largest.has_bucket ? " " + largest.bucket : "",
                      largest.shard ? fmt::format(" shard {}", *largest.shard) : "");
  }
  lines.add_texts({"partitions", of});
}

/// Has no file been there at any time?
bool never_flushed(const TableRecord& table) { return table.flushes == 0 && table.disk.value <= 0; }

void add_disk(const TableRecord& table, const TableSample& last, AlignedText& lines) {
  if (never_flushed(table)) {
    lines.add_texts({"disk", fmt::format("nothing: {} in the memtable and the commit log, none was flushed",
                                         number_of(table.memtable_rows, "row is", "rows are"))});
    return;
  }
  lines.add_texts({"disk", fmt::format("{} at the end, peak {} on {}", bytes_text(last.live_bytes),
                                       human_bytes(table.disk.value), iso_day(table.disk.at_us))});
  if (last.waiting_gc_grace_bytes + last.purgeable_bytes + last.blocked_bytes > 0) {
    lines.add_texts(
        {"  not readable", fmt::format("{} wait for gc_grace, {} past it or deleted but not compacted, {} blocked",
                                       bytes_text(last.waiting_gc_grace_bytes), bytes_text(last.purgeable_bytes),
                                       bytes_text(last.blocked_bytes))});
  }
}

/// Only what the run has shown.
void add_growth(const LiveGrowth& growth, AlignedText& lines) {
  const std::string since = growth.since_us ? iso_day(*growth.since_us) : std::string();
  if (growth.kind == LiveGrowth::Kind::grows)
    lines.add_texts({"  still grows", fmt::format("{} a year, evenly since {}", human_bytes(*growth.per_year), since)});
  if (growth.kind == LiveGrowth::Kind::steady) lines.add_texts({"  steady", "since " + since});
  if (growth.kind == LiveGrowth::Kind::not_known)
    lines.add_texts(
        {"  growth", fmt::format("not known: {}{}", growth.why,
                                 growth.run_s ? fmt::format("; it takes a run of {} at least", span_text(*growth.run_s))
                                              : std::string())});
}

void add_snapshots(const TableRecord& table, const TableSample& last, AlignedText& lines) {
  if (table.snapshots.value <= 0) return;
  lines.add_texts(
      {"snapshots", fmt::format("keep {} that the table no longer has, peak {} on {}", bytes_text(last.snapshot_bytes),
                                human_bytes(table.snapshots.value), iso_day(table.snapshots.at_us))});
}

void add_sstables(const TableRecord& table, const TableSample& last, AlignedText& lines) {
  lines.add_texts({"SSTables", fmt::format("{} at the end, peak {} on {}", count_text(last.sstables),
                                           human_count(table.sstables.value), iso_day(table.sstables.at_us))});
  if (table.windows) {
    lines.add_texts({"windows", fmt::format("{}, {} with one SSTable", count_text(table.windows->windows),
                                            count_text(table.windows->with_one_sstable))});
  }
}

/// Who blocks, what would be freed, and when it ends by itself.
void add_blocked(const TableRecord& table, AlignedText& lines) {
  if (table.blocked.empty()) {
    if (table.blocked_peak.value > 0) {
      lines.add_texts(
          {"blocked", fmt::format("nothing at the end, peak {} on {}", human_bytes(table.blocked_peak.value),
                                  iso_day(table.blocked_peak.at_us))});
    }
    return;
  }
  Bytes bytes = 0;
  for (const BlockedFile& file : table.blocked) bytes += file.bytes;
  const Seconds goes_s = std::ranges::max(table.blocked, {}, &BlockedFile::goes_at_s).goes_at_s;
  const auto never = std::ranges::count(table.blocked, no_deletion_time, &BlockedFile::goes_at_s);
  const std::string until = never == 0   ? fmt::format("the last goes on {}", day_text(goes_s))
                            : never == 1 ? "1 of them never goes by itself"
                                         : fmt::format("{} of them never go by themselves", never);
  lines.add_texts({"blocked", fmt::format("{} in {}; {}", bytes_text(bytes),
                                          number_of(std::ssize(table.blocked), "expired SSTable"), until)});
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, table.blockers.size()); ++i) {
    const Blocker& blocker = table.blockers[i];
    const std::string why =
        blocker.expires_s == no_deletion_time ? "has rows without TTL" : "lives until " + day_text(blocker.expires_s);
    lines.add_texts({"  by", fmt::format("{}: {} in {}, {} of it alone; oldest write {}, {}", blocker_text(blocker.id),
                                         bytes_text(blocker.holds_bytes), number_of(blocker.holds_sstables, "SSTable"),
                                         bytes_text(blocker.frees_bytes), iso_day(blocker.min_timestamp_us), why)});
  }
  if (table.blockers.size() > shown)
    lines.add_texts({"", fmt::format("and {} more, see sstables.csv", table.blockers.size() - shown)});
}

void add_writes(const TableRecord& table, AlignedText& lines) {
  if (never_flushed(table)) return;  // no byte was written at all
  std::string writes =
      fmt::format("each byte written {} ({}, {})", number_of(table.write_amplification(), "time"),
                  number_of(table.flushes, "flush", "flushes"), number_of(table.compactions_done, "compaction"));
  if (table.rewritten_late_bytes > 0)
    writes += fmt::format("; {} in windows that were one SSTable already", bytes_text(table.rewritten_late_bytes));
  lines.add_texts({"write amplification", writes});
}

void add_rest(const TableRecord& table, const TableSample& last, AlignedText& lines) {
  add_writes(table, lines);
  if (last.space_amplification) lines.add_texts({"space amplification", human_count(*last.space_amplification)});
  if (last.tombstones > 0) {
    lines.add_texts(
        {"tombstones", fmt::format("{} with expired cells, {} of them may go once a compaction meets them; ratio {}",
                                   count_text(last.tombstones), count_text(last.droppable_tombstones),
                                   human_count(last.droppable_tombstone_ratio))});
  }
  const DelaySummary& overshoot = table.retention_overshoot;
  if (overshoot.rows > 0 && overshoot.still_there == overshoot.rows) {
    lines.add_texts(
        {"retention", fmt::format("values stay beyond their TTL: none has gone yet, {} after the first expired",
                                  span_text(overshoot.max_s))});
  } else if (overshoot.rows > 0) {
    lines.add_texts({"retention", fmt::format("values stay {} beyond their TTL (median), {}",
                                              percentile_text(overshoot.p50), longest_text(overshoot))});
  }
  const DelaySummary& erasure = table.erasure_delay;
  if (erasure.rows > 0 && erasure.still_there == erasure.rows) {
    lines.add_texts({"erasure", fmt::format("no deleted data is gone yet, {} after the first delete; {} still on disk",
                                            span_text(erasure.max_s), number_of(table.erasure_pending_rows, "row"))});
  } else if (erasure.rows > 0) {
    lines.add_texts({"erasure", fmt::format("deleted data is gone after {} (median), {}; {} still on disk",
                                            percentile_text(erasure.p50), longest_text(erasure),
                                            number_of(table.erasure_pending_rows, "row"))});
  }
  if (table.evenly_spread)
    lines.add_texts(
        {"tokens", "more partitions or rows than run.exact_partitions: spread evenly over the ring, not hashed"});
  lines.add_texts({"off heap", fmt::format("{} for bloom filters, index summaries and compression metadata",
                                           bytes_text(table.off_heap.total_bytes()))});
  if (table.refused_compactions > 0) {
    lines.add_texts(
        {"refused", fmt::format("{} found too little disk space", number_of(table.refused_compactions, "compaction"))});
  }
}

void add_sparks(const TableRecord& table, std::size_t width, AlignedText& lines) {
  std::vector<double> disk;
  std::vector<double> partitions;
  std::vector<double> sstables;
  for (const TableSample& sample : table.samples) {
    disk.push_back(static_cast<double>(sample.disk_bytes_max));
    sstables.push_back(static_cast<double>(sample.sstables_max));
    // Not every sample measured partitions: the last size stands until the next.
    const double before = partitions.empty() ? 0 : partitions.back();
    partitions.push_back(sample.partitions ? static_cast<double>(sample.partition_bytes_p99) : before);
  }
  const auto add = [&](const char* what, const std::vector<double>& values, std::string most) {
    lines.add_texts({what, fmt::format("{}  0 to {}", spark_line(values, width), most)});
  };
  if (disk.size() < 2) return;
  add("disk", disk, human_bytes(std::ranges::max(disk)));
  add("partition p99", partitions, human_bytes(std::ranges::max(partitions)));
  add("SSTables", sstables, human_count(std::ranges::max(sstables)));
}

}  // namespace

std::string blocker_text(std::int64_t id) { return id == memtable_id ? "the memtable" : fmt::format("SSTable {}", id); }

std::string table_verdict(const TableRecord& table, const LiveGrowth& growth, const VerdictStyle& style) {
  if (table.samples.empty()) return "  nothing was recorded\n";
  const TableSample& last = table.samples.back();
  AlignedText lines({Side::left, Side::left});
  add_partitions(table, lines);
  add_disk(table, last, lines);
  add_growth(growth, lines);
  add_snapshots(table, last, lines);
  add_sstables(table, last, lines);
  add_blocked(table, lines);
  add_rest(table, last, lines);
  constexpr std::size_t beside = 40;  // the words left and right of a spark line
  if (style.width > beside + 10) add_sparks(table, std::min<std::size_t>(style.width - beside, 160), lines);
  return lines.text(2);
}

}  // namespace windrow
