#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>

#include "sim/base/check.h"

namespace windrow {

/// Says nothing of the entries of a chunk.
struct NothingOfThem {
  template <typename Entry>
  void add(const Entry&) {}
};

/// Entries in ascending order of `Before`, no two of them equal, in chunks of a bounded size: a change moves one or two
/// chunks, wherever it happens and however many there are. The last entry of each lies beside those of the others: a
/// search looks into one chunk only. A change ends the life of all iterators. `Summary`: what is known of all entries
/// of a chunk.
template <typename Entry, typename Before, typename Summary = NothingOfThem>
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
  const Entry& back() const { return lasts_.back(); }

  /// The first entry that does not satisfy `holds`, which all entries before it do.
  template <typename Holds>
  Iterator partition_point(const Holds& holds) const {
    const auto last = std::partition_point(lasts_.begin(), lasts_.end(), holds);
    if (last == lasts_.end()) return end();
    const auto number = static_cast<std::size_t>(last - lasts_.begin());
    const std::vector<Entry>& chunk = chunks_[number];
    const auto place = std::partition_point(chunk.begin(), chunk.end() - 1, holds);
    return {chunks_, number, static_cast<std::size_t>(place - chunk.begin())};
  }
  Iterator lower_bound(const Entry& entry) const {
    if (empty()) return end();
    const auto is_before = [&](const Entry& each) { return before_(each, entry); };
    if (chunks_.size() > 1 && !is_before(lasts_[lasts_.size() - 2])) return partition_point(is_before);
    // Most that are looked for are among the last: from there with steps that double.
    const std::vector<Entry>& chunk = chunks_.back();
    const auto size = static_cast<std::ptrdiff_t>(chunk.size());
    std::ptrdiff_t last = size;  // the entry is before it, or at it
    for (std::ptrdiff_t step = 1; step <= size; step *= 2) {
      const std::ptrdiff_t place = size - step;
      if (is_before(chunk[static_cast<std::size_t>(place)])) {
        const auto found = std::partition_point(chunk.begin() + place + 1, chunk.begin() + last, is_before);
        if (found == chunk.end()) return end();
        return {chunks_, chunks_.size() - 1, static_cast<std::size_t>(found - chunk.begin())};
      }
      last = place;
    }
    return partition_point(is_before);
  }

  /// Calls `use(entry)` for the entries of all chunks of whose summary `may(summary)` is true.
  template <typename May, typename Use>
  void each_that_may(const May& may, const Use& use) const {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (may(summaries_[i])) std::ranges::for_each(chunks_[i], use);
    }
  }

  void insert(const Entry& entry) {
    ++size_;
    if (chunks_.empty()) {
      chunks_.push_back(new_chunk());
      chunks_.front().push_back(entry);
      lasts_.push_back(entry);
      summaries_.emplace_back();
      summaries_.front().add(entry);
      return;
    }
    // Behind the last, as most come.
    const Iterator behind{chunks_, chunks_.size() - 1, chunks_.back().size()};
    const Iterator at = before_(back(), entry) ? behind : lower_bound(entry);
    std::vector<Entry>& chunk = chunks_[at.chunk_];
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(at.place_), entry);
    if (at.place_ + 1 == chunk.size()) lasts_[at.chunk_] = entry;
    summaries_[at.chunk_].add(entry);
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
    --size_;
    if (chunk.empty()) {
      remove_chunk(at.chunk_);
      return true;
    }
    if (at.place_ == chunk.size()) lasts_[at.chunk_] = chunk.back();
    summarize(at.chunk_);
    if (chunk.size() < most_in_chunk / 2) join_neighbours(at.chunk_);
    return true;
  }

 private:
  static constexpr std::size_t most_in_chunk = 128;
  static constexpr std::size_t most_joined = most_in_chunk * 3 / 4;  // room for those that come

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
    lasts_.insert(lasts_.begin() + static_cast<std::ptrdiff_t>(chunk), chunks_[chunk].back());
    summaries_.emplace(summaries_.begin() + static_cast<std::ptrdiff_t>(chunk) + 1);
    summarize(chunk);
    summarize(chunk + 1);
  }
  void remove_chunk(std::size_t chunk) {
    chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunk));
    lasts_.erase(lasts_.begin() + static_cast<std::ptrdiff_t>(chunk));
    summaries_.erase(summaries_.begin() + static_cast<std::ptrdiff_t>(chunk));
  }
  void summarize(std::size_t chunk) {
    if constexpr (!std::is_empty_v<Summary>) {
      Summary summary;
      for (const Entry& entry : chunks_[chunk]) summary.add(entry);
      summaries_[chunk] = summary;
    }
  }
  /// The chunk and one beside it are one chunk if they are small: what leaves must not leave room that nobody uses.
  void join_neighbours(std::size_t chunk) {
    const auto join = [&](std::size_t lower) {
      std::vector<Entry>& into = chunks_[lower];
      const std::vector<Entry>& from = chunks_[lower + 1];
      if (into.size() + from.size() > most_joined) return false;
      into.insert(into.end(), from.begin(), from.end());
      lasts_[lower] = lasts_[lower + 1];
      remove_chunk(lower + 1);
      summarize(lower);
      return true;
    };
    if (chunk + 1 < chunks_.size() && join(chunk)) return;
    if (chunk > 0) join(chunk - 1);
  }

  std::vector<std::vector<Entry>> chunks_{};  // none is empty
  std::vector<Entry> lasts_{};                // the last of each
  std::vector<Summary> summaries_{};          // of each
  std::size_t size_ = 0;
  Before before_{};
};

}  // namespace windrow
