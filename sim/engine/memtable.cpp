#include "sim/engine/memtable.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <numeric>

#include "sim/content/counts_together.h"
#include "sim/content/keyed_merge.h"
#include "sim/content/keyed_write.h"
#include "sim/content/merge.h"
#include "sim/content/partition_deletes.h"
#include "sim/content/row_shape.h"
#include "sim/content/shadow_cohorts.h"
#include "sim/content/static_rows.h"
#include "sim/content/value_bytes.h"

namespace windrow {

namespace {

ColumnSet columns_of(const Writer& writer) {
  ColumnSet columns;
  for (const ColumnWrite& write : writer.columns) columns.add(write.column);
  return columns;
}

void see_deletion(HeaderBases& bases, const Deletion& deletion) {
  bases.see(deletion.timestamp_us);
  bases.see_deletion(deletion.local_deletion_time_s);
}

void see_cell(HeaderBases& bases, const KeyedCell& cell) {
  bases.see(cell.timestamp_us);
  if (cell.column >= first_static_column) {
    bases.statics.add(cell.column - first_static_column);
  } else {
    bases.columns.add(cell.column);
  }
  if (cell.kind != CellKind::live) bases.see_deletion(cell.local_deletion_time_s);
  if (cell.kind == CellKind::expiring) bases.see_ttl(cell.ttl_s);
}

}  // namespace

Memtable::Memtable(const ContentSpace& space)
    : space_(&space),
      arrivals_(space.workload()),
      taken_(space.workload().sub_streams().size(), 0),
      writes_statics_(std::ranges::any_of(space.workload().writers(),
                                          [](const Writer& writer) { return !writer.statics.empty(); })),
      newest_(taken_.size(), none) {
  for (const Writer& writer : space.workload().writers()) {
    written_.push_back({.columns = columns_of(writer),
                        .deletes_elements = deletes_elements(writer),
                        .born_with_dead = born_with_dead(writer)});
  }
}

void Memtable::take_until(const ArrivalPlace& place, Seconds default_ttl_s) {
  if (place == taken_until_) return;
  taken_until_ = place;
  if (goes_on_as_swath(default_ttl_s)) return take_swath(place);
  leave_swath();
  const TableWorkload& workload = space_->workload();
  const bool of_an_instant = place == ArrivalPlace{.time = place.time};
  const std::span<const std::int64_t> sent =
      of_an_instant ? arrivals_.sent_before(place.time) : std::span<const std::int64_t>();
  for (int s = 0; s < static_cast<int>(taken_.size()); ++s) {
    if (workload.keyed(s)) continue;
    take_members(s, of_an_instant ? sent[static_cast<std::size_t>(s)] : workload.members_before(s, place),
                 default_ttl_s);
  }
  see(unseen_);
  unseen_.clear();
  const auto& arrivals = workload.keyed_arrivals();
  for (; keyed_taken_ < arrivals.size() && arrivals[keyed_taken_].place < place; ++keyed_taken_) {
    if (arrivals_.reaches(arrivals[keyed_taken_])) take_keyed(arrivals[keyed_taken_], default_ttl_s);
  }
}

bool Memtable::goes_on_as_swath(Seconds default_ttl_s) {
  if (!in_swath_) return false;
  if (kinds_ttl_s_ != default_ttl_s) {
    if (!empty()) return false;
    kinds_ = SwathKinds::of(*space_, default_ttl_s);
    kinds_ttl_s_ = default_ttl_s;
    begin_swath();
  }
  if (kinds_ == nullptr) return false;
  if (!arrivals_.loses_some()) return true;
  for (std::size_t at = 0; at < swath_from_.size(); ++at) {
    const Arrivals::Intervals& lost = arrivals_.lost(kinds_->sub_stream(at));
    if (!lost.empty() && lost.back().second > swath_from_[at]) return false;
  }
  return true;
}

void Memtable::begin_swath() {
  in_swath_ = true;
  if (kinds_ == nullptr) return;
  swath_from_.resize(taken_.size());
  for (std::size_t at = 0; at < taken_.size(); ++at)
    swath_from_[at] = taken_[static_cast<std::size_t>(kinds_->sub_stream(at))];
  swath_to_ = swath_from_;
}

void Memtable::take_swath(const ArrivalPlace& place) {
  const TableWorkload& workload = space_->workload();
  const bool of_an_instant = place == ArrivalPlace{.time = place.time};
  const std::span<const std::int64_t> sent =
      of_an_instant ? arrivals_.sent_before(place.time) : std::span<const std::int64_t>();
  const boost::container::small_vector<std::int64_t, 512> from(swath_to_.begin(), swath_to_.end());
  const std::span<const std::size_t> places = workload.places();
  for (std::size_t s = 0; s < places.size(); ++s) {
    const std::int64_t to = of_an_instant ? sent[s] : workload.members_before(static_cast<int>(s), place);
    swath_to_[places[s]] = taken_[s] = std::max(to, taken_[s]);
  }
  const SwathKinds::ByKind more = kinds_->events_of({from.data(), from.size()}, swath_to_);
  const std::int64_t events = std::accumulate(more.begin(), more.end(), std::int64_t{0});
  if (events == 0) return;
  writes_ += events;
  more_rows_ += kinds_->rows_of(more) - events;
  SwathEnds ends(*kinds_, {from.data(), from.size()}, swath_to_);
  const Micros oldest_us = ends.oldest_us();
  bases_.see(oldest_us);
  for (std::size_t kind = 0; kind < more.size(); ++kind) {
    if (more[kind] > 0)
      bases_.columns |= written_[static_cast<std::size_t>(kinds_->kinds()[kind].writer->index)].columns;
  }
  const Seconds first_s = ends.arrivals_within_s(oldest_us, oldest_us).first;
  Seconds earliest_s = no_deletion_time;
  for (const std::int32_t ttl_s : ends.ttls()) {
    if (ttl_s == 0) continue;
    if (earliest_s == no_deletion_time) bases_.see_ttl(ttl_s);
    if (first_s + ttl_s >= earliest_s) break;
    earliest_s = std::min(earliest_s, ends.first_s(ttl_s, first_s) + ttl_s);
  }
  bases_.see_deletion(earliest_s);
}

void Memtable::leave_swath() {
  if (!in_swath_) return;
  cohorts_ = cohorts();
  in_swath_ = false;
  for (std::size_t i = 0; i < cohorts_.size(); ++i) newest_[static_cast<std::size_t>(cohorts_[i].sub_stream)] = i;
}

std::optional<Swath> Memtable::swath() const {
  if (!in_swath_ || empty() || kinds_ == nullptr) return {};
  const std::int64_t last =
      taken_until_ == ArrivalPlace{.time = taken_until_.time} ? taken_until_.time - 1 : taken_until_.time;
  return Swath{.kinds = kinds_,
               .from = swath_from_,
               .to = swath_to_,
               .bases = bases_,
               .dates = {},
               .not_above_us = last * kinds_->kinds().front().writer->unit_us + kinds_->offsets_us().second};
}

std::vector<Cohort> Memtable::cohorts() const {
  const std::optional<Swath> held = swath();
  return held ? held->content().cohorts : cohorts_;
}

void Memtable::count(const Cohort& cohort) {
  writes_ += cohort.to - cohort.from;
  more_rows_ += (cohort.to - cohort.from) * (space_->writer_of(cohort).rows_per_event - 1);
}

void Memtable::see(std::span<const Cohort> cohorts) {
  const bool at_once =
      worth_counting_together(*space_, cohorts) && std::ranges::all_of(cohorts, [&](const Cohort& each) {
        return each.state == RowState::live &&
               !written_[static_cast<std::size_t>(space_->writer_of(each).index)].born_with_dead;
      });
  if (!at_once) {
    for (const Cohort& cohort : cohorts) see_one(cohort);
    return;
  }
  EndsOfCohorts ends(*space_, cohorts);
  const Micros oldest_us = ends.oldest_us();
  bases_.see(oldest_us);
  boost::container::small_vector<std::int32_t, 16> ttls;
  for (const Cohort& cohort : cohorts) {
    bases_.columns |= written_[static_cast<std::size_t>(space_->writer_of(cohort).index)].columns;
    if (cohort.ttl_s > 0 && std::ranges::find(ttls, cohort.ttl_s) == ttls.end()) ttls.push_back(cohort.ttl_s);
  }
  if (ttls.empty()) return;
  std::ranges::sort(ttls);
  bases_.see_ttl(ttls.front());
  const Seconds first_s = ends.arrivals_within_s(oldest_us, oldest_us).first;
  Seconds earliest_s = no_deletion_time;
  for (const std::int32_t ttl_s : ttls) {
    if (first_s + ttl_s >= earliest_s) break;
    const auto has = [ttl_s](const Cohort& cohort) { return cohort.ttl_s == ttl_s; };
    earliest_s = std::min(earliest_s, ends.first_s(has, first_s) + ttl_s);
  }
  bases_.see_deletion(earliest_s);
}

void Memtable::see_one(const Cohort& cohort) {
  const SubStream& sub = space_->sub_stream(cohort.sub_stream);
  const SubStream::Dates first = space_->dates(cohort.sub_stream, cohort.from);
  const Micros oldest_us =
      sub.writer().timestamp.add_row_number ? sub.timestamp_range(cohort.from, cohort.to).first : first.timestamp_us;
  bases_.see(oldest_us);
  if (cohort.state == RowState::row_tombstone) {
    bases_.see_deletion(first.arrival_s);
    return;
  }
  const Written& written = written_[static_cast<std::size_t>(sub.writer().index)];
  bases_.columns |= written.columns;
  if (written.deletes_elements) bases_.see(oldest_us - 1);
  if (written.born_with_dead) bases_.see_deletion(first.arrival_s);
  if (cohort.ttl_s > 0) {
    bases_.see_ttl(cohort.ttl_s);
    bases_.see_deletion(first.arrival_s + cohort.ttl_s);
  }
}

void Memtable::take_members(int s, std::int64_t to, Seconds default_ttl_s) {
  const auto index = static_cast<std::size_t>(s);
  const SubStream& sub = space_->sub_stream(s);
  std::int64_t from = taken_[index];
  if (from >= to) return;
  taken_[index] = to;
  const bool tombstones = sub.brings() == Brings::row_tombstones;
  const Seconds ttl_s = tombstones ? 0 : sub.ttl_s(default_ttl_s);
  const auto take = [&](std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    const Cohort cohort{.sub_stream = s,
                        .state = tombstones ? RowState::row_tombstone : RowState::live,
                        .ttl_s = static_cast<std::int32_t>(ttl_s),
                        .from = first,
                        .to = last};
    count(cohort);
    if (taken_.size() == 1) {
      see_one(cohort);
    } else {
      unseen_.push_back(cohort);
    }
    // However often it is looked at, what comes without a gap is one cohort.
    std::size_t& newest = newest_[index];
    if (newest < cohorts_.size() && cohorts_[newest].to == first && alike(cohorts_[newest], cohort)) {
      cohorts_[newest].to = last;
    } else {
      newest = cohorts_.size();
      cohorts_.push_back(cohort);
    }
  };
  for (const auto& [lost_from, lost_to] : arrivals_.lost(s)) {
    if (lost_to <= from) continue;
    take(from, std::min(to, lost_from));
    from = std::max(from, std::min(to, lost_to));
  }
  take(from, to);
}

void Memtable::take_hinted(std::span<const Cohort> cohorts) {
  leave_swath();
  for (const Cohort& cohort : cohorts) {
    if (is_keyed_hint(space_->workload(), cohort)) {
      for (const KeyedArrival& arrival : keyed_hints(space_->workload(), cohort)) take_keyed(arrival, cohort.ttl_s);
      continue;
    }
    count(cohort);
    see_one(cohort);
    cohorts_.push_back(cohort);
  }
}

void Memtable::take_repaired(std::span<const KeyedPartition> writes) {
  leave_swath();
  for (const KeyedPartition& write : writes) take_keyed(write);
}

void Memtable::take_keyed(const KeyedArrival& arrival, Seconds default_ttl_s) {
  take_keyed(keyed_write(*space_, arrival, default_ttl_s));
}

void Memtable::take_keyed(KeyedPartition write) {
  if (write.deletion) see_deletion(bases_, *write.deletion);
  for (const KeyedRange& range : write.ranges) {
    see_deletion(bases_, range.deletion);
    ++range_deletes_;
  }
  for (const KeyedRow& row : write.rows) {
    if (row.deletion) see_deletion(bases_, *row.deletion);
    if (row.liveness) bases_.see(row.liveness->timestamp_us);
    for (const KeyedCell& cell : row.cells) see_cell(bases_, cell);
  }
  for (const KeyedCell& cell : write.statics.cells) see_cell(bases_, cell);
  writes_ += std::ssize(write.rows) + std::ssize(write.ranges) + (write.deletion ? 1 : 0);
  const auto [place, added] = keyed_.try_emplace(write.token, std::move(write));  // moved only where it is added
  if (!added) merge_partition(place->second, write, values_of(space_->workload()));
}

KeyedContent Memtable::keyed() const {
  KeyedContent keyed;
  keyed.reserve(keyed_.size());
  for (const auto& [token, partition] : keyed_) keyed.push_back(partition);
  return keyed;
}

Content Memtable::raw() const {
  Content content{.cohorts = cohorts(), .keyed = nullptr, .bases = bases_};
  if (!keyed_.empty()) content.keyed = std::make_shared<const KeyedContent>(keyed());
  return content;
}

/// Static rows of partitions whose rows are intervals.
KeyedContent Memtable::statics(HeaderBases& bases) const {
  KeyedContent statics;
  if (!writes_statics_) return statics;
  statics = static_rows_of(*space_, cohorts_);
  for (const KeyedPartition& partition : statics) {
    for (const KeyedCell& cell : partition.statics.cells) bases.statics.add(cell.column - first_static_column);
  }
  return statics;
}

Content Memtable::content() const {
  Rows shadowed = 0;
  Content content{.cohorts = cohorts(), .keyed = nullptr, .bases = bases_};
  join_cohorts(content.cohorts);
  shadow_cohorts(*space_, content.cohorts, &shadowed);
  KeyedContent static_rows = statics(content.bases);
  if (keyed_.empty()) {
    if (!static_rows.empty()) content.keyed = std::make_shared<const KeyedContent>(std::move(static_rows));
    return content;
  }
  KeyedContent merged = keyed();
  const std::vector<const KeyedContent*> held{&static_rows, &merged};
  PartitionDeletes(*space_, held).shadow(content.cohorts);
  if (static_rows.empty()) {
    for (KeyedPartition& partition : merged) shadow(partition);
  } else {
    merged = merge_keyed(held, values_of(space_->workload()));
  }
  std::erase_if(merged, [](const KeyedPartition& partition) { return partition.empty(); });
  content.keyed = std::make_shared<const KeyedContent>(std::move(merged));
  return content;
}

void Memtable::clear() {
  cohorts_.clear();
  std::ranges::fill(newest_, none);
  keyed_.clear();
  bases_ = {};
  writes_ = 0;
  more_rows_ = 0;
  range_deletes_ = 0;
  begin_swath();
}

}  // namespace windrow
