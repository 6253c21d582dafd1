#include "sim/results/table_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/check.h"
#include "sim/cluster/fault_record.h"
#include "sim/results/faults.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

Json json_of(const Spread& values) {
  return {{"min", values.min}, {"p50", values.p50}, {"p75", values.p75}, {"p95", values.p95},
          {"p98", values.p98}, {"p99", values.p99}, {"max", values.max}};
}

Json json_of(bool value) { return value; }
Json json_of(std::int64_t value) { return value; }
Json json_of(double value) { return json_number(value); }
Json json_of(std::optional<double> value) { return json_number(value); }
Json json_of(std::string_view value) { return value; }
Json json_of(const Peak& peak) { return json_number(peak.value); }

/// As nodetool derives them from a histogram: upper ends of buckets.
Json json_of(const EstimatedHistogram& histogram) {
  if (histogram.overflowed()) return nullptr;
  return {{"min", histogram.min()},
          {"p50", histogram.percentile(0.5)},
          {"p75", histogram.percentile(0.75)},
          {"p95", histogram.percentile(0.95)},
          {"p98", histogram.percentile(0.98)},
          {"p99", histogram.percentile(0.99)},
          {"max", histogram.max()}};
}

Json time_or_never(Seconds at_s) { return at_s == no_deletion_time ? Json("never") : Json(iso_time_s(at_s)); }

Json json_of(const std::vector<Blocker>& blockers) {
  Json list = Json::array();
  for (const Blocker& blocker : blockers) {
    list.push_back({{"sstable", blocker.id == memtable_id ? Json("memtable") : Json(blocker.id)},
                    {"holds_sstables", blocker.holds_sstables},
                    {"holds_bytes", blocker.holds_bytes},
                    {"frees_bytes", blocker.frees_bytes},
                    {"oldest_write", iso_time(blocker.min_timestamp_us)},
                    {"last_expiry", time_or_never(blocker.expires_s)}});
  }
  return list;
}

Json json_of(const std::optional<WindowCount>& windows) {
  if (!windows) return Json::value_t::discarded;
  return {{"count", windows->windows}, {"with_one_sstable", windows->with_one_sstable}};
}

Json json_of(const OffHeap& off_heap) {
  return {{"bloom_filter", off_heap.bloom_filter_bytes},
          {"index_summary", off_heap.index_summary_bytes},
          {"compression_metadata", off_heap.compression_metadata_bytes}};
}

Json overshoot_json(const DelaySummary& delay) {
  return {{"p50", delay.p50.s},
          {"max", delay.max_s},
          {"p50_at_least", delay.p50.at_least},
          {"rows", delay.rows},
          {"rows_still_there", delay.still_there}};
}
Json json_of(const DelaySummary& delay) {
  return {{"p50", delay.p50.s},
          {"p99", delay.p99.s},
          {"max", delay.max_s},
          {"p50_at_least", delay.p50.at_least},
          {"p99_at_least", delay.p99.at_least},
          {"rows", delay.rows},
          {"rows_still_there", delay.still_there}};
}

Json share_json(Bytes part, double whole) {
  return whole > 0 ? json_number(static_cast<double>(part) / whole) : Json();
}

Json day_or_null(std::optional<std::int64_t> day) {
  return day ? Json(iso_day(*day * seconds_per_day * us_per_s)) : Json();
}
Json json_date(const Peak& peak) { return peak.value > 0 ? Json(iso_time(peak.at_us)) : Json(); }
Json json_date(std::optional<Micros> at_us) { return json_time(at_us); }

Json largest_json(const TableRecord& table) {
  if (table.largest.empty()) return nullptr;
  const NamedPartition& largest = table.largest.front();
  return {{"entity", printable(largest.entity)},
          {"bucket", largest.has_bucket ? Json(largest.bucket) : Json()},
          {"shard", largest.shard ? Json(*largest.shard) : Json()},
          {"bytes", largest.bytes},
          {"rows", largest.rows},
          {"cells", largest.cells}};
}

Json json_of(const TombstoneDrops& drops) {
  return {{"count", drops.count},
          {"overdue", drops.overdue},
          {"first", day_or_null(drops.first_day)},
          {"last", day_or_null(drops.last_day)}};
}

