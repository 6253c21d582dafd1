#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/file_order.h"

namespace windrow {

/// Entries of files in ascending order, one after the other in memory. What comes and goes is sorted in when somebody
/// looks: a compaction takes many at once, and where nobody looks, as with compaction disabled, a table may have any
/// number of them. A file that is gone may be among the entries until then: what orders them is not asked of it.
template <typename Entry>
class SortedWhenLooked {
 public:
  std::span<const Entry> look() const {
    settle();
    return settled_;
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
    added_.swap(settled_);
    for (Entry& entry : added_) entry = place_of(*entry.file);
  }

 private:
  static constexpr std::size_t few_removed = 64;
  void settle() const {
    if (!added_.empty() || !removed_.empty()) sort_in();
  }
  /// What lies between two that come, or two that go, moves once.
  void sort_in() const {
    take_in();
    if (!removed_.empty()) take_out();
  }
  void take_in() const {
    if (added_.size() > 1) std::stable_sort(added_.begin(), added_.end());
    auto end = static_cast<std::ptrdiff_t>(settled_.size());
    settled_.resize(settled_.size() + added_.size());
    auto into = settled_.end();
    for (auto entry = added_.rbegin(); entry != added_.rend(); ++entry) {
      const auto last = settled_.begin() + end;
      const auto at = std::upper_bound(settled_.begin(), last, *entry);
      into = std::move_backward(at, last, into);
      *--into = *entry;
      end = at - settled_.begin();
    }
    added_.clear();
  }
  void take_out() const {
    std::sort(removed_.begin(), removed_.end());
    auto from = std::lower_bound(settled_.begin(), settled_.end(), removed_.front());
    auto left = from;
    for (const Entry& entry : removed_) {
      const auto found = std::lower_bound(from, settled_.end(), entry);
      SIM_CHECK(found != settled_.end() && !(entry < *found), "a file leaves an order that it is not in");
      left = std::move(from, found, left);
      from = found + 1;
    }
    settled_.erase(std::move(from, settled_.end(), left), settled_.end());
    removed_.clear();
  }

  mutable std::vector<Entry> settled_{};  // ascending
  mutable std::vector<Entry> added_{};    // since
  mutable std::vector<Entry> removed_{};  // since: of those or of these
};

using SortedPlaces = SortedWhenLooked<FilePlace>;

}  // namespace windrow
