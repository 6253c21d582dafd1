#include "evidence/recordings/recording_check_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

constexpr int others_shown = 12;

std::string timestamp_text(Micros us) { return us == no_timestamp ? "none" : utc_text(floor_div(us, us_per_s)); }

std::string deletion_text(Seconds s) { return s == no_deletion_time ? "never" : utc_text(s); }

/// The window or level in which a strategy groups the file; empty for the others.
std::string group_text(const Strategy& strategy, const SSTableView& file) {
  if (const auto window_ms = strategy.window_ms(file.max_timestamp_us))
    return fmt::format("window {}", utc_text(*window_ms / ms_per_s));
  return strategy.has_levels() ? fmt::format("level {}", file.level) : std::string();
}

std::string file_text(const Strategy& strategy, const SSTableView& file) {
  std::string line = fmt::format("SSTable {:<5} {:>13} B", file.id, grouped(file.data_bytes));
  if (const std::string group = group_text(strategy, file); !group.empty()) line += "  " + group;
  line += fmt::format("  written {} to {}  last expiry {}  created {}", timestamp_text(file.min_timestamp_us),
                      timestamp_text(file.max_timestamp_us), deletion_text(file.max_local_deletion_time_s),
                      utc_text(file.created_ms / ms_per_s));
  if (file.compacting) line += "  compacting";
  return line;
}

}  // namespace

std::string utc_text(Seconds t_s) {
  const Seconds day = floor_div(t_s, seconds_per_day);
  constexpr Seconds last_day = 3'000'000;  // beyond the year 9999 the calendar says nothing
  if (day < -last_day || day > last_day) return fmt::format("{} s", t_s);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const Seconds in_day = t_s - day * seconds_per_day;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), in_day / 3600,
                     in_day / 60 % 60, in_day % 60);
}

std::string grouped(std::int64_t number) {
  std::string digits = fmt::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > first + 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string id_list(std::span<const std::int64_t> ids) {
  return ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, " "));
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> ids) {
  std::ranges::sort(ids);
  return ids;
}

std::vector<std::string> describe_state(const TableStore& table, Seconds now_s,
                                        std::span<const std::int64_t> of_interest) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}, gc_before {}, memtable's oldest write {}, {} live SSTables",
                              strategy_name(table.settings().compaction), utc_text(table.gc_before(now_s)),
                              timestamp_text(table.memtable().min_timestamp_us()), table.live().size()));
  if (const auto* state = std::get_if<TimeWindowState>(&table.strategy_state())) {
    lines.push_back(fmt::format("highest window {}, last expired check {}",
                                utc_text(state->highest_window_ms / ms_per_s),
                                utc_text(state->last_expired_check_ms / ms_per_s)));
  }
  int others = 0;
  for (const SSTableView* file : table.live().in_live_order()) {
    const bool shown = std::ranges::find(of_interest, file->id) != of_interest.end() || ++others <= others_shown;
    if (shown) lines.push_back(file_text(table.strategy(), *file));
  }
  if (others > others_shown) lines.push_back(fmt::format("and {} more", others - others_shown));
  return lines;
}

std::vector<std::string> describe_task(const Task& task) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("started {}, gc_before {}, {} overlapping SSTables, expired inputs {}",
                              utc_text(task.started_s), utc_text(task.gc_before_s), task.overlapping.size(),
                              id_list(task.expired)));
  for (const SSTablePtr& source : task.sources) {
    const FileExtremes& extremes = source->extremes();
    lines.push_back(fmt::format("reads SSTable {:<5} {:>12} rows {:>9} partitions {:>13} B  written {} to {}",
                                source->id(), grouped(extremes.rows), grouped(extremes.partitions),
                                grouped(extremes.uncompressed_bytes), timestamp_text(extremes.min_timestamp_us),
                                timestamp_text(extremes.max_timestamp_us)));
  }
  return lines;
}

}  // namespace windrow
