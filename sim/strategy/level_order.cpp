#include "sim/strategy/level_order.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace windrow {
namespace {

LevelOrder::Place place_of(const SSTableView& file) {
  const auto [first, last] = file.estimates->token_span();
  return {.first = first, .last = last, .id = file.id, .file = &file};
}

FilePlace by_size(const SSTableView& file) { return {.key = file.data_bytes, .tie = file.id, .file = &file}; }

}  // namespace

double max_bytes_for_level(const LeveledOptions& options, int level) {
  const auto sstable_bytes = static_cast<double>(MiB(options.sstable_size_in_mb));
  return level == 0 ? 4 * sstable_bytes : std::floor(std::pow(options.fanout_size, level) * sstable_bytes);
}

LevelOrder::LevelOrder(const LeveledOptions& options) {
  for (int level = 0; level < level_count; ++level)
    max_bytes_[static_cast<std::size_t>(level)] = max_bytes_for_level(options, level);
}

void LevelOrder::enter(SSTableView& file) {
  file.level = level_for(file);
  add(file);
  if (file.compacting) taken(file);
}

void LevelOrder::leave(const SSTableView& file) {
  if (file.compacting) freed(file);
  remove(file);
}

int LevelOrder::level_for(const SSTableView& file) const {
  if (file.level == 0) return 0;
  SIM_CHECK(file.level > 0 && file.level < level_count, "levels are 0 to 8");
  const auto& files = levels_[static_cast<std::size_t>(file.level)].files;
  const Place place = place_of(file);
  const auto after = files.lower_bound(place);
  if (after != files.end() && after->first <= place.last) return 0;
  if (after != files.begin() && std::prev(after)->last >= place.first) return 0;
  return file.level;
}

void LevelOrder::add(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.files.insert(place_of(file));
  level.data_bytes += file.data_bytes;
  level.idle_data_bytes += file.data_bytes;
  if (file.level > 0) return;
  level0_peak_ = std::max(level0_peak_, levels_[0].files.size());
  level0_by_age_.insert({file.max_timestamp_us, place_of(file)});
  level0_by_size_.insert(by_size(file));
}

void LevelOrder::remove(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.files.erase(place_of(file));
  level.data_bytes -= file.data_bytes;
  level.idle_data_bytes -= file.data_bytes;
  if (file.level > 0) return;
  level0_by_age_.erase({file.max_timestamp_us, place_of(file)});
  level0_by_size_.erase(by_size(file));
}

void LevelOrder::taken(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.idle_data_bytes -= file.data_bytes;
  ++level.compacting;
  if (file.level == 0) level0_by_size_.erase(by_size(file));
}

void LevelOrder::freed(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.idle_data_bytes += file.data_bytes;
  --level.compacting;
  if (file.level == 0) level0_by_size_.insert(by_size(file));
}

int LevelOrder::highest_level() const {
  int level = level_count - 1;
  while (level >= 0 && levels_[static_cast<std::size_t>(level)].files.empty()) --level;
  return level;
}

LevelOrder::Files::Run LevelOrder::meeting(int level, Token first, Token last) const {
  SIM_CHECK(level >= 1, "level 0 overlaps itself");
  if (level >= level_count) return {};
  const auto& files = levels_[static_cast<std::size_t>(level)].files;
  const auto begin = files.partition_point([&](const Place& p) { return p.last < first; });
  auto end = begin;
  while (end != files.end() && end->first <= last) ++end;
  return {begin, end};
}

}  // namespace windrow