Json json_of(const std::vector<ReasonShare>& reasons) {
  Json list = Json::array();
  for (const ReasonShare& reason : reasons) {
    list.push_back({{"reason", reason.reason},
                    {"compactions", reason.compactions},
                    {"read_bytes", reason.read_bytes},
                    {"share", json_number(reason.share)}});
  }
  return list;
}

Json key_choice_json(const KeyChoice* choice) {
  if (choice == nullptr) return nullptr;
  return {{"bucket", printable(choice->bucket)},
          {"bucket_length_s", choice->bucket_length_s},
          {"shards", choice->shards},
          {"partition_bytes_max", choice->partition_bytes_max},
          {"partition_rows_max", choice->partition_rows_max},
          {"partitions_per_year", json_number(choice->partitions_per_year)},
          {"verdict", verdict_name(choice->verdict)}};
}

Json json_of(const KeyChoices& choices) {
  if (choices.cells.empty()) return nullptr;
  return {{"partition_bytes_min", choices.bytes_min},
          {"partition_bytes_max", choices.bytes_max},
          {"partition_rows_max", choices.rows_max > 0 ? Json(choices.rows_max) : Json()},
          {"own", key_choice_json(choices.own())},
          {"own_is_newer", choices.own_is_newer},
          {"fewest_partitions", key_choice_json(choices.fewest_partitions())}};
}

using End = const TableEnd&;

template <class T>
const T& part(End end, T TableRecord::*member) {
  return end.table.*member;
}
template <class T>
const T& part(End end, T TableSample::*member) {
  return end.last.*member;
}
template <class T>
const T& part(End end, T Headlines::*member) {
  return end.lines.*member;
}
template <auto Member>
Json number(End end) {
  return json_of(part(end, Member));
}
template <auto Member>
Json date(End end) {
  return json_date(part(end, Member));
}

/// Of a scenario with outages or repairs.
template <class Read>
Json of_faults(End end, const Read& read) {
  if (!end.record.faults) return Json::value_t::discarded;
  const auto& tables = end.record.scenario->tables;
  const auto table = std::ranges::find(tables, end.table.name, &TableSpec::name);
  return read(*end.record.faults, static_cast<int>(table - tables.begin()));
}
Json repair_margin(End end) {
  return of_faults(end, [&](const FaultRecord& faults, int table) {
    const std::optional<Seconds> margin_s = faults.repair_margin_s(*end.record.scenario, table);
    return margin_s ? Json(*margin_s) : Json();
  });
}

