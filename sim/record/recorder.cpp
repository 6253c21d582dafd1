#include "sim/record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sim/content/measure.h"
#include "sim/record/rows_one_by_one.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

std::string_view action_words(ActionSpec::Kind kind) {
  using Kind = ActionSpec::Kind;
  switch (kind) {
    case Kind::compact:
      return "major compaction of";
    case Kind::flush:
      return "flush of";
    case Kind::restart:
      return "restart with";
    case Kind::cleanup:
      return "nothing to clean up in";
    case Kind::snapshot:
      return "snapshot of";
    case Kind::clear_snapshot:
      return "no more snapshots of";
    case Kind::truncate:
      return "truncated";
    case Kind::drop:
      return "dropped";
  }
  return "";
}

Bytes bytes_of(std::span<const SSTablePtr> files) {
  Bytes bytes = 0;
  for (const SSTablePtr& file : files) bytes += file->bytes_on_disk();
  return bytes;
}

}  // namespace

Recorder::Recorder(const Scenario& scenario, RunIdentity identity, const Options& options)
    : scenario_(scenario),
      limits_(scenario),
      reads_(scenario, identity.node, options.only_limits, limits_),
      last_sample_us_(scenario.start_us),
      disk_seen_us_(scenario.start_us) {
  record_.identity = std::move(identity);
  record_.scenario = &scenario;
  record_.disk.at_us = scenario.start_us;
  tables_.reserve(scenario.tables.size());
  for (int t = 0; t < static_cast<int>(scenario.tables.size()); ++t)
    tables_.emplace_back(scenario, t, options, limits_);
}

Bytes Recorder::live_bytes() const {
  Bytes bytes = 0;
  for (const TableRecorder& table : tables_) bytes += table.live_bytes();
  return bytes;
}

/// `freed`: what has just been freed, but was there until now; `step`: what has just come at once, or went before that.
void Recorder::see_disk(const Node& node, Bytes freed, Bytes step) {
  record_.disk.see(static_cast<double>(node.disk_used_bytes() + freed), node.now_us());
  see_disk_share(node, freed, step);
}

/// From one look to the next running compactions write evenly: they start, end and are stopped at looks.
void Recorder::see_disk_share(const Node& node, Bytes freed, Bytes step) {
  const Limit& limit = limit_row("disk_used_share");
  if (!limits_.wants(limit)) return;
  const auto share = [&](Bytes bytes) {
    return static_cast<double>(bytes) / static_cast<double>(scenario_.node.disk_bytes);
  };
  const Bytes used = node.disk_used_bytes();
  limits_.see_risen(limit, -1,
                    {.from = share(disk_seen_bytes_), .from_us = disk_seen_us_, .to = share(used + freed - step)},
                    share(used + freed), node.now_us());
  if (freed > 0) limits_.see(limit, -1, share(used), node.now_us());
  disk_seen_us_ = node.now_us();
  disk_seen_bytes_ = used;
}

/// What of each bucket a cohort has, or would have if its tokens let it.
double parts_of_buckets(const ContentSpace& space, const Content& content) {
  double parts = 0;
  for (const Cohort& cohort : content.cohorts) {
    const auto [first, last] = space.buckets(cohort);
    parts += static_cast<double>(std::min(last - first + 1, cohort.to - cohort.from));
  }
  return parts;
}

bool of_own_rows(const TableWorkload& workload) {
  return !workload.sub_streams().empty() && workload.sub_streams().front().share().owned() != nullptr;
}

