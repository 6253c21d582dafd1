#include "sim/cluster/ledger.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr std::uint64_t bit(int node) { return std::uint64_t{1} << static_cast<unsigned>(node); }

std::vector<int> nodes_of(std::uint64_t mask) {
  std::vector<int> nodes;
  for (int node = 0; node < 64; ++node) {
    if ((mask & bit(node)) != 0) nodes.push_back(node);
  }
  return nodes;
}

bool meets(const Cohort& rows, std::span<const Cohort> others) {
  return std::ranges::any_of(others, [&](const Cohort& o) { return o.from < rows.to && rows.from < o.to; });
}

std::vector<Cohort> as_rows_of(int sub_stream, std::vector<Cohort> cohorts) {
  for (Cohort& cohort : cohorts) cohort.sub_stream = sub_stream;
  return cohorts;
}

/// Calls `inside` for what of each line is in `rows`, and keeps the rest.
template <class Line, class Inside>
void divide(const ContentSpace& space, std::vector<Line>& lines, std::span<const Cohort> rows, const Inside& inside) {
  std::vector<Line> divided;
  for (Line& line : lines) {
    if (!meets(line.rows, rows)) {
      divided.push_back(std::move(line));
      continue;
    }
    const auto add = [&](const Cohort& part, bool is_inside) {
      if (space.rows(part) == 0) return;
      Line& added = divided.emplace_back(line);
      added.rows = part;
      if (is_inside) inside(added);
    };
    for (const Cohort& part : rows_without(space, {line.rows}, rows)) add(part, false);
    for (const Cohort& part : rows_within(std::span(&line.rows, 1), rows)) add(part, true);
  }
  lines = std::move(divided);
}

/// The first and the last member that the cohort holds.
std::pair<std::int64_t, std::int64_t> held_ends(const ContentSpace& space, const Cohort& cohort) {
  if (cohort.whole()) return {cohort.from, cohort.to - 1};
  if (space.smooth()) return space.ends(cohort, space.members(cohort));
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const auto holds = [&](std::int64_t j) {
    return space.admits(cohort, sub.writer().bucket_of(sub.row(j)), sub.slot(j));
  };
  std::int64_t first = cohort.from;
  std::int64_t last = cohort.to - 1;
  while (first < last && !holds(first)) ++first;
  while (last > first && !holds(last)) --last;
  return {first, last};
}

/// Rows of one time and history, at another place of the ring.
void unite(SuspectRows& rows, const SuspectRows& more) {
  rows.rows += more.rows;
  rows.written_from_us = std::min(rows.written_from_us, more.written_from_us);
  rows.written_to_us = std::max(rows.written_to_us, more.written_to_us);
  rows.deleted_from_us = std::min(rows.deleted_from_us, more.deleted_from_us);
  rows.deleted_to_us = std::max(rows.deleted_to_us, more.deleted_to_us);
  rows.margin_s = std::min(rows.margin_s, more.margin_s);
  if (rows.until_us) rows.until_us = std::max(*rows.until_us, *more.until_us);
}

/// Takes the lines of which nothing more becomes.
template <class Line>
std::vector<Line> take_expired(std::vector<Line>& lines) {
  const auto over = std::stable_partition(lines.begin(), lines.end(), [](const Line& line) { return !line.expired; });
  std::vector<Line> taken(over, lines.end());
  lines.erase(over, lines.end());
  return taken;
}

}  // namespace

Ledger::Ledger(const Workloads& workloads, const Replicas& replicas) : workloads_(workloads), replicas_(replicas) {
  SIM_CHECK(replicas.size() <= 64, "a ledger of at most 64 replicas");
  for (int table = 0; table < static_cast<int>(workloads.size()); ++table) {
    for (const auto& [tombstones, target] : deletes_in(*workloads[static_cast<std::size_t>(table)]))
      all_.push_back({.table = table, .tombstones = tombstones, .target = target});
  }
}

const TableStore& Ledger::store(int node, const Deletes& deletes) const {
  return replicas_[static_cast<std::size_t>(node)]->table(deletes.table);
}

Seconds Ledger::gc_grace_s(const Deletes& deletes) const { return store(0, deletes).settings().gc_grace_s; }

std::optional<Seconds> Ledger::ttl_s(const Deletes& deletes) const {
  const SubStream& target = space(deletes).sub_stream(deletes.target);
  const Seconds ttl =
      target.ttl_s() == SubStream::table_default_ttl ? store(0, deletes).settings().default_ttl_s : target.ttl_s();
  return ttl > 0 ? std::optional(ttl) : std::nullopt;
}

