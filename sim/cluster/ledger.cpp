#include "sim/cluster/ledger.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/cluster/keyed_exchange.h"
#include "sim/content/duplicates.h"

namespace windrow {

namespace {

bool meets(const Cohort& rows, std::span<const Cohort> others) {
  return std::ranges::any_of(others, [&](const Cohort& o) { return o.from < rows.to && rows.from < o.to; });
}

std::vector<Cohort> as_rows_of(int sub_stream, std::vector<Cohort> cohorts) {
  for (Cohort& cohort : cohorts) cohort.sub_stream = sub_stream;
  return cohorts;
}

/// Calls `inside` for what of each line is in `rows`, and keeps the rest.
template <class Line, class Inside>
void divide(const ContentSpace& space, std::vector<Line>& lines, const SortedRows& all, const Inside& inside) {
  std::vector<Line> divided;
  for (Line& line : lines) {
    const std::span<const Cohort> rows = all.meeting(line.rows.from, line.rows.to);
    if (!meets(line.rows, rows)) {
      divided.push_back(std::move(line));
      continue;
    }
    const auto add = [&](const Cohort& part, bool is_inside) {
      if (!space.any(part)) return;
      Line& added = divided.emplace_back(line);
      added.rows = part;
      if (is_inside) inside(added);
    };
    const std::vector<Cohort> outside = rows_without(space, {line.rows}, rows);
    if (outside.empty()) {
      inside(divided.emplace_back(std::move(line)));
      continue;
    }
    const std::vector<Cohort> within = rows_within(std::span(&line.rows, 1), rows);
    if (within.empty()) {
      divided.push_back(std::move(line));
      continue;
    }
    for (const Cohort& part : outside) add(part, false);
    for (const Cohort& part : within) add(part, true);
  }
  lines = std::move(divided);
}
template <class Line, class Inside>
void divide(const ContentSpace& space, std::vector<Line>& lines, std::vector<Cohort> rows, const Inside& inside) {
  divide(space, lines, SortedRows(std::move(rows)), inside);
}

/// Takes the lines of which `take` is true.
template <class Line, class Take>
std::vector<Line> taken(std::vector<Line>& lines, const Take& take) {
  std::vector<Line> found;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (take(lines[i])) {
      found.push_back(std::move(lines[i]));
    } else if (kept++ != i) {
      lines[kept - 1] = std::move(lines[i]);
    }
  }
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(kept), lines.end());
  return found;
}
/// Takes the lines of which nothing more becomes.
template <class Line>
std::vector<Line> take_expired(std::vector<Line>& lines) {
  return taken(lines, [](const Line& line) { return line.expired; });
}
template <class Line>
void add_lines(std::vector<Line>& lines, std::vector<Line> more) {
  std::ranges::move(more, std::back_inserter(lines));
}

}  // namespace

Ledger::Ledger(const std::vector<TableReplicas>& tables) : tables_(tables) {
  for (const TableReplicas& table : tables) {
    SIM_CHECK(table.count() <= 64, "a ledger of at most 64 replicas");
    for (const auto& [tombstones, target] : deletes_in(table.space().workload())) {
      all_.push_back({.table = table.table(), .tombstones = tombstones, .target = target});
      all_.back().told.resize(static_cast<std::size_t>(table.count()));
    }
    if (holds_rows_one_by_one(table.space().workload())) keyed_.emplace_back(table);
  }
}

Seconds Ledger::gc_grace_s(const Deletes& deletes) const { return store(0, deletes).settings().gc_grace_s; }

std::optional<Seconds> Ledger::ttl_s(const Deletes& deletes) const {
  const SubStream& target = space(deletes).sub_stream(deletes.target);
  const Seconds ttl = target.ttl_s(store(0, deletes).settings().default_ttl_s);
  return ttl > 0 ? std::optional(ttl) : std::nullopt;
}

bool Ledger::is_lost_by(const Deletes& deletes, int node) const {
  return space(deletes).sub_stream(deletes.tombstones).lost_by() == node;
}

