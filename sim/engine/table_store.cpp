#include "sim/engine/table_store.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>

#include "sim/base/check.h"
#include "sim/content/duplicates.h"
#include "sim/content/measure.h"
#include "sim/content/measure_swath.h"
#include "sim/content/row_sets.h"
#include "sim/engine/compaction_inputs.h"
#include "sim/engine/expected_keys.h"
#include "sim/engine/outputs.h"

namespace windrow {

namespace {

bool share_rows(const ContentSpace& space, std::span<const Cohort> some, std::span<const Cohort> others) {
  return std::ranges::any_of(some, [&](const Cohort& a) {
    return std::ranges::any_of(others, [&](const Cohort& b) {
      if (a.sub_stream != b.sub_stream) return false;
      const std::optional<Cohort> both = rows_in_both(a, b);
      return both && space.any(*both);
    });
  });
}

/// Files of a large table lie far from each other in memory: to name all of them before looking at the first saves the
/// wait for each.
void fetch(const void* what, std::size_t bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t offset = 0; offset < bytes; offset += line)
    __builtin_prefetch(static_cast<const char*>(what) + offset);
}

/// Few as a rule, and then no allocation.
template <typename Item, std::size_t few>
std::span<const Item> span_of(const boost::container::small_vector<Item, few>& items) {
  return {items.data(), items.size()};
}

SSTablePtr sstable_of(const SSTableView& file) {
  return static_cast<const SSTable*>(file.estimates)->shared_from_this();
}

/// True if something in the file may be dead at `now_s`.
bool may_hold_dead(const SSTable& sstable, Seconds now_s) {
  return sstable.extremes().min_local_deletion_time_s <= now_s;
}

/// True if something of it may go: what is dead, or becomes a tombstone, is dated when it was written or later.
bool may_purge(const ContentSpace& space, const SSTable& sstable, Seconds gc_before_s) {
  const auto written_before = [&](const auto& rows) {
    return space.sub_stream(rows.sub_stream).arrival_s(rows.from) < gc_before_s;
  };
  if (!sstable.piece().empty()) return std::ranges::any_of(sstable.piece(), written_before);
  const Content& content = sstable.content();
  return content.keyed || std::ranges::any_of(content.cohorts, written_before);
}

}  // namespace

TableStore::TableStore(const TableWorkload& workload, TableSettings settings, Seconds created_s, DiskSizer disk_sizer)
    : settings_(std::move(settings)),
      space_(std::make_unique<ContentSpace>(workload, settings_.clustering_bytes, settings_.sstables.format)),
      written_as_(std::make_shared<const SSTableSettings>(settings_.sstables)),
      hashes_(version_name(settings_.sstables.format), format_name(settings_.sstables.format), settings_.keyspace,
              settings_.name),
      disk_sizer_(std::move(disk_sizer)),
      memtable_(*space_) {
  if (settings_.sstables.closeness.lattice) space_->use_lattice();
  renew_strategy(created_s);
}

void TableStore::renew_strategy(Seconds now_s) {
  live_.use(settings_.compaction);
  state_ = new_manager_state(now_s * ms_per_s, live_);
}

FileExtremes TableStore::measure(CutContent& output) const {
  const Content& content = output.content;
  const Closeness& closeness = settings_.sstables.closeness;
  if (output.swath) {
    const ClosedMeasure closed = measure_swath(*output.swath);
    if (is_trusted(closed, closeness.trusted_doubt) || closed.extremes.rows > closeness.rows_to_look_at)
      return closed.extremes;
    output.content = output.swath->content();
    output.swath.reset();
  }
  const auto look = [&]() -> const FileExtremes& {
    if (!output.by_rows) output.by_rows = std::make_unique<ByRows>(measure_by_rows(*space_, content));
    return output.by_rows->first;
  };
  if (content.cohorts.empty()) return extremes_of_keyed(*content.keyed, look());
  if (space_->counted_by_intervals(content.cohorts)) {
    const ClosedMeasure closed = measure_by_intervals(*space_, content);
    if (is_trusted(closed, closeness.trusted_doubt) ||
        !worth_a_look(*space_, content, closed.extremes.rows, closeness.rows_to_look_at))
      return closed.extremes;
  } else if (known_by_intervals(*space_, content)) {
    const ClosedMeasure closed = measure_by_intervals(*space_, content);
    if (!worth_a_look(*space_, content, closed.extremes.rows, closeness.rows_to_look_at)) return closed.extremes;
  }
  return look();
}

