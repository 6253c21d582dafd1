#include "sim/page/thinning.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "sim/base/arithmetic.h"
#include "sim/base/units.h"
#include "sim/page/iso.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Row = std::vector<std::string>;

std::int64_t whole(const std::string& cell) { return std::strtoll(cell.c_str(), nullptr, 10); }

void keep(CsvColumns& columns, const std::set<std::size_t>& places) {
  std::vector<Row> kept;
  for (const std::size_t place : places) kept.push_back(std::move(columns.rows[place]));
  columns.rows = std::move(kept);
}

/// First second of the hour, day, week (from Sunday, as Vega counts) or month.
std::int64_t begin_of(std::int64_t at_s, std::string_view unit) {
  constexpr std::int64_t sunday_s = 3 * seconds_per_day;
  if (unit == "utcyearmonthdatehours") return floor_div(at_s, std::int64_t{3600}) * 3600;
  if (unit == "utcyearmonthdate") return floor_div(at_s, std::int64_t{seconds_per_day}) * seconds_per_day;
  if (unit == "utcyearweek")
    return floor_div(at_s - sunday_s, std::int64_t{7 * seconds_per_day}) * 7 * seconds_per_day + sunday_s;
  const std::chrono::sys_days day{std::chrono::days{floor_div(at_s, std::int64_t{seconds_per_day})}};
  const std::chrono::year_month_day date{day};
  return std::chrono::sys_days{date.year() / date.month() / 1}.time_since_epoch().count() * seconds_per_day;
}

struct Grid {
  std::int64_t from_s = 0;
  std::int64_t step_s = 1;
  std::int64_t round(std::int64_t at_s) const {
    return from_s + floor_div(at_s - from_s + step_s / 2, step_s) * step_s;
  }
  std::int64_t begin(std::int64_t at_s) const { return from_s + floor_div(at_s - from_s, step_s) * step_s; }
};

struct Held {
  std::int64_t sstables = 0;
  std::int64_t bytes = 0;
  Held& operator+=(const Held& more) {
    sstables += more.sstables;
    bytes += more.bytes;
    return *this;
  }
};

}  // namespace

void thin_timeline(CsvColumns& timeline, std::size_t most) {
  const std::size_t count = timeline.rows.size();
  if (count <= most) return;
  const std::size_t disk = timeline.place("disk_bytes_max");
  const std::size_t partitions = timeline.place("partition_max_bytes");
  std::set<std::size_t> places = {0, count - 1};
  const std::size_t group = (count + most - 1) / most;
  for (std::size_t from = 0; from < count; from += group) {
    std::size_t highest = from;
    std::optional<std::size_t> measured;
    for (std::size_t i = from; i < std::min(count, from + group); ++i) {
      if (cell_number(timeline.rows[i][disk]) > cell_number(timeline.rows[highest][disk])) highest = i;
      if (timeline.rows[i][partitions].empty()) continue;
      if (!measured || cell_number(timeline.rows[i][partitions]) > cell_number(timeline.rows[*measured][partitions]))
        measured = i;
    }
    places.insert(highest);
    if (measured) places.insert(*measured);
  }
  keep(timeline, places);
}

void thin_evenly(CsvColumns& columns, std::size_t most) {
  const std::size_t count = columns.rows.size();
  if (count <= most) return;
  std::set<std::size_t> places = {count - 1};
  const std::size_t step = (count + most - 1) / most;
  for (std::size_t at = 0; at < count; at += step) places.insert(at);
  keep(columns, places);
}

bool keep_sstables_at_end(CsvColumns& sstables, std::size_t most) {
  const std::size_t state = sstables.place("state_at_end");
  const std::size_t bytes = sstables.place("bytes");
  const std::size_t blocker = sstables.place("was_blocker");
  const std::size_t oldest = sstables.place("oldest_write");
  std::erase_if(sstables.rows, [&](const Row& row) { return row[state] == "gone"; });
  const auto importance = [&](const Row& row) {
    return std::pair(row[state] == "blocked" || row[blocker] == "yes", cell_number(row[bytes]));
  };
  std::ranges::stable_sort(sstables.rows, std::ranges::greater{}, importance);
  const bool too_many = sstables.rows.size() > most;
  if (too_many) sstables.rows.resize(most);
  std::ranges::stable_sort(sstables.rows, {}, [&](const Row& row) { return row[oldest]; });
  return too_many;
}

