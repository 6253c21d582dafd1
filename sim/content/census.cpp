#include "sim/content/census.h"

#include <cmath>
#include <vector>

#include "sim/content/duplicates.h"
#include "sim/content/row_shape.h"

namespace windrow {

namespace {

/// The parts of a cohort: [from, live_from) is dead, of it [from, purgeable_to) past gc_grace as a whole.
struct CohortParts {
  std::int64_t purgeable_to = 0;
  std::int64_t live_from = 0;
};

bool has_liveness(const SubStream& sub, const Cohort& cohort) {
  return cohort.state != RowState::row_tombstone && sub.writer().insert;
}

CohortParts parts_of(const SubStream& sub, const Cohort& cohort, const CensusTime& time) {
  const auto written_before = [&](Seconds second) {
    return std::clamp(sub.count_arrived_before_s(second), cohort.from, cohort.to);
  };
  if (cohort.state == RowState::row_tombstone) return {written_before(time.gc_before_s()), cohort.to};
  if (cohort.ttl_s == 0) return {cohort.from, has_values(cohort.state) ? cohort.from : cohort.to};
  const std::int64_t live_from = has_values(cohort.state) ? written_before(time.now_s - cohort.ttl_s + 1) : cohort.to;
  const Seconds last_part_after_s = has_liveness(sub, cohort) ? cohort.ttl_s : 0;
  return {std::min(live_from, written_before(time.gc_before_s() - last_part_after_s)), live_from};
}

/// How many rows a member stands for: several an event, a fraction where keys are drawn or tokens cut.
class RowsPerMember {
 public:
  RowsPerMember(const ContentSpace& space, const Content& content)
      : space_(space), drawn_(space.drawn_rows(content.cohorts)) {}
  double of(const Cohort& cohort) const {
    const Writer& writer = space_.writer_of(cohort);
    if (writer.drawn_keys > 0) {
      const auto drawn = std::ranges::find(drawn_, &writer, &DrawnRows::writer);
      return static_cast<double>(drawn->rows) / static_cast<double>(drawn->writes);
    }
    if (cohort.whole()) return static_cast<double>(writer.rows_per_event);
    return static_cast<double>(space_.rows(cohort)) / static_cast<double>(cohort.to - cohort.from);
  }

 private:
  const ContentSpace& space_;
  std::vector<DrawnRows> drawn_;
};

void each_cohort_run(const ContentSpace& space, const Cohort& cohort, const CensusTime& time, double rows,
                     const std::function<void(const TombstoneRun&)>& each) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const std::int64_t dead_to = parts_of(sub, cohort, time).live_from;
  const Seconds grace_s = time.gc_grace_s + 1;
  const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
  // Dead from the start, whether the row can be read or not.
  const auto show_all = [&](TombstoneKind kind, std::int64_t per_row) {
    if (per_row > 0) each({kind, &sub, cohort.from, cohort.to, 0, grace_s, static_cast<double>(per_row) * rows});
  };
  show_all(TombstoneKind::collection, shape.complex_deletions);
  if (has_values(cohort.state)) show_all(TombstoneKind::cell, shape.dead_cells);
  if (dead_to <= cohort.from) return;
  const auto show = [&](TombstoneKind kind, Seconds dated_s, Seconds drop_s, double per_row) {
    if (per_row > 0) each({kind, &sub, cohort.from, dead_to, dated_s, drop_s, per_row * rows});
  };
  if (cohort.state == RowState::row_tombstone) {
    show(TombstoneKind::row, 0, grace_s, 1);
    return;
  }
  const Seconds ttl_s = cohort.ttl_s;
  show(TombstoneKind::expired_cell, ttl_s, std::max(ttl_s, grace_s), static_cast<double>(shape.live_cells));
  if (!has_values(cohort.state)) show(TombstoneKind::cell, 0, grace_s, static_cast<double>(shape.dead_cells));
  if (has_liveness(sub, cohort)) show(TombstoneKind::liveness, ttl_s, ttl_s + grace_s, 1);
}

/// Rows held one by one: what is dead, what it weighs.
class KeyedCensus final : public PartitionSink {
 public:
  using Each = std::function<void(const TombstoneRun&)>;
  KeyedCensus(const RowFormat& format, const CensusTime& time, const Each& each, const Shadows& shadows)
      : format_(format), time_(time), each_(each), shadows_(shadows) {}