constexpr auto described_numbers = std::to_array<TableNumber>({
    {"strategy", number<&TableRecord::strategy>, "of compaction, at the end"},
    {"compression_ratio", number<&TableRecord::compression_ratio>,
     "without a measured ratio disk figures are upper bounds"},
    {"compression_measured", number<&TableRecord::compression_measured>},
    {"disk_sizes_known", number<&TableRecord::disk_sizes_known>},
    {"not_counted", number<&TableRecord::not_counted>, "indexes and views: their bytes and compactions come on top"},
    {"filters_left_out", [](End end) -> Json { return end.table.filters_left_out; },
     "whether false positives of bloom filters are left out of a table of which rows die"},
    {"understood", [](End end) -> Json { return understood_json(understood(end.table)); },
     "rows, bytes, partitions and flushes while streams write the table"},
    {"live_sstables", number<&TableSample::sstables>, "all components of all SSTables; the sum of the next four"},
    {"live_bytes", number<&TableSample::live_bytes>},
    {"readable_bytes", number<&TableSample::readable_bytes>,
     "readable; dead, gc_grace has not passed; in SSTables that only others keep; past gc_grace, deleted, or a "
     "second copy (repairs send what a node has already), not yet compacted"},
    {"waiting_gc_grace_bytes", number<&TableSample::waiting_gc_grace_bytes>},
    {"blocked_bytes", number<&TableSample::blocked_bytes>},
    {"purgeable_bytes", number<&TableSample::purgeable_bytes>},
    {"snapshot_bytes", number<&TableSample::snapshot_bytes>, "what only snapshots keep: at the end, and at the most"},
    {"peak_snapshot_bytes", number<&TableRecord::snapshots>},
    {"dropped", date<&TableRecord::dropped_us>,
     "of a table per month: when it was dropped, and which table it is one of; null for others"},
    {"month_of", [](End end) -> Json { return end.table.family.empty() ? Json() : Json(printable(end.table.family)); }},
    {"peak_disk_bytes", number<&TableRecord::disk>, "the highest, and when"},
    {"peak_disk_date", [](End end) -> Json { return iso_time(end.table.disk.at_us); }},
    {"peak_sstables", number<&TableRecord::sstables>, "SSTables at the most"},
    {"peak_sstables_date", [](End end) -> Json { return iso_time(end.table.sstables.at_us); }},
    {"peak_blocked_bytes", number<&TableRecord::blocked_peak>,
     "the most that expired SSTables kept by others have held"},
    {"peak_pending_compactions", number<&TableRecord::pending>, "compactions to be done"},
    {"windows", number<&TableRecord::windows>, "time windows, and those with one SSTable; not of other strategies"},
    {"tokens_evenly_spread", number<&TableRecord::evenly_spread>,
     "true where more partitions or rows than `run.exact_partitions` were cut by token: places on the ring, not "
     "hashes"},
    {"off_heap_bytes", number<&TableRecord::off_heap>, "bloom filters, index summaries, compression metadata"},
    {"partitions", [](End end) -> Json { return end.table.partitions.partitions; },
     "logical partitions, exact percentiles"},
    {"partition_bytes", [](End end) -> Json { return json_of(end.table.partitions.bytes); }},
    {"partition_rows", [](End end) -> Json { return json_of(end.table.partitions.rows); }},
    {"partition_cells", [](End end) -> Json { return json_of(end.table.partitions.cells); }},
    {"sstable_partition_bytes", [](End end) -> Json { return json_of(end.table.fragments.bytes_histogram); },
     "as nodetool derives them from SSTables' histograms"},
    {"sstable_partition_cells", [](End end) -> Json { return json_of(end.table.fragments.cells_histogram); }},
    {"tombstones", number<&TableSample::tombstones>, "and expired cells; the ratio as the engine estimates it"},
    {"droppable_tombstone_ratio", number<&TableSample::droppable_tombstone_ratio>},
    {"write_amplification", [](End end) -> Json { return json_number(end.table.write_amplification()); },
     "bytes written over bytes flushed; bytes on disk over readable ones"},
    {"space_amplification", number<&TableSample::space_amplification>},
    {"retention_overshoot_s", [](End end) -> Json { return overshoot_json(end.table.retention_overshoot); },
     "how long values stay beyond their TTL; beyond their DELETE; deleted rows still on disk. What is still there "
     "counts "
     "as longer than it was seen; `at_least`: too little has gone to say more"},
    {"erasure_delay_s", number<&TableRecord::erasure_delay>},
    {"erasure_pending_rows", number<&TableRecord::erasure_pending_rows>},
    {"resurrected_rows",
     [](End end) { return of_faults(end, [](const FaultRecord& f, int t) { return Json(f.resurrected(t)); }); },
     "with outages or repairs: deleted rows that came back; rows whose delete a replica missed and no hint brought; "
     "those of them that the delete reached in time; and the least time left of gc_grace when a repair had streamed, "
     "since the one before began"},
    {"suspect_rows",
     [](End end) { return of_faults(end, [](const FaultRecord& f, int t) { return Json(f.suspected(t)); }); }},
    {"near_misses",
     [](End end) {
       return of_faults(end, [](const FaultRecord& f, int t) { return Json(f.rows(SuspectState::healed, t)); });
     }},
    {"repair_margin_s", repair_margin},
    {"first_resurrected",
     [](End end) {
       return of_faults(end, [](const FaultRecord& f, int t) { return json_date(first_resurrected_us(f, t)); });
     },
     "with outages or repairs: from when a deleted row is no longer kept from readers"},
    {"rows_written", number<&TableSample::rows_written>, "the ledger of rows"},
    {"rows_in_memtable", number<&TableRecord::memtable_rows>},
    {"rows_live", [](End end) -> Json { return end.table.end.live.rows; }},
    {"rows_expired", [](End end) -> Json { return end.table.end.waiting.rows + end.table.end.purgeable.rows; }},
    {"rows_shadowed", [](End end) -> Json { return end.table.balance.shadowed; }},
    {"rows_purged", [](End end) -> Json { return end.table.balance.purged + end.table.balance.dropped_with_files; }},
    {"rows_dropped_with_sstables", [](End end) -> Json { return end.table.balance.dropped_with_files; }},
    {"flushes", number<&TableRecord::flushes>, "the work done"},
    {"flushed_bytes", number<&TableRecord::flushed_bytes>},
    {"compactions", number<&TableRecord::compactions_done>},
    {"compacted_in_bytes", number<&TableRecord::compacted_in_bytes>},
    {"compacted_out_bytes", number<&TableRecord::compacted_out_bytes>},
    {"rewritten_whole_windows_bytes", number<&TableRecord::rewritten_late_bytes>},
    {"refused_compactions", number<&TableRecord::refused_compactions>, "that found too little disk"},
    {"default_time_to_live_s", number<&TableRecord::default_ttl_s>, "settings, at the end"},
    {"gc_grace_s", number<&TableRecord::gc_grace_s>},
    {"window_s", [](End end) -> Json { return end.table.window_length_s ? Json(*end.table.window_length_s) : Json(); }},
    {"peak_disk_temporary_bytes", number<&TableRecord::disk_peak_temporary_bytes>,
     "what of the highest disk was there twice: outputs beside their inputs"},
    {"peak_disk_temporary_share",
     [](End end) -> Json { return share_json(end.table.disk_peak_temporary_bytes, end.table.disk.value); }},
    {"live_growth", [](End end) -> Json { return live_growth_name(end.growth.kind); },
     "`grows`, `steady` or `not known`, by four equal phases that begin when everything that expires or is deleted "
     "has been replaced once since the last change (`since`); a year's growth; what the later two phases hold more, "
     "as a share; why it is not known, and the length below which no run can tell"},
    {"live_growth_bytes_per_year", [](End end) -> Json { return json_number(end.growth.per_year); }},
    {"live_growth_share", [](End end) -> Json { return json_number(end.growth.share); }},
    {"live_growth_since", [](End end) -> Json { return json_time(end.growth.since_us); }},
    {"live_growth_why", [](End end) -> Json { return end.growth.why.empty() ? Json() : Json(end.growth.why); }},
    {"live_growth_run_s", [](End end) -> Json { return end.growth.run_s ? Json(*end.growth.run_s) : Json(); }},
    {"first_blocked", date<&Headlines::first_blocked_us>,
     "when a sample first saw an expired SSTable kept by another; when they held the most"},
    {"peak_blocked_date", date<&TableRecord::blocked_peak>},
    {"blocked_sstables", number<&Headlines::blocked_sstables>,
     "how many are kept; those that never go by themselves; when the last of the others goes"},
    {"blocked_for_ever_sstables", number<&Headlines::blocked_for_ever_sstables>},
    {"blocked_until",
     [](End end) -> Json { return end.lines.blocked_until_s ? Json(iso_time_s(*end.lines.blocked_until_s)) : Json(); }},
    {"peak_pending_compactions_date", date<&TableRecord::pending>, "when most compactions were to be done"},
    {"first_refused_compaction", date<&TableRecord::first_refused_us>, "when one first found too little disk"},
    {"first_large_partition", date<&Headlines::first_large_partition_us>,
     "when a sample first saw one above that size; the largest"},
    {"large_partition_bytes", [](End) -> Json { return large_partition_bytes; }},
    {"largest_partition", [](End end) -> Json { return largest_json(end.table); }},
    {"sstables_per_partition", number<&TableSample::sstables_per_partition>,
     "SSTables that hold a partition, on average"},
    {"peak_sstables_per_partition", number<&Headlines::sstables_per_partition>},
    {"peak_sstables_per_partition_date", date<&Headlines::sstables_per_partition>},
    {"peak_droppable_tombstone_ratio", number<&Headlines::droppable_ratio>, "the highest at a sample, and when"},
    {"peak_droppable_tombstone_ratio_date", date<&Headlines::droppable_ratio>},
    {"tombstone_drops", number<&Headlines::drops>, "tombstones and expired cells by when they may go"},
    {"compaction_reasons", number<&Headlines::reasons>, "what compactions read, by why they ran"},
    {"key_choices", number<&TableRecord::key_choices>,
     "of the decision matrix: its bounds, the scenario's own choice (newer: of the end alone, the run's partitions "
     "have others, too), and the one with the fewest partitions that are not too big; null where buckets decide "
     "nothing"},
    {"blockers", number<&TableRecord::blockers>, "who keeps expired SSTables, and what"},
});