bool Ledger::has_deletes(int table) const {
  return std::ranges::any_of(all_, [table](const Deletes& deletes) { return deletes.table == table; }) ||
         std::ranges::any_of(keyed_, [table](const KeyedLedger& keyed) { return keyed.table() == table; });
}

void Ledger::look(const Deletes& deletes, int node, std::vector<Line>& lines) const {
  const SortedRows values(replicas(deletes).values_on(node, deletes.target));
  const SortedRows tombstones(replicas(deletes).members_on(node, deletes.tombstones));
  for (Line& line : lines) {
    line.stored &= ~bit_of(node);
    line.deleted &= ~bit_of(node);
  }
  divide(space(deletes), lines, values, [&](Line& line) { line.stored |= bit_of(node); });
  divide(space(deletes), lines, tombstones, [&](Line& line) { line.deleted |= bit_of(node); });
}

void Ledger::pass_time(const Deletes& deletes, std::vector<Line>& lines, Micros now_us) const {
  if (lines.empty()) return;
  const ContentSpace& rows = space(deletes);
  const SubStream& target = rows.sub_stream(deletes.target);
  const SubStream& tombstones = rows.sub_stream(deletes.tombstones);
  const Seconds now_s = now_us / us_per_s;
  const std::optional<Seconds> ttl = ttl_s(deletes);
  const auto up_to = [&](std::int64_t member) {
    return Cohort{.sub_stream = deletes.target, .from = 0, .to = std::max<std::int64_t>(0, member)};
  };
  // Deleted before now - gc_grace: compactions may purge, and reads strip, the tombstone. With
  // only_purge_repaired_tombstones reads spare what is not repaired (ReadCommand.withoutPurgeableTombstones).
  const bool spares = store(0, deletes).strategy().common().only_purge_repaired_tombstones;
  for (Line& line : lines) line.spared = false;
  // Where nothing is repaired none of them goes, or is stripped.
  if (!spares || replicas(deletes).any_repaired()) {
    for (int node = 0; node < replicas(deletes).count() && spares; ++node)
      divide(rows, lines, replicas(deletes).unrepaired_on(node, deletes.tombstones),
             [](Line& line) { line.spared = true; });
    const Seconds gc_grace = gc_grace_s(deletes);
    const Cohort stripped = up_to(tombstones.count_arrived_before_s(now_s - gc_grace));
    divide(rows, lines, std::vector{stripped}, [&](Line& line) {
      if (line.expired || line.spared || line.shown() == 0) return;
      const Seconds seen_s = tombstones.arrival_s(line.rows.from) + gc_grace;
      if (!ttl || target.arrival_s(line.rows.from) + *ttl > seen_s) line.visible = true;
    });
  }
  if (!ttl) return;
  const Cohort dead = up_to(target.count_arrived_before_s(now_s - *ttl + 1));
  divide(rows, lines, std::vector{dead}, [](Line& line) { line.expired = true; });
}

void Ledger::missed(int node, Micros from_us, Micros until_us, Micros now_us, const std::string& why) {
  for (Deletes& deletes : all_) {
    if (!is_lost_by(deletes, node)) add_missed(deletes, node, {from_us, until_us}, now_us, why, true);
  }
  for (KeyedLedger& keyed : keyed_) keyed.missed(node, from_us, until_us, now_us, why);
}

void Ledger::lost(int node, Micros from_us, Micros now_us) {
  for (Deletes& deletes : all_) {
    if (is_lost_by(deletes, node)) add_missed(deletes, node, {from_us, now_us}, now_us, "lost", false);
  }
  for (KeyedLedger& keyed : keyed_) keyed.lost(node, from_us, now_us);
}

