#include "sim/cluster/keyed_ledger.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/base/check.h"
#include "sim/cluster/keyed_exchange.h"
#include "sim/cluster/stored_partitions.h"
#include "sim/content/keyed_merge.h"
#include "sim/content/keyed_write.h"

namespace windrow {

namespace {

using Hider = KeyedLedger::Hider;
constexpr Micros hints_come_within_us = 86'400 * us_per_s;  // after a return; later who forgot first is not told

/// What a value of a row looks like from behind what hides it.
struct OldValue {
  bool any = false;
  int sub_stream = -1;
  Micros timestamp_us = 0;
  Seconds expiry_s = 0;
};

/// The newest of a row's values that the write hides and that would outlive what it hides.
OldValue old_value(const KeyedRow& row, const Hider& hider) {
  OldValue found;
  const auto see = [&](Micros timestamp_us, Seconds expiry_s, int sub_stream) {
    if (timestamp_us >= hider.timestamp_us || expiry_s <= hider.dead_s) return;
    found.expiry_s = std::max(found.expiry_s, expiry_s);
    if (found.any && timestamp_us < found.timestamp_us) return;
    found.any = true;
    found.timestamp_us = timestamp_us;
    if (sub_stream >= 0) found.sub_stream = sub_stream;
  };
  for (const KeyedCell& cell : row.cells) {
    if (cell.kind == CellKind::tombstone || (hider.column && cell.column != *hider.column)) continue;
    see(cell.timestamp_us, cell.local_deletion_time_s, cell.sub_stream);
  }
  if (row.liveness && !hider.column) see(row.liveness->timestamp_us, row.liveness->expiry_s, -1);
  return found;
}

const KeyedRow* find_row(const KeyedPartition& partition, std::int64_t clustering) {
  const auto found = std::ranges::lower_bound(partition.rows, clustering, {}, &KeyedRow::clustering);
  return found != partition.rows.end() && found->clustering == clustering ? &*found : nullptr;
}

/// The partition holds something that hides as much of the row as the write does.
bool hides(const KeyedPartition& partition, std::int64_t clustering, const Hider& hider) {
  const auto as_new = [&](Micros timestamp_us) { return timestamp_us >= hider.timestamp_us; };
  if (partition.deletion && as_new(partition.deletion->timestamp_us)) return true;
  for (const KeyedRange& range : partition.ranges) {
    if (range.from <= clustering && clustering < range.to && as_new(range.deletion.timestamp_us)) return true;
  }
  const KeyedRow* row = find_row(partition, clustering);
  if (row == nullptr) return false;
  if (row->deletion && as_new(row->deletion->timestamp_us)) return true;
  if (hider.by_liveness && row->liveness && as_new(row->liveness->timestamp_us)) return true;
  return std::ranges::any_of(row->cells, [&](const KeyedCell& cell) {
    return as_new(cell.timestamp_us) && (!hider.column || cell.column == *hider.column);
  });
}

Hider of_row(const KeyedRow& row) { return {.from = row.clustering, .to = row.clustering + 1}; }

/// What in these partitions' writes may hide older ones; values that never expire hide for ever, and are none.
std::vector<Hider> hiders_of(const KeyedPartition& write, Micros sent_us) {
  std::vector<Hider> all;
  const auto add = [&](Hider hider, Micros timestamp_us, Seconds dead_s) {
    hider.timestamp_us = timestamp_us;
    hider.dead_s = dead_s;
    hider.sent_us = sent_us;
    all.push_back(hider);
  };
  if (write.deletion) add({}, write.deletion->timestamp_us, write.deletion->local_deletion_time_s);
  for (const KeyedRange& range : write.ranges)
    add({.from = range.from, .to = range.to}, range.deletion.timestamp_us, range.deletion.local_deletion_time_s);
  for (const KeyedRow& row : write.rows) {
    if (row.deletion) add(of_row(row), row.deletion->timestamp_us, row.deletion->local_deletion_time_s);
    // The cells of one write have one fate.
    if (!row.cells.empty()) {
      const KeyedCell& cell = row.cells.front();
      Hider hider = of_row(row);
      if (cell.kind == CellKind::tombstone && !row.liveness) hider.column = cell.column;
      if (cell.kind != CellKind::live) add(hider, cell.timestamp_us, cell.local_deletion_time_s);
    } else if (row.liveness && row.liveness->ttl_s > 0) {
      Hider hider = of_row(row);
      hider.by_liveness = true;
      add(hider, row.liveness->timestamp_us, row.liveness->expiry_s);
    }
  }
  return all;
}

/// The key of what is written, as far as it can be told from `KeyedPartition`: a row, or what a delete covers.
Hider extent_of(const KeyedPartition& write) {
  if (!write.rows.empty()) return of_row(write.rows.front());
  if (!write.ranges.empty()) return {.from = write.ranges.front().from, .to = write.ranges.front().to};
  return {};
}

Micros timestamp_of(const KeyedPartition& write) {
  if (write.deletion) return write.deletion->timestamp_us;
  if (!write.ranges.empty()) return write.ranges.front().deletion.timestamp_us;
  const KeyedRow& row = write.rows.front();
  if (row.deletion) return row.deletion->timestamp_us;
  return row.liveness ? row.liveness->timestamp_us : row.cells.front().timestamp_us;
}

}  // namespace

KeyedLedger::KeyedLedger(const TableReplicas& replicas)
    : replicas_(&replicas),
      told_(static_cast<std::size_t>(replicas.count())),
      forgotten_(static_cast<std::size_t>(replicas.count())) {
  SIM_CHECK(replicas.count() <= 64, "a ledger of at most 64 replicas");
}

std::optional<Micros> KeyedLedger::missed_since(Micros now_us) const {
  const std::int64_t unit_us = replicas_->space().workload().writers().front().unit_us;
  const std::int64_t now = now_us / unit_us;
  std::optional<Micros> since_us;
  for (int node = 0; node < replicas_->count(); ++node) {
    for (const auto& [from, to] : store(node).memtable().arrivals().away()) {
      if (from <= now && now - hints_come_within_us / unit_us < to)
        since_us = std::min(since_us.value_or(from * unit_us), from * unit_us);
    }
  }
  if (told_lost_us_) since_us = std::min(since_us.value_or(*told_lost_us_), *told_lost_us_);
  return since_us;
}

void KeyedLedger::see_written_again(std::vector<Line>& lines, Micros from_us, Micros now_us) const {
  std::map<Token, std::vector<std::size_t>> by_token;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].expired) by_token[lines[i].token].push_back(i);
  }
  if (by_token.empty()) return;
  each_accepted(*replicas_, from_us, now_us, [&](const KeyedArrival& arrival, Micros at_us) {
    const KeyedPartition write = keyed_write(replicas_->space(), arrival, store(0).settings().default_ttl_s);
    const auto found = by_token.find(write.token);
    if (found == by_token.end()) return;
    const Hider extent = extent_of(write);
    const Micros timestamp_us = timestamp_of(write);
    for (const std::size_t i : found->second) {
      Line& line = lines[i];
      if (line.expired || timestamp_us <= line.hider.timestamp_us || !extent.covers(line.clustering)) continue;
      pass_time(line, at_us);  // what came before it
      if (line.expired) continue;
      line.expired = true;
      line.written_again_us = at_us;
    }
  });
}

