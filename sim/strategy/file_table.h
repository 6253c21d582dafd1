#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// SSTableViews by id. A view stays where it is until it is erased; its place is then used again. No order.
class FileTable {
 public:
  std::size_t size() const { return size_; }
  /// Null: there is none.
  SSTableView* find(std::int64_t id) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = home(id);; i = next(i)) {
      if (slots_[i].view == nullptr || slots_[i].id == id) return slots_[i].view;
    }
  }
  /// Its id must be new.
  SSTableView& add(const SSTableView& file) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    SSTableView* const view = new_view();
    *view = file;
    put({file.id, view});
    ++size_;
    return *view;
  }
  void erase(std::int64_t id) {
    std::size_t gap = home(id);
    while (slots_[gap].id != id || slots_[gap].view == nullptr) {
      SIM_CHECK(slots_[gap].view != nullptr, "the file is live");
      gap = next(gap);
    }
    free_.push_back(slots_[gap].view);
    // Those behind that the gap would hide move up.
    for (std::size_t i = next(gap); slots_[i].view != nullptr; i = next(i)) {
      const std::size_t from_home = (i - home(slots_[i].id)) & (slots_.size() - 1);
      const std::size_t from_gap = (i - gap) & (slots_.size() - 1);
      if (from_home < from_gap) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = {};
    --size_;
  }

 private:
  struct Slot {
    std::int64_t id = 0;
    SSTableView* view = nullptr;
  };
  static constexpr std::size_t block = 64;

  // Ids are counted up: eight neighbours in time are neighbours here, but not more, or long runs would have no gap.
  std::size_t home(std::int64_t id) const {
    constexpr std::uint64_t together = 8;
    const auto number = static_cast<std::uint64_t>(id);
    return (number % together + (number / together * 0x9e3779b97f4a7c15U >> 32) * together) & (slots_.size() - 1);
  }
  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void put(const Slot& slot) {
    std::size_t i = home(slot.id);
    while (slots_[i].view != nullptr) i = next(i);
    slots_[i] = slot;
  }
  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.view != nullptr) put(slot);
    }
  }
  SSTableView* new_view() {
    if (free_.empty()) {
      blocks_.push_back(std::make_unique<SSTableView[]>(block));
      for (std::size_t i = block; i > 0; --i) free_.push_back(&blocks_.back()[i - 1]);
    }
    SSTableView* const view = free_.back();
    free_.pop_back();
    return view;
  }

  std::vector<Slot> slots_{};  // a power of two of them
  std::vector<std::unique_ptr<SSTableView[]>> blocks_{};
  std::vector<SSTableView*> free_{};
  std::size_t size_ = 0;
};

}  // namespace windrow
