#include "sim/strategy/live_set.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/strategy.h"

namespace windrow {

namespace {}  // namespace

LiveSet::LiveSet() { use(NoCompactionOptions{}); }

void LiveSet::use(const CompactionOptions& options) {
  std::vector<const SSTableView*> files;
  if (!holders_.empty()) files = in_live_order();
  strategy_ = make_strategy(options);
  holders_.clear();
  holders_.push_back(std::make_unique<Holder>(HolderKey{}, *strategy_));
  if (follows_repairs_) follow_repairs();
  // The canonical set is made with room for the live files and once more for those that compact.
  int capacity = 1;
  while (capacity < static_cast<int>(files.size() + compacting_)) capacity *= 2;
  for (const SSTableView* file : in_hash_order(files, hash_of, capacity)) holder_of(*file).add(find(file->id));
}

void LiveSet::follow_repairs() {
  follows_repairs_ = true;
  const HolderKey repaired{.kind = HolderKey::Kind::repaired};
  if (find_holder(repaired) == nullptr)
    holders_.insert(holders_.end() - 1, std::make_unique<Holder>(repaired, *strategy_));
}

const Holder* LiveSet::find_holder(const HolderKey& key) const {
  const auto at = std::ranges::find_if(holders_, [&](const auto& holder) { return holder->key() == key; });
  return at == holders_.end() ? nullptr : at->get();
}

Holder& LiveSet::holder_of(const SSTableView& file) {
  using enum HolderKey::Kind;
  const HolderKey key = windrow::holder_of(file.repair);
  if (key.kind == unrepaired) return *holders_.back();
  const auto at = std::ranges::find_if(holders_, [&](const auto& holder) { return holder->key() == key; });
  if (at != holders_.end()) return **at;
  const auto behind = std::ranges::find_if(
      holders_, [&](const auto& holder) { return holder->key().kind > key.kind || holder->key().kind == unrepaired; });
  return **holders_.insert(behind, std::make_unique<Holder>(key, *strategy_));
}

void LiveSet::add(std::span<const SSTableView> files) {
  for (std::size_t left = files.size(); left > 0; --left) {
    const SSTableView& file = files[left - 1];
    SIM_CHECK(!contains(file.id), "a file becomes live once");
    SSTableView& entered = files_.add(file);
    entered.live_rank = next_rank_++;
    if (entered.compacting) ++compacting_;
    holder_of(entered).add(entered);
  }
}

void LiveSet::take_out(std::int64_t id) {
  const SSTableView& file = find(id);
  holder_of(file).remove(file);
  if (file.compacting) --compacting_;
  for (const auto& holder : holders_) holder->left_table(id);
  files_.erase(id);
  ++removals_;
}

void LiveSet::drop_empty_sessions() {
  if (holders_.size() == 1) return;
  std::erase_if(holders_, [](const auto& holder) {
    return holder->key().kind == HolderKey::Kind::pending && holder->size() == 0;
  });
}

void LiveSet::remove(std::span<const std::int64_t> ids) {
  for (const std::int64_t id : ids) take_out(id);
  drop_empty_sessions();
}

void LiveSet::replace(std::span<const std::int64_t> removed, std::span<const SSTableView> added) {
  for (const std::int64_t id : removed) take_out(id);
  add(added);
  drop_empty_sessions();
}

void LiveSet::set_compacting(std::span<const std::int64_t> ids, bool compacting) {
  for (const std::int64_t id : ids) {
    SSTableView& file = find(id);
    SIM_CHECK(file.compacting != compacting, "a file is in one compaction at a time");
    if (compacting) {
      ++compacting_;
      holder_of(file).taken(file);
    } else {
      --compacting_;
      holder_of(file).freed(file);
    }
    file.compacting = compacting;
  }
}

void LiveSet::set_level(std::int64_t id, int level) {
  SSTableView& file = find(id);
  holder_of(file).set_level(file, level);
}

void LiveSet::set_repair_status(std::span<const std::int64_t> ids, const RepairStatus& status) {
  std::vector<const SSTableView*> moved;
  for (const std::int64_t id : ids) moved.push_back(&at(id));
  for (const SSTableView* file : in_hash_order(moved, hash_of)) {
    SSTableView& moving = find(file->id);
    holder_of(moving).remove(moving);
    moving.repair = status;
    holder_of(moving).add(moving);
  }
  drop_empty_sessions();
}

const SSTableView& LiveSet::at(std::int64_t id) const {
  const SSTableView* const file = files_.find(id);
  SIM_CHECK(file != nullptr, "the file is live");
  return *file;
}

SSTableView& LiveSet::find(std::int64_t id) { return const_cast<SSTableView&>(at(id)); }

std::vector<const SSTableView*> LiveSet::in_live_order() const {
  std::vector<const SSTableView*> files;
  files.reserve(files_.size());
  for (const auto& holder : holders_) {
    for (const FilePlace& place : holder->oldest_first().descending()) files.push_back(place.file);
  }
  if (holders_.size() > 1) std::ranges::sort(files, std::ranges::greater{}, &SSTableView::live_rank);
  return files;
}

}  // namespace windrow
