#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "sim/cluster/ledger.h"

namespace windrow {

// What a ledger says in the end.

namespace {

/// Rows of one time and history, at another place of the ring.
void unite(SuspectRows& rows, const SuspectRows& more) {
  rows.rows += more.rows;
  rows.written_from_us = std::min(rows.written_from_us, more.written_from_us);
  rows.written_to_us = std::max(rows.written_to_us, more.written_to_us);
  rows.deleted_from_us = std::min(rows.deleted_from_us, more.deleted_from_us);
  rows.deleted_to_us = std::max(rows.deleted_to_us, more.deleted_to_us);
  rows.margin_s = std::min(rows.margin_s, more.margin_s);
  rows.safe_until_us = std::min(rows.safe_until_us, more.safe_until_us);
  if (rows.until_us) rows.until_us = std::max(*rows.until_us, *more.until_us);
}

}  // namespace

SuspectRows Ledger::described(const Deletes& deletes, const Line& line, Micros end_us) const {
  const SubStream& target = space(deletes).sub_stream(deletes.target);
  const SubStream& tombstones = space(deletes).sub_stream(deletes.tombstones);
  SuspectRows rows{.table = deletes.table, .writer = target.writer().spec};
  rows.rows = space(deletes).rows(line.rows);
  const auto [first, last] = space(deletes).ends(line.rows);
  rows.written_from_us = target.arrival_s(first) * us_per_s;
  rows.written_to_us = target.arrival_s(last) * us_per_s;
  rows.deleted_from_us = tombstones.arrival_s(first) * us_per_s;
  rows.deleted_to_us = tombstones.arrival_s(last) * us_per_s;
  line.tell(rows);
  if (!line.healed_at_us && line.expired)
    rows.until_us = (target.arrival_s(last) + ttl_s(deletes).value_or(0)) * us_per_s;
  rows.safe_until_us = rows.deleted_from_us + gc_grace_s(deletes) * us_per_s;
  const Micros stored_until_us = line.purged_on ? line.purged_at_us : rows.safe_until_us;
  const Micros ended_us = rows.brought_at_us.value_or(rows.until_us.value_or(end_us));
  rows.margin_s = stored_until_us / us_per_s - ended_us / us_per_s;
  return rows;
}

std::vector<Ledger::Line> Ledger::joined(std::vector<Line> lines) {
  std::vector<Line> joined;
  for (Line& line : lines) {
    if (!joined.empty() && joined.back().rows.to == line.rows.from && alike(joined.back().rows, line.rows) &&
        line.same_as(joined.back())) {
      joined.back().rows.to = line.rows.to;
    } else {
      joined.push_back(std::move(line));
    }
  }
  return joined;
}

std::vector<Ledger::Line> Ledger::joined_over_sets(std::vector<Line> lines) {
  std::vector<Line> united;
  for (Line& line : lines) {
    const auto like = [&](const Line& other) {
      return !other.rows.slots && !line.rows.slots && other.rows.to == line.rows.to &&
             other.rows.first_token == line.rows.first_token && other.rows.last_token == line.rows.last_token &&
             line.same_as(other);
    };
    auto place = united.end();
    for (auto other = united.end(); place == united.end() && other != united.begin();) {
      --other;
      if (other->rows.from != line.rows.from) break;
      if (like(*other)) place = other;
    }
    if (place == united.end()) {
      united.push_back(std::move(line));
    } else {
      place->rows.sets = std::make_shared<const SetMask>(*place->rows.sets | *line.rows.sets);
    }
  }
  std::vector<Line> joined;
  std::multimap<std::int64_t, std::size_t> ending;  // where lines end
  for (Line& line : united) {
    const auto [first, last] = ending.equal_range(line.rows.from);
    const auto before = std::find_if(first, last, [&](const auto& end) {
      return alike(joined[end.second].rows, line.rows) && line.same_as(joined[end.second]);
    });
    std::size_t place = joined.size();
    if (before != last) {
      place = before->second;
      ending.erase(before);
      joined[place].rows.to = line.rows.to;
    } else {
      joined.push_back(std::move(line));
    }
    ending.emplace(joined[place].rows.to, place);
  }
  return joined;
}

std::vector<SuspectRows> Ledger::finish(Micros end_us) {
  std::vector<SuspectRows> all;
  for (Deletes& deletes : all_) {
    pass_time(deletes, deletes.lines, end_us);
    const auto order = [](const Line& line) {
      return std::tuple(line.rows.from, line.rows.to, line.rows.first_token, line.rows.last_token);
    };
    std::ranges::stable_sort(deletes.lines, {}, order);
    const bool by_sets = !replicas(deletes).ring().all_alike();
    const std::vector<Line> joined_lines = by_sets ? joined_over_sets(deletes.lines) : Ledger::joined(deletes.lines);
    std::vector<std::size_t> described_as;  // places in `all`
    for (std::size_t i = 0; i < joined_lines.size(); ++i) {
      const Line& line = joined_lines[i];
      SuspectRows rows = described(deletes, line, end_us);
      // Where files are cut by tokens, or replica sets have different pasts, rows of one time have several places, and
      // may have one history.
      const auto one_time = [&](const Line& other) {
        return other.rows.from == line.rows.from && other.rows.to == line.rows.to && line.same_as(other);
      };
      std::size_t like = joined_lines.size();
      for (std::size_t back = i; back > 0 && like == joined_lines.size(); --back) {
        const Line& other = joined_lines[back - 1];
        if (one_time(other)) like = back - 1;
        if (!by_sets || other.rows.from != line.rows.from) break;
      }
      if (like < joined_lines.size()) {
        unite(all[described_as[like]], rows);
        described_as.push_back(described_as[like]);
      } else {
        described_as.push_back(all.size());
        all.push_back(std::move(rows));
      }
    }
  }
  for (KeyedLedger& keyed : keyed_) std::ranges::move(keyed.finish(end_us), std::back_inserter(all));
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
        const bool suspect = std::ranges::any_of(
            deletes.lines, [&](const Line& line) { return line.rows.from < part.to && part.from < line.rows.to; });
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
  for (const KeyedLedger& keyed : keyed_) std::ranges::move(keyed.purges(), std::back_inserter(times));
  std::ranges::stable_sort(times, {}, &PurgeTime::at_us);
  return times;
}

}  // namespace windrow
