#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace windrow {

class SSTable;

/// SSTables by id, in the order of ids, which is the order in which they come. One that goes leaves a gap; gaps are
/// closed when they are half of all.
class SSTableMap {
 public:
  using Entry = std::pair<std::int64_t, std::shared_ptr<const SSTable>>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;

    Iterator() = default;
    Iterator(const Entry* at, const Entry* end) : at_(at), end_(end) { skip(); }
    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void skip() {
      while (at_ != end_ && !at_->second) ++at_;
    }
    const Entry* at_ = nullptr;
    const Entry* end_ = nullptr;
  };

  std::size_t size() const { return entries_.size() - gaps_; }
  bool empty() const { return size() == 0; }
  bool contains(std::int64_t id) const { return find(id) != nullptr; }
  const std::shared_ptr<const SSTable>& at(std::int64_t id) const {
    const Entry* entry = find(id);
    SIM_CHECK(entry != nullptr, "the SSTable is there");
    return entry->second;
  }
  Iterator begin() const { return {entries_.data(), entries_.data() + entries_.size()}; }
  Iterator end() const { return {entries_.data() + entries_.size(), entries_.data() + entries_.size()}; }

  void add(std::int64_t id, std::shared_ptr<const SSTable> sstable) {
    SIM_CHECK(entries_.empty() || entries_.back().first < id, "ids of SSTables ascend");
    entries_.emplace_back(id, std::move(sstable));
  }
  std::shared_ptr<const SSTable> take(std::int64_t id) {
    auto* entry = const_cast<Entry*>(find(id));
    SIM_CHECK(entry != nullptr, "a file goes that is not there");
    std::shared_ptr<const SSTable> taken = std::move(entry->second);
    entry->second = nullptr;
    ++gaps_;
    if (gaps_ * 2 > entries_.size()) {
      std::erase_if(entries_, [](const Entry& each) { return !each.second; });
      gaps_ = 0;
    }
    return taken;
  }
  void clear() {
    entries_.clear();
    gaps_ = 0;
  }

 private:
  const Entry* find(std::int64_t id) const {
    const auto place = std::ranges::lower_bound(entries_, id, {}, &Entry::first);
    return place == entries_.end() || place->first != id || !place->second ? nullptr : &*place;
  }

  std::vector<Entry> entries_{};
  std::size_t gaps_ = 0;
};

}  // namespace windrow
