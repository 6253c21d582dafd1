#include "sim/reads/bucket_read.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <limits>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/content/partition_deletes.h"
#include "sim/reads/keyed_read.h"

namespace windrow {

BucketRead::BucketRead(const WriterSources& writer, std::int64_t bucket, const PartitionQuery& query)
    : space_(&writer.space()),
      sources_(writer.sources()),
      writer_(&writer.writer()),
      keyed_(writer.keyed()),
      bucket_(bucket),
      slots_(writer.writer().slots(bucket)),
      query_(query),
      deleted_(writer.deleted_in(bucket)) {
  if (keyed_) {
    each_slot_ = true;
  } else {
    add_pieces(writer);
    cut_slices();
  }
  find_borders();
}

void BucketRead::cut_slices() {
  for (Stream& stream : streams_) {
    const bool open_below = query_.from_ms == std::numeric_limits<std::int64_t>::min();
    const bool open_above = query_.to_ms == std::numeric_limits<std::int64_t>::max();
    stream.slice_from = open_below ? stream.first : members_below(*stream.sub, query_.from_ms);
    stream.slice_to = open_above ? stream.last : members_below(*stream.sub, query_.to_ms);
    if (stream.tombstones.each.empty()) continue;
    stream.old_tombstone = old_tombstones(stream, query_.gc_before_s);
  }
}

std::int64_t BucketRead::old_tombstones(const Stream& stream, Seconds gc_before_s) const {
  const SubStream& deletes = space_->sub_stream(stream.tombstones.each.front().cohort->sub_stream);
  return deletes.count_arrived_before_s(gc_before_s);
}

BucketRead::Borders BucketRead::borders_of(const Stream& stream, std::int32_t ttl_s, Seconds gc_before_s) const {
  Borders borders{.old_write = stream.sub->count_arrived_before_s(gc_before_s)};
  if (ttl_s == 0) return borders;
  borders.expired = stream.sub->count_arrived_before_s(query_.now_s - ttl_s + 1);
  borders.old_expiry = stream.sub->count_arrived_before_s(gc_before_s - ttl_s);
  return borders;
}

template <typename Use>
void BucketRead::each_held(const Pieces& pieces, const SlotLane& lane, std::int64_t slot, const Use& use) const {
  const auto look = [&](const Piece& piece, const auto& holds) {
    const std::int64_t from = lane.before(piece.first);
    const std::int64_t to = lane.before(piece.last);
    if (from >= to || !space_->admits(*piece.cohort, bucket_, slot)) return;
    if (!piece.cohort->cut_by_tokens() || holds(lane.member(from + (to - from) / 2))) use(piece, from, to);
  };
  const auto look_at = [&](std::uint32_t number) {
    look(pieces.each[number],
         [&](std::int64_t member) { return pieces.by_place.empty() || pieces.by_place.holds(number, member); });
  };
  if (pieces.by_slot.empty() && pieces.by_place.empty()) {
    for (std::uint32_t number = 0; number < pieces.each.size(); ++number) look_at(number);
    return;
  }
  std::span<const std::uint32_t> around;
  if (!pieces.by_slot.empty()) around = pieces.by_slot.around(slot);
  if (!pieces.by_place.empty()) {
    const std::span<const std::uint32_t> of_place = pieces.by_place.around(lane.member(0));
    if (pieces.by_slot.empty() || of_place.size() < around.size()) around = of_place;
  }
  std::ranges::for_each(around, look_at);
}

std::span<const WriterSources::Deleted> BucketRead::deletions_of(std::int64_t slot) const {
  return {std::ranges::lower_bound(deleted_, slot, {}, &WriterSources::Deleted::slot),
          std::ranges::upper_bound(deleted_, slot, {}, &WriterSources::Deleted::slot)};
}

BucketRead::Covered BucketRead::covered_of(std::int64_t slot) const {
  Covered covered;
  for (const WriterSources::Deleted& deleted : deletions_of(slot)) {
    if (!deleted.range) covered.deleted_us = std::max(covered.deleted_us, deleted.deletion.timestamp_us);
    const bool newer = deleted.range && (!covered.range || covered.range->deletion < deleted.deletion);
    if (newer) covered.range = deleted.range;
  }
  return covered;
}

bool BucketRead::reads_deletion(const WriterSources::Deleted& deleted, Micros deleted_us) const {
  const ReadSource& source = sources_[static_cast<std::size_t>(deleted.source)];
  return source.max_timestamp_us >= deleted_us && (!deleted.range || source.meets(query_));
}

Seconds BucketRead::gc_before_of(std::span<const SlotLane> lanes, std::int64_t slot, Micros deleted_us) const {
  Seconds gc_before_s = query_.gc_before_s;
  TokenIndex* const own = space_->own_tokens();
  const bool hashed = own != nullptr;
  const Token token = hashed ? own->of(*writer_, bucket_).by_slot()[static_cast<std::size_t>(slot)] : 0;
  for (const ReadSource& source : sources_) {
    if (source.memtable || source.repaired || !source.meets(query_) || (hashed && !source.covers(token))) continue;
    if (source.max_timestamp_us >= deleted_us) gc_before_s = std::min(gc_before_s, source.min_deletion_s);
  }
  for (const WriterSources::Deleted& deleted : deletions_of(slot)) {
    const ReadSource& source = sources_[static_cast<std::size_t>(deleted.source)];
    if (source.memtable || (!source.repaired && reads_deletion(deleted, deleted_us)))
      gc_before_s = std::min(gc_before_s, source.min_deletion_s);
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    for (const auto* pieces : {&streams_[i].rows, &streams_[i].tombstones}) {
      each_held(*pieces, lanes[i], slot, [&](const Piece& piece, std::int64_t, std::int64_t) {
        if (piece.source->memtable) gc_before_s = std::min(gc_before_s, piece.source->min_deletion_s);
      });
    }
  }
  return gc_before_s;
}

void BucketRead::add_border(const Stream& stream, std::int64_t member) {
  if (member > stream.first && member < stream.last) borders_.push_back(stream.turn.slot(member));
}

void BucketRead::find_borders() {
  borders_ = {0, slots_};
  if (on_lattice_ || (query_.spares_unrepaired && !keyed_)) {
    // Neighbours are alike in nothing: so many, evenly, stand for all.
    const std::int64_t step = ceil_div(slots_, most_by_themselves);
    for (std::int64_t slot = step; slot < slots_; slot += step) borders_.push_back(slot);
    std::ranges::sort(borders_);
    return;
  }
  if (each_slot_) {
    for (std::int64_t slot = 1; slot < slots_; ++slot) borders_.push_back(slot);
  }
  const auto add_part = [&](const Cohort& cohort) {
    if (cohort.slots) {
      for (std::size_t slot = 1; slot < cohort.slots->size(); ++slot) {
        if ((*cohort.slots)[slot] != (*cohort.slots)[slot - 1]) borders_.push_back(static_cast<std::int64_t>(slot));
      }
    }
    TokenIndex* const own = space_->own_tokens();
    if (!cohort.cut_by_tokens() || own == nullptr) return;
    for (const std::int32_t slot : own->slots_between(*writer_, bucket_, cohort.first_token, cohort.last_token)) {
      borders_.push_back(slot);
      borders_.push_back(slot + 1);
    }
  };
  for (const WriterSources::Deleted& deleted : deleted_) {
    borders_.push_back(deleted.slot);
    borders_.push_back(deleted.slot + 1);
  }
  if (!each_slot_) {
    for (const Stream& stream : streams_) {
      borders_.push_back(stream.turn.slot(stream.first));
      borders_.push_back(stream.turn.slot(stream.last));
      add_border(stream, stream.slice_from);
      add_border(stream, stream.slice_to);
      add_border(stream, stream.old_tombstone);
      for (const auto* pieces : {&stream.rows, &stream.tombstones}) {
        for (const Piece& piece : pieces->each) {
          add_border(stream, piece.first);
          add_border(stream, piece.last);
          add_part(*piece.cohort);
          if (pieces == &stream.tombstones) continue;
          const Borders borders = borders_of(stream, piece.cohort->ttl_s, query_.gc_before_s);
          for (const std::int64_t member : {borders.expired, borders.old_write, borders.old_expiry})
            add_border(stream, member);
        }
      }
    }
  }
  std::ranges::sort(borders_);
  borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
}

template <typename Again>
std::vector<BucketRead::HeldNumbers> BucketRead::held_once(const Pieces& pieces, const SlotLane& lane,
                                                           std::int64_t slot, const Again& again) const {
  std::vector<HeldNumbers> all;
  each_held(pieces, lane, slot, [&](const Piece& piece, std::int64_t from, std::int64_t to) {
    all.push_back({&piece, from, to});
  });
  std::vector<HeldNumbers> in_order = all;
  std::ranges::sort(in_order, {}, &HeldNumbers::from);
  bool shared = false;
  for (std::size_t i = 1; i < in_order.size(); ++i) shared = shared || in_order[i].from < in_order[i - 1].to;
  if (!shared) return all;
  // Of several copies of a row the one that has most of it counts: see merged_state.
  const auto lost = [](const HeldNumbers& held) {
    switch (held.piece->cohort->state) {
      case RowState::cells_dead:
        return 0;
      case RowState::live:
        return 1;
      case RowState::nulls_left_dead:
        return 2;
      case RowState::nulls_left:
        return 3;
      case RowState::settled_dead:
        return 4;
      case RowState::settled:
        return 5;
      case RowState::skeleton:
      case RowState::row_tombstone:
        return 6;
    }
    return 6;
  };
  std::ranges::stable_sort(all, {}, lost);
  std::vector<HeldNumbers> once;
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;  // disjoint, ascending
  for (const HeldNumbers& held : all) {
    std::int64_t from = held.from;
    for (const auto& [taken_from, taken_to] : taken) {
      if (taken_to <= from) continue;
      if (taken_from >= held.to) break;
      if (from < taken_from) once.push_back({held.piece, from, taken_from});
      again(std::max(from, taken_from), std::min(held.to, taken_to), *held.piece);
      from = taken_to;
    }
    if (from < held.to) once.push_back({held.piece, from, held.to});
    taken.emplace_back(held.from, held.to);
    std::ranges::sort(taken);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < taken.size(); ++i) {
      if (taken[i].first <= taken[kept].second) {
        taken[kept].second = std::max(taken[kept].second, taken[i].second);
      } else {
        taken[++kept] = taken[i];
      }
    }
    taken.resize(kept + 1);
  }
  return once;
}