std::string sum_compactions(CsvColumns& compactions, std::size_t most) {
  if (compactions.rows.empty()) return "utcyearmonthdate";
  const std::size_t end = compactions.place("end");
  const std::size_t reason = compactions.place("reason");
  const std::array sums = {compactions.place("count"), compactions.place("read_bytes"),
                           compactions.place("output_bytes")};
  std::int64_t first_s = INT64_MAX;
  std::int64_t last_s = INT64_MIN;
  for (const Row& row : compactions.rows) {
    first_s = std::min(first_s, iso_seconds(row[end]));
    last_s = std::max(last_s, iso_seconds(row[end]));
  }
  constexpr std::array units = {std::pair{"utcyearmonthdatehours", std::int64_t{3600}},
                                std::pair{"utcyearmonthdate", std::int64_t{seconds_per_day}},
                                std::pair{"utcyearweek", std::int64_t{7 * seconds_per_day}},
                                std::pair{"utcyearmonth", std::int64_t{30 * seconds_per_day}}};
  std::string unit = units.back().first;
  for (const auto& [name, seconds] : units) {
    if ((last_s - first_s) / seconds >= static_cast<std::int64_t>(most)) continue;
    unit = name;
    break;
  }
  std::map<std::pair<std::int64_t, std::string>, Row> summed;
  for (Row& row : compactions.rows) {
    const std::int64_t begin_s = begin_of(iso_seconds(row[end]), unit);
    const auto [place, fresh] = summed.try_emplace({begin_s, row[reason]}, row);
    if (fresh) {
      place->second[end] = iso_time_s(begin_s);
      continue;
    }
    for (const std::size_t sum : sums) place->second[sum] = std::to_string(whole(place->second[sum]) + whole(row[sum]));
  }
  compactions.rows.clear();
  for (auto& [key, row] : summed) compactions.rows.push_back(std::move(row));
  return unit;
}

std::int64_t sum_windows(CsvColumns& windows, std::size_t most, std::int64_t window_s) {
  if (windows.rows.empty() || window_s <= 0) return window_s;
  const std::size_t window = windows.place("window");
  const std::size_t from = windows.place("from");
  const std::size_t to = windows.place("to");
  const std::size_t sstables = windows.place("sstables");
  const std::size_t bytes = windows.place("bytes");
  std::int64_t first_s = INT64_MAX;
  std::int64_t last_s = INT64_MIN;
  std::int64_t begin_s = INT64_MAX;
  std::int64_t end_s = INT64_MIN;
  for (const Row& row : windows.rows) {
    first_s = std::min(first_s, iso_seconds(row[window]));
    last_s = std::max(last_s, iso_seconds(row[window]));
    begin_s = std::min(begin_s, iso_seconds(row[from]));
    end_s = std::max(end_s, iso_seconds(row[to]));
  }
  const auto cells = static_cast<std::int64_t>(most);
  const Grid rows{.from_s = first_s, .step_s = window_s * ((last_s - first_s) / window_s / cells + 1)};
  const Grid times{.from_s = begin_s, .step_s = std::max<std::int64_t>(1, (end_s - begin_s) / cells)};
  std::map<std::int64_t, std::map<std::int64_t, Held>> changes;
  for (const Row& row : windows.rows) {
    const std::int64_t from_s = times.round(iso_seconds(row[from]));
    const std::int64_t to_s = times.round(iso_seconds(row[to]));
    if (to_s == from_s) continue;
    auto& steps = changes[rows.begin(iso_seconds(row[window]))];
    const Held held{.sstables = whole(row[sstables]), .bytes = whole(row[bytes])};
    steps[from_s] += held;
    steps[to_s] += {.sstables = -held.sstables, .bytes = -held.bytes};
  }
  windows.rows.clear();
  for (const auto& [at_s, steps] : changes) {
    Held held;
    std::int64_t since_s = 0;
    for (const auto& [step_s, change] : steps) {
      if (change.sstables == 0 && change.bytes == 0) continue;
      if (held.sstables > 0) {
        Row row(windows.names.size());
        row[window] = iso_time_s(at_s);
        row[from] = iso_time_s(since_s);
        row[to] = iso_time_s(step_s);
        row[sstables] = std::to_string(held.sstables);
        row[bytes] = std::to_string(held.bytes);
        windows.rows.push_back(std::move(row));
      }
      held += change;
      since_s = step_s;
    }
  }
  return rows.step_s;
}

std::int64_t sum_drop_dates(CsvColumns& tombstones, std::size_t most) {
  if (tombstones.rows.empty()) return seconds_per_day;
  const std::size_t date = tombstones.place("drop_date");
  const std::size_t why = tombstones.place("why_it_stays");
  const std::size_t count = tombstones.place("count");
  std::int64_t first_s = INT64_MAX;
  std::int64_t last_s = INT64_MIN;
  for (const Row& row : tombstones.rows) {
    first_s = std::min(first_s, iso_seconds(row[date]));
    last_s = std::max(last_s, iso_seconds(row[date]));
  }
  const std::int64_t days = (last_s - first_s) / seconds_per_day / static_cast<std::int64_t>(most) + 1;
  const Grid grid{.from_s = first_s, .step_s = days * seconds_per_day};
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> summed;
  for (const Row& row : tombstones.rows) summed[{grid.begin(iso_seconds(row[date])), row[why]}] += whole(row[count]);
  tombstones.rows.clear();
  for (const auto& [key, sum] : summed) {
    Row row(tombstones.names.size());
    row[date] = iso_time_s(key.first);
    row[why] = key.second;
    row[count] = std::to_string(sum);
    tombstones.rows.push_back(std::move(row));
  }
  return grid.step_s;
}

}  // namespace windrow
