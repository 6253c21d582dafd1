#include "sim/content/presence.h"

#include <algorithm>

namespace windrow {

bool Presence::holds(std::int64_t slot) const {
  if (!set_.empty()) return set_[static_cast<std::size_t>(slot)];
  const auto after = std::ranges::upper_bound(ranges_, slot, {}, &std::pair<std::int64_t, std::int64_t>::first);
  return after != ranges_.begin() && slot < std::prev(after)->second;
}

void Presence::add_all() {
  set_.clear();
  ranges_.assign(1, {0, slots_});
  count_ = slots_;
}

void Presence::add_successive(std::int64_t first, std::int64_t count) {
  if (all()) return;
  if (count >= slots_) return add_all();
  first %= slots_;
  add_range(first, std::min(first + count, slots_));
  if (first + count > slots_) add_range(0, first + count - slots_);
}

void Presence::add(std::int64_t slot) {
  if (all()) return;
  make_set();
  if (!set_.test_set(static_cast<std::size_t>(slot))) ++count_;
}

void Presence::add_range(std::int64_t first, std::int64_t last) {
  if (!set_.empty()) {
    for (std::int64_t slot = first; slot < last; ++slot) add(slot);
    return;
  }
  // Everything that touches [first, last) becomes one range.
  const auto begin = std::ranges::lower_bound(ranges_, first, {}, &std::pair<std::int64_t, std::int64_t>::second);
  auto end = begin;
  for (; end != ranges_.end() && end->first <= last; ++end) {
    first = std::min(first, end->first);
    last = std::max(last, end->second);
    count_ -= end->second - end->first;
  }
  ranges_.insert(ranges_.erase(begin, end), {first, last});
  count_ += last - first;
}

void Presence::make_set() {
  if (!set_.empty()) return;
  set_.resize(static_cast<std::size_t>(slots_));
  for (const auto& [first, last] : ranges_)
    set_.set(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first), true);
  ranges_.clear();
}

}  // namespace windrow