void TableStore::add_cut_by_tokens(Change& change, Content content, const std::vector<Token>& ends,
                                   const Origin& origin, Seconds now_s) const {
  if (content.empty()) return add_outputs(change, {}, origin, now_s);
  if (!ends.empty()) {
    std::vector<CutContent> outputs = split_by_tokens(*space_, std::move(content), ends);
    return add_outputs(change, outputs, origin, now_s);
  }
  CutContent whole{.content = std::move(content)};
  add_outputs(change, {&whole, 1}, origin, now_s);
}

void TableStore::add_swath(Change& change, Swath swath, const Origin& origin, Seconds now_s) const {
  CutContent whole{.swath = std::make_unique<const Swath>(std::move(swath))};
  add_outputs(change, {&whole, 1}, origin, now_s);
}

void TableStore::add_outputs(Change& change, std::span<CutContent> outputs, const Origin& origin, Seconds now_s) const {
  change.added.reserve(outputs.size());
  std::int64_t place = origin.place;
  int level = origin.level;
  Bytes in_level = 0;
  Rows rows = 0;
  boost::container::small_vector<FileExtremes, 1> measured;
  measured.reserve(outputs.size());
  Bytes all_bytes = 0;
  std::int64_t all_partitions = 0;
  for (CutContent& output : outputs) {
    measured.push_back(output.extremes ? *output.extremes : measure(output));
    all_bytes += measured.back().uncompressed_bytes;
    all_partitions += measured.back().partitions;
  }
  std::optional<ExpectedKeys> expected;  // found once a task
  const auto filter_keys = [&](const FileExtremes& extremes, Token first, Token last) {
    if (origin.expected_of == nullptr) return origin.shards > 0 ? all_partitions / origin.shards : extremes.partitions;
    if (!expected) {
      const Task& task = *origin.expected_of;
      const bool sketched = settings_.sstables.closeness.keep_filters;
      expected.emplace(task, sketched ? approximate_keys(task) : all_partitions, local_ranges());
    }
    return expected->of(first, last);
  };
  Bytes bytes_before = 0;
  for (CutContent& output : outputs) {
    const FileExtremes& extremes = measured[static_cast<std::size_t>(place - origin.place)];
    const std::int64_t id = next_id_ + place;
    SSTable::Identity identity{.id = id,
                               .hash = hashes_.of(id),
                               .level = level,
                               .created_s = now_s,
                               .repair = origin.repair,
                               .data_bytes = disk_sizer_.bytes({.flush = origin.flush,
                                                                .number = origin.number,
                                                                .file = static_cast<std::size_t>(place),
                                                                .uncompressed = extremes.uncompressed_bytes,
                                                                .before = bytes_before,
                                                                .all = all_bytes,
                                                                .input_ratio = origin.input_ratio}),
                               .filter_keys = 0,
                               .stored_coverage = std::numeric_limits<double>::quiet_NaN(),
                               .flushed = origin.flush,
                               .looked_at = output.by_rows != nullptr};
    const bool sketched = settings_.sstables.closeness.keep_filters;
    Token first = 0;
    Token last = 0;
    if (origin.stores_coverage || sketched) {
      if (!output.token_span)
        output.token_span = space_->token_span(output.swath ? output.swath->content() : output.content);
      std::tie(first, last) = *output.token_span;
      if (origin.stores_coverage) identity.stored_coverage = spanned_share(local_ranges(), first, last);
    }
    // A lone output of keys that nobody counts otherwise is sized for its own.
    if (sketched || outputs.size() > 1)
      identity.filter_keys = std::max<std::int64_t>(1, filter_keys(extremes, first, last));
    bytes_before += extremes.uncompressed_bytes;
    in_level += identity.data_bytes;
    if (origin.fills_levels && static_cast<double>(in_level) > strategy().most_bytes_of_level(level)) {
      ++level;
      in_level = 0;
    }
    change.added.push_back(
        std::make_shared<const SSTable>(*space_, written_as_, identity, std::move(output), extremes));
    // A compaction of one SSTable that could drop nothing wrote it as it was.
    if (outputs.size() == 1 && origin.expected_of != nullptr && origin.expected_of->sources.size() == 1)
      change.added.back()->learn_from(*origin.expected_of->sources.front());
    const auto previous = change.added.rbegin() + 1;
    SIM_CHECK(
        previous == change.added.rend() || (*previous)->token_span().second < change.added.back()->token_span().first,
        "outputs of one writer share tokens");
    rows += change.added.back()->counted_rows();
    ++place;
  }
  SIM_CHECK(rows == change.ledger.out, "a writer wrote other rows than it was given");
}

