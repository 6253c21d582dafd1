#include "sim/workload/table_workload.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/base/check.h"
#include "sim/workload/range_prefixes.h"

namespace windrow {

namespace {

int kind_of(const SubStream& sub_stream) { return sub_stream.brings() == Brings::rows ? 0 : 1; }

/// Rows held as intervals need a tombstone that always wins over its row.
bool tombstones_win(const Writer& writer, const FateRule& fate) {
  if (writer.arrivals && writer.timestamp.from_event) {
    const std::int64_t first_delete = writer.arrivals->begin() + fate.deletes.age_units;
    return (first_delete - writer.event_units(writer.rhythm.total() - 1)) * writer.unit_us >=
           writer.timestamp.offset_us;
  }
  if (writer.timestamp.from_event) return fate.deletes.age_units * writer.unit_us >= writer.timestamp.offset_us;
  if (!writer.pauses.empty() && writer.pauses_delay) return false;
  std::int64_t latest = 0;
  for (const FateShare& share : fate.shares) {
    if (share.deleted) latest = std::max(latest, share.late_units);
  }
  return (fate.deletes.age_units - latest) * writer.unit_us >= writer.timestamp.offset_us;
}

bool needs_rows(const Writer& writer, const FateRule& fate) {
  if (writer.clustering.modulus > 0) return true;
  switch (fate.deletes.kind) {
    case DeleteKind::none:
      return false;
    case DeleteKind::row:
      return !tombstones_win(writer, fate);
    case DeleteKind::partition:
    case DeleteKind::range:
      return fate.deletes.row_by_row;
    case DeleteKind::cell:
      return true;
  }
  return true;
}

bool covers_beside(const FateRule& fate) {
  const DeleteKind kind = fate.deletes.kind;
  return (kind == DeleteKind::partition || kind == DeleteKind::range) && !fate.deletes.row_by_row;
}

/// True if the writer does nothing but delete partitions or ranges: its deletes may lie beside rows.
bool deletes_alone(const Writer& writer, const FateRule& fate) { return !writer.writes && covers_beside(fate); }

}  // namespace

void TableWorkload::add(Writer writer, FateRule fate, std::int64_t end) {
  end_ = std::max(end_, end);
  writer.index = static_cast<int>(writers_.size());
  const auto group = static_cast<std::size_t>(writer.key_group);
  const bool meets_others = !deletes_alone(writer, fate) && std::ranges::any_of(writers_, [&](const Writer& other) {
    return other.key_group == writer.key_group && !deletes_alone(other, fates_[static_cast<std::size_t>(other.index)]);
  });
  if (keyed_group_.size() <= group) keyed_group_.resize(group + 1, 0);
  if (meets_others || needs_rows(writer, fate)) keyed_group_[group] = 1;
  draws_keys_ = draws_keys_ || writer.drawn_keys > 0;
  writers_.push_back(std::move(writer));
  fates_.push_back(std::move(fate));
}

bool TableWorkload::ranges_are_prefixes(int key_group) const {
  std::vector<WriterFate> group;
  for (const Writer& writer : writers_) {
    if (writer.key_group == key_group) group.push_back({&writer, &fates_[static_cast<std::size_t>(writer.index)]});
  }
  return windrow::ranges_are_prefixes(group);
}

void TableWorkload::finish(std::int64_t most_keyed_rows) {
  for (const Writer& writer : writers_) {
    const FateRule& fate = fates_[static_cast<std::size_t>(writer.index)];
    char& keyed_group = keyed_group_[static_cast<std::size_t>(writer.key_group)];
    if (fate.deletes.kind == DeleteKind::range && !ranges_are_prefixes(writer.key_group)) keyed_group = 1;
    deletes_partitions_ = deletes_partitions_ ||
                          (covers_beside(fate) && (fate.deletes.kind == DeleteKind::partition || keyed_group == 0));
  }
  for (std::size_t w = 0; w < writers_.size(); ++w) {
    const FateRule& fate = fates_[w];
    const std::int64_t all = writers_[w].rhythm.total();
    std::int64_t rows = 0;
    for (const FateShare& share : fate.shares) {
      const std::int64_t here = share.rows.rank_of_all(all);
      rows += here;
      if (here > 0 || share.rows.whole() || !share.rows.residues().empty()) add_rows(writers_[w], share, fate.deletes);
    }
    SIM_CHECK(rows == all, "shares that are not all rows");
  }
  put_together();
  list_keyed_arrivals(most_keyed_rows);
}

void TableWorkload::put_together() {
  for (int s = 0; s < static_cast<int>(sub_streams_.size()); ++s) {
    const auto found = std::ranges::find_if(together_, [&](const Together& group) {
      return sub_streams_[static_cast<std::size_t>(group.sub_streams.front())].arrives_with(
          sub_streams_[static_cast<std::size_t>(s)]);
    });
    group_of_.push_back(static_cast<int>(found - together_.begin()));
    (found != together_.end() ? *found : together_.emplace_back()).sub_streams.push_back(s);
  }
  place_of_.resize(sub_streams_.size());
  std::size_t place = 0;
  std::vector<std::vector<const RowShare*>> all;
  for (Together& group : together_) {
    group.first_place = place;
    std::vector<const RowShare*>& shares = all.emplace_back();
    for (const int s : group.sub_streams) {
      place_of_[static_cast<std::size_t>(s)] = place++;
      shares.push_back(&sub_streams_[static_cast<std::size_t>(s)].share());
    }
    group.shares = ShareForest(shares);
  }
  all_shares_ = ShareForest(all);
}

void TableWorkload::add_rows(const Writer& writer, const FateShare& share, const DeleteRule& deletes) {
  // Rows that may meet others keep their own partitions: two of one instant never share one.
  const bool in_turn = keyed_group_[static_cast<std::size_t>(writer.key_group)] == 0;
  int target = -1;
  if (writer.writes) {
    target = static_cast<int>(sub_streams_.size());
    sub_streams_.emplace_back(writer, Brings::rows, share.rows, in_turn, share.late_units, share.ttl_s);
    sub_streams_.back().lose_at(share.lost_by);
    target_of_.push_back(-1);
  }
  if (!share.deleted) return;
  const Brings brings = deletes.kind == DeleteKind::row ? Brings::row_tombstones : Brings::cell_tombstones;
  sub_streams_.emplace_back(writer, brings, share.rows, in_turn, deletes.age_units, 0);
  sub_streams_.back().lose_at(share.delete_lost_by);
  if (deletes.arrive_from_units > 0 || deletes.arrive_to_units < INT64_MAX)
    sub_streams_.back().send_only(deletes.arrive_from_units, deletes.arrive_to_units);
  target_of_.push_back(target);
}

void TableWorkload::list_keyed_arrivals(std::int64_t most_keyed_rows) {
  for (std::size_t s = 0; s < sub_streams_.size(); ++s) {
    const SubStream& sub_stream = sub_streams_[s];
    if (!keyed(static_cast<int>(s))) continue;
    const std::int64_t members = sub_stream.count_arrived_before(end_);
    refuse_beyond(most_keyed_rows, members);
    auto unsent = sub_stream.unsent().begin();
    for (std::int64_t j = 0; j < members; ++j) {
      while (unsent != sub_stream.unsent().end() && j >= unsent->second) ++unsent;
      if (unsent != sub_stream.unsent().end() && j >= unsent->first) continue;
      keyed_arrivals_.push_back({.place = {.time = sub_stream.arrival(j),
                                           .writer = sub_stream.writer().index,
                                           .kind = kind_of(sub_stream),
                                           .sequence = sub_stream.row(j)},
                                 .sub_stream = static_cast<int>(s),
                                 .member = j});
    }
  }
  for (const Writer& writer : writers_) {
    const std::vector<CoveringDelete>& deletes = deletes_of(writer.index).covering;
    refuse_beyond(most_keyed_rows, std::ssize(deletes));
    for (std::int64_t i = 0; i < std::ssize(deletes); ++i) {
      const CoveringDelete& each = deletes[static_cast<std::size_t>(i)];
      keyed_arrivals_.push_back(
          {.place = {.time = each.arrival, .writer = writer.index, .kind = 1, .sequence = each.sequence},
           .sub_stream = -1,
           .member = i});
    }
  }
  std::ranges::sort(keyed_arrivals_, {}, &KeyedArrival::place);
}

void TableWorkload::refuse_beyond(std::int64_t most_keyed_rows, std::int64_t more) const {
  if (more + std::ssize(keyed_arrivals_) > most_keyed_rows)
    throw std::length_error("more rows meet others than can be held one by one");
}

std::int64_t TableWorkload::members_before(int s, const ArrivalPlace& place) const {
  const SubStream& sub_stream = sub_streams_[static_cast<std::size_t>(s)];
  const auto mine = std::pair(sub_stream.writer().index, kind_of(sub_stream));
  const auto theirs = std::pair(place.writer, place.kind);
  if (mine < theirs) return sub_stream.count_arrived_before(place.time + 1);
  const std::int64_t before = sub_stream.count_arrived_before(place.time);
  if (mine > theirs) return before;
  const std::int64_t after = sub_stream.count_arrived_before(place.time + 1);
  return std::clamp(sub_stream.rank(place.sequence), before, after);
}

std::int64_t TableWorkload::arrivals_before(const ArrivalPlace& place) const {
  std::int64_t count = 0;
  for (std::size_t s = 0; s < sub_streams_.size(); ++s) {
    if (keyed(static_cast<int>(s))) continue;
    const std::int64_t members = members_before(static_cast<int>(s), place);
    count += members;
    for (const auto& [first, last] : sub_streams_[s].unsent()) {
      count -= std::max<std::int64_t>(0, std::min(last, members) - first);
    }
  }
  return count + (std::ranges::lower_bound(keyed_arrivals_, place, {}, &KeyedArrival::place) - keyed_arrivals_.begin());
}

std::optional<ArrivalPlace> TableWorkload::place_after(std::int64_t count, std::int64_t end) const {
  if (arrivals_before({.time = end}) < count) return std::nullopt;
  std::int64_t low = 0;  // fewer than `count` before here
  std::int64_t high = end;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (arrivals_before({.time = middle}) < count ? low : high) = middle;
  }
  ArrivalPlace place{.time = low};
  for (int w = 0; w < static_cast<int>(writers_.size()); ++w) {
    for (int kind = 0; kind < 2; ++kind) {
      if (arrivals_before({low, w, kind + 1, 0}) < count) continue;
      std::int64_t below = 0;
      std::int64_t enough = std::int64_t{1} << 50;
      while (enough - below > 1) {
        const std::int64_t middle = below + (enough - below) / 2;
        (arrivals_before({low, w, kind, middle}) < count ? below : enough) = middle;
      }
      return ArrivalPlace{low, w, kind, enough};
    }
  }
  return place;
}

}  // namespace windrow
