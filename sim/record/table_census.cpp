#include "sim/record/table_census.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/base/arithmetic.h"
#include "sim/content/duplicates.h"
#include "sim/record/rows_one_by_one.h"

namespace windrow {

namespace {

constexpr std::string_view waits = "gc_grace has not passed";
constexpr std::string_view held_by_others = "other files hold the file";
constexpr std::string_view idle = "no compaction has taken it";

/// Counts tombstones by kind, reason and day.
class TombstoneDays {
 public:
  explicit TombstoneDays(Seconds now_s) : now_s_(now_s) {}

  /// `due`: why those stay that might go now.
  void add(const TombstoneRun& run, std::string_view due, std::string_view not_due) {
    if (run.sub == nullptr) {
      put(run.kind, run.drop_s <= now_s_ ? due : not_due, floor_div(run.drop_s, seconds_per_day), run.per_member);
      return;
    }
    std::int64_t j = run.from;
    while (j < run.to) {
      const Seconds drop_s = run.sub->arrival_s(j) + run.drop_s;
      const std::int64_t day = floor_div(drop_s, seconds_per_day);
      Seconds until_s = (day + 1) * seconds_per_day;
      if (drop_s <= now_s_) until_s = std::min(until_s, now_s_ + 1);
      const std::int64_t next = std::clamp(run.sub->count_arrived_before_s(until_s - run.drop_s), j + 1, run.to);
      put(run.kind, drop_s <= now_s_ ? due : not_due, day, static_cast<double>(next - j) * run.per_member);
      j = next;
    }
  }

  std::vector<TombstoneRow> rows() const {
    std::vector<TombstoneRow> rows;
    for (const auto& [key, count] : counts_) {
      const auto& [kind, day, why] = key;
      rows.push_back({.kind = kind, .why = why, .drop_day = day, .count = std::llround(count)});
    }
    return rows;
  }

 private:
  void put(TombstoneKind kind, std::string_view why, std::int64_t day, double count) {
    counts_[{kind, day, why}] += count;
  }

  Seconds now_s_ = 0;
  std::map<std::tuple<TombstoneKind, std::int64_t, std::string_view>, double> counts_{};
};

FileAge age_of(const FileExtremes& extremes, const CensusTime& time) {
  if (extremes.max_local_deletion_time_s < time.gc_before_s()) return FileAge::all_past_gc_grace;
  return extremes.max_local_deletion_time_s <= time.now_s ? FileAge::all_expired : FileAge::some_live;
}

/// When what intervals hold counts otherwise from one second to the next: while rows expire, while gc_grace ends for
/// what was dated when it was written, and for what was dated when it expired.
std::array<SecondsSpan, 3> changing_times(const ContentSpace& space, const Content& content, Seconds gc_grace_s) {
  SecondsSpan written;
  SecondsSpan expired;
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const SecondsSpan arrived{sub.arrival_s(cohort.from), sub.arrival_s(cohort.to - 1)};
    written.add(arrived);
    if (cohort.ttl_s > 0) expired.add({arrived.first + cohort.ttl_s, arrived.last + cohort.ttl_s});
  }
  const auto later = [gc_grace_s](const SecondsSpan& span) {
    return span.none() ? span : SecondsSpan{span.first + gc_grace_s, span.last + gc_grace_s + 1};
  };
  return {expired, later(written), later(expired)};
}

}  // namespace

Seconds last_expiry_s(const ContentSpace& space, const Content& content) {
  Seconds last_s = INT64_MIN;
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const bool deletes = cohort.state == RowState::row_tombstone;
    if (!deletes && cohort.ttl_s == 0) return no_deletion_time;
    last_s = std::max(last_s, sub.arrival_s(cohort.to - 1) + (deletes ? 0 : cohort.ttl_s));
  }
  if (!content.keyed) return last_s;
  for (const KeyedPartition& partition : *content.keyed) {
    if (partition.deletion) last_s = std::max(last_s, partition.deletion->local_deletion_time_s);
    for (const KeyedRange& range : partition.ranges) last_s = std::max(last_s, range.deletion.local_deletion_time_s);
    for (const KeyedCell& cell : partition.statics.cells) last_s = std::max(last_s, cell.local_deletion_time_s);
    for (const KeyedRow& row : partition.rows) {
      if (row.deletion) last_s = std::max(last_s, row.deletion->local_deletion_time_s);
      if (row.liveness) last_s = std::max(last_s, row.liveness->expiry_s);
      for (const KeyedCell& cell : row.cells) last_s = std::max(last_s, cell.local_deletion_time_s);
    }
  }
  return last_s;
}