bool Ledger::has_deletes(int table) const {
  return std::ranges::any_of(all_, [table](const Deletes& deletes) { return deletes.table == table; });
}

void Ledger::look(const Deletes& deletes, int node, std::vector<Line>& lines) const {
  const TableStore& table = store(node, deletes);
  const std::vector<Cohort> values = values_on(table, deletes.target);
  const std::vector<Cohort> tombstones = members_on(table, deletes.tombstones);
  for (Line& line : lines) {
    line.stored &= ~bit(node);
    line.deleted &= ~bit(node);
  }
  divide(space(deletes), lines, values, [&](Line& line) { line.stored |= bit(node); });
  divide(space(deletes), lines, tombstones, [&](Line& line) { line.deleted |= bit(node); });
}

void Ledger::pass_time(Deletes& deletes, Micros now_us) const {
  if (deletes.lines.empty()) return;
  const ContentSpace& rows = space(deletes);
  const SubStream& target = rows.sub_stream(deletes.target);
  const SubStream& tombstones = rows.sub_stream(deletes.tombstones);
  const Seconds now_s = now_us / us_per_s;
  const std::optional<Seconds> ttl = ttl_s(deletes);
  const auto up_to = [&](std::int64_t member) {
    return Cohort{.sub_stream = deletes.target, .from = 0, .to = std::max<std::int64_t>(0, member)};
  };
  // Deleted before now - gc_grace: compactions may purge, and reads strip, the tombstone. With
  // only_purge_repaired_tombstones reads spare what is not repaired, and nothing is.
  if (!store(0, deletes).strategy().common().only_purge_repaired_tombstones) {
    const Seconds gc_grace = gc_grace_s(deletes);
    const Cohort stripped = up_to(tombstones.count_arrived_before_s(now_s - gc_grace));
    divide(rows, deletes.lines, std::span(&stripped, 1), [&](Line& line) {
      if (line.expired || line.shown() == 0) return;
      const Seconds seen_s = tombstones.arrival_s(line.rows.from) + gc_grace;
      if (!ttl || target.arrival_s(line.rows.from) + *ttl > seen_s) line.visible = true;
    });
  }
  if (!ttl) return;
  const Cohort dead = up_to(target.count_arrived_before_s(now_s - *ttl + 1));
  divide(rows, deletes.lines, std::span(&dead, 1), [](Line& line) { line.expired = true; });
}

void Ledger::judge(Line& line, Micros now_us, const std::string& what, bool hints) {
  const Mask gained = line.shown() & ~line.was_shown();
  if (gained != 0) {
    if (!line.spread) {
      line.brought_at_us = now_us;
      line.brought_by = what;
    }
    line.spread = true;
    line.brought_to |= gained;
    line.healed_at_us.reset();
  }
  if (line.shown() == 0 && line.was_shown() != 0) {
    line.healed_at_us = now_us;
    line.healed_by = what;
    line.hinted = hints;
  }
  if (line.shown() != 0 && line.deleted == 0) line.permanent = true;
}

void Ledger::missed(int node, Micros from_us, Micros now_us, const std::string& why) {
  for (Deletes& deletes : all_) {
    const TableWorkload& workload = *workloads_[static_cast<std::size_t>(deletes.table)];
    std::vector<Cohort> rows =
        as_rows_of(deletes.target, members_arriving(workload, deletes.tombstones, from_us, now_us));
    // A delete that reached nobody has failed.
    std::vector<Cohort> nobody = rows;
    for (int other = 0; other < static_cast<int>(replicas_.size()); ++other) {
      std::vector<Cohort> lost;
      for (const auto& [first, last] : store(other, deletes).memtable().arrivals().lost(deletes.tombstones))
        lost.push_back({.sub_stream = deletes.target, .from = first, .to = last});
      nobody = rows_within(nobody, lost);
    }
    rows = rows_without(space(deletes), std::move(rows), nobody);
    rows = rows_within(rows, values_on(store(node, deletes), deletes.target));
    if (rows.empty()) continue;
    pass_time(deletes, now_us);
    std::vector<Cohort> known;
    for (const Line& line : deletes.lines) known.push_back(line.rows);
    divide(space(deletes), deletes.lines, rows, [&](Line& line) { line.missed |= bit(node); });
    std::vector<Line> fresh;
    for (const Cohort& part : rows_without(space(deletes), rows, known)) {
      if (space(deletes).rows(part) > 0) fresh.push_back({.rows = part, .missed = bit(node), .why = why});
    }
    for (int replica = 0; replica < static_cast<int>(replicas_.size()); ++replica) look(deletes, replica, fresh);
    for (const Purge& purge : deletes.purges) {
      if (purge.at_us < from_us) continue;
      divide(space(deletes), fresh, purge.rows, [&](Line& line) {
        if (line.purged_on) return;
        line.purged_on = purge.node;
        line.purged_at_us = purge.at_us;
      });
    }
    std::swap(deletes.lines, fresh);
    pass_time(deletes, now_us);
    for (Line& line : deletes.lines) {
      line.visible = line.visible && !line.expired;  // while it could be seen it was away
      line.remember();
      if (!line.expired) judge(line, now_us, {}, false);
    }
    deletes.lines.insert(deletes.lines.end(), fresh.begin(), fresh.end());
  }
}

