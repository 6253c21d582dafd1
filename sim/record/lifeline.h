#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Ids of SSTables, which several lines share; null: none.
using SharedIds = std::shared_ptr<const std::vector<std::int64_t>>;

/// The life of one SSTable.
struct Lifeline {
  std::int64_t id = 0;
  Micros born_us = 0;
  std::optional<Micros> died_us{};
  std::string_view why_born{};
  std::string_view why_died{};
  SharedIds parents{};
  int level = 0;
  std::optional<Seconds> window_s{};  // first second of its time window
  Bytes bytes = 0;
  Rows rows = 0;
  std::int64_t partitions = 0;
  Micros min_timestamp_us = 0;
  Micros max_timestamp_us = 0;
  Seconds min_local_deletion_time_s = no_deletion_time;
  Seconds max_local_deletion_time_s = no_deletion_time;
  Seconds gc_grace_s = 0;                  // when it died, or at the end
  bool blocked = false;                    // ever
  bool blocker = false;                    // ever
  std::vector<std::int64_t> blocked_by{};  // when last seen blocked; ids, memtable_id for the memtable
  std::optional<Seconds> goes_at_s{};      // of a blocked file: predicted; no_deletion_time: never
  Bytes frees_bytes = 0;                   // most that would have gone if this one blocker were gone
  Bytes holds_bytes = 0;                   // most bytes that it kept, alone or with others
  std::optional<Rows> readable_rows{};     // of one that is there at the end: neither expired nor deleted

  Seconds droppable_at_s() const {
    return max_local_deletion_time_s == no_deletion_time ? no_deletion_time
                                                         : max_local_deletion_time_s + gc_grace_s + 1;
  }
  /// What became of it by then: gone, live, waiting for gc_grace, past gc_grace, or blocked.
  std::string_view state(Micros end_us) const;
};

/// Lifelines by id, each packed into some fifty bytes: a year of levels has millions.
class Lifelines {
 public:
  /// In any order; no id twice. Looked at only once they are sorted.
  void add(const Lifeline& line);
  void sort();

  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  Lifeline operator[](std::size_t i) const;

  /// Unpacks one after the other.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Lifeline;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Lifelines& lines, std::size_t at) : lines_(&lines), at_(at) { unpack(); }
    const Lifeline& operator*() const { return line_; }
    const Lifeline* operator->() const { return &line_; }
    Iterator& operator++() {
      ++at_;
      unpack();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void unpack() {
      if (at_ < lines_->size()) line_ = (*lines_)[at_];
    }

    const Lifelines* lines_ = nullptr;
    std::size_t at_ = 0;
    Lifeline line_{};
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct Place {
    std::int64_t id = 0;
    std::uint32_t block = 0;
    std::uint32_t at = 0;
  };
  std::uint64_t number_of(std::string_view word);

  std::vector<Place> places_{};  // by id
  std::vector<std::string> blocks_{};
  std::vector<std::string_view> words_{};  // why one was born, or died
  std::optional<Micros> origin_us_{};      // near which its times lie
};

}  // namespace windrow