template <auto Member>
std::optional<double> member(const TableSample& sample) {
  if constexpr (requires { (sample.*Member).has_value(); }) {
    return sample.*Member ? std::optional(static_cast<double>(*(sample.*Member))) : std::nullopt;
  } else {
    return static_cast<double>(sample.*Member);
  }
}

/// Partitions are measured now and then.
template <auto Member>
std::optional<double> if_measured(const TableSample& sample) {
  return sample.partitions ? member<Member>(sample) : std::nullopt;
}

constexpr auto described_samples = std::to_array<SampleNumber>({
    {"live_bytes", member<&TableSample::live_bytes>},
    {"readable_bytes", member<&TableSample::readable_bytes>},
    {"waiting_gc_grace_bytes", member<&TableSample::waiting_gc_grace_bytes>},
    {"blocked_bytes", member<&TableSample::blocked_bytes>},
    {"purgeable_bytes", member<&TableSample::purgeable_bytes>},
    {"temporary_bytes", member<&TableSample::temporary_bytes>},
    {"disk_bytes_max", member<&TableSample::disk_bytes_max>},
    {"sstables", member<&TableSample::sstables>},
    {"sstables_max", member<&TableSample::sstables_max>},
    {"tombstones", member<&TableSample::tombstones>},
    {"droppable_tombstones", member<&TableSample::droppable_tombstones>},
    {"droppable_tombstone_ratio", member<&TableSample::droppable_tombstone_ratio>},
    {"pending_compactions", member<&TableSample::pending_compactions>},
    {"pending_compactions_max", member<&TableSample::pending_compactions_max>},
    {"write_amplification", member<&TableSample::write_amplification>},
    {"space_amplification", member<&TableSample::space_amplification>},
    {"rows_written", member<&TableSample::rows_written>},
    {"rows_live", member<&TableSample::rows_live>},
    {"flushes", member<&TableSample::flushes>},
    {"compactions", member<&TableSample::compactions>},
    {"compacted_bytes", member<&TableSample::compacted_bytes>},
    {"partitions", member<&TableSample::partitions>},
    {"partition_p99_bytes", if_measured<&TableSample::partition_bytes_p99>},
    {"partition_max_bytes", if_measured<&TableSample::partition_bytes_max>},
    {"partition_p50_bytes", if_measured<&TableSample::partition_bytes_p50>},
    {"sstables_per_partition", if_measured<&TableSample::sstables_per_partition>},
    {"snapshot_bytes", member<&TableSample::snapshot_bytes>},
});

}  // namespace

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return nine_digits(value);
}

