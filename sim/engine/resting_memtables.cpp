#include "sim/engine/resting_memtables.h"

#include <algorithm>
#include <cmath>

namespace windrow {

RestingMemtables::Weighed& RestingMemtables::Weighed::operator+=(const Weighed& other) {
  memory += other.memory;
  memory_at_most += other.memory_at_most;
  logged_bytes += other.logged_bytes;
  log_from = std::min(log_from, other.log_from);
  return *this;
}

bool RestingMemtables::Weighed::nothing() const {
  return memory_at_most.heap == 0 && memory_at_most.offheap == 0 && logged_bytes == 0 && std::isinf(log_from);
}

RestingMemtables::RestingMemtables(std::size_t tables)
    : until_(static_cast<int>(tables), DueTimes::never), rests_(tables, 0) {
  wake_all();
}

void RestingMemtables::let_rest(std::span<const Rest> rests) {
  auto entry = entries_.begin();
  for (const Rest& rest : rests) {
    entry = std::ranges::lower_bound(entry, entries_.end(), rest.table, {}, &Entry::table);
    entry->rests = true;
    entry->weighed = rest.weighed;
    rests_[rest.table] = 1;
    until_.set(static_cast<int>(rest.table), rest.until_us);
  }
  moving_ -= rests.size();
  std::erase_if(entries_, [](const Entry& each) { return each.rests && each.weighed.nothing(); });
  sum_leading();
}

void RestingMemtables::insert(std::size_t table) {
  const auto place = std::ranges::lower_bound(entries_, table, {}, &Entry::table);
  if (place != entries_.end() && place->table == table) {
    *place = {.table = table};
  } else {
    entries_.insert(place, {.table = table});
  }
  rests_[table] = 0;
  until_.set(static_cast<int>(table), DueTimes::never);
  ++moving_;
}

void RestingMemtables::wake(std::size_t table) {
  if (rests_[table] == 0) return;
  insert(table);
  sum_leading();
}

bool RestingMemtables::wake_until(Micros at_us) {
  if (until_.earliest() > at_us) return false;
  for (int t = until_.next_due(0, at_us); t < until_.count(); t = until_.next_due(t + 1, at_us))
    insert(static_cast<std::size_t>(t));
  sum_leading();
  return true;
}

void RestingMemtables::wake_all() {
  entries_.clear();
  for (std::size_t table = 0; table < rests_.size(); ++table) {
    entries_.push_back({.table = table});
    rests_[table] = 0;
    until_.set(static_cast<int>(table), DueTimes::never);
  }
  moving_ = rests_.size();
  sum_leading();
}

void RestingMemtables::sum_leading() {
  leading_ = 0;
  sum_of_leading_ = {};
  for (; leading_ < entries_.size() && entries_[leading_].rests; ++leading_)
    sum_of_leading_ += entries_[leading_].weighed;
}

}  // namespace windrow
