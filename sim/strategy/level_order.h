#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/chunked_order.h"
#include "sim/strategy/file_order.h"
#include "sim/strategy/strategy_order.h"

namespace windrow {

/// LeveledManifest.maxBytesForLevel (rule 8.2).
double max_bytes_for_level(const LeveledOptions& options, int level);

/// Levels of LeveledCompactionStrategy (LeveledGenerations, rule 8.3).
class LevelOrder final : public StrategyOrder {
 public:
  static constexpr int level_count = 9;
  struct Place {
    Token first = 0;
    Token last = 0;
    std::int64_t id = 0;
    const SSTableView* file = nullptr;

    friend bool operator<(const Place& a, const Place& b) {
      return a.first != b.first ? a.first < b.first : a.id < b.id;
    }
  };
  using Files = ChunkedOrder<Place, std::less<>>;
  struct Aged {
    Micros max_timestamp_us = 0;
    Place place{};

    friend bool operator<(const Aged& a, const Aged& b) {
      return a.max_timestamp_us != b.max_timestamp_us ? a.max_timestamp_us < b.max_timestamp_us
                                                      : a.place.id < b.place.id;
    }
  };
  struct Ages {
    Micros min_timestamp_us = INT64_MAX;
    Seconds max_local_deletion_time_s = INT64_MIN;

    void add(const Aged& aged);
  };
  using ByAge = ChunkedOrder<Aged, std::less<>, Ages>;

  explicit LevelOrder(const LeveledOptions& options);

  double max_bytes(int level) const { return max_bytes_[static_cast<std::size_t>(level)]; }

  /// Into the level that it says, or into level 0 if it would overlap a neighbour above that (rule 8.3).
  void enter(SSTableView& file) override;
  void leave(const SSTableView& file) override;
  void taken(const SSTableView& file) override;
  void freed(const SSTableView& file) override;

  /// By first token, then id; level 0 likewise.
  const Files& level(int level) const { return levels_[static_cast<std::size_t>(level)].files; }
  Bytes data_bytes(int level) const { return levels_[static_cast<std::size_t>(level)].data_bytes; }
  /// Of the files that are not compacting.
  Bytes idle_data_bytes(int level) const { return levels_[static_cast<std::size_t>(level)].idle_data_bytes; }
  /// Level 0, where many may wait: by latest write, then id; those that are not compacting by data bytes, equal ones as
  /// they lie in its hash set, then id.
  const ByAge& level0_by_age() const { return level0_by_age_; }
  InOrder<FilePlace> level0_by_size() const { return level0_by_size_.look(); }
  /// Those of level 0 that are compacting.
  const Files& compacting_level0() const { return compacting_level0_; }
  /// True only if all files of level 0 meet this one.
  bool meets_all_of_level0(const Place& place) const;
  /// Of the hash set of level 0, which never shrinks (rule 0.2a).
  int level0_capacity() const { return level0_capacity_; }
  int highest_level() const;  // of those with files; -1 if none
  /// Files of level >= 1 that meet [first, last], in token order.
  Files::Run meeting(int level, Token first, Token last) const;
  /// Calls `use(file, its first token, its last)` for files of all levels that meet [first, last], until it returns
  /// false; false then.
  template <typename Use>
  bool each_meeting(Token first, Token last, const Use& use) const {
    for (const Place& place : level(0)) {
      if (place.first <= last && place.last >= first && !use(*place.file, place.first, place.last)) return false;
    }
    return each_meeting_above_level0(first, last, use);
  }
  /// As Holder::each_meeting_that_may_block; what is left out are chunks of level 0.
  template <typename Use>
  void each_meeting_that_may_block(Token first, Token last, Seconds gc_before_s, Micros newest_us,
                                   const Use& use) const {
    const auto may_block = [&](const Ages& ages) {
      return ages.min_timestamp_us <= newest_us && ages.max_local_deletion_time_s >= gc_before_s;
    };
    level0_by_age_.each_that_may(may_block, [&](const Aged& aged) {
      const Place& place = aged.place;
      if (place.first <= last && place.last >= first) use(*place.file, place.first, place.last);
    });
    each_meeting_above_level0(first, last, [&](const SSTableView& file, Token file_first, Token file_last) {
      use(file, file_first, file_last);
      return true;
    });
  }

 private:
  template <typename Use>
  bool each_meeting_above_level0(Token first, Token last, const Use& use) const {
    for (int above = 1; above < level_count; ++above) {
      for (const Place& place : meeting(above, first, last)) {
        if (!use(*place.file, place.first, place.last)) return false;
      }
    }
    return true;
  }
  void add(const SSTableView& file) override;  // by file.level
  void remove(const SSTableView& file) override;
  int level_for(const SSTableView& file) const;
  void count_as_idle(const SSTableView& file);
  FilePlace by_size(const SSTableView& file) const;
  void make_room(std::size_t level0_files);

  struct Level {
    Files files;
    Bytes data_bytes = 0;
    Bytes idle_data_bytes = 0;
  };
  std::array<Level, level_count> levels_{};
  std::array<double, level_count> max_bytes_{};
  int level0_capacity_;
  Files compacting_level0_{};
  Token level0_first_end_ = max_token;  // no last token of level 0 is less
  ByAge level0_by_age_{};
  SortedPlaces level0_by_size_{};
};

}  // namespace windrow
