#include "sim/strategy/level_order.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/stats/java_hash.h"

namespace windrow {
namespace {

LevelOrder::Place place_of(const SSTableView& file) {
  const auto [first, last] = file.estimates->token_span();
  return {.first = first, .last = last, .id = file.id, .file = &file};
}

}  // namespace

double max_bytes_for_level(const LeveledOptions& options, int level) {
  const auto sstable_bytes = static_cast<double>(MiB(options.sstable_size_in_mb));
  return level == 0 ? 4 * sstable_bytes : std::floor(std::pow(options.fanout_size, level) * sstable_bytes);
}

void LevelOrder::Ages::add(const Aged& aged) {
  min_timestamp_us = std::min(min_timestamp_us, aged.place.file->min_timestamp_us);
  max_local_deletion_time_s = std::max(max_local_deletion_time_s, aged.place.file->max_local_deletion_time_s);
}

LevelOrder::LevelOrder(const LeveledOptions& options) : level0_capacity_(hash_capacity(0)) {
  for (int level = 0; level < level_count; ++level)
    max_bytes_[static_cast<std::size_t>(level)] = max_bytes_for_level(options, level);
}

void LevelOrder::enter(SSTableView& file) {
  file.level = level_for(file);
  add(file);
  if (file.compacting) taken(file);
}

void LevelOrder::leave(const SSTableView& file) {
  if (file.compacting) count_as_idle(file);
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

FilePlace LevelOrder::by_size(const SSTableView& file) const {
  constexpr std::int64_t ids = std::int64_t{1} << 32;
  SIM_CHECK(file.id >= 0 && file.id < ids, "ids of SSTables have 32 bits");
  return {.key = file.data_bytes, .tie = hash_place(file.hash, level0_capacity_) * ids + file.id, .file = &file};
}

void LevelOrder::make_room(std::size_t level0_files) {
  const int capacity = hash_capacity(level0_files, level0_capacity_);
  if (capacity == level0_capacity_) return;
  level0_capacity_ = capacity;
  level0_by_size_.place_anew([this](const SSTableView& file) { return by_size(file); });
}

void LevelOrder::add(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  const Place place = place_of(file);
  level.files.insert(place);
  level.data_bytes += file.data_bytes;
  level.idle_data_bytes += file.data_bytes;
  if (file.level > 0) return;
  level0_first_end_ = level.files.size() == 1 ? place.last : std::min(level0_first_end_, place.last);
  make_room(level.files.size());
  level0_by_age_.insert({file.max_timestamp_us, place});
  level0_by_size_.add(by_size(file));
}

void LevelOrder::remove(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.files.erase(place_of(file));
  level.data_bytes -= file.data_bytes;
  level.idle_data_bytes -= file.data_bytes;
  if (file.level > 0) return;
  level0_by_age_.erase({file.max_timestamp_us, place_of(file)});
  if (!file.compacting) level0_by_size_.remove(by_size(file));
}

void LevelOrder::taken(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.idle_data_bytes -= file.data_bytes;
  if (file.level > 0) return;
  compacting_level0_.insert(place_of(file));
  level0_by_size_.remove(by_size(file));
}

void LevelOrder::count_as_idle(const SSTableView& file) {
  Level& level = levels_[static_cast<std::size_t>(file.level)];
  level.idle_data_bytes += file.data_bytes;
  if (file.level == 0) compacting_level0_.erase(place_of(file));
}

void LevelOrder::freed(const SSTableView& file) {
  count_as_idle(file);
  if (file.level == 0) level0_by_size_.add(by_size(file));
}

bool LevelOrder::meets_all_of_level0(const Place& place) const {
  const Files& files = level(0);
  return files.empty() || (place.first <= level0_first_end_ && place.last >= std::prev(files.end())->first);
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
