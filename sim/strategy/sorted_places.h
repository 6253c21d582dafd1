#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/file_order.h"
#include "sim/strategy/turning_blocks.h"

namespace windrow {

/// Entries of files in ascending order. What comes and goes is sorted in when somebody looks: a compaction takes many
/// at once, and where nobody looks, as with compaction disabled, a table may have any number of them. A file that is
/// gone may be among the entries until then: what orders them is not asked of it.
template <typename Entry>
class SortedWhenLooked {
 public:
  /// A few among many take their places in blocks.
  InOrder<Entry> look() const {
    settle();
    return settled_.view();
  }
  /// One after the other in memory, for who looks at all of them.
  std::span<const Entry> look_at_all() const {
    settle();
    return settled_.flat();
  }
  std::size_t size() const { return settled_.size() + added_.size() - removed_.size(); }
  void add(const Entry& entry) { added_.push_back(entry); }
  /// It is there; found out when somebody looks. Of equal ones the first to come goes.
  void remove(const Entry& entry) {
    removed_.push_back(entry);
    if (removed_.size() > size() + few_removed) sort_in();
  }
  /// Gives each file the place that `place_of(file)` says it has now.
  template <typename PlaceOf>
  void place_anew(const PlaceOf& place_of) {
    settle();
    settled_.change_flat([&](std::vector<Entry>& settled) { added_.swap(settled); });
    for (Entry& entry : added_) entry = place_of(*entry.file);
  }

 private:
  static constexpr std::size_t few_removed = 64;
  void settle() const {
    if (!added_.empty() || !removed_.empty()) sort_in();
  }
  void sort_in() const {
    if (added_.size() > 1) std::stable_sort(added_.begin(), added_.end());
    if (removed_.size() > 1) std::sort(removed_.begin(), removed_.end());
    // What one moves in blocks, against all that lie behind the first.
    const std::size_t changes = added_.size() + removed_.size();
    if (changes * (settled_.block_entries() + settled_.size() / settled_.block_entries()) < settled_.size()) {
      for (const Entry& entry : added_) take_in_one(entry);
      for (const Entry& entry : removed_) take_out_one(entry);
    } else {
      settled_.change_flat([this](std::vector<Entry>& settled) {
        take_in(settled);
        if (!removed_.empty()) take_out(settled);
      });
    }
    added_.clear();
    removed_.clear();
  }
  void take_in_one(const Entry& entry) const {
    settled_.insert(place_behind(settled_.view(), 0, [&](const Entry& each) { return !(entry < each); }), entry);
  }
  void take_out_one(const Entry& entry) const {
    const InOrder<Entry> settled = settled_.view();
    const std::size_t at = place_behind(settled, 0, [&](const Entry& each) { return each < entry; });
    SIM_CHECK(at < settled.size() && !(entry < settled[at]), "a file leaves an order that it is not in");
    settled_.erase(at);
  }
  /// What lies between two that come, or two that go, moves once.
  void take_in(std::vector<Entry>& settled) const {
    auto end = static_cast<std::ptrdiff_t>(settled.size());
    settled.resize(settled.size() + added_.size());
    auto into = settled.end();
    for (auto entry = added_.rbegin(); entry != added_.rend(); ++entry) {
      const auto last = settled.begin() + end;
      const auto at = std::upper_bound(settled.begin(), last, *entry);
      into = std::move_backward(at, last, into);
      *--into = *entry;
      end = at - settled.begin();
    }
  }
  void take_out(std::vector<Entry>& settled) const {
    auto from = std::lower_bound(settled.begin(), settled.end(), removed_.front());
    auto left = from;
    for (const Entry& entry : removed_) {
      const auto found = std::lower_bound(from, settled.end(), entry);
      SIM_CHECK(found != settled.end() && !(entry < *found), "a file leaves an order that it is not in");
      left = std::move(from, found, left);
      from = found + 1;
    }
    settled.erase(std::move(from, settled.end(), left), settled.end());
  }

  mutable TurningBlocks<Entry> settled_{};  // ascending
  mutable std::vector<Entry> added_{};      // since
  mutable std::vector<Entry> removed_{};    // since: of those or of these
};

using SortedPlaces = SortedWhenLooked<FilePlace>;

}  // namespace windrow