  void look_at(const ContentSpace& space, const KeyedPartition& partition) {
    statics_ = &partition.statics;
    next_row_ = partition.rows.data();
    walk_partition(space, partition, *this);
  }

  void begin_partition(Token token, int, const DeletionTime& deletion) override {
    token_ = token;
    if (!deletion.live()) dead(TombstoneKind::partition, deletion);
  }
  void static_row(const StoredRow& row) override {
    if (!row.empty()) part_of(row, *statics_).bytes += static_cast<double>(format_.static_row(row));
  }
  void row(const StoredRow& row) override {
    put(part_of(row, *next_row_++), static_cast<double>(format_.row(row, 30)));
  }
  void marker(const StoredMarker& marker) override {
    if (marker.opens) dead(TombstoneKind::range, marker.opened);
  }
  void end_partition() override {}

  struct Part {
    Rows rows = 0;
    double bytes = 0;
  };
  const Part& live() const { return live_; }
  const Part& waiting() const { return waiting_; }
  const Part& purgeable() const { return purgeable_; }

 private:
  /// Where a row belongs; shows what of it is dead.
  Part& part_of(const StoredRow& row, const KeyedRow& held) {
    if (!lives(row)) return droppable_from_s_ <= time_.now_s ? purgeable_ : waiting_;
    return shadows_.of_keyed() && shadows_.covers(token_, held) ? purgeable_ : live_;
  }
  /// True if something of the row is not dead; shows what is.
  bool lives(const StoredRow& row) {
    bool alive = false;
    droppable_from_s_ = INT64_MIN;
    if (!row.deletion.live()) show(TombstoneKind::row, row.deletion.local_deletion_time_s);
    if (row.liveness.present) {
      if (row.liveness.local_expiration_time_s > time_.now_s) {
        alive = true;
      } else {
        show(TombstoneKind::liveness, row.liveness.local_expiration_time_s);
      }
    }
    for (const StoredCell& cell : row.cells) {
      if (cell.kind == StoredCell::Kind::tombstone) {
        show(TombstoneKind::cell, cell.local_deletion_time_s);
      } else if (cell.local_deletion_time_s > time_.now_s) {
        alive = true;
      } else {
        const Seconds written_s = cell.local_deletion_time_s - cell.ttl_s;
        show(TombstoneKind::expired_cell, cell.local_deletion_time_s,
             std::max(cell.local_deletion_time_s, written_s + time_.gc_grace_s + 1));
      }
    }
    return alive;
  }
  static void put(Part& part, double bytes) {
    ++part.rows;
    part.bytes += bytes;
  }
  void show(TombstoneKind kind, Seconds dated_s) { show(kind, dated_s, dated_s + time_.gc_grace_s + 1); }
  void show(TombstoneKind kind, Seconds dated_s, Seconds drop_s) {
    droppable_from_s_ = std::max(droppable_from_s_, drop_s);
    each_({kind, nullptr, 0, 1, dated_s, drop_s, 1});
  }
  void dead(TombstoneKind kind, const DeletionTime& deletion) {
    droppable_from_s_ = INT64_MIN;
    show(kind, deletion.local_deletion_time_s);
    put(droppable_from_s_ <= time_.now_s ? purgeable_ : waiting_, static_cast<double>(format_.deletion_time(deletion)));
  }