void KeyedLedger::pass_time(Line& line, Micros now_us) const {
  if (line.expired) return;
  const Seconds now_s = now_us / us_per_s;
  const Seconds gc_grace_s = store(0).settings().gc_grace_s;
  // Of a value that has expired a tombstone of the time of its write is left (AbstractCell.purge), and the row's
  // liveness, which hides no value, until gc_grace after its expiry.
  const Seconds from_s = line.hider.by_liveness ? line.hider.dead_s : line.hider.sent_us / us_per_s;
  const Seconds stripped_s = std::max(line.hider.dead_s, from_s + gc_grace_s + 1);
  const bool stripped = line.shown() != 0 && stripped_s <= now_s && line.expiry_s > stripped_s;
  if (stripped && !line.visible) line.visible = !is_spared(line);
  if (line.expiry_s <= now_s) line.expired = true;
}

bool KeyedLedger::is_spared(const Line& line) const {
  if (!store(0).strategy().common().only_purge_repaired_tombstones) return false;
  // Where nothing is repaired nothing is stripped.
  if (!replicas_->any_repaired()) return true;
  for (int node = 0; node < replicas_->count(); ++node) {
    if (hides(StoredPartitions(store(node), true).partition(line.token), line.clustering, line.hider)) return true;
  }
  return false;
}