Change TableStore::plan_flush(Seconds now_s) const {
  Change change;
  if (memtable_.empty()) return change;
  change.ledger.in = memtable_.counted_writes();
  const std::int64_t shards = strategy().shards(flush_average_bytes_);
  const std::vector<Token> ends = shard_ends(local_ranges(), shards);
  const Origin origin{.flush = true,
                      .number = flushes_ + 1,
                      .level = 0,
                      .input_ratio = 1,
                      .stores_coverage = strategy().output_cut() == OutputCut::by_shards,
                      .shards = shards};
  if (std::optional<Swath> swath = ends.empty() ? memtable_.swath() : std::nullopt) {
    change.ledger.out = swath->rows();
    add_swath(change, std::move(*swath), origin, now_s);
  } else {
    Content content = memtable_.content();
    change.ledger.out = counted_rows(*space_, content);
    add_cut_by_tokens(change, std::move(content), ends, origin, now_s);
  }
  change.ledger.shadowed = change.ledger.in - change.ledger.out;
  return change;
}

void TableStore::apply_flush(const Change& change) {
  SIM_CHECK(change.ledger.in == change.ledger.out + change.ledger.shadowed && change.ledger.shadowed >= 0,
            "rows are lost or made by a flush");
  balance_.written += change.ledger.in;
  balance_.shadowed += change.ledger.shadowed;
  enter(change);
  Bytes flushed = 0;
  for (const SSTablePtr& sstable : change.added) flushed += sstable->identity().data_bytes;
  ++flushes_;
  const auto sample = static_cast<double>(flushed);
  flush_average_bytes_ =
      std::isnan(flush_average_bytes_) ? sample : flush_average_bytes_ + 0.0046 * (sample - flush_average_bytes_);
  memtable_.clear();
}

void TableStore::enter(const Change& change) {
  rows_on_disk_ += change.ledger.out;
  boost::container::small_vector<SSTableView, 1> views;
  views.reserve(change.added.size());
  for (const SSTablePtr& sstable : change.added) {
    SIM_CHECK(sstable->id() == next_id_, "an SSTable was made twice");
    ++next_id_;
    sstables_.push_back(sstable);
    views.push_back(sstable->view());
  }
  live_.add(span_of(views));
}

void TableStore::write_hinted(std::span<const Cohort> cohorts) {
  for (const auto& [id, file] : sstables_)
    SIM_CHECK(!share_rows(*space_, cohorts, file->content().cohorts), "hints bring rows that the node has");
  SIM_CHECK(!share_rows(*space_, cohorts, memtable_.raw().cohorts), "hints bring rows that the memtable has");
  memtable_.take_hinted(cohorts);
}

Change TableStore::plan_stream(Content content, const RepairStatus& status, Seconds now_s) {
  Change change;
  change.ledger.in = counted_rows(*space_, content);
  change.ledger.out = change.ledger.in;
  const std::int64_t shards = strategy().shards(flush_average_bytes_);
  add_cut_by_tokens(change, std::move(content), shard_ends(local_ranges(), shards),
                    {.flush = true,
                     .number = 0,
                     .stores_coverage = strategy().output_cut() == OutputCut::by_shards,
                     .repair = status},
                    now_s);
  return change;
}