  RowFormat format_;
  CensusTime time_;
  const Each& each_;
  const Shadows& shadows_;
  Token token_ = 0;
  const KeyedRow* statics_ = nullptr;
  const KeyedRow* next_row_ = nullptr;
  Part live_{};
  Part waiting_{};
  Part purgeable_{};
  Seconds droppable_from_s_ = INT64_MIN;
};

void tally(const TombstoneRun& run, const CensusTime& time, Census& census) {
  TombstoneTally& tally = census.tombstones[static_cast<std::size_t>(run.kind)];
  const bool alone = run.sub == nullptr;
  // Of the run, those whose time, `after_s` after the write, is not later than `until_s`.
  const auto count_until = [&](Seconds after_s, Seconds until_s) {
    if (alone) return std::int64_t{after_s <= until_s ? 1 : 0};
    const std::int64_t end = std::clamp(run.sub->count_arrived_before_s(until_s - after_s + 1), run.from, run.to);
    return static_cast<std::int64_t>(std::llround(static_cast<double>(end - run.from) * run.per_member));
  };
  const std::int64_t droppable = count_until(run.drop_s, time.now_s);
  tally.droppable += droppable;
  tally.waiting += std::llround(static_cast<double>(run.to - run.from) * run.per_member) - droppable;
  census.dated_before_gc += count_until(run.dated_s, time.gc_before_s());
  tally.first_drop_s = std::min(tally.first_drop_s, run.drop_s + (alone ? 0 : run.sub->arrival_s(run.from)));
  tally.last_drop_s = std::max(tally.last_drop_s, run.drop_s + (alone ? 0 : run.sub->arrival_s(run.to - 1)));
}

/// Rows and weight of the three parts of a content, before the weight becomes bytes.
class Shares {
 public:
  void add(int part, double rows, double weight) {
    rows_[static_cast<std::size_t>(part)] += rows;
    weights_[static_cast<std::size_t>(part)] += weight;
  }
  /// By weight; borders are rounded, so that the parts are all of it.
  void share_out(Bytes bytes, Census& census) const {
    const double weight = weights_[0] + weights_[1] + weights_[2];
    if (weight <= 0) return;
    const auto up_to = [&](double part) { return std::llround(static_cast<double>(bytes) * (part / weight)); };
    const Bytes live = up_to(weights_[0]);
    const Bytes waiting = up_to(weights_[0] + weights_[1]) - live;
    census.live = {std::llround(rows_[0]), live};
    census.waiting = {std::llround(rows_[1]), waiting};
    census.purgeable = {std::llround(rows_[2]), weights_[2] > 0 ? bytes - live - waiting : 0};
  }

 private:
  std::array<double, 3> rows_{};
  std::array<double, 3> weights_{};
};

}  // namespace

std::string_view tombstone_kind_name(TombstoneKind kind) {
  switch (kind) {
    case TombstoneKind::expired_cell:
      return "expired cell";
    case TombstoneKind::cell:
      return "cell";
    case TombstoneKind::liveness:
      return "expired row liveness";
    case TombstoneKind::row:
      return "row";
    case TombstoneKind::range:
      return "range";
    case TombstoneKind::partition:
      return "partition";
    case TombstoneKind::collection:
      return "collection";
  }
  return "";
}

void TombstoneTally::add(const TombstoneTally& other) {
  waiting += other.waiting;
  droppable += other.droppable;
  first_drop_s = std::min(first_drop_s, other.first_drop_s);
  last_drop_s = std::max(last_drop_s, other.last_drop_s);
}

std::int64_t Census::tombstone_count() const {
  std::int64_t count = 0;
  for (const TombstoneTally& tally : tombstones) count += tally.waiting + tally.droppable;
  return count;
}

std::int64_t Census::droppable_tombstones() const {
  std::int64_t count = 0;
  for (const TombstoneTally& tally : tombstones) count += tally.droppable;
  return count;
}

void Census::add(const Census& other) {
  live.add(other.live);
  waiting.add(other.waiting);
  purgeable.add(other.purgeable);
  dated_before_gc += other.dated_before_gc;
  for (std::size_t i = 0; i < tombstones.size(); ++i) tombstones[i].add(other.tombstones[i]);
}

std::int64_t cells_of_row(const ContentSpace& space, const Cohort& cohort) {
  return space.shape(cohort.sub_stream, cohort.state).cells();
}

double typical_row_bytes(const ContentSpace& space, const Cohort& cohort, const RowFormat& format, std::int64_t j) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const auto [timestamp_us, written_s] = sub.dates(j);
  const Seconds expiry_s = cohort.ttl_s > 0 ? written_s + cohort.ttl_s : no_deletion_time;
  const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
  const DateBytes dates{.timestamp = format.timestamp(timestamp_us),
                        .before = format.timestamp(timestamp_us - 1),
                        .ttl = format.ttl(cohort.ttl_s),
                        .expiry = format.local_deletion_time(expiry_s),
                        .death = format.local_deletion_time(written_s)};
  auto body = static_cast<double>(shape.body(cohort.ttl_s).bytes(dates) + format.subset(shape.present));
  if (has_values(cohort.state)) body += space.values(cohort.sub_stream).mean_bytes();
  const auto whole_body = static_cast<std::int64_t>(body);
  return static_cast<double>(format.row_of(whole_body, format.row_of(whole_body, 1))) +
         (body - static_cast<double>(whole_body));
}