void KeyedLedger::pass_time(Micros now_us) {
  see_written_again(lines_, passed_us_, now_us);
  passed_us_ = std::max(passed_us_, now_us);
  for (Line& line : lines_) pass_time(line, now_us);
}

void KeyedLedger::look(int node, std::vector<Line>& lines) const {
  if (std::ranges::all_of(lines, &Line::expired)) return;
  const StoredPartitions stored(store(node));
  std::map<Token, KeyedPartition> partitions;
  for (Line& line : lines) {
    if (line.expired) continue;
    const auto [place, fresh] = partitions.try_emplace(line.token);
    if (fresh) place->second = stored.partition(line.token);
    const KeyedRow* row = find_row(place->second, line.clustering);
    line.stored &= ~bit_of(node);
    line.deleted &= ~bit_of(node);
    if (row != nullptr && old_value(*row, line.hider).any) line.stored |= bit_of(node);
    if (hides(place->second, line.clustering, line.hider)) line.deleted |= bit_of(node);
  }
}

template <class IsMissed>
std::vector<KeyedLedger::Line> KeyedLedger::new_lines(int node, Micros from_us, Micros until_us, Micros now_us,
                                                      const IsMissed& is_missed) const {
  std::map<Token, std::vector<Hider>> missed;
  each_accepted(*replicas_, from_us, until_us, [&](const KeyedArrival& arrival, Micros at_us) {
    if (!is_missed(store(node).memtable().arrivals(), arrival)) return;
    const KeyedPartition write = keyed_write(replicas_->space(), arrival, store(0).settings().default_ttl_s);
    for (const Hider& hider : hiders_of(write, at_us)) missed[write.token].push_back(hider);
  });
  std::vector<Line> fresh;
  if (missed.empty()) return fresh;
  const StoredPartitions stored(store(node));
  for (const auto& [token, hiders] : missed) {
    const KeyedPartition partition = stored.partition(token);
    for (const KeyedRow& row : partition.rows) {
      const Hider* newest = nullptr;
      for (const Hider& hider : hiders) {
        const bool newer = newest == nullptr || hider.timestamp_us > newest->timestamp_us;
        if (newer && hider.covers(row.clustering) && old_value(row, hider).any) newest = &hider;
      }
      if (newest == nullptr || hides(partition, row.clustering, *newest)) continue;
      const OldValue value = old_value(row, *newest);
      Line& line = fresh.emplace_back();
      line.token = token;
      line.clustering = row.clustering;
      line.hider = *newest;
      const TableWorkload& workload = replicas_->space().workload();
      line.writer = value.sub_stream >= 0 ? replicas_->space().sub_stream(value.sub_stream).writer().spec
                                          : workload.writers()[static_cast<std::size_t>(partition.writer)].spec;
      line.written_s = value.timestamp_us / us_per_s;
      line.expiry_s = value.expiry_s;
    }
  }
  // One that was written again has another story.
  see_written_again(fresh, from_us, now_us);
  std::erase_if(fresh, [](const Line& line) { return line.expired; });
  return fresh;
}

void KeyedLedger::missed(int node, Micros from_us, Micros until_us, Micros now_us, const std::string& why) {
  pass_time(now_us);
  const auto was_away = [](const Arrivals& of_node, const KeyedArrival& arrival) {
    return of_node.missed(arrival.place.time);
  };
  add_lines(node, new_lines(node, from_us, until_us, now_us, was_away), from_us, now_us, why);
}

void KeyedLedger::lost(int node, Micros from_us, Micros now_us) {
  pass_time(now_us);
  const auto lost = [](const Arrivals& of_node, const KeyedArrival& arrival) { return of_node.loses(arrival); };
  told_lost_us_ = from_us;
  add_lines(node, new_lines(node, from_us, now_us, now_us, lost), from_us, now_us, "lost");
}

