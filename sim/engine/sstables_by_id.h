#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/engine/sstable.h"

namespace windrow {

using SSTablePtr = std::shared_ptr<const SSTable>;

/// SSTables by id, ascending. New ones have the largest ids: one array, in which those that left leave a gap until a
/// quarter of it is gaps. A change ends the life of all iterators.
class SSTablesById {
 public:
  using value_type = std::pair<std::int64_t, SSTablePtr>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = SSTablesById::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    Iterator() = default;
    Iterator(pointer at, pointer end) : at_(at), end_(end) { skip_gaps(); }
    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    Iterator& operator++() {
      ++at_;
      skip_gaps();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void skip_gaps() {
      while (at_ != end_ && at_->second == nullptr) ++at_;
    }
    pointer at_ = nullptr;
    pointer end_ = nullptr;
  };

  Iterator begin() const { return {entries_.data(), entries_.data() + entries_.size()}; }
  Iterator end() const { return {entries_.data() + entries_.size(), entries_.data() + entries_.size()}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(std::int64_t id) const {
    const std::size_t place = place_of(id);
    return place < entries_.size() && entries_[place].first == id && entries_[place].second != nullptr;
  }
  const SSTablePtr& at(std::int64_t id) const {
    SIM_CHECK(contains(id), "the SSTable is there");
    return entries_[place_of(id)].second;
  }

  void push_back(SSTablePtr sstable) {
    const std::int64_t id = sstable->id();
    SIM_CHECK(entries_.empty() || entries_.back().first < id, "SSTables come in the order of their ids");
    if (entries_.size() % stride == 0) marks_.push_back(id);
    entries_.emplace_back(id, std::move(sstable));
    ++size_;
  }
  SSTablePtr take(std::int64_t id) {
    const std::size_t place = place_of(id);
    SIM_CHECK(place < entries_.size() && entries_[place].first == id && entries_[place].second != nullptr,
              "the SSTable is there");
    SSTablePtr taken = std::move(entries_[place].second);
    --size_;
    constexpr std::size_t few = 64;
    if (entries_.size() > few && size_ < entries_.size() / 4 * 3) {
      std::erase_if(entries_, [](const value_type& entry) { return entry.second == nullptr; });
      mark();
    }
    return taken;
  }
  void clear() {
    entries_.clear();
    marks_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t stride = 64;

  void mark() {
    marks_.clear();
    for (std::size_t place = 0; place < entries_.size(); place += stride) marks_.push_back(entries_[place].first);
  }
  static bool before(const value_type& entry, std::int64_t id) { return entry.first < id; }

  std::size_t place_of(std::int64_t id) const {
    // Files that were written together are asked for together.
    for (std::size_t near = asked_; near < entries_.size() && near < asked_ + 3; ++near) {
      if (entries_[near].first == id) return asked_ = near;
    }
    // The last mark that is not above the id: it lies from there on, before the next.
    const auto mark = std::ranges::upper_bound(marks_, id);
    if (mark == marks_.begin()) return asked_ = 0;
    const auto number = static_cast<std::size_t>(mark - marks_.begin() - 1);
    const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(number * stride);
    const auto to = mark == marks_.end() ? entries_.end() : from + stride;
    return asked_ = static_cast<std::size_t>(std::lower_bound(from, to, id, before) - entries_.begin());
  }

  std::vector<value_type> entries_{};
  std::vector<std::int64_t> marks_{};  // ids of each 64th entry: a search touches little of a large array
  mutable std::size_t asked_ = 0;      // place of the last answer
  std::size_t size_ = 0;               // without gaps
};

}  // namespace windrow