void TableStore::apply_stream(const Change& change, Seconds now_s) {
  balance_.streamed += change.ledger.in;
  for (const SSTablePtr& sent : change.added) {
    if (may_hold_duplicates_) break;
    const auto meets = [&](const Content& other) { return may_share_rows(sent->content().cohorts, other.cohorts); };
    may_hold_duplicates_ = meets(memtable_.raw()) || std::ranges::any_of(sstables_, [&](const auto& file) {
                             return meets(file.second->content());
                           });
  }
  enter(change);
  follow_holders(now_s * ms_per_s, live_, state_);
  check_balance();
}

TableView TableStore::view(Seconds now_s) const {
  return {.now_ms = now_s * ms_per_s,
          .gc_before_s = gc_before(now_s),
          .live = &live_,
          .memtable_min_timestamp_us = memtable_.min_timestamp_us(),
          .flush_average_bytes = flush_average_bytes_,
          .local_coverage = local_ranges() != nullptr ? local_ranges()->coverage() : 1};
}

Pick TableStore::ask(Seconds now_s) { return take_background_task(state_, ended_, view(now_s)); }

Millis TableStore::next_interesting(Seconds now_s) const {
  return windrow::next_interesting(state_, ended_, view(now_s));
}

Task TableStore::start(Pick pick, Seconds now_s) {
  Task task = draft(std::move(pick), now_s);
  take(task);
  return task;
}

FullyExpired TableStore::expiry(Seconds now_s) const {
  return {live_, gc_before(now_s), memtable_.min_timestamp_us(), strategy().ignores_overlaps()};
}

Task TableStore::draft(Pick pick, Seconds now_s) const {
  FullyExpired of = expiry(now_s);
  return draft(std::move(pick), now_s, of);
}

Task TableStore::draft(Pick pick, Seconds now_s, FullyExpired& expiry) const {
  Task task{.pick = std::move(pick), .started_s = now_s, .gc_before_s = gc_before(now_s)};
  if (task.pick.kind == PickKind::level_change) return task;
  const bool drops_unread = task.pick.kind != PickKind::anticompaction;
  boost::container::small_vector<const SSTableView*, 32> files;
  for (const std::int64_t id : task.pick.inputs) files.push_back(&live_.at(id));
  task.repaired = std::ranges::all_of(files, [](const SSTableView* file) { return file->repair.repaired_at_ms > 0; });
  // With only_purge_repaired_tombstones nothing else is dropped either (rule 4.1).
  task.never_purge = strategy().common().only_purge_repaired_tombstones && !task.repaired;
  const auto expired = [&](const SSTableView* file) { return file->max_local_deletion_time_s < task.gc_before_s; };
  if (!task.never_purge && drops_unread && std::ranges::any_of(files, expired))
    task.expired = expiry.among(task.pick.inputs);
  task.sources.reserve(task.pick.inputs.size());
  for (const SSTableView* file : files) fetch(file->estimates, sizeof(SSTable));
  for (const SSTableView* file : files) {
    if (!task.expired.empty() && std::ranges::find(task.expired, file->id) != task.expired.end()) continue;
    const RepairStatus& status = file->repair;
    const SSTablePtr& source = task.sources.emplace_back(sstable_of(*file));
    if (task.sources.size() == 1) task.outputs = status;
    task.outputs.repaired_at_ms = std::min(task.outputs.repaired_at_ms, status.repaired_at_ms);
    SIM_CHECK(task.outputs.pending_session == status.pending_session, "a compaction mixes sessions of repairs");
    task.bytes_to_read += source->identity().data_bytes;
    task.holds_dead = task.holds_dead || may_hold_dead(*source, now_s);
    // For the merge.
    if (source->swath() != nullptr) continue;
    if (const std::span<const PlainRows> rows = source->piece(); !rows.empty()) {
      fetch(rows.data(), rows.size_bytes());
    } else {
      fetch(source->content().cohorts.data(), source->cohort_count() * sizeof(Cohort));
    }
  }
  if (strategy().output_cut() == OutputCut::by_shards && !task.sources.empty())
    task.shards = strategy().shards(density_of(task.sources, local_ranges()));
  return task;
}

