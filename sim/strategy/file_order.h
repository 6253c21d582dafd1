#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/chunked_order.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// A file in an order: by key; a second number, unique to the file, settles ties.
struct FilePlace {
  std::int64_t key = 0;
  std::int64_t tie = 0;
  const SSTableView* file = nullptr;

  friend bool operator<(const FilePlace& a, const FilePlace& b) {
    return a.key != b.key ? a.key < b.key : a.tie < b.tie;
  }
};

/// For orders in which files of any place change.
using FilePlaces = ChunkedOrder<FilePlace, std::less<>>;

/// A sorted vector with room in front: a change moves the shorter side, for orders in which almost all changes happen
/// near one end.
class FileOrder {
 public:
  using iterator = std::vector<FilePlace>::const_iterator;

  void insert(std::int64_t key, std::int64_t tie, const SSTableView& file) {
    const FilePlace place{.key = key, .tie = tie, .file = &file};
    if (empty() || places_.back() < place) {
      places_.push_back(place);
      return;
    }
    const auto at = std::upper_bound(first(), places_.end(), place);
    if (room_ > 0 && at - first() < places_.end() - at) {
      const auto moved = std::move(first(), at, first() - 1);
      *moved = place;
      --room_;
    } else {
      places_.insert(at, place);
    }
  }

  void erase(std::int64_t key, std::int64_t tie) {
    const bool erased = erase_if_there(key, tie);
    SIM_CHECK(erased, "a file leaves an order that it is in");
  }

  bool erase_if_there(std::int64_t key, std::int64_t tie) {
    const auto at = std::lower_bound(first(), places_.end(), FilePlace{.key = key, .tie = tie});
    if (at == places_.end() || at->key != key || at->tie != tie) return false;
    if (at - first() < places_.end() - at) {
      std::move_backward(first(), at, at + 1);
      erase_first(1);
    } else {
      places_.erase(at);
    }
    return true;
  }

  void erase_first(std::size_t count) {
    room_ += count;
    if (room_ * 2 <= places_.size()) return;
    places_.erase(places_.begin(), first());
    room_ = 0;
  }

  iterator begin() const { return places_.begin() + static_cast<std::ptrdiff_t>(room_); }
  iterator end() const { return places_.end(); }
  /// The same from the greatest key down, for range-for.
  auto descending() const {
    struct Descending {
      std::vector<FilePlace>::const_reverse_iterator greatest;
      std::vector<FilePlace>::const_reverse_iterator least;
      auto begin() const { return greatest; }
      auto end() const { return least; }
    };
    return Descending{places_.rbegin(), places_.rend() - static_cast<std::ptrdiff_t>(room_)};
  }
  /// First place whose key is greater than `key`.
  iterator above(std::int64_t key) const {
    return std::partition_point(begin(), end(), [key](const FilePlace& p) { return p.key <= key; });
  }
  bool empty() const { return places_.size() == room_; }
  std::size_t size() const { return places_.size() - room_; }
  const FilePlace& front() const { return *begin(); }
  const FilePlace& back() const { return places_.back(); }
  std::span<const FilePlace> places() const { return std::span(places_).subspan(room_); }

 private:
  std::vector<FilePlace>::iterator first() { return places_.begin() + static_cast<std::ptrdiff_t>(room_); }

  std::vector<FilePlace> places_{};
  std::size_t room_ = 0;  // unused places in front, at most half of all
};

}  // namespace windrow