std::optional<Rows> surely_readable(const SSTable& file, Seconds now_s, const Shadows& shadows) {
  const FileExtremes& extremes = file.extremes();
  if (extremes.min_local_deletion_time_s <= now_s || !shadows.none()) return {};
  return extremes.rows - extremes.static_rows;
}

TableShadows::TableShadows(const TableStore& store) {
  if (!Shadows::possible(store.space().workload())) return;
  if (!store.memtable().empty()) memtable_ = store.memtable().raw();
  std::vector<const Content*> contents = {&memtable_};
  for (const auto& [id, file] : store.sstables()) contents.push_back(&file->content());
  shadows_ = Shadows(store.space(), contents);
}

void TableDuplicates::look(const TableStore& store) {
  Files now;
  for (const auto& file : store.sstables()) {
    ++now.count;
    now.sum += file.first;
  }
  if (!store.may_hold_duplicates()) {
    by_file_.clear();
    known_ = {};
    return;
  }
  if (now == known_) return;
  known_ = now;
  by_file_.clear();
  const Content memtable = store.memtable().raw();
  std::vector<const Content*> contents{&memtable};
  std::vector<std::int64_t> ids{0};
  for (const auto& [id, file] : store.sstables()) {
    contents.push_back(&file->content());
    ids.push_back(id);
  }
  std::vector<std::vector<Cohort>> duplicates = duplicates_in(store.space(), contents);
  for (std::size_t i = 0; i < duplicates.size(); ++i) {
    if (!duplicates[i].empty()) by_file_[ids[i]] = std::move(duplicates[i]);
  }
}

std::span<const Cohort> TableDuplicates::of(std::int64_t file) const {
  const auto found = by_file_.find(file);
  return found == by_file_.end() ? std::span<const Cohort>{} : std::span<const Cohort>(found->second);
}

const Census& TableCensus::known_file(const TableStore& store, const SSTable& file, const CensusTime& time,
                                      const Shadows& shadows, bool afresh) {
  const auto [place, added] = known_files_.try_emplace(file.id());
  KnownFile& known = place->second;
  const FileAge age = age_of(file.extremes(), time);
  if (added || afresh || age != known.age) {
    known = {.census = take_census(store.space(), file.content(), time, file.bytes_on_disk(), shadows), .age = age};
    looked_at_ += rows_one_by_one(file.content(), file.extremes().rows);
  }
  return known.census;
}

Census TableCensus::of_intervals(const TableStore& store, const SSTable& file, const CensusTime& time) {
  const Shadows none;
  const auto taken = [&] { return take_census(store.space(), file.content(), time, file.bytes_on_disk(), none); };
  const auto known = known_files_.find(file.id());
  if (known != known_files_.end() && known->second.time.gc_grace_s == time.gc_grace_s &&
      std::ranges::all_of(known->second.changing,
                          [&](const SecondsSpan& span) { return !span.meets(known->second.time.now_s, time.now_s); }))
    return known->second.census;
  const std::array<SecondsSpan, 3> changing = changing_times(store.space(), file.content(), time.gc_grace_s);
  const auto changes_now = [&](const SecondsSpan& span) { return span.meets(time.now_s, time.now_s); };
  if (std::ranges::any_of(changing, changes_now)) return taken();
  return (known_files_[file.id()] = {.census = taken(), .time = time, .changing = changing}).census;
}