Json json_number(std::optional<double> value) { return value ? json_number(*value) : Json(); }
Json json_time(std::optional<Micros> at_us) { return at_us ? Json(iso_time(*at_us)) : Json(); }

Json understood_json(const Understood& what) {
  return {{"rows_per_s", json_number(what.rows_per_s)},
          {"bytes_per_row", json_number(what.bytes_per_row)},
          {"bytes_per_s_node", json_number(what.bytes_per_s_node)},
          {"partitions_per_day", json_number(what.partitions_per_day)},
          {"flushes_per_day", json_number(what.flushes_per_day)},
          {"rows_per_partition", {{"p50", what.rows_per_partition_p50}, {"max", what.rows_per_partition_max}}}};
}

TableEnd table_end(const RunRecord& record, const TableRecord& table) {
  return {.record = record,
          .table = table,
          .last = table.samples.empty() ? TableSample{} : table.samples.back(),
          .lines = headlines(table),
          .growth = live_growth(record, table)};
}

std::span<const TableNumber> table_numbers() { return described_numbers; }

Json table_summary(const RunRecord& record, const TableRecord& table) {
  const TableEnd end = table_end(record, table);
  Json json;
  for (const TableNumber& number : described_numbers) {
    Json value = number.read(end);
    if (!value.is_discarded()) json[std::string(number.name)] = std::move(value);
  }
  return json;
}

std::span<const SampleNumber> sample_numbers() { return described_samples; }

const SampleNumber& sample_number(std::string_view name) {
  const auto* found = std::ranges::find(described_samples, name, &SampleNumber::name);
  SIM_CHECK(found != described_samples.end(), "a column of timeline.csv");
  return *found;
}

}  // namespace windrow