void TableStore::take(Task& task) {
  task.number = ++picks_;
  if (task.pick.kind == PickKind::level_change) return;
  live_.set_compacting(task.pick.inputs, true);
  if (!task.holds_dead || task.never_purge) return;
  std::vector<std::int64_t> with_dead;  // else nobody needs to know what overlaps it
  Micros newest_us = std::numeric_limits<Micros>::min();
  for (const SSTablePtr& source : task.sources) {
    if (!may_hold_dead(*source, task.started_s) || !may_purge(*space_, *source, task.gc_before_s)) continue;
    with_dead.push_back(source->id());
    newest_us = std::max(newest_us, source->extremes().max_timestamp_us);
  }
  for (const std::int64_t id : overlapping(live_, with_dead, task.pick.inputs, newest_us))
    task.overlapping.push_back(sstable(id));
}

std::vector<SSTablePtr> TableStore::apply_commit(const Task& task, const Change& change) {
  Rows read = 0;
  // Only strategies with levels look at what a commit did.
  const bool looked_at = task.pick.kind != PickKind::anticompaction && strategy().has_levels();
  const HolderKey holder = holder_of(live_.at(change.removed.front()).repair);
  std::vector<SSTableView> removed;
  std::vector<SSTablePtr> leaving;  // the live set still asks for their tokens
  if (looked_at) removed.reserve(change.removed.size());
  leaving.reserve(change.removed.size());
  for (const std::int64_t id : change.removed) {
    const SSTablePtr& file = leaving.emplace_back(sstables_.take(id));
    if (looked_at) removed.push_back(live_.at(id));
    const Rows rows = file->counted_rows();
    rows_on_disk_ -= rows;
    if (!task.expired.empty() && std::ranges::find(task.expired, id) != task.expired.end()) {
      balance_.dropped_with_files += rows;
    } else {
      read += rows;
    }
  }
  SIM_CHECK(read == change.ledger.in, "a compaction read other rows than its inputs hold");
  balance_.shadowed += change.ledger.shadowed;
  balance_.purged += change.ledger.purged;
  balance_.duplicates += change.ledger.duplicates;
  rows_on_disk_ += change.ledger.out;
  boost::container::small_vector<SSTableView, 1> added;
  added.reserve(change.added.size());
  for (const SSTablePtr& output : change.added) {
    SIM_CHECK(output->id() == next_id_, "an SSTable was made twice");
    ++next_id_;
    sstables_.push_back(output);
    added.push_back(output->view());
  }
  if (added.size() > 1) {
    live_.replace(change.removed, in_hash_order(added, std::mem_fn(&SSTableView::hash)));
  } else {
    live_.replace(change.removed, span_of(added));
  }
  if (looked_at) {
    StrategyState& strategy = state_of(state_, holder).strategy;
    strategy = live_.strategy().after_commit(strategy, removed, span_of(added));
  }
  if (state_.size() > 1) follow_holders(task.started_s * ms_per_s, live_, state_);
  if (may_hold_duplicates_) may_hold_duplicates_ = files_may_share_rows();
  check_balance();
  return leaving;
}

bool TableStore::files_may_share_rows() const {
  const Content memtable = memtable_.raw();
  std::vector<const Content*> contents{&memtable};
  for (const auto& [id, file] : sstables_) contents.push_back(&file->content());
  return may_share_rows(contents);
}

void TableStore::skip_asks(Micros first_us, Micros period_us, std::int64_t count) {
  if (!strategy().has_timers()) return;
  const FruitlessAsks asks{.first_us = first_us, .period_us = period_us, .count = count, .has_files = live_.size() > 0};
  state_ = after_fruitless_asks(std::move(state_), ended_, live_, asks);
}

void TableStore::check_balance() const {
  SIM_CHECK(balance_.written + balance_.streamed ==
                rows_on_disk_ + balance_.shadowed + balance_.purged + balance_.dropped_with_files + balance_.duplicates,
            "rows written and streamed are not the rows on disk, shadowed, purged, dropped and absorbed");
}

}  // namespace windrow
