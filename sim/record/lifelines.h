#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/engine/sstables_by_id.h"
#include "sim/record/blockers.h"
#include "sim/record/run_record.h"
#include "sim/strategy/strategy.h"

namespace windrow {

/// A file that is there at the end, and how many of its rows can be read.
struct AliveFile {
  std::int64_t id = 0;
  Rows readable_rows = 0;
};

/// The lives of one table's SSTables. Kept are those alive at a sample: of others, which are most, hardly anything is
/// taken down.
class LifelineBook {
 public:
  /// `all`: also those that no sample sees.
  explicit LifelineBook(bool all) : all_(all) {}

  /// The strategy from now on: its time windows, if it has some.
  void use(StrategyPtr strategy) { strategy_ = std::move(strategy); }

  /// What files that one compaction writes come of; holds until the next sample.
  struct Parents {
    std::size_t from = 0;
    std::size_t to = 0;
    friend bool operator==(const Parents&, const Parents&) = default;
  };
  Parents parents(std::span<const std::int64_t> ids);
  /// In the order of ids.
  void born(const SSTable& file, Micros now_us, std::string_view why, Parents parents);
  void level_changed(std::int64_t id, int level);
  void died(std::int64_t id, Micros now_us, std::string_view why, Seconds gc_grace_s);
  /// `files`: those that live.
  void sampled(const SSTablesById& files, const BlockReport& report);
  std::string_view why_born(std::int64_t id) const;
  std::optional<Seconds> window_s(const SSTable& file) const;
  /// Of the time windows that are used now.
  std::optional<Seconds> window_length_s() const { return strategy_->window_length_s(); }

  /// All that are kept, by id.
  Lifelines finish(std::span<const AliveFile> alive, Seconds gc_grace_s);

 private:
  /// One that no sample has seen.
  struct Newborn {
    std::int64_t id = 0;
    Micros born_us = 0;
    std::string_view why{};
    Parents parents{};
    int level = 0;
    std::optional<Seconds> window_s{};
  };
  void keep(const Newborn& born, const SSTable& file);
  /// The same for files of one compaction that are kept one after another.
  SharedIds shared(Parents parents);
  Lifeline& kept(std::int64_t id) { return living_.at(id); }
  /// Null: a sample has seen it, or it was never born.
  const Newborn* newborn(std::int64_t id) const;

  bool all_ = false;
  StrategyPtr strategy_{};
  std::vector<Newborn> newborns_{};      // by id, since the last sample
  std::vector<std::int64_t> parents_{};  // of all these
  Parents shared_of_{};                  // what shared() was asked for last
  SharedIds shared_{};
  std::unordered_map<std::int64_t, Lifeline> living_{};  // of those that are kept, by id; looked up only
  Lifelines done_{};
};

}  // namespace windrow
