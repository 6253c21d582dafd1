#include "sim/strategy/live_set.h"

#include "sim/base/check.h"
#include "sim/base/overloaded.h"

namespace windrow {

void LiveSet::use(const CompactionOptions& options) {
  idle_by_size_.reset();
  windows_.reset();
  levels_.reset();
  densities_.reset();
  expiry_.reset();
  watch_.reset();
  std::visit(Overloaded{
                 [&](const SizeTieredOptions& size_tiered) {
                   idle_by_size_.emplace();
                   watch_.emplace(size_tiered.common);
                 },
                 [&](const TimeWindowOptions& time_window) {
                   windows_.emplace(time_window);
                   expiry_.emplace();
                   if (time_window.tombstone_compactions) watch_.emplace(time_window.size_tiered.common);
                 },
                 [&](const LeveledOptions& leveled) {
                   levels_.emplace(leveled);
                   watch_.emplace(leveled.size_tiered.common);
                 },
                 [&](const UnifiedOptions& unified) {
                   densities_.emplace(unified);
                   expiry_.emplace();
                 },
                 [&](const NoCompactionOptions&) {},
             },
             options);
  for (const FilePlace& place : by_rank_) enter_orders(find(place.file->id));
}

void LiveSet::add(std::span<const SSTableView> files) {
  for (std::size_t left = files.size(); left > 0; --left) {
    const SSTableView& file = files[left - 1];
    SSTableView& entered = files_.insert(file);
    entered.live_rank = next_rank_++;
    by_rank_.insert({.key = entered.live_rank, .file = &entered});
    if (entered.compacting) ++compacting_;
    enter_orders(entered);
  }
}

void LiveSet::remove(std::span<const std::int64_t> ids) {
  for (const std::int64_t id : ids) {
    const SSTableView& file = find(id);
    leave_orders(file);
    by_rank_.erase({.key = file.live_rank});
    if (file.compacting) --compacting_;
    files_.erase(id);
    ++removals_;
  }
}

void LiveSet::replace(std::span<const std::int64_t> removed, std::span<const SSTableView> added) {
  remove(removed);
  add(added);
}

void LiveSet::set_compacting(std::span<const std::int64_t> ids, bool compacting) {
  for (const std::int64_t id : ids) {
    SSTableView& file = find(id);
    SIM_CHECK(file.compacting != compacting, "a file is in one compaction at a time");
    if (compacting) {
      ++compacting_;
      if (idle_by_size_) idle_by_size_->erase(file.data_bytes, -file.live_rank);
      if (windows_) windows_->remove(file);
      if (levels_) levels_->taken(file);
      if (densities_) densities_->remove(file);
      if (expiry_) expiry_->taken(file);
    } else {
      --compacting_;
      if (idle_by_size_) idle_by_size_->insert(file.data_bytes, -file.live_rank, file);
      if (windows_) windows_->add(file);
      if (levels_) levels_->freed(file);
      if (densities_) densities_->add(file);
      if (expiry_) expiry_->freed(file);
    }
    file.compacting = compacting;
  }
}

void LiveSet::set_level(std::int64_t id, int level) {
  SSTableView& file = find(id);
  if (levels_) levels_->remove(file);
  file.level = level;
  if (!levels_) return;
  file.level = levels_->level_for(file);
  levels_->add(file);
}

void LiveSet::enter_orders(SSTableView& file) {
  if (idle_by_size_ && !file.compacting) idle_by_size_->insert(file.data_bytes, -file.live_rank, file);
  if (windows_ && !file.compacting) windows_->add(file);
  if (levels_) {
    file.level = levels_->level_for(file);
    levels_->add(file);
  }
  if (densities_ && !file.compacting) densities_->add(file);
  if (expiry_) expiry_->add(file);
  if (watch_) watch_->add(file);
}

void LiveSet::leave_orders(const SSTableView& file) {
  if (idle_by_size_ && !file.compacting) idle_by_size_->erase(file.data_bytes, -file.live_rank);
  if (windows_ && !file.compacting) windows_->remove(file);
  if (levels_) levels_->remove(file);
  if (densities_ && !file.compacting) densities_->remove(file);
  if (expiry_) expiry_->remove(file);
  if (watch_) watch_->remove(file);
}

const SSTableView& LiveSet::at(std::int64_t id) const {
  const SSTableView* file = files_.find(id);
  SIM_CHECK(file != nullptr, "the file is live");
  return *file;
}

SSTableView& LiveSet::find(std::int64_t id) {
  SSTableView* file = files_.find(id);
  SIM_CHECK(file != nullptr, "the file is live");
  return *file;
}

std::vector<const SSTableView*> LiveSet::in_live_order() const {
  std::vector<const SSTableView*> files;
  files.reserve(by_rank_.size());
  for (const FilePlace& place : by_rank_.descending()) files.push_back(place.file);
  return files;
}

const FileOrder& LiveSet::idle_by_size() const {
  SIM_CHECK(idle_by_size_, "the live set was told to use the size-tiered strategy");
  return *idle_by_size_;
}

const WindowOrder& LiveSet::windows() const {
  SIM_CHECK(windows_, "the live set was told to use the time-window strategy");
  return *windows_;
}

const LevelOrder& LiveSet::levels() const {
  SIM_CHECK(levels_, "the live set was told to use the leveled strategy");
  return *levels_;
}

const UnifiedOrder& LiveSet::densities() const {
  SIM_CHECK(densities_, "the live set was told to use the unified strategy");
  return *densities_;
}

const ExpiryOrder& LiveSet::expiry() const {
  SIM_CHECK(expiry_, "the live set was told to use a strategy that drops expired files");
  return *expiry_;
}

}  // namespace windrow