void Ledger::add_missed(Deletes& deletes, int node, std::pair<Micros, Micros> time_us, Micros now_us,
                        const std::string& why, bool was_away) {
  const auto [from_us, until_us] = time_us;
  // A delete that reached nobody has failed.
  std::vector<Cohort> rows =
      as_rows_of(deletes.target, replicas(deletes).accepted(deletes.tombstones, from_us, until_us));
  rows = SortedRows(replicas(deletes).values_on(node, deletes.target)).within(rows);
  rows = SortedRows(replicas(deletes).members_on(node, deletes.tombstones)).missing_of(space(deletes), rows);
  if (rows.empty()) return;
  const SortedRows missed_rows(rows);
  std::vector<Line> known = taken(deletes.lines, [&](const Line& line) {
    return meets(line.rows, missed_rows.meeting(line.rows.from, line.rows.to));
  });
  pass_time(deletes, known, now_us);
  std::vector<Cohort> known_rows;
  for (const Line& line : known) known_rows.push_back(line.rows);
  divide(space(deletes), known, missed_rows, [&](Line& line) { line.missed |= bit_of(node); });
  std::vector<Line> fresh;
  for (const Cohort& part : rows_without(space(deletes), rows, known_rows)) {
    if (!space(deletes).any(part)) continue;
    Line& line = fresh.emplace_back();
    line.rows = part;
    line.missed = bit_of(node);
    line.why = why;
  }
  for (int replica = 0; replica < replicas(deletes).count(); ++replica) look(deletes, replica, fresh);
  for (const Purge& purge : deletes.purges) {
    if (purge.at_us < from_us) continue;
    divide(space(deletes), fresh, purge.rows, [&](Line& line) {
      if (line.purged_on && (line.purged_at_us != purge.at_us || *line.purged_on < purge.node)) return;
      line.purged_on = purge.node;
      line.purged_at_us = purge.at_us;
    });
  }
  pass_time(deletes, fresh, now_us);
  for (Line& line : fresh) {
    if (was_away) line.visible = line.visible && !line.expired;  // while it could be seen it was away
    line.remember();
    if (!line.expired) line.judge(now_us, {}, false);
  }
  add_lines(deletes.lines, std::move(known));
  add_lines(deletes.lines, std::move(fresh));
}

void Ledger::replaced(int node, int table, Micros now_us, std::vector<Cohort> rows) {
  for (Deletes& deletes : all_) {
    if (deletes.table != table) continue;
    std::vector<Cohort> brought = rows;
    std::erase_if(brought, [&](const Cohort& part) {
      return part.sub_stream != deletes.target && part.sub_stream != deletes.tombstones;
    });
    std::ranges::stable_sort(brought, {}, &Cohort::from);
    const SortedRows all(std::move(brought));
    std::vector<Line> lines = taken(
        deletes.lines, [&](const Line& line) { return meets(line.rows, all.meeting(line.rows.from, line.rows.to)); });
    pass_time(deletes, lines, now_us);
    add_lines(deletes.lines, take_expired(lines));
    look(deletes, node, lines);
    // It has been told what its source knows: of a delete that missed the source as little.
    for (Line& line : lines) {
      if ((line.shown() & bit_of(node)) != 0) line.missed |= bit_of(node);
    }
    add_lines(deletes.lines, std::move(lines));
  }
  for (KeyedLedger& keyed : keyed_) {
    if (keyed.table() == table) keyed.replaced(node, now_us);
  }
}