/// Intervals; rows where they are held one by one, or looked at key by key; and, where somebody has asked for drop
/// times, the minutes that these lie in.
void Recorder::count_work(const Node& node, int table, const SSTable& file) {
  const std::size_t cohorts = file.cohort_count();
  done_.cohorts += static_cast<double>(cohorts);
  const bool hashed = file.cut_by_tokens() && !node.table(table).settings().sstables.closeness.lattice;
  const Rows rows = file.extremes().rows;
  if (!file.cut_by_tokens() && file.swath() == nullptr) {
    for (const Cohort& cohort : file.content().cohorts) {
      if (cohort.slots) done_.sets += static_cast<double>(cohort.slots->num_blocks());
    }
  }
  if (file.keyed() || hashed) {
    const Rows held = rows_one_by_one(file.content(), rows);
    done_.rows += static_cast<double>(hashed ? rows : held);
    if (hashed) done_.parts += parts_of_buckets(node.table(table).space(), file.content());
  }
  if (!file.has_histograms()) return;
  constexpr std::int64_t us_per_minute = 60 * us_per_s;
  const FileExtremes& extremes = file.extremes();
  const std::int64_t minutes =
      std::min<std::int64_t>(extremes.rows, (extremes.max_timestamp_us - extremes.min_timestamp_us) / us_per_minute);
  const TableWorkload& workload = node.table(table).space().workload();
  done_.minutes += static_cast<double>(minutes) * static_cast<double>(workload.writers().size()) *
                   (of_own_rows(workload) ? minutes_of_own_rows : 1);
}

void Recorder::count_made(const Node& node, int table, const SSTable& file) {
  count_work(node, table, file);
  const ContentSpace& space = node.table(table).space();
  const bool for_its_size = file.identity().looked_at && !file.cut_by_tokens();
  if (!for_its_size && (space.own_tokens() == nullptr || !histograms_by_rows(space, file.content()))) return;
  const Rows rows = file.extremes().rows;
  done_.looked_rows += static_cast<double>(rows - rows_one_by_one(file.content(), rows));
}

void Recorder::count_event(const Node& node, int table, const Change& change) {
  done_.events += 1;
  done_.tables += static_cast<double>(node.table_count());
  const auto added = static_cast<double>(change.added.size());
  done_.sstables += added;
  done_.ordered += added * ones_that_make_room(static_cast<double>(node.table(table).live().size()));
}

void Recorder::flushed(const Node& node, const FlushEvent& event) {
  for (const SSTablePtr& file : event.change->added) count_made(node, event.table, *file);
  count_event(node, event.table, *event.change);
  for (int t = 0; t < node.table_count(); ++t) {
    const TableWorkload& workload = node.table(t).space().workload();
    done_.sub_streams +=
        static_cast<double>(workload.sub_streams().size()) * (of_own_rows(workload) ? sub_streams_of_own_rows : 1);
  }
  table(event.table).flushed(node, event);
  see_disk(node, 0, bytes_of(event.change->files()));
}

void Recorder::streamed(const Node& node, const StreamEvent& event) {
  for (const SSTablePtr& file : event.change->added) count_made(node, event.table, *file);
  count_event(node, event.table, *event.change);
  table(event.table).streamed(node, event);
  see_disk(node, 0, bytes_of(event.change->files()));
}

void Recorder::started(const Node& node, const Job& job) {
  table(job.table).started(node, job);
  see_disk_share(node, 0, 0);
}

void Recorder::committed(const Node& node, const CommitEvent& event) {
  for (const SSTablePtr& file : event.removed) {
    count_work(node, event.table, *file);
    if (node.table(event.table).settings().sstables.closeness.keep_filters)
      done_.partitions += static_cast<double>(file->extremes().partitions);
  }
  for (const SSTablePtr& file : event.change->added) count_made(node, event.table, *file);
  const std::vector<SSTablePtr>& met = event.job->task.overlapping;
  const bool by_tokens =
      node.table(event.table).settings().sstables.closeness.lattice &&
      std::ranges::any_of(event.removed, [](const SSTablePtr& file) { return file->cut_by_tokens(); });
  for (const SSTablePtr& file : met) {
    done_.met_cohorts +=
        cohorts_for_being_met + static_cast<double>(file->cohort_count()) / (by_tokens ? cohorts_met_as_one : 1);
  }
  if (by_tokens && !met.empty()) {
    for (const SSTablePtr& file : event.removed) done_.purged_cohorts += static_cast<double>(file->cohort_count());
  }
  count_event(node, event.table, *event.change);
  see_disk(node, bytes_of(event.removed), bytes_of(event.change->files()) - event.job->task.bytes_to_read);
  table(event.table).committed(node, event, live_bytes());
}

