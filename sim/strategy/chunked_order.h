#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "sim/base/check.h"

namespace windrow {

/// Entries in ascending order of `Before`, no two of them equal, in chunks of a bounded size: a change moves one chunk,
/// wherever it happens and however many there are. A change ends the life of all iterators.
template <typename Entry, typename Before>
class ChunkedOrder {
 public:
  class Iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;

    Iterator() = default;
    Iterator(const std::vector<std::vector<Entry>>& chunks, std::size_t chunk, std::size_t place)
        : chunks_(&chunks), chunk_(chunk), place_(place) {}
    reference operator*() const { return (*chunks_)[chunk_][place_]; }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      if (++place_ == (*chunks_)[chunk_].size()) {
        ++chunk_;
        place_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator& operator--() {
      if (place_ == 0) place_ = (*chunks_)[--chunk_].size();
      --place_;
      return *this;
    }
    Iterator operator--(int) {
      Iterator after = *this;
      --*this;
      return after;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.chunk_ == b.chunk_ && a.place_ == b.place_;
    }

   private:
    friend class ChunkedOrder;
    const std::vector<std::vector<Entry>>* chunks_ = nullptr;
    std::size_t chunk_ = 0;
    std::size_t place_ = 0;
  };

  /// Some that follow each other.
  struct Run {
    Iterator first{};
    Iterator last{};  // behind the last of them
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
  };

  Iterator begin() const { return {chunks_, 0, 0}; }
  Iterator end() const { return {chunks_, chunks_.size(), 0}; }
  /// The same from the last one down, for range-for.
  auto descending() const {
    struct Descending {
      std::reverse_iterator<Iterator> last;
      std::reverse_iterator<Iterator> first;
      auto begin() const { return last; }
      auto end() const { return first; }
    };
    return Descending{std::make_reverse_iterator(end()), std::make_reverse_iterator(begin())};
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Entry& front() const { return chunks_.front().front(); }
  const Entry& back() const { return chunks_.back().back(); }

  /// The first entry that does not satisfy `holds`, which all entries before it do.
  template <typename Holds>
  Iterator partition_point(const Holds& holds) const {
    const auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                            [&](const std::vector<Entry>& each) { return holds(each.back()); });
    if (chunk == chunks_.end()) return end();
    const auto place = std::partition_point(chunk->begin(), chunk->end(), holds);
    return {chunks_, static_cast<std::size_t>(chunk - chunks_.begin()),
            static_cast<std::size_t>(place - chunk->begin())};
  }
  Iterator lower_bound(const Entry& entry) const {
    if (empty()) return end();
    // Most that are looked for are among the last: from there with steps that double.
    const std::vector<Entry>& chunk = chunks_.back();
    const auto size = static_cast<std::ptrdiff_t>(chunk.size());
    std::ptrdiff_t last = size;  // the entry is before it, or at it
    for (std::ptrdiff_t step = 1; step <= size; step *= 2) {
      const std::ptrdiff_t place = size - step;
      if (before_(chunk[static_cast<std::size_t>(place)], entry)) {
        const auto holds = [&](const Entry& each) { return before_(each, entry); };
        const auto found = std::partition_point(chunk.begin() + place + 1, chunk.begin() + last, holds);
        if (found == chunk.end()) return end();
        return {chunks_, chunks_.size() - 1, static_cast<std::size_t>(found - chunk.begin())};
      }
      last = place;
    }
    return partition_point([&](const Entry& each) { return before_(each, entry); });
  }

  void insert(const Entry& entry) {
    ++size_;
    if (chunks_.empty()) {
      chunks_.push_back(new_chunk());
      chunks_.front().push_back(entry);
      return;
    }
    // Behind the last, as most come.
    const Iterator behind{chunks_, chunks_.size() - 1, chunks_.back().size()};
    const Iterator at = before_(back(), entry) ? behind : lower_bound(entry);
    std::vector<Entry>& chunk = chunks_[at.chunk_];
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(at.place_), entry);
    if (chunk.size() == most_in_chunk) split(at.chunk_, at.place_ + 1 == most_in_chunk);
  }

  void erase(const Entry& entry) {
    const bool erased = erase_if_there(entry);
    SIM_CHECK(erased, "an entry leaves an order that it is in");
  }

  /// False if it is not there.
  bool erase_if_there(const Entry& entry) {
    const Iterator at = lower_bound(entry);
    if (at == end() || before_(entry, *at)) return false;
    std::vector<Entry>& chunk = chunks_[at.chunk_];
    chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(at.place_));
    if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk_));
    --size_;
    return true;
  }

 private:
  static constexpr std::size_t most_in_chunk = 128;

  static std::vector<Entry> new_chunk() {
    std::vector<Entry> chunk;
    chunk.reserve(most_in_chunk);
    return chunk;
  }
  /// Halves it, or where entries come in ascending order begins a new one.
  void split(std::size_t chunk, bool at_end) {
    const bool last = at_end && chunk + 1 == chunks_.size();
    std::vector<Entry> upper = new_chunk();
    const auto from =
        chunks_[chunk].begin() + static_cast<std::ptrdiff_t>(last ? most_in_chunk - 1 : most_in_chunk / 2);
    upper.assign(from, chunks_[chunk].end());
    chunks_[chunk].erase(from, chunks_[chunk].end());
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(chunk) + 1, std::move(upper));
  }

  std::vector<std::vector<Entry>> chunks_{};  // none is empty
  std::size_t size_ = 0;
  Before before_{};
};

}  // namespace windrow
