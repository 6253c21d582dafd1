#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace windrow {

/// Entries one after the other that lie in memory so, or in blocks of which each begins anywhere within its memory.
template <typename Entry>
class InOrder {
 public:
  InOrder() = default;
  InOrder(std::span<const Entry> entries) : entries_(entries.data()), size_(entries.size()) {}
  InOrder(const std::vector<Entry>& entries) : InOrder(std::span<const Entry>(entries)) {}
  /// `turns`: where each block of 2^`block_bits` entries begins; null if all begin where their memory does.
  InOrder(std::span<const Entry> entries, const std::uint32_t* turns, int block_bits)
      : entries_(entries.data()), turns_(turns), block_bits_(block_bits), size_(entries.size()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Entry& operator[](std::size_t i) const {
    if (turns_ == nullptr) return entries_[i];
    const std::size_t within = (std::size_t{1} << block_bits_) - 1;
    return entries_[(i & ~within) + ((i + turns_[i >> block_bits_]) & within)];
  }
  bool is_flat() const { return turns_ == nullptr; }
  /// Of one that is.
  std::span<const Entry> flat() const { return {entries_, size_}; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;

    Iterator() = default;
    Iterator(const InOrder& of, std::size_t place) : of_(&of), place_(place) {}
    reference operator*() const { return (*of_)[place_]; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) { return {*of_, place_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.place_ == b.place_; }

   private:
    const InOrder* of_ = nullptr;
    std::size_t place_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  const Entry* entries_ = nullptr;
  const std::uint32_t* turns_ = nullptr;
  int block_bits_ = 0;
  std::size_t size_ = 0;
};

/// The first place from `begin` on whose entry does not satisfy `holds`, which all entries before it do.
template <typename Entries, typename Holds>
std::size_t place_behind(const Entries& entries, std::size_t begin, const Holds& holds) {
  std::size_t end = entries.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (holds(entries[middle])) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// A sequence whose entries are found by number, as those of a ChunkedOrder are not, and of which a change in the
/// middle moves a part of one block, and turns the blocks behind it by an entry (tiered vector: Goodrich and Kloss,
/// "Tiered Vectors", 1999). There are not many more blocks than a block has entries, so that a change takes time with
/// the root of their number.
template <typename Entry, int first_block_bits = 10>
class TurningBlocks {
 public:
  std::size_t size() const { return entries_.size(); }
  std::size_t block_entries() const { return std::size_t{1} << block_bits_; }
  InOrder<Entry> view() const { return {entries_, turns_.empty() ? nullptr : turns_.data(), block_bits_}; }

  /// All entries one after the other in memory, for `change(vector)` to change.
  template <typename Change>
  void change_flat(const Change& change) {
    lay_flat();
    change(entries_);
  }
  std::span<const Entry> flat() {
    lay_flat();
    return entries_;
  }

  void insert(std::size_t at, const Entry& entry) {
    entries_.push_back(entry);
    divide();
    const std::size_t last = turns_.size() - 1;
    std::size_t block = at >> block_bits_;
    std::size_t place = at & (block_entries() - 1);
    Entry carried = entry;
    if (block < last) {
      const Entry pushed_out = slot(block, block_entries() - 1);
      shift_up(block, place);
      slot(block, place) = carried;
      carried = pushed_out;
      while (++block < last) {
        turn(block, block_entries() - 1);
        std::swap(slot(block, 0), carried);
      }
      place = 0;
    }
    const auto into = memory(last) + static_cast<std::ptrdiff_t>(place);
    std::move_backward(into, entries_.end() - 1, entries_.end());
    *into = carried;
  }

  void erase(std::size_t at) {
    divide();
    const std::size_t last = turns_.size() - 1;
    unturn(last);
    std::size_t block = at >> block_bits_;
    std::size_t place = at & (block_entries() - 1);
    if (block < last) {
      shift_down(block, place);
      for (; block < last; ++block) {
        slot(block, block_entries() - 1) = slot(block + 1, 0);
        if (block + 1 < last) turn(block + 1, 1);
      }
      place = 0;
    }
    const auto into = memory(last) + static_cast<std::ptrdiff_t>(place);
    std::move(into + 1, entries_.end(), into);
    entries_.pop_back();
    if (entries_.size() == last << block_bits_) turns_.pop_back();
  }

 private:
  using Place = typename std::vector<Entry>::iterator;

  void divide() {
    while (entries_.size() >> block_bits_ > block_entries()) {
      lay_flat();
      block_bits_ += 2;
    }
    turns_.resize((entries_.size() + block_entries() - 1) >> block_bits_);
  }
  void lay_flat() {
    for (std::size_t block = 0; block < turns_.size(); ++block) unturn(block);
    turns_.clear();
  }
  void turn(std::size_t block, std::size_t by) {
    turns_[block] = static_cast<std::uint32_t>((turns_[block] + by) & (block_entries() - 1));
  }
  void unturn(std::size_t block) {
    if (turns_[block] == 0) return;
    const Place first = memory(block);
    std::rotate(first, first + turns_[block], first + static_cast<std::ptrdiff_t>(block_entries()));
    turns_[block] = 0;
  }
  Place memory(std::size_t block) { return entries_.begin() + static_cast<std::ptrdiff_t>(block << block_bits_); }
  std::ptrdiff_t within_memory(std::size_t block, std::size_t place) const {
    return static_cast<std::ptrdiff_t>((place + turns_[block]) & (block_entries() - 1));
  }
  Entry& slot(std::size_t block, std::size_t place) { return *(memory(block) + within_memory(block, place)); }
  /// From `place` to the last but one by one, over the last.
  void shift_up(std::size_t block, std::size_t place) {
    const Place first = memory(block);
    const auto end = static_cast<std::ptrdiff_t>(block_entries()) - 1;
    const std::ptrdiff_t from = within_memory(block, place);
    const std::ptrdiff_t last = within_memory(block, block_entries() - 1);
    if (from <= last) {
      std::move_backward(first + from, first + last, first + last + 1);
      return;
    }
    std::move_backward(first, first + last, first + last + 1);
    *first = *(first + end);
    std::move_backward(first + from, first + end, first + end + 1);
  }
  /// From behind `place` to the last by one, over `place`.
  void shift_down(std::size_t block, std::size_t place) {
    const Place first = memory(block);
    const auto end = static_cast<std::ptrdiff_t>(block_entries()) - 1;
    const std::ptrdiff_t into = within_memory(block, place);
    const std::ptrdiff_t last = within_memory(block, block_entries() - 1);
    if (into <= last) {
      std::move(first + into + 1, first + last + 1, first + into);
      return;
    }
    std::move(first + into + 1, first + end + 1, first + into);
    *(first + end) = *first;
    std::move(first + 1, first + last + 1, first);
  }

  int block_bits_ = first_block_bits;
  std::vector<Entry> entries_{};
  std::vector<std::uint32_t> turns_{};  // where each block begins; a last one that is not full begins where its memory
                                        // does, and so do all if there are none
};

}  // namespace windrow
