#include "sim/record/table_recorder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <tuple>

#include "sim/base/arithmetic.h"
#include "sim/content/duplicates.h"
#include "sim/cost/work.h"
#include "sim/record/growth.h"
#include "sim/record/off_heap.h"
#include "sim/record/partition_names.h"

namespace windrow {

namespace {

constexpr std::int64_t steps_at_once = 500'000;
constexpr std::int64_t steps_a_run = 10'000'000;
constexpr std::string_view closed_window = "past window";
constexpr std::size_t partitions_named = 20;

std::string_view why_died(const Task& task, std::int64_t id) {
  if (std::ranges::find(task.expired, id) != task.expired.end()) return "expired";
  if (task.pick.kind == PickKind::anticompaction) return "anticompaction";
  return task.pick.kind == PickKind::tombstone ? "tombstone compaction" : "compacted";
}

CensusCollector::Finds census_finds(const RecordOptions& options, const LimitWatch& limits) {
  using enum CensusCollector::Finds;
  return options.only_limits && !limits.wants(limit_row("partition_size_p99")) ? maxima : all;
}

}  // namespace

bool WorkBudget::affords(Micros now_us) const {
  const std::int64_t earned =
      length_us_ > 0 ? mul_div_floor(steps_a_run, std::min(now_us - start_us_, length_us_), length_us_) : 0;
  return spent_ <= steps_at_once + earned;
}

bool WorkBudget::overdue(Micros since_us) const { return since_us >= length_us_ / least_looks; }

TableRecorder::TableRecorder(const Scenario& scenario, int table, const RecordOptions& options, LimitWatch& limits)
    : scenario_(scenario),
      table_(table),
      only_limits_(options.only_limits),
      limits_(limits),
      lifelines_(options.all),
      log_(options.all),
      budget_(scenario.start_us, scenario.end_us),
      census_memo_(census_finds(options, limits)),
      last_partitions_us_(scenario.start_us),
      last_rows_us_(scenario.start_us) {
  const TableSpec& spec = scenario.tables[static_cast<std::size_t>(table)];
  for (const WriterSpec& writer : scenario.writers) {
    if (writer.table == table) rates_.push_back(writer.rates.get());
  }
  record_.name = spec.name;
  record_.disk.at_us = record_.sstables.at_us = scenario.start_us;  // of a table that is never flushed
  record_.family = spec.family;
  for (const ActionSpec& action : scenario.actions) {
    const bool this_table = action.kind == ActionSpec::Kind::drop && (action.table < 0 || action.table == table);
    if (this_table && !record_.dropped_us) record_.dropped_us = action.at_us;
  }
  record_.compression_ratio = spec.compression_ratio;
  record_.compression_measured = spec.compression_measured;
  const bool recorded = !spec.flushes.empty() && std::ranges::all_of(spec.flushes, [](const RecordedFlush& flush) {
    return flush.data_bytes > 0;
  });
  record_.disk_sizes_known = spec.compression_measured || recorded || !spec.schema.options.is_compressed();
  for (const std::string& each : spec.not_counted)
    record_.not_counted += (record_.not_counted.empty() ? "" : ", ") + each;
}

void TableRecorder::meet(const Node& node) {
  if (delays_) return;
  delays_.emplace(store(node).space());
  altered(node);
}

void TableRecorder::altered(const Node& node) {
  const CompactionOptions& options = store(node).settings().compaction;
  record_.strategy = strategy_name(options);
  lifelines_.use(make_strategy(options));
}

void TableRecorder::see_size(Bytes disk_bytes, Bytes temporary_bytes, Micros now_us) {
  if (static_cast<double>(disk_bytes) > record_.disk.value) record_.disk_peak_temporary_bytes = temporary_bytes;
  disk_bytes_max_ = std::max(disk_bytes_max_, disk_bytes);
  sstables_max_ = std::max(sstables_max_, sstables_);
  record_.disk.see(static_cast<double>(disk_bytes), now_us);
  record_.sstables.see(static_cast<double>(sstables_), now_us);
  see_sstables(now_us);
}

void TableRecorder::see_sstables(Micros now_us) {
  if (limits_.wants(limit_row("sstables_max")))
    limits_.see(limit_row("sstables_max"), table_, static_cast<double>(sstables_), now_us);
}

void TableRecorder::flushed(const Node& node, const FlushEvent& event) {
  meet(node);
  ++record_.flushes;
  for (const SSTablePtr& file : event.change->added) {
    record_.flushed_bytes += file->identity().data_bytes;
    record_.flushed_uncompressed_bytes += file->extremes().uncompressed_bytes;
    born(*file, event.at_us, flush_reason_name(event.reason));
    const bool something_dies = file->extremes().min_local_deletion_time_s != no_deletion_time;
    const bool left_out = !store(node).settings().sstables.closeness.keep_filters && !file->without_filter();
    record_.filters_left_out = record_.filters_left_out || (something_dies && left_out);
  }
  record_.flushed_rows += event.change->ledger.in;
  if (wants_partitions()) written_.flushed(store(node).space(), *event.change);
  see_size(live_bytes_, 0, event.at_us);
}

void TableRecorder::streamed(const Node& node, const StreamEvent& event) {
  meet(node);
  for (const SSTablePtr& file : event.change->added) born(*file, event.at_us, "streamed");
  see_size(live_bytes_, 0, event.at_us);
}

void TableRecorder::born(const SSTable& file, Micros now_us, std::string_view why) {
  live_bytes_ += file.bytes_on_disk();
  ++sstables_;
  if (!only_limits_) lifelines_.born(file, now_us, why, {});
}

void TableRecorder::started(const Node& node, const Job& job) {
  meet(node);
  estimated_tasks_ = std::max<std::int64_t>(1, job.task.pick.estimated_remaining);
  pending_max_ = std::max(pending_max_, estimated_tasks_);
  record_.pending.see(static_cast<double>(estimated_tasks_), job.started_us);
  limits_.see(limit_row("pending_compactions_max"), table_, static_cast<double>(estimated_tasks_), job.started_us);
}

void TableRecorder::committed(const Node& node, const CommitEvent& event, Bytes node_bytes) {
  const Task& task = event.job->task;
  const std::string_view reason = reason_words(task.pick.rule);
  const bool past_window = reason == closed_window;
  ++record_.compactions_done;
  record_.compacted_in_bytes += task.bytes_to_read;
  Bytes added_bytes = 0;
  LifelineBook::Parents parents;
  if (!only_limits_ && !event.change->added.empty()) parents = lifelines_.parents(event.change->removed);
  for (const SSTablePtr& file : event.change->added) {
    live_bytes_ += file->bytes_on_disk();
    added_bytes += file->bytes_on_disk();
    ++sstables_;
    record_.compacted_out_bytes += file->identity().data_bytes;
    if (!only_limits_) lifelines_.born(*file, event.at_us, reason, parents);
  }
  see_size(live_bytes_, added_bytes, event.at_us);  // inputs go when the outputs are complete
  if (!only_limits_ || limits_.wants(limit_row("erasure_days_max"))) {
    delays_->removed(event);
    limits_.see_lasting(limit_row("erasure_days_max"), table_, delays_->take_longest_erasure(), event.at_us);
  }
  if (!only_limits_) log_.add(event, record_.strategy, node_bytes);
  for (const SSTablePtr& file : event.removed) {
    live_bytes_ -= file->bytes_on_disk();
    --sstables_;
    if (only_limits_) continue;
    if (past_window && lifelines_.why_born(file->id()) == closed_window) {
      record_.rewritten_late_bytes += file->identity().data_bytes;
    }
    lifelines_.died(file->id(), event.at_us, why_died(task, file->id()), store(node).settings().gc_grace_s);
  }
  see_sstables(event.at_us);
}

void TableRecorder::gone(const Node& node, const GoneEvent& event) {
  meet(node);
  for (const SSTablePtr& file : event.removed) {
    live_bytes_ -= file->bytes_on_disk();
    --sstables_;
    if (!only_limits_) lifelines_.died(file->id(), event.at_us, event.why, store(node).settings().gc_grace_s);
  }
  see_sstables(event.at_us);
}

void TableRecorder::level_changed(const LevelEvent& event) {
  if (!only_limits_) lifelines_.level_changed(event.id, event.level);
}

void TableRecorder::refused(const RefusalEvent& event) {
  record_.refused_compactions += event.times;
  if (!record_.first_refused_us) record_.first_refused_us = event.at_us;
}

bool TableRecorder::runs_job(const Node& node) const {
  return std::ranges::any_of(node.jobs(), [this](const Job& job) { return job.table == table_; });
}

StoreCensus TableRecorder::count_files(const Node& node) {
  if (only_limits_ && !limits_.wants(limit_row("held_back_share"))) return {.live_bytes = live_bytes_};
  const Micros now_us = node.now_us();
  const bool afresh = now_us >= scenario_.end_us || budget_.affords(now_us) || budget_.overdue(now_us - last_rows_us_);
  if (afresh) last_rows_us_ = now_us;
  StoreCensus census = census_.take(store(node), node.now_s(), afresh);
  budget_.spend(census_.looked_at());
  if (!only_limits_) lifelines_.sampled(store(node).sstables(), census.blocks);
  return census;
}

void TableRecorder::sampled(const Node& node) {
  meet(node);
  const TableStore& table = store(node);
  StoreCensus census = count_files(node);
  TableSample sample{.at_us = node.now_us(),
                     .live_bytes = census.live_bytes,
                     .readable_bytes = census.files.live.bytes,
                     .waiting_gc_grace_bytes = census.files.waiting.bytes,
                     .blocked_bytes = census.blocks.blocked_bytes,
                     .purgeable_bytes = census.files.purgeable.bytes - census.blocks.blocked_bytes,
                     .disk_bytes_max = std::max(disk_bytes_max_, census.live_bytes),
                     .snapshot_bytes = node.snapshot_bytes(table_),
                     .sstables = sstables_,
                     .sstables_max = std::max(sstables_max_, sstables_),
                     .tombstones = census.files.tombstone_count(),
                     .droppable_tombstones = census.files.droppable_tombstones(),
                     .pending_compactions = runs_job(node) ? estimated_tasks_ : 0,
                     .pending_compactions_max = pending_max_,
                     .write_amplification = record_.write_amplification(),
                     .rows_written = table.balance().written + table.memtable().counted_writes(),
                     .rows_live = census.files.live.rows + census.memtable_live,
                     .flushes = record_.flushes,
                     .compactions = record_.compactions_done,
                     .compacted_bytes = record_.compacted_in_bytes};
  for (const Job& job : node.jobs()) {
    if (job.table == table_) sample.temporary_bytes += job.task.bytes_to_read - static_cast<Bytes>(job.bytes_left);
  }
  if (census.cells > 0) {
    sample.droppable_tombstone_ratio =
        static_cast<double>(census.files.dated_before_gc) / static_cast<double>(census.cells);
  }
  if (sample.readable_bytes > 0) {
    sample.space_amplification = static_cast<double>(sample.live_bytes) / static_cast<double>(sample.readable_bytes);
  }
  record_.snapshots.see(static_cast<double>(sample.snapshot_bytes), sample.at_us);
  record_.blocked_peak.see(static_cast<double>(sample.blocked_bytes), sample.at_us);
  if (sample.live_bytes > 0) {
    const double held_back = 1 - static_cast<double>(sample.readable_bytes) / static_cast<double>(sample.live_bytes);
    limits_.see(limit_row("held_back_share"), table_, held_back, sample.at_us);
  }
  look_at_partitions(node, sample);
  record_.samples.push_back(sample);
  record_.end_files = census.files;
  blocks_ = std::move(census.blocks);
  disk_bytes_max_ = 0;
  sstables_max_ = 0;
  pending_max_ = 0;
}

bool TableRecorder::wants_partitions() const {
  return !only_limits_ || std::ranges::any_of(all_limits, [this](const Limit& limit) {
    return limit.of_a_partition() && limits_.wants(limit);
  });
}

void TableRecorder::look_at_partitions(const Node& node, TableSample& sample) {
  if (!wants_partitions()) return;
  const Micros now_us = node.now_us();
  const bool at_end = now_us >= scenario_.end_us;
  if (!at_end && !budget_.affords(now_us) && !budget_.overdue(now_us - last_partitions_us_)) return;
  const TableStore& table = store(node);
  const Content memtable = table.memtable().empty() ? Content{} : table.memtable().content();
  const std::optional<Content> written = written_.all(table);
  std::vector<const Content*> contents;
  if (written) {
    contents.push_back(&*written);
  } else {
    for (const auto& [id, file] : table.sstables()) contents.push_back(&file->content());
  }
  if (!memtable.empty()) contents.push_back(&memtable);
  PartitionCensus partitions = census_of_partitions(table.space(), contents, partitions_named, rates_, census_memo_,
                                                    table.may_hold_duplicates());
  budget_.spend(partitions.steps + std::ssize(contents));
  sample.partitions = partitions.partitions;
  sample.partition_bytes_p50 = partitions.bytes.p50;
  sample.partition_bytes_p99 = partitions.bytes.p99;
  sample.partition_bytes_max = partitions.bytes.max;
  if (partitions.partitions > 0) {
    std::int64_t held = 0;
    for (const auto& [id, file] : table.sstables()) held += file->extremes().partitions;
    sample.sstables_per_partition = static_cast<double>(held) / static_cast<double>(partitions.partitions);
  }
  see_partition_limits(node, partitions, now_us);
  see_largest(node, partitions);
  last_partitions_us_ = now_us;
  if (partitions.partitions == 0) return;
  record_.partitions = std::move(partitions);
  record_.partitions_at_us = now_us;
}

void TableRecorder::see_partition_limits(const Node& node, const PartitionCensus& partitions, Micros now_us) {
  const auto see = [&](const Limit& limit, std::int64_t worst, const auto& size_of) {
    if (!limits_.wants(limit)) return;
    const std::optional<double> bound = limits_.open_bound(limit, table_);
    Micros when_us = now_us;
    if (bound && static_cast<double>(worst) > *bound) {
      // When it happened: the largest grow row by row, at known times.
      for (const LargestPartition& partition : partitions.largest) {
        const auto size = static_cast<double>(size_of(partition));
        if (size <= *bound) continue;
        const double rows = static_cast<double>(partition.rows) * *bound / size;
        if (const auto at_us = first_above(store(node).space(), partition, rows, last_partitions_us_, now_us)) {
          when_us = std::min(when_us, *at_us);
        }
      }
    }
    limits_.see(limit, table_, static_cast<double>(worst), now_us, when_us);
  };
  see(limit_row("partition_size_max"), partitions.bytes.max, [](const LargestPartition& p) { return p.bytes; });
  see(limit_row("partition_rows_max"), partitions.rows.max, [](const LargestPartition& p) { return p.rows; });
  see(limit_row("partition_cells_max"), partitions.cells.max, [](const LargestPartition& p) { return p.cells; });
  limits_.see(limit_row("partition_size_p99"), table_, static_cast<double>(partitions.bytes.p99), now_us);
}

void TableRecorder::see_largest(const Node& node, const PartitionCensus& partitions) {
  if (only_limits_ || partitions.largest.empty()) return;
  const auto see = [&](LargestOfRun& known, auto size_of) {
    const LargestPartition& most = *std::ranges::max_element(partitions.largest, {}, size_of);
    const std::int64_t size = std::invoke(size_of, most);
    if (size <= known.size) return;
    known = {.partition = named_partition(scenario_, table_, store(node).space().workload(), most),
             .size = size,
             .at_us = node.now_us()};
  };
  see(record_.most_bytes, &LargestPartition::bytes);
  see(record_.most_rows, &LargestPartition::rows);
  see(record_.most_cells, &LargestPartition::cells);
}

void TableRecorder::count_windows(const Node& node) {
  const TableStore& table = store(node);
  if (!table.strategy().window_length_s()) return;
  std::map<Seconds, std::int64_t> files;
  for (const auto& [id, file] : table.sstables()) ++files[lifelines_.window_s(*file).value_or(0)];
  WindowCount count{.windows = std::ssize(files)};
  for (const auto& [window, in_it] : files) count.with_one_sstable += in_it == 1 ? 1 : 0;
  record_.windows = count;
}

void TableRecorder::measure_fragments(const Node& node) {
  const TableStore& table = store(node);
  for (const auto& [id, file] : table.sstables()) {
    budget_.spend(looks_at_the_end * static_cast<std::int64_t>(file->cohort_count()));
    file->look_once(
        [&](const Content& content) { add_census_of_file(table.space(), content, rates_, record_.fragments); });
  }
}

void TableRecorder::name_largest(const Node& node) {
  const ContentSpace& space = store(node).space();
  for (const LargestPartition& partition : record_.partitions.largest) {
    record_.largest.push_back(named_partition(scenario_, table_, space.workload(), partition));
  }
  record_.growth = growth_of_largest(space, record_.partitions.largest, scenario_.start_us, record_.partitions_at_us);
}

void TableRecorder::see_erasure(const Node& node) {
  if (only_limits_ && !limits_.wants(limit_row("erasure_days_max"))) return;
  const TableShadows shadows(store(node));
  const TableDuplicates& duplicates = census_.duplicates_now(store(node));
  for (const auto& [id, file] : store(node).sstables()) {
    const std::span<const Cohort> twice = duplicates.of(id);
    if (twice.empty()) {
      record_.erasure_pending_rows += file->look_once(
          [&](const Content& content) { return delays_->still_there(content, *shadows, node.now_s()); });
      continue;
    }
    Content once = file->content();
    once.cohorts = rows_once(store(node).space(), once.cohorts, twice);
    record_.erasure_pending_rows += delays_->still_there(once, *shadows, node.now_s());
  }
  record_.retention_overshoot = delays_->retention_overshoot();
  record_.erasure_delay = delays_->erasure_delay();
  limits_.see_lasting(limit_row("erasure_days_max"), table_, delays_->take_longest_erasure(), node.now_us());
}

void TableRecorder::see_rising(const Node& node) {
  if (record_.partitions.largest.empty() || record_.partitions_at_us < node.now_us()) return;
  if (record_.samples.size() < 2) return;
  const LargestPartition& largest = record_.partitions.largest.front();
  const Writer& writer = store(node).space().workload().writers()[static_cast<std::size_t>(largest.writer)];
  if (writer.bucket.single() || writer.turn >= 0) limits_.partitions_go_on(table_, node.now_us());
}

void TableRecorder::finish(const Node& node) {
  see_erasure(node);
  see_rising(node);
  if (only_limits_) return;
  const TableStore& table = store(node);
  const Seconds now_s = node.now_s();
  record_.blocked = blocks_.blocked;
  record_.blockers = blocks_.blockers;
  record_.tombstones = tombstones_of_store(table, blocks_, now_s);
  // Rounded as they are listed, so that both are one number.
  record_.samples.back().tombstones = 0;
  for (const TombstoneRow& row : record_.tombstones)
    record_.samples.back().tombstones += row.why == tombstones_in_memory ? 0 : row.count;
  record_.balance = table.balance();
  record_.memtable_rows = table.memtable().counted_writes();
  record_.end = record_.end_files;
  const CensusTime time{.now_s = now_s, .gc_grace_s = table.settings().gc_grace_s};
  const TableShadows shadows(table);
  if (!table.memtable().empty())
    record_.end.add(take_census(table.space(), table.memtable().content(), time, 0, *shadows));
  count_windows(node);
  measure_fragments(node);
  record_.evenly_spread = std::ranges::any_of(table.sstables(), [&](const auto& entry) {
    return !table.space().has_single_rows(entry.second->content().cohorts);
  });
  record_.off_heap = off_heap_of(table, node.schema(table_).options);
  name_largest(node);
  record_.default_ttl_s = table.settings().default_ttl_s;
  record_.gc_grace_s = table.settings().gc_grace_s;
  record_.window_length_s = lifelines_.window_length_s();
  std::tie(record_.written_from_us, record_.written_until_us) = written_span(scenario_, table_, node.now_us());
  record_.partitions_per_day =
      new_partitions_per_day(table.space().workload(), record_.written_from_us, record_.written_until_us);
  std::vector<AliveFile> alive;
  const TableDuplicates& duplicates = census_.duplicates_now(table);
  for (const auto& [id, file] : table.sstables()) {
    const std::span<const Cohort> twice = duplicates.of(id);
    const std::optional<Rows> readable = twice.empty() ? surely_readable(*file, now_s, *shadows) : std::nullopt;
    alive.push_back({id, readable ? *readable : file->look_once([&](const Content& content) {
                       return take_census(table.space(), content, time, 0, *shadows, twice).live.rows;
                     })});
  }
  record_.lifelines = lifelines_.finish(alive, table.settings().gc_grace_s);
  record_.compactions = log_.finish();
}

}  // namespace windrow