void KeyedLedger::add_lines(int node, std::vector<Line> missing, Micros from_us, Micros now_us,
                            const std::string& why) {
  const auto key = [](const Line& line) { return std::tuple(line.token, line.clustering, line.hider.timestamp_us); };
  std::map<std::tuple<Token, std::int64_t, Micros>, std::size_t> known;
  for (std::size_t i = 0; i < lines_.size(); ++i) known.emplace(key(lines_[i]), i);
  std::vector<Line> fresh;
  for (Line& line : missing) {
    const auto found = known.find(key(line));
    if (found != known.end()) {
      lines_[found->second].missed |= bit_of(node);
      continue;
    }
    line.missed = bit_of(node);
    line.why = why;
    fresh.push_back(std::move(line));
  }
  for (int replica = 0; replica < replicas_->count(); ++replica) look(replica, fresh);
  for (Line& line : fresh) {
    for (const auto& of_node : forgotten_) {
      const auto found = of_node.find(line.token);
      if (found == of_node.end()) continue;
      for (const Forgotten& each : found->second) {
        const bool same = each.hider.timestamp_us == line.hider.timestamp_us && each.hider.covers(line.clustering);
        if (!same || each.at_us < from_us || (line.purged_on && line.purged_at_us <= each.at_us)) continue;
        line.purged_on = each.node;
        line.purged_at_us = each.at_us;
      }
    }
    pass_time(line, now_us);
    line.visible = line.visible && !line.expired;
    line.remember();
    if (!line.expired) line.judge(now_us, {}, false);
    lines_.push_back(std::move(line));
  }
  const Micros since_us = missed_since(now_us).value_or(now_us);
  for (auto& of_node : forgotten_) {
    for (auto& [token, all] : of_node) std::erase_if(all, [&](const Forgotten& each) { return each.at_us < since_us; });
    std::erase_if(of_node, [](const auto& entry) { return entry.second.empty(); });
  }
}

void KeyedLedger::replaced(int node, Micros now_us) {
  pass_time(now_us);
  look(node, lines_);
  // It has been told what its source knows: of a delete that missed the source as little.
  for (Line& line : lines_) {
    if (!line.expired && (line.shown() & bit_of(node)) != 0) line.missed |= bit_of(node);
  }
}

void KeyedLedger::received(Micros now_us, const std::string& what, bool hints) {
  pass_time(now_us);
  for (Line& line : lines_) line.remember();
  for (int node = 0; node < replicas_->count(); ++node) look(node, lines_);
  for (Line& line : lines_) {
    if (!line.expired) line.judge(now_us, what, hints);
  }
}

void KeyedLedger::find_forgotten(int node, std::span<const SSTablePtr> removed, Micros now_us) {
  const StoredPartitions stored(store(node));
  for (const SSTablePtr& file : removed) {
    if (!file->content().keyed) continue;
    for (const KeyedPartition& partition : *file->content().keyed) {
      const std::vector<Hider> hiders = hiders_of(partition, now_us);
      if (hiders.empty()) continue;
      const KeyedPartition left = stored.partition(partition.token);
      for (const Hider& hider : hiders) {
        if (!hides(left, hider.from, hider))
          forgotten_[static_cast<std::size_t>(node)][partition.token].push_back(
              {.hider = hider, .node = node, .at_us = now_us});
      }
    }
  }
}

void KeyedLedger::compacted(int node, std::span<const SSTablePtr> removed, Micros now_us) {
  if (missed_since(now_us)) find_forgotten(node, removed, now_us);
  Told told{.node = node, .at_us = now_us};
  std::optional<StoredPartitions> stored;
  std::map<Token, KeyedPartition> partitions;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const bool meets = std::ranges::any_of(removed, [&](const SSTablePtr& file) {
      return file->content().keyed && find_partition(*file->content().keyed, line.token) != nullptr;
    });
    if (line.expired || !meets) continue;
    if (!stored) stored.emplace(store(node));
    const auto [place, fresh] = partitions.try_emplace(line.token);
    if (fresh) place->second = stored->partition(line.token);
    const KeyedRow* row = find_row(place->second, line.clustering);
    const bool value = row != nullptr && old_value(*row, line.hider).any;
    told.lines.push_back({i, {value, hides(place->second, line.clustering, line.hider)}});
  }
  if (!told.lines.empty()) told_[static_cast<std::size_t>(node)].push_back(std::move(told));
}

void KeyedLedger::gone(int node, Micros now_us, std::string_view why) {
  told_[static_cast<std::size_t>(node)].push_back(
      {.node = node, .at_us = now_us, .lines = {}, .gone = true, .what = std::string(why)});
}

