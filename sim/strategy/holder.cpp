#include "sim/strategy/holder.h"

#include "sim/strategy/strategy.h"

namespace windrow {

Holder::Holder(const HolderKey& key, const Strategy& strategy)
    : key_(key), order_(strategy.new_order()), levels_(dynamic_cast<LevelOrder*>(order_.get())) {
  if (strategy.looks_for_expired()) expiry_.emplace();
  if (strategy.compacts_for_tombstones()) watch_.emplace(strategy.common());
}

void Holder::add(SSTableView& file) {
  by_rank_.insert({.key = file.live_rank, .file = &file});
  if (order_) order_->enter(file);
  if (expiry_) expiry_->add(file);
  if (watch_) watch_->add(file);
}

void Holder::remove(const SSTableView& file) {
  by_rank_.erase({.key = file.live_rank});
  if (order_) order_->leave(file);
  if (expiry_) expiry_->remove(file);
  if (watch_) watch_->remove(file);
}

void Holder::left_table(std::int64_t id) {
  if (watch_) watch_->left(id);
}

void Holder::taken(const SSTableView& file) {
  if (order_) order_->taken(file);
  if (expiry_) expiry_->taken(file);
}

void Holder::freed(const SSTableView& file) {
  if (order_) order_->freed(file);
  if (expiry_) expiry_->freed(file);
}

void Holder::set_level(SSTableView& file, int level) {
  if (levels_ != nullptr) levels_->leave(file);
  file.level = level;
  if (levels_ != nullptr) levels_->enter(file);
}

}  // namespace windrow