void Ledger::received(int table, Micros now_us, const std::string& what, bool hints) {
  for (Deletes& deletes : all_) {
    if (deletes.table != table || deletes.lines.empty()) continue;
    pass_time(deletes, now_us);
    std::vector<Line> over = take_expired(deletes.lines);
    for (Line& line : deletes.lines) line.remember();
    for (int node = 0; node < static_cast<int>(replicas_.size()); ++node) look(deletes, node, deletes.lines);
    for (Line& line : deletes.lines) judge(line, now_us, what, hints);
    deletes.lines.insert(deletes.lines.end(), over.begin(), over.end());
  }
}

void Ledger::compacted(int node, int table, std::span<const SSTablePtr> removed, std::span<const SSTablePtr> added,
                       Micros now_us) {
  for (Deletes& deletes : all_) {
    if (deletes.table != table) continue;
    const auto tombstones_of = [&](std::span<const SSTablePtr> files) {
      std::vector<Cohort> found;
      for (const SSTablePtr& file : files) {
        for (const Cohort& cohort : file->content().cohorts) {
          if (cohort.sub_stream == deletes.tombstones) found.push_back(cohort);
        }
      }
      join_cohorts(found);
      return found;
    };
    Purge purge{.node = node, .at_us = now_us};
    for (const Cohort& cohort : rows_without(space(deletes), tombstones_of(removed), tombstones_of(added))) {
      if (space(deletes).rows(cohort) > 0) purge.rows.push_back(cohort);
    }
    if (purge.rows.empty()) continue;
    purge.rows = as_rows_of(deletes.target, std::move(purge.rows));
    purge.still_stored = rows_within(purge.rows, values_on(store(node, deletes), deletes.target));
    deletes.told.push_back(std::move(purge));
  }
}

void Ledger::gone(int node, int table, Micros now_us) {
  for (Deletes& deletes : all_) {
    if (deletes.table == table) deletes.told.push_back({.node = node, .at_us = now_us, .gone = true});
  }
}

void Ledger::settle() {
  for (Deletes& deletes : all_) {
    std::ranges::stable_sort(deletes.told, {}, [](const Purge& purge) { return std::pair(purge.at_us, purge.node); });
    for (Purge& purge : deletes.told) {
      take(deletes, purge);
      if (!purge.gone) deletes.purges.push_back(std::move(purge));
    }
    deletes.told.clear();
  }
}

void Ledger::take(Deletes& deletes, const Purge& purge) const {
  const Mask its = bit(purge.node);
  const bool any = std::ranges::any_of(deletes.lines, [&](const Line& line) { return meets(line.rows, purge.rows); });
  if (!any && !purge.gone) return;
  pass_time(deletes, purge.at_us);
  std::vector<Line> over = take_expired(deletes.lines);
  for (Line& line : deletes.lines) {
    line.remember();
    if (!purge.gone) continue;
    line.stored &= ~its;
    line.deleted &= ~its;
  }
  divide(space(deletes), deletes.lines, purge.rows, [&](Line& line) {
    if ((line.deleted & its) != 0 && !line.purged_on) {
      line.purged_on = purge.node;
      line.purged_at_us = purge.at_us;
    }
    line.deleted &= ~its;
    line.stored &= ~its;
  });
  divide(space(deletes), deletes.lines, purge.still_stored, [&](Line& line) { line.stored |= its; });
  for (Line& line : deletes.lines) judge(line, purge.at_us, purge.gone ? "truncate" : "compaction", false);
  deletes.lines.insert(deletes.lines.end(), over.begin(), over.end());
}