void Ledger::received(int table, Micros now_us, const std::string& what, bool hints, std::span<const Brought> brought) {
  for (Deletes& deletes : all_) {
    if (deletes.table != table) continue;
    std::vector<Cohort> all;
    std::vector<bool> nodes(static_cast<std::size_t>(replicas(deletes).count()), false);
    for (const Brought& each : brought) {
      for (const Cohort& part : each.rows) {
        if (part.sub_stream != deletes.target && part.sub_stream != deletes.tombstones) continue;
        all.push_back(part);
        nodes[static_cast<std::size_t>(each.node)] = true;
      }
    }
    std::ranges::stable_sort(all, {}, &Cohort::from);
    const SortedRows rows(std::move(all));
    std::vector<Line> lines = taken(
        deletes.lines, [&](const Line& line) { return meets(line.rows, rows.meeting(line.rows.from, line.rows.to)); });
    pass_time(deletes, lines, now_us);
    add_lines(deletes.lines, take_expired(lines));
    for (Line& line : lines) line.remember();
    for (int node = 0; node < replicas(deletes).count(); ++node) {
      if (nodes[static_cast<std::size_t>(node)]) look(deletes, node, lines);
    }
    for (Line& line : lines) line.judge(now_us, what, hints);
    add_lines(deletes.lines, std::move(lines));
  }
  for (KeyedLedger& keyed : keyed_) {
    if (keyed.table() == table) keyed.received(now_us, what, hints);
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
      absorb_duplicates(store(node, deletes).space(), found);
      return found;
    };
    Purge purge{.node = node, .at_us = now_us};
    const ContentSpace& own = store(node, deletes).space();
    for (const Cohort& cohort : SortedRows(tombstones_of(added)).missing_of(own, tombstones_of(removed))) {
      if (own.rows(cohort) > 0) purge.rows.push_back(cohort);
    }
    if (purge.rows.empty()) continue;
    // Of a tombstone that lies in several files the last one counts.
    purge.rows = SortedRows(members_in(store(node, deletes), deletes.tombstones)).missing_of(own, purge.rows);
    std::erase_if(purge.rows, [&](const Cohort& part) { return !own.any(part); });
    if (purge.rows.empty()) continue;
    purge.rows = as_rows_of(deletes.target, std::move(purge.rows));
    purge.still_stored = SortedRows(values_in(store(node, deletes), deletes.target)).within(purge.rows);
    deletes.told[static_cast<std::size_t>(node)].push_back(std::move(purge));
  }
  for (KeyedLedger& keyed : keyed_) {
    if (keyed.table() == table) keyed.compacted(node, removed, now_us);
  }
}

void Ledger::gone(int node, int table, Micros now_us, std::string_view why) {
  for (Deletes& deletes : all_) {
    if (deletes.table == table)
      deletes.told[static_cast<std::size_t>(node)].push_back(
          {.node = node, .at_us = now_us, .gone = true, .what = std::string(why)});
  }
  for (KeyedLedger& keyed : keyed_) {
    if (keyed.table() == table) keyed.gone(node, now_us, why);
  }
}

void Ledger::settle() {
  for (Deletes& deletes : all_) {
    std::vector<Purge> told;
    for (std::vector<Purge>& of_node : deletes.told) {
      std::ranges::move(of_node, std::back_inserter(told));
      of_node.clear();
    }
    std::ranges::stable_sort(told, {}, [](const Purge& purge) { return std::pair(purge.at_us, purge.node); });
    for (Purge& purge : told) {
      purge.rows = replicas(deletes).to_cluster(purge.node, std::move(purge.rows));
      purge.still_stored = replicas(deletes).to_cluster(purge.node, std::move(purge.still_stored));
      take(deletes, purge);
      if (!purge.gone) deletes.purges.push_back(std::move(purge));
    }
  }
  for (KeyedLedger& keyed : keyed_) keyed.settle();
}

void Ledger::take(Deletes& deletes, const Purge& purge) const {
  const Mask its = bit_of(purge.node);
  const SortedRows rows(purge.rows);
  std::vector<Line> lines = taken(deletes.lines, [&](const Line& line) {
    return purge.gone || meets(line.rows, rows.meeting(line.rows.from, line.rows.to));
  });
  pass_time(deletes, lines, purge.at_us);
  add_lines(deletes.lines, take_expired(lines));
  for (Line& line : lines) {
    line.remember();
    if (!purge.gone) continue;
    line.stored &= ~its;
    line.deleted &= ~its;
  }
  divide(space(deletes), lines, rows, [&](Line& line) {
    // Of those that forget it at one instant the lowest number is told.
    const bool first = !line.purged_on || (line.purged_at_us == purge.at_us && purge.node < *line.purged_on);
    if ((line.deleted & its) != 0 && first) {
      line.purged_on = purge.node;
      line.purged_at_us = purge.at_us;
    }
    line.deleted &= ~its;
    line.stored &= ~its;
  });
  divide(space(deletes), lines, purge.still_stored, [&](Line& line) { line.stored |= its; });
  for (Line& line : lines) line.judge(purge.at_us, purge.what, false);
  add_lines(deletes.lines, std::move(lines));
}

}  // namespace windrow