void each_tombstone_run(const ContentSpace& space, const Content& content, const CensusTime& time,
                        const std::function<void(const TombstoneRun&)>& each) {
  const RowsPerMember rows(space, content);
  for (const Cohort& cohort : content.cohorts) {
    each_cohort_run(space, cohort, time, rows.of(cohort), each);
  }
  if (!content.keyed) return;
  const Shadows none;
  KeyedCensus keyed(space.format(content.bases), time, each, none);
  for (const KeyedPartition& partition : *content.keyed) keyed.look_at(space, partition);
}

Census take_census(const ContentSpace& space, const Content& content, const CensusTime& time, Bytes bytes,
                   const Shadows& shadows, std::span<const Cohort> duplicates) {
  Census census;
  Shares shares;
  const RowFormat format = space.format(content.bases);
  const std::function<void(const TombstoneRun&)> count = [&](const TombstoneRun& run) { tally(run, time, census); };
  const RowsPerMember rows_per_member(space, content);
  const auto share = [&](const Cohort& cohort, double rows) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const CohortParts parts = parts_of(sub, cohort, time);
    const double row_bytes = typical_row_bytes(space, cohort, format, cohort.from + (cohort.to - cohort.from) / 2);
    double covered = 0;
    if (has_values(cohort.state)) covered = shadows.covered_rows(cohort, parts.live_from);
    const auto put = [&](int part, std::int64_t members, double more) {
      const double part_rows = static_cast<double>(members) * rows + more;
      if (part_rows > 0) shares.add(part, part_rows, part_rows * row_bytes);
    };
    // Of some partitions of a bucket a part may have a row more or less than its share.
    const bool counted = space.workload().deletes_partitions() && space.own_tokens() != nullptr && !cohort.whole();
    const auto beyond_share = [&](std::int64_t from, std::int64_t to) -> double {
      if (!counted) return 0;
      const Rows there = space.members_between(cohort, from, to) * sub.writer().rows_per_event;
      return static_cast<double>(there) - static_cast<double>(to - from) * rows;
    };
    const std::int64_t deleted = shadows.deleted(cohort.sub_stream, parts.live_from, cohort.to);
    put(2, parts.purgeable_to - cohort.from + deleted, beyond_share(cohort.from, parts.purgeable_to) + covered);
    put(1, parts.live_from - parts.purgeable_to, beyond_share(parts.purgeable_to, parts.live_from));
    put(0, cohort.to - parts.live_from - deleted, beyond_share(parts.live_from, cohort.to) - covered);
  };
  for (const Cohort& cohort : content.cohorts) {
    const double rows = rows_per_member.of(cohort);
    each_cohort_run(space, cohort, time, rows, count);
    const std::vector<Cohort> copies = rows_twice(std::span(&cohort, 1), duplicates);
    if (copies.empty()) {
      share(cohort, rows);
      continue;
    }
    for (const Cohort& copy : copies) {
      const auto second = static_cast<double>(space.rows(copy));
      shares.add(2, second, second * typical_row_bytes(space, copy, format, copy.from + (copy.to - copy.from) / 2));
    }
    for (const Cohort& once : rows_once(space, std::span(&cohort, 1), copies)) share(once, rows_per_member.of(once));
  }
  if (content.keyed) {
    KeyedCensus keyed(format, time, count, shadows);
    for (const KeyedPartition& partition : *content.keyed) keyed.look_at(space, partition);
    shares.add(0, static_cast<double>(keyed.live().rows), keyed.live().bytes);
    shares.add(1, static_cast<double>(keyed.waiting().rows), keyed.waiting().bytes);
    shares.add(2, static_cast<double>(keyed.purgeable().rows), keyed.purgeable().bytes);
  }
  shares.share_out(bytes, census);
  return census;
}

}  // namespace windrow