SuspectRows Ledger::described(const Deletes& deletes, const Line& line, Micros end_us) const {
  const SubStream& target = space(deletes).sub_stream(deletes.target);
  const SubStream& tombstones = space(deletes).sub_stream(deletes.tombstones);
  SuspectRows rows{.table = deletes.table, .writer = target.writer().spec};
  rows.rows = space(deletes).rows(line.rows);
  const auto [first, last] = held_ends(space(deletes), line.rows);
  rows.written_from_us = target.arrival_s(first) * us_per_s;
  rows.written_to_us = target.arrival_s(last) * us_per_s;
  rows.deleted_from_us = tombstones.arrival_s(first) * us_per_s;
  rows.deleted_to_us = tombstones.arrival_s(last) * us_per_s;
  rows.missed_by = nodes_of(line.missed);
  rows.why = line.why;
  rows.hinted = line.hinted;
  rows.state = line.permanent      ? SuspectState::permanent
               : line.spread       ? SuspectState::spread
               : line.visible      ? SuspectState::visible
               : line.healed_at_us ? SuspectState::healed
                                   : SuspectState::stale;
  if (line.purged_on) {
    rows.purged_on = line.purged_on;
    rows.purged_at_us = line.purged_at_us;
  }
  if (line.spread) {
    rows.brought_by = line.brought_by;
    rows.brought_to = nodes_of(line.brought_to);
    rows.brought_at_us = line.brought_at_us;
  } else if (line.healed_at_us) {
    rows.brought_by = line.healed_by;
  }
  if (line.healed_at_us) {
    rows.until_us = line.healed_at_us;
  } else if (line.expired) {
    rows.until_us = (target.arrival_s(last) + ttl_s(deletes).value_or(0)) * us_per_s;
  }
  const Micros safe_until_us =
      line.purged_on ? line.purged_at_us : rows.deleted_from_us + gc_grace_s(deletes) * us_per_s;
  const Micros ended_us = rows.brought_at_us.value_or(rows.until_us.value_or(end_us));
  rows.margin_s = safe_until_us / us_per_s - ended_us / us_per_s;
  return rows;
}

std::vector<SuspectRows> Ledger::finish(Micros end_us) {
  std::vector<SuspectRows> all;
  for (Deletes& deletes : all_) {
    pass_time(deletes, end_us);
    std::vector<Line>& lines = deletes.lines;
    const auto order = [](const Line& line) {
      return std::tuple(line.rows.from, line.rows.to, line.rows.first_token, line.rows.last_token);
    };
    std::ranges::stable_sort(lines, {}, order);
    const auto same = [](const Line& a, const Line& b) {
      const auto history = [](const Line& line) {
        return std::tie(line.missed, line.why, line.purged_on, line.purged_at_us, line.brought_by, line.brought_to,
                        line.brought_at_us, line.visible, line.spread, line.permanent, line.hinted, line.healed_by,
                        line.healed_at_us);
      };
      return history(a) == history(b) && (a.healed_at_us || a.expired == b.expired);
    };
    std::vector<Line> joined;
    for (const Line& line : lines) {
      if (!joined.empty() && joined.back().rows.to == line.rows.from && alike(joined.back().rows, line.rows) &&
          same(joined.back(), line)) {
        joined.back().rows.to = line.rows.to;
      } else {
        joined.push_back(line);
      }
    }
    const Line* before = nullptr;
    for (const Line& line : joined) {
      SuspectRows rows = described(deletes, line, end_us);
      // Where files are cut by tokens, rows of one time have several places, and one history.
      if (before != nullptr && before->rows.from == line.rows.from && before->rows.to == line.rows.to &&
          same(*before, line)) {
        unite(all.back(), rows);
      } else {
        all.push_back(std::move(rows));
      }
      before = &line;
    }
  }
  return all;
}

std::vector<PurgeTime> Ledger::purges() const {
  std::vector<PurgeTime> times;
  for (const Deletes& deletes : all_) {
    const SubStream& tombstones = space(deletes).sub_stream(deletes.tombstones);
    for (const Purge& purge : deletes.purges) {
      Rows rows = 0;
      std::int64_t from = INT64_MAX;
      std::int64_t to = 0;
      for (const Cohort& part : purge.rows) {
        const bool suspect = std::ranges::any_of(deletes.lines, [&](const Line& line) {
          return meets(line.rows, {&part, 1});
        });
        if (!suspect) continue;
        rows += space(deletes).rows(part);
        from = std::min(from, part.from);
        to = std::max(to, part.to);
      }
      if (rows == 0) continue;
      times.push_back({.table = deletes.table,
                       .node = purge.node,
                       .at_us = purge.at_us,
                       .rows = rows,
                       .deleted_from_us = tombstones.arrival_s(from) * us_per_s,
                       .deleted_to_us = tombstones.arrival_s(to - 1) * us_per_s});
    }
  }
  std::ranges::stable_sort(times, {}, &PurgeTime::at_us);
  return times;
}

}  // namespace windrow