Rows TableCensus::memtable_live(const TableStore& store, const CensusTime& time, const Shadows& shadows, bool afresh) {
  const Memtable& memtable = store.memtable();
  if (memtable.empty()) return 0;
  const Content content = memtable.content();
  if (content.keyed && shadows.of_partitions().none() && !afresh) return memtable.counted_writes();
  looked_at_ += rows_one_by_one(content, memtable.counted_writes());
  return take_census(store.space(), content, time, 0, shadows).live.rows;
}

StoreCensus TableCensus::take(const TableStore& store, Seconds now_s, bool afresh) {
  StoreCensus census;
  looked_at_ = 0;
  const TableShadows tombstones(store);
  const Shadows& shadows = *tombstones;
  std::erase_if(known_files_, [&](const auto& file) { return !store.sstables().contains(file.first); });
  const CensusTime time{.now_s = now_s, .gc_grace_s = store.settings().gc_grace_s};
  bool any_expired = false;
  duplicates_.look(store);
  for (const auto& [id, file] : store.sstables()) {
    const FileExtremes& extremes = file->extremes();
    census.live_bytes += file->bytes_on_disk();
    census.cells += extremes.cells;
    any_expired = any_expired || extremes.max_local_deletion_time_s < time.gc_before_s();
    const std::span<const Cohort> duplicates = duplicates_.of(id);
    if (!duplicates.empty()) {
      census.files.add(take_census(store.space(), file->content(), time, file->bytes_on_disk(), shadows, duplicates));
    } else if (const std::optional<Rows> readable = surely_readable(*file, now_s, shadows)) {
      census.files.live.add({*readable, file->bytes_on_disk()});
    } else if (file->content().keyed && shadows.of_partitions().none()) {
      census.files.add(known_file(store, *file, time, shadows, afresh));
    } else if (!file->content().keyed && shadows.none()) {
      census.files.add(of_intervals(store, *file, time));
    } else {
      census.files.add(take_census(store.space(), file->content(), time, file->bytes_on_disk(), shadows));
    }
  }
  census.memtable_live = memtable_live(store, time, shadows, afresh);
  if (!any_expired || store.strategy().ignores_overlaps()) return census;
  std::vector<FileFacts> facts;
  facts.reserve(store.sstables().size());
  for (const auto& [id, file] : store.sstables()) {
    const FileExtremes& extremes = file->extremes();
    facts.push_back({.id = id,
                     .bytes = file->bytes_on_disk(),
                     .min_timestamp_us = extremes.min_timestamp_us,
                     .max_timestamp_us = extremes.max_timestamp_us,
                     .max_local_deletion_time_s = extremes.max_local_deletion_time_s});
  }
  const MemtableFacts memtable{.min_timestamp_us = store.memtable().min_timestamp_us(),
                               .expires_s = [&store] { return last_expiry_s(store.space(), store.memtable().raw()); }};
  census.blocks = find_blocked(facts, memtable, time.gc_before_s(), time.gc_grace_s);
  return census;
}

std::vector<TombstoneRow> tombstones_of_store(const TableStore& store, const BlockReport& blocks, Seconds now_s) {
  TombstoneDays days(now_s);
  const CensusTime time{.now_s = now_s, .gc_grace_s = store.settings().gc_grace_s};
  auto held = blocks.blocked.begin();  // by id, like the SSTables
  for (const auto& [id, file] : store.sstables()) {
    if (file->extremes().min_local_deletion_time_s > now_s) continue;
    while (held != blocks.blocked.end() && held->id < id) ++held;
    const bool is_held = held != blocks.blocked.end() && held->id == id;
    each_tombstone_run(store.space(), file->content(), time,
                       [&](const TombstoneRun& run) { days.add(run, is_held ? held_by_others : idle, waits); });
  }
  if (!store.memtable().empty()) {
    each_tombstone_run(store.space(), store.memtable().content(), time,
                       [&](const TombstoneRun& run) { days.add(run, tombstones_in_memory, tombstones_in_memory); });
  }
  return days.rows();
}

}  // namespace windrow