void KeyedLedger::settle() {
  std::vector<Told> all;
  for (std::vector<Told>& of_node : told_) {
    std::ranges::move(of_node, std::back_inserter(all));
    of_node.clear();
  }
  std::ranges::stable_sort(all, {}, [](const Told& told) { return std::pair(told.at_us, told.node); });
  for (Told& told : all) {
    pass_time(told.at_us);
    if (told.gone) {
      for (std::size_t i = 0; i < lines_.size(); ++i) told.lines.push_back({i, {false, false}});
    }
    PurgeTime purge{.table = table(), .node = told.node, .at_us = told.at_us};
    for (const auto& [place, holds] : told.lines) {
      Line& line = lines_[place];
      if (line.expired) continue;
      line.remember();
      line.stored = (line.stored & ~bit_of(told.node)) | (holds.first ? bit_of(told.node) : 0);
      line.deleted = (line.deleted & ~bit_of(told.node)) | (holds.second ? bit_of(told.node) : 0);
      const bool forgot = (line.was_deleted & ~line.deleted & bit_of(told.node)) != 0;
      if (forgot && !told.gone) {
        const Micros dead_us = line.hider.dead_s * us_per_s;
        purge.deleted_from_us = purge.rows == 0 ? dead_us : std::min(purge.deleted_from_us, dead_us);
        purge.deleted_to_us = std::max(purge.deleted_to_us, dead_us);
        ++purge.rows;
        if (!line.purged_on) {
          line.purged_on = told.node;
          line.purged_at_us = told.at_us;
        }
      }
      line.judge(told.at_us, told.what, false);
    }
    if (purge.rows > 0) purges_.push_back(purge);
  }
}

SuspectRows KeyedLedger::described(const Line& line, Micros end_us) const {
  SuspectRows rows{.table = table(), .writer = line.writer, .rows = 1};
  rows.written_from_us = rows.written_to_us = line.written_s * us_per_s;
  rows.deleted_from_us = rows.deleted_to_us = line.hider.dead_s * us_per_s;
  line.tell(rows);
  if (!line.healed_at_us && line.expired) rows.until_us = line.written_again_us.value_or(line.expiry_s * us_per_s);
  const Micros grace_us = store(0).settings().gc_grace_s * us_per_s;
  // What hides it until it expires is forgotten gc_grace after its write (pass_time).
  const Micros dead_us = line.hider.by_liveness ? rows.deleted_from_us : line.hider.sent_us;
  rows.safe_until_us = std::max(rows.deleted_from_us, dead_us + grace_us);
  const Micros stored_until_us = line.purged_on ? line.purged_at_us : rows.safe_until_us;
  const Micros ended_us = rows.brought_at_us.value_or(rows.until_us.value_or(end_us));
  rows.margin_s = stored_until_us / us_per_s - ended_us / us_per_s;
  return rows;
}

std::vector<SuspectRows> KeyedLedger::finish(Micros end_us) {
  pass_time(end_us);
  // A newer value that has not expired yet has deleted nothing.
  std::erase_if(lines_, [&](const Line& line) {
    const Micros ended_us = line.healed_at_us.value_or(line.written_again_us.value_or(end_us));
    return !line.spread && ended_us <= line.hider.dead_s * us_per_s;
  });
  const auto order = [](const Line& line) {
    return std::tuple(line.writer, line.hider.dead_s, line.written_s, line.token, line.clustering);
  };
  std::ranges::stable_sort(lines_, {}, order);
  std::vector<SuspectRows> all;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const SuspectRows rows = described(line, end_us);
    if (i == 0 || line.writer != lines_[i - 1].writer || !line.same_as(lines_[i - 1])) {
      all.push_back(rows);
      continue;
    }
    SuspectRows& before = all.back();
    ++before.rows;
    before.written_from_us = std::min(before.written_from_us, rows.written_from_us);
    before.written_to_us = std::max(before.written_to_us, rows.written_to_us);
    before.deleted_to_us = std::max(before.deleted_to_us, rows.deleted_to_us);
    before.margin_s = std::min(before.margin_s, rows.margin_s);
    before.safe_until_us = std::min(before.safe_until_us, rows.safe_until_us);
    if (before.until_us && rows.until_us) before.until_us = std::max(*before.until_us, *rows.until_us);
  }
  return all;
}

}  // namespace windrow
