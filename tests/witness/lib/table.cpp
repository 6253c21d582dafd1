#include "tests/witness/lib/table.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/unified.h"
#include "tests/witness/lib/output_cut.h"

namespace windrow::witness {
namespace {

constexpr double flush_average_weight = 0.0046;  // rule 9.4

Header merged_header(std::span<const std::shared_ptr<const SSTable>> inputs) {
  Header header;
  Micros min_timestamp_us = no_timestamp;
  Seconds min_deletion_s = no_deletion_time;
  Seconds min_ttl_s = std::numeric_limits<Seconds>::max();
  for (const auto& input : inputs) {
    min_timestamp_us = std::min(min_timestamp_us, input->fields.min_timestamp_us);
    min_deletion_s = std::min(min_deletion_s, input->fields.min_local_deletion_time_s);
    min_ttl_s = std::min(min_ttl_s, input->fields.min_ttl_s);
    header.columns.insert(input->header().columns.begin(), input->header().columns.end());
    header.statics.insert(input->header().statics.begin(), input->header().statics.end());
  }
  header.min_timestamp_us = min_timestamp_us;
  if (min_deletion_s != no_deletion_time) header.min_local_deletion_time_s = min_deletion_s;
  header.min_ttl_s = min_ttl_s;
  return header;
}

void store_coverage(const std::vector<std::shared_ptr<SSTable>>& files, const HeldRanges& held) {
  for (const auto& file : files)
    file->fields.stored_coverage = stored_coverage(held, file->fields.first_token, file->fields.last_token);
}

/// Several outputs of one compaction enter the live set in the order of a hash set (rule 0.2a).
std::vector<SSTableView> in_hash_order(const std::vector<SSTableView>& files) {
  std::vector<std::int32_t> hashes;
  for (const SSTableView& file : files) hashes.push_back(file.hash);
  std::vector<SSTableView> ordered;
  for (const std::size_t place : hash_order(hashes)) ordered.push_back(files[place]);
  return ordered;
}

std::string_view kind_name(PickKind kind, std::size_t inputs, std::size_t expired, bool one_file_is_tombstone) {
  if (inputs == expired) return "expired_only";
  if (kind == PickKind::tombstone || (one_file_is_tombstone && inputs == expired + 1)) return "tombstone";
  return "normal";
}

}  // namespace

Table::Table(const OracleScenario& scenario, const RecordedSizes* recorded_sizes, std::string name)
    : recorded_sizes_(recorded_sizes),
      name_(std::move(name)),
      allow_unsafe_expiration_(scenario.allow_unsafe_aggressive_sstable_expiration),
      format_(file_format(scenario)),
      settings_(create_settings(scenario.table, allow_unsafe_expiration_)) {
  SIM_CHECK(settings_.chunk_bytes == 0 || recorded_sizes_ != nullptr, "compressed sizes must be given");
  live_.use(settings_.compaction);
  state_ = live_.strategy().new_state(scenario.start_s * ms_per_s, nullptr);
}

void Table::alter(std::string_view with, Seconds now_s) {
  if (!settings_.apply(with, allow_unsafe_expiration_)) return;
  live_.use(settings_.compaction);
  state_ = live_.strategy().new_state(now_s * ms_per_s, &live_.unrepaired());
}

std::optional<TraceFlush> Table::flush(Seconds now_s, std::string_view reason) {
  if (memtable_.empty()) return std::nullopt;
  const Header header = memtable_.header();
  std::vector<std::shared_ptr<SSTable>> files;
  for (Output& output : cut_flush(memtable_.sorted(), settings_.compaction, flush_average_bytes_, held_))
    files.push_back(std::make_shared<SSTable>(format_, header, std::move(output.partitions), output.filter_keys,
                                              settings_.fp_chance, settings_.min_index_interval));
  if (std::holds_alternative<UnifiedOptions>(settings_.compaction)) store_coverage(files, held_);
  memtable_ = Memtable();
  TraceFlush event{.t_s = now_s, .reason = std::string(reason)};
  live_.add(add(std::move(files), now_s, 0, event.added));
  for (const TraceSSTable& file : event.added) known_levels_[file.id] = file.level;
  Bytes bytes = 0;
  for (const TraceSSTable& file : event.added) bytes += file.data_bytes;
  const auto size = static_cast<double>(bytes);
  flush_average_bytes_ = std::isnan(flush_average_bytes_)
                             ? size
                             : flush_average_bytes_ + flush_average_weight * (size - flush_average_bytes_);
  if (std::holds_alternative<UnifiedOptions>(settings_.compaction)) event.flush_average_bytes = flush_average_bytes_;
  return event;
}

/// Numbers new files and registers them; returns their views.
std::vector<SSTableView> Table::add(std::vector<std::shared_ptr<SSTable>> files, Seconds now_s, int level,
                                    std::vector<TraceSSTable>& added) {
  const bool unified = std::holds_alternative<UnifiedOptions>(settings_.compaction);
  std::vector<SSTableView> views;
  for (const std::shared_ptr<SSTable>& file : files) {
    TraceSSTable& fields = file->fields;
    fields.id = next_id_++;
    fields.generation = fields.id;
    fields.hash = descriptor_hash(format_.version, format_.format, fields.generation, "oracle", name_);
    fields.level = level;
    fields.created_ms = now_s * ms_per_s;
    if (recorded_sizes_ != nullptr) {
      const auto recorded = recorded_sizes_->find(fields.id);
      if (recorded != recorded_sizes_->end()) fields.data_bytes = recorded->second.data_bytes;
    }
    fields.droppable_ratio_now = file->droppable_tombstone_ratio(now_s - settings_.gc_grace_s);
    if (!held_.ranges.empty()) file->held_share = stored_coverage(held_, fields.first_token, fields.last_token);
    const SSTableView view = file->view();
    if (unified) {
      fields.span = token_coverage(view);
      fields.density = density(view);
    }
    views.push_back(view);
    added.push_back(fields);
    files_.emplace(fields.id, file);
  }
  return views;
}

std::optional<Task> Table::next_task(Seconds now_s) {
  TableView view{.now_ms = now_s * ms_per_s,
                 .gc_before_s = now_s - settings_.gc_grace_s,
                 .live = &live_,
                 .memtable_min_timestamp_us = memtable_.min_timestamp_us(),
                 .flush_average_bytes = flush_average_bytes_,
                 .local_coverage = coverage_of(held_)};
  Answer answer = live_.strategy().next_task(state_, view);
  state_ = answer.state;
  if (answer.pick.kind == PickKind::none) return std::nullopt;
  Task task{.options = settings_.compaction, .output_limit_bytes = answer.pick.output_limit_bytes};
  task.pick = describe(answer, view);
  if (task.changes_level()) return task;
  task.never_purge = common_options(settings_.compaction).only_purge_repaired_tombstones;
  std::vector<std::int32_t> hashes;
  for (const std::int64_t id : answer.pick.inputs) hashes.push_back(live_.at(id).hash);
  for (const std::size_t place : hash_order(hashes)) {
    const std::int64_t id = answer.pick.inputs[place];
    if (!std::ranges::binary_search(task.pick.expired, id)) task.read.push_back(files_.at(id));
  }
  for (const std::int64_t id : overlapping(live_, answer.pick.inputs)) task.overlap.push_back(files_.at(id));
  live_.set_compacting(answer.pick.inputs, true);
  return task;
}

TracePick Table::describe(const Answer& answer, const TableView& view) const {
  TracePick pick{.t_s = view.now_ms / ms_per_s, .gc_before_s = view.gc_before_s};
  pick.strategy = strategy_name(settings_.compaction);
  pick.inputs = answer.pick.inputs;
  std::ranges::sort(pick.inputs);
  const bool level_change = answer.pick.kind == PickKind::level_change;
  if (level_change) pick.task = TracePick::level_change_task;
  if (!level_change && !common_options(settings_.compaction).only_purge_repaired_tombstones)
    pick.expired =
        FullyExpired(live_, view.gc_before_s, view.memtable_min_timestamp_us, live_.strategy().ignores_overlaps())
            .among(answer.pick.inputs);
  std::ranges::sort(pick.expired);
  const bool one_file_is_tombstone = std::holds_alternative<SizeTieredOptions>(settings_.compaction) ||
                                     std::holds_alternative<TimeWindowOptions>(settings_.compaction);
  pick.kind = kind_name(answer.pick.kind, pick.inputs.size(), pick.expired.size(), one_file_is_tombstone);
  pick.live = live();
  if (view.memtable_min_timestamp_us != no_timestamp) pick.memtable_min_timestamp_us = view.memtable_min_timestamp_us;
  for (const std::int64_t id : pick.live)
    if (live_.at(id).compacting) pick.compacting.push_back(id);
  std::ranges::sort(pick.compacting);
  if (pick.kind == "tombstone") {
    for (const std::int64_t id : pick.inputs)
      if (!std::ranges::binary_search(pick.expired, id))
        pick.ratio = files_.at(id)->droppable_tombstone_ratio(view.gc_before_s);
  }
  pick.pending = answer.pick.estimated_remaining;
  pick.level = answer.pick.level;
  if (std::holds_alternative<LeveledOptions>(settings_.compaction) && !level_change)
    pick.max_sstable_bytes =
        answer.pick.output_limit_bytes > 0 ? answer.pick.output_limit_bytes : std::numeric_limits<Bytes>::max();
  describe_state(pick);
  return pick;
}

void Table::describe_state(TracePick& pick) const {
  if (const auto* window = std::get_if<TimeWindowState>(&state_)) {
    pick.highest_window_ms = window->highest_window_ms;
    pick.last_expired_check_ms = window->last_expired_check_ms;
  } else if (const auto* leveled = std::get_if<LeveledState>(&state_)) {
    pick.last_compacted = leveled->last_compacted;
    pick.counters = leveled->counters;
  } else if (const auto* unified = std::get_if<UnifiedState>(&state_)) {
    if (!std::isnan(flush_average_bytes_)) pick.flush_average_bytes = flush_average_bytes_;
    pick.flush_size_bytes = unified->flush_size_bytes;
  }
}

double Table::disk_share(std::int64_t id, Bytes limit_bytes) const {
  if (recorded_sizes_ == nullptr) return 1;
  const auto recorded = recorded_sizes_->find(id);
  if (recorded == recorded_sizes_->end()) return 1;
  const auto [data_bytes, uncompressed_bytes, largest, cut] = recorded->second;
  const double mean = static_cast<double>(data_bytes) / static_cast<double>(uncompressed_bytes);
  if (settings_.chunk_bytes == 0) return mean;
  const auto chunk = static_cast<double>(settings_.chunk_bytes);
  const auto limit = static_cast<double>(limit_bytes);
  const double written = std::floor(static_cast<double>(uncompressed_bytes - 1) / chunk) * chunk;
  const double beyond = written - limit / mean;
  if (beyond < -1.5 * chunk || beyond > 2.5 * chunk + static_cast<double>(largest)) return mean;
  if (cut) return limit / (written - chunk / 2);
  return beyond > 0 ? limit / (written + chunk / 2) : mean;
}

TraceCommit Table::commit(const Task& task, Seconds now_s) {
  PurgeRule rule{.now_s = task.pick.t_s, .gc_before_s = task.pick.gc_before_s};
  // Asked at the start (PurgeFunction) and again for each partition (CompactionController.getPurgeEvaluator).
  rule.never = task.never_purge || common_options(settings_.compaction).only_purge_repaired_tombstones;
  rule.oldest_elsewhere = [&](const Key& key) {
    Micros oldest_us = memtable_.contains(&key) ? memtable_.min_timestamp_us() : no_timestamp;
    for (const auto& file : task.overlap)
      if (file->spans(key) && file->might_contain(key)) oldest_us = std::min(oldest_us, file->fields.min_timestamp_us);
    return oldest_us;
  };
  std::vector<std::shared_ptr<SSTable>> files;
  if (!task.read.empty()) {
    const Header header = merged_header(task.read);
    const CompactionCut cut(task.options, task.read,
                            {.limit_bytes = task.output_limit_bytes,
                             .chunk_bytes = settings_.chunk_bytes,
                             .disk_share =
                                 [&](std::size_t file) {
                                   return disk_share(next_id_ + static_cast<std::int64_t>(file),
                                                     task.output_limit_bytes);
                                 }},
                            held_);
    for (Output& output : cut.cut(merge_and_purge(task.read, rule), format_, header))
      files.push_back(std::make_shared<SSTable>(format_, header, std::move(output.partitions), output.filter_keys,
                                                settings_.fp_chance, settings_.min_index_interval));
    if (std::holds_alternative<UnifiedOptions>(task.options)) store_coverage(files, held_);
  }
  TraceCommit event{.t_s = now_s, .pick = task.pick.pick, .removed = task.pick.inputs};
  const std::vector<SSTableView> added = add(std::move(files), now_s, task.pick.level, event.added);
  std::vector<SSTableView> removed;
  for (const std::int64_t id : event.removed) removed.push_back(live_.at(id));
  live_.replace(event.removed, in_hash_order(added));
  state_ = live_.strategy().after_commit(state_, removed, added);
  for (const std::int64_t id : event.removed) {
    files_.erase(id);
    known_levels_.erase(id);
  }
  for (TraceSSTable& file : event.added) known_levels_[file.id] = file.level = live_.at(file.id).level;
  if (event.added.size() > 1) event.live = live();
  return event;
}

void Table::change_level(const Task& task) {
  const SSTableView before = live_.at(task.pick.inputs.front());
  live_.set_level(before.id, task.pick.level);
  LeveledState& state = std::get<LeveledState>(state_);
  const auto left = static_cast<std::size_t>(before.level);
  state.last_compacted[left] = before.id;
  state.last_compacted_last_token[left] = files_.at(before.id)->fields.last_token;
}

std::vector<TraceLevelChange> Table::level_changes(Seconds now_s) {
  std::vector<TraceLevelChange> changes;
  for (const SSTableView* file : live_.in_live_order()) {
    int& known = known_levels_.at(file->id);
    if (known == file->level) continue;
    known = file->level;
    changes.push_back({.t_s = now_s, .id = file->id, .level = file->level});
  }
  return changes;
}

std::vector<std::int64_t> Table::live() const {
  std::vector<std::int64_t> ids;
  for (const SSTableView* file : live_.in_live_order()) ids.push_back(file->id);
  return ids;
}

Bytes Table::live_bytes() const {
  Bytes bytes = 0;
  for (const SSTableView* file : live_.in_live_order()) bytes += file->data_bytes;
  return bytes;
}

Bytes Table::live_bytes_on_disk() const {
  Bytes bytes = 0;
  for (const SSTableView* file : live_.in_live_order()) bytes += file->bytes_on_disk;
  return bytes;
}

}  // namespace windrow::witness