void BucketRead::add_runs(const Stream& stream, const SlotLane& lane, std::int64_t slot, Seconds gc_before_s,
                          const Covered& covered, std::vector<LaneRun>& runs) const {
  const std::int64_t slice_from = lane.before(stream.slice_from);
  const std::int64_t slice_to = lane.before(stream.slice_to);
  const auto add = [&](LaneRun run) {
    run.from = std::max(run.from, slice_from);
    run.to = std::min(run.to, slice_to);
    if (run.from < run.to) runs.push_back(run);
  };
  const auto add_again = [&](std::int64_t from, std::int64_t to, const Piece& piece) {
    add({.lane = static_cast<std::size_t>(&stream - streams_.data()),
         .from = from,
         .to = to,
         .row_bytes = piece.source->row_bytes,
         .again = true});
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> deleted;
  // Members of [first, last) that are not newer than the partition's deletion, as numbers of the lane.
  const auto each_older = [&](const SubStream& sub, std::int64_t first, std::int64_t last, const auto& each) {
    if (covered.deleted_us == std::numeric_limits<Micros>::min()) return;
    for (const SubStream::Part& part : sub.split_at_timestamp(first, last, covered.deleted_us + 1)) {
      if (part.below) each(lane.before(part.from), lane.before(part.to));
    }
  };
  const std::size_t number = static_cast<std::size_t>(&stream - streams_.data());
  const bool as_asked = gc_before_s == query_.gc_before_s;
  for (const HeldNumbers& held : held_once(stream.tombstones, lane, slot, add_again)) {
    const Piece& piece = *held.piece;
    const std::int64_t from = held.from;
    const std::int64_t to = held.to;
    deleted.emplace_back(from, to);
    const std::int64_t old_tombstone = as_asked ? stream.old_tombstone : old_tombstones(stream, gc_before_s);
    const std::int64_t old = std::clamp(lane.before(old_tombstone), from, to);
    const auto add_newer = [&](std::int64_t newer_from, std::int64_t newer_to) {
      const std::int64_t middle = std::clamp(old, newer_from, std::max(newer_from, newer_to));
      add({.lane = number, .from = newer_from, .to = middle, .row_bytes = piece.source->row_bytes});
      add({.lane = number, .from = middle, .to = newer_to, .tombstones = 1, .row_bytes = piece.source->row_bytes});
    };
    std::int64_t newer_from = from;
    each_older(space_->sub_stream(piece.cohort->sub_stream), piece.first, piece.last,
               [&](std::int64_t older_from, std::int64_t older_to) {
                 add_newer(newer_from, std::min(older_from, to));
                 newer_from = std::max(newer_from, older_to);
               });
    add_newer(newer_from, to);
  }
  if (stream.first < stream.last) {
    each_older(*stream.sub, stream.first, stream.last,
               [&](std::int64_t older_from, std::int64_t older_to) { deleted.emplace_back(older_from, older_to); });
  }
  if (covered.range) {
    const std::int64_t last = std::clamp(members_below(*stream.sub, covered.range->to), stream.first, stream.last);
    if (stream.first < last) deleted.emplace_back(lane.before(stream.first), lane.before(last));
  }
  std::ranges::sort(deleted);
  for (const HeldNumbers& held : held_once(stream.rows, lane, slot, add_again)) {
    const Piece& piece = *held.piece;
    const Cohort& cohort = *piece.cohort;
    const RowShape& shape = space_->shape(cohort.sub_stream, cohort.state);
    const Borders borders = borders_of(stream, cohort.ttl_s, gc_before_s);
    const std::int64_t expired = has_values(cohort.state) ? lane.before(borders.expired) : INT64_MAX;
    const std::int64_t old_write = lane.before(borders.old_write);
    const std::int64_t old_expiry = lane.before(borders.old_expiry);
    // [from, to) of what no tombstone takes, cut where it begins to count as something else.
    const auto add_alike = [&](std::int64_t from, std::int64_t to) {
      while (from < to) {
        std::int64_t next = to;
        for (const std::int64_t cut : {expired, old_write, old_expiry}) {
          if (cut > from) next = std::min(next, cut);
        }
        const bool written_lately = from >= old_write;
        LaneRun run{.lane = number, .from = from, .to = next, .row_bytes = piece.source->row_bytes};
        const bool alive = from >= expired;
        run.live = alive && (writer_->insert || shape.live_cells > 0);
        const std::int64_t dead = alive ? shape.dead_cells : shape.cells();
        run.tombstones = written_lately ? dead : 0;
        if (!run.live && run.tombstones == 0) {
          const bool shell = !alive && writer_->insert && from >= old_expiry;
          run.tombstones = shell || (written_lately && shape.complex_deletions > 0) ? 1 : 0;
        }
        add(run);
        from = next;
      }
    };
    std::int64_t from = held.from;
    const std::int64_t to = held.to;
    for (const auto& [deleted_from, deleted_to] : deleted) {
      if (deleted_to <= from) continue;
      if (deleted_from >= to) break;
      add_alike(from, deleted_from);
      from = deleted_to;
    }
    add_alike(from, to);
  }
}

PartitionCost BucketRead::sum(std::vector<LaneRun>& runs, std::span<const SlotLane> lanes, std::int64_t limit,
                              bool& alone) const {
  const std::int64_t rows_each = writer_->rows_per_event;
  PartitionCost cost;
  for (const LaneRun& run : runs) cost.live += run.live ? (run.to - run.from) * rows_each : 0;
  const bool stops = limit > 0 && cost.live >= limit;
  const auto of_another_lane = [&](const LaneRun& run) { return run.lane != runs.front().lane; };
  if (stops && std::ranges::none_of(runs, of_another_lane)) {
    const std::int64_t number = number_of_last_wanted(runs, ceil_div(limit, rows_each));
    for (LaneRun& run : runs) run.from = std::clamp(number, run.from, run.to);
    cost.live = limit;
  } else if (stops) {
    const std::int64_t events = ceil_div(limit, rows_each);
    const auto event = [&](const LaneRun& run, std::int64_t k) {
      return writer_->rhythm.event(streams_[run.lane].sub->row(lanes[run.lane].member(k)));
    };
    // The event of the last row that is wanted: so many live ones are not older. Nor is it before those with the newest
    // rows begin that have as many together, and runs that end before these have none that is wanted.
    struct Newest {
      std::int64_t last = 0;
      LaneRun* run = nullptr;
    };
    boost::container::small_vector<Newest, 32> newest;
    for (LaneRun& run : runs) newest.push_back({event(run, run.to - 1), &run});
    std::ranges::make_heap(newest, {}, &Newest::last);
    std::int64_t low = INT64_MAX;
    std::int64_t high = newest.front().last;
    std::int64_t live_so_far = 0;
    boost::container::small_vector<LaneRun*, 32> wanted;
    while (!newest.empty() && (live_so_far < events || newest.front().last >= low)) {
      LaneRun& run = *newest.front().run;
      wanted.push_back(&run);
      if (live_so_far < events) low = std::min(low, event(run, run.from));
      live_so_far += run.live ? run.to - run.from : 0;
      std::ranges::pop_heap(newest, {}, &Newest::last);
      newest.pop_back();
    }
    const auto place = [&](const LaneRun& run, std::int64_t at) {
      const Stream& stream = streams_[run.lane];
      return std::clamp(lanes[run.lane].before(stream.sub->rank(writer_->rhythm.count_before(at))), run.from, run.to);
    };
    const auto live_from = [&](std::int64_t at) {
      std::int64_t live = 0;
      for (const LaneRun* run : wanted) live += run->live ? run->to - place(*run, at) : 0;
      return live;
    };
    alone = true;
    while (low < high) {  // the newest event from which on there are enough
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (live_from(middle) >= events) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    for (const Newest& older : newest) older.run->from = older.run->to;
    for (LaneRun* run : wanted) run->from = place(*run, low);
    alone = alone && std::ranges::any_of(runs, [](const LaneRun& run) { return !run.live || run.tombstones > 0; });
    cost.live = limit;
  }
  for (const LaneRun& run : runs) {
    if (!run.again) cost.rows += (run.to - run.from) * rows_each;
    cost.tombstones += (run.to - run.from) * rows_each * run.tombstones;
    cost.bytes += static_cast<double>((run.to - run.from) * rows_each) * run.row_bytes;
  }
  if (stops) cost.rows -= ceil_div(limit, rows_each) * rows_each - limit;  // ends within an event
  return cost;
}

std::int64_t BucketRead::pieces(std::int64_t limit) const {
  std::size_t pieces = 0;
  for (const Stream& stream : streams_) {
    for (const Pieces* some : {&stream.rows, &stream.tombstones}) pieces += some->looked_through();
  }
  if (limit > 0 && streams_.size() > 1) pieces *= pieces_of_newest;
  if (query_.spares_unrepaired) pieces += sources_.size() / sources_as_a_piece;
  return static_cast<std::int64_t>(pieces);
}

PartitionCost BucketRead::cost(std::int64_t slot, std::int64_t limit, bool& alone) const {
  alone = false;
  if (keyed_) {
    PartitionQuery query = query_;
    query.limit = limit;
    const Token token = space_->tokens().of(*writer_, bucket_).by_slot()[static_cast<std::size_t>(slot)];
    return read_keyed(*space_, sources_, token, query);
  }
  std::vector<SlotLane> lanes;
  std::vector<LaneRun> runs;
  std::vector<const ReadSource*> holding;
  for (const Stream& stream : streams_) lanes.push_back(stream.lane(slot));
  // A file whose newest write is older than the partition's deletion is left out.
  const Covered covered = covered_of(slot);
  const auto asked = [&](const ReadSource& source) {
    return !source.memtable && source.max_timestamp_us >= covered.deleted_us;
  };
  for (const WriterSources::Deleted& deleted : deletions_of(slot)) {
    const ReadSource& source = sources_[static_cast<std::size_t>(deleted.source)];
    if (!source.memtable && reads_deletion(deleted, covered.deleted_us)) holding.push_back(&source);
  }
  const Seconds gc_before_s =
      query_.spares_unrepaired ? gc_before_of(lanes, slot, covered.deleted_us) : query_.gc_before_s;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    for (const auto* pieces : {&stream.rows, &stream.tombstones}) {
      each_held(*pieces, lanes[i], slot, [&](const Piece& piece, std::int64_t, std::int64_t) {
        if (asked(*piece.source) && piece.source->meets(query_)) holding.push_back(piece.source);
      });
    }
    add_runs(stream, lanes[i], slot, gc_before_s, covered, runs);
  }
  std::ranges::sort(holding);
  PartitionCost cost = sum(runs, lanes, limit, alone);
  // A read that stops has met rows alone: the range lies before all that is left.
  const bool stopped = limit > 0 && cost.live >= limit;
  if (covered.range && !stopped && covered.range->deletion.local_deletion_time_s >= gc_before_s &&
      std::max(covered.range->from, query_.from_ms) < std::min(covered.range->to, query_.to_ms))
    cost.tombstones += 2;  // its bounds
  cost.sstables = std::unique(holding.begin(), holding.end()) - holding.begin();
  return cost;
}

}  // namespace windrow
