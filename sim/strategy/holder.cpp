#include "sim/strategy/holder.h"

#include "sim/base/check.h"
#include "sim/base/overloaded.h"

namespace windrow {

Holder::Holder(const HolderKey& key, const CompactionOptions& options) : key_(key) {
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
}

void Holder::add(SSTableView& file) {
  by_rank_.insert({.key = file.live_rank, .file = &file});
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

void Holder::remove(const SSTableView& file) {
  by_rank_.erase({.key = file.live_rank});
  if (idle_by_size_ && !file.compacting) idle_by_size_->erase(file.data_bytes, -file.live_rank);
  if (windows_ && !file.compacting) windows_->remove(file);
  if (levels_) levels_->remove(file);
  if (densities_ && !file.compacting) densities_->remove(file);
  if (expiry_) expiry_->remove(file);
  if (watch_) watch_->remove(file);
}

void Holder::left_table(std::int64_t id) {
  if (watch_) watch_->left(id);
}

void Holder::taken(const SSTableView& file) {
  if (idle_by_size_) idle_by_size_->erase(file.data_bytes, -file.live_rank);
  if (windows_) windows_->remove(file);
  if (levels_) levels_->taken(file);
  if (densities_) densities_->remove(file);
  if (expiry_) expiry_->taken(file);
}

void Holder::freed(const SSTableView& file) {
  if (idle_by_size_) idle_by_size_->insert(file.data_bytes, -file.live_rank, file);
  if (windows_) windows_->add(file);
  if (levels_) levels_->freed(file);
  if (densities_) densities_->add(file);
  if (expiry_) expiry_->freed(file);
}

void Holder::set_level(SSTableView& file, int level) {
  if (levels_) levels_->remove(file);
  file.level = level;
  if (!levels_) return;
  file.level = levels_->level_for(file);
  levels_->add(file);
}

const FileOrder& Holder::idle_by_size() const {
  SIM_CHECK(idle_by_size_, "the live set was told to use the size-tiered strategy");
  return *idle_by_size_;
}

const WindowOrder& Holder::windows() const {
  SIM_CHECK(windows_, "the live set was told to use the time-window strategy");
  return *windows_;
}

const LevelOrder& Holder::levels() const {
  SIM_CHECK(levels_, "the live set was told to use the leveled strategy");
  return *levels_;
}

const UnifiedOrder& Holder::densities() const {
  SIM_CHECK(densities_, "the live set was told to use the unified strategy");
  return *densities_;
}

const ExpiryOrder& Holder::expiry() const {
  SIM_CHECK(expiry_, "the live set was told to use a strategy that drops expired files");
  return *expiry_;
}

}  // namespace windrow