void Recorder::level_changed(const Node&, const LevelEvent& event) { table(event.table).level_changed(event); }

void Recorder::refused(const Node&, const RefusalEvent& event) {
  table(event.table).refused(event);
  constexpr std::size_t incidents_named = 1000;
  for (std::int64_t i = 0; i < event.times && record_.incidents.size() < incidents_named; ++i) {
    record_.incidents.push_back(
        {event.at_us + i * event.every_us, fmt::format("{}: a compaction that needs {} found {} of disk space",
                                                       scenario_.tables[static_cast<std::size_t>(event.table)].name,
                                                       human_bytes(static_cast<double>(event.needed_bytes)),
                                                       human_bytes(static_cast<double>(event.available_bytes)))});
  }
}

void Recorder::altered(const Node& node, const ChangeSpec& change) {
  table(change.table).altered(node);
  record_.incidents.push_back({node.now_us(), fmt::format("{}: {}", change.name, change.cql)});
}

void Recorder::gone(const Node& node, const GoneEvent& event) {
  table(event.table).gone(node, event);
  if (bytes_of(event.removed) > 0) see_disk(node);
}

void Recorder::acted(const Node& node, const ActionSpec& action) {
  see_disk(node);
  if (!action.told || action.kind == ActionSpec::Kind::restart) return;
  const std::string where =
      action.table < 0 ? "every table" : scenario_.tables[static_cast<std::size_t>(action.table)].name;
  record_.incidents.push_back({node.now_us(), fmt::format("{}: {} {}", action.name, action_words(action.kind), where)});
}

void Recorder::restarted(const Node& node) { record_.incidents.push_back({node.now_us(), "the node was restarted"}); }

void Recorder::sampled(const Node& node) {
  see_disk(node);
  Bytes compacted = 0;
  for (TableRecorder& recorder : tables_) {
    recorder.sampled(node);
    compacted += recorder.compacted_bytes();
  }
  for (int t = 0; t < node.table_count(); ++t) done_.live_sstables += static_cast<double>(node.table(t).live().size());
  done_.samples += static_cast<double>(node.table_count());
  done_.reads += static_cast<double>(scenario_.reads.size());
  reads_.sampled(node);
  done_.read_partitions = reads_.looked_at();
  done_.read_pieces = reads_.looked_pieces();
  const double elapsed_s = static_cast<double>(node.now_us() - last_sample_us_) / 1e6;
  if (elapsed_s > 0 && limits_.wants(limit_row("compaction_used_share"))) {
    const double share = static_cast<double>(compacted - last_compacted_bytes_) / elapsed_s /
                         scenario_.node.compaction_throughput_bytes_per_s;
    limits_.see(limit_row("compaction_used_share"), -1, share, node.now_us());
  }
  last_sample_us_ = node.now_us();
  last_compacted_bytes_ = compacted;
  if (node.now_us() < scenario_.end_us) return;
  record_.complete = true;
  limits_.end(scenario_.end_us);
  record_.end_disk_bytes = node.disk_used_bytes();
  for (TableRecorder& recorder : tables_) recorder.finish(node);
}

std::int64_t Recorder::work() const { return std::llround(steps_of(done())); }

Work Recorder::done() const {
  Work done = done_;
  for (const TableRecorder& recorder : tables_) done.looks += static_cast<double>(recorder.looked_at());
  return done;
}

RunRecord Recorder::take() {
  const std::int64_t work = this->work();
  record_.done = done();
  for (TableRecorder& recorder : tables_) record_.tables.push_back(recorder.take());
  record_.reads = reads_.take();
  record_.limits = limits_.outcomes();
  record_.work = work;
  return std::move(record_);
}

}  // namespace windrow
