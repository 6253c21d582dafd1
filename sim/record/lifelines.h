#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/engine/sstable.h"
#include "sim/record/blockers.h"
#include "sim/record/run_record.h"
#include "sim/strategy/strategy.h"

namespace windrow {

/// A file that is there at the end, and how many of its rows can be read.
struct AliveFile {
  std::int64_t id = 0;
  Rows readable_rows = 0;
};

/// The lives of one table's SSTables. Kept are those alive at a sample, and those that were ever seen blocked or
/// blocking.
class LifelineBook {
 public:
  explicit LifelineBook(bool all) : all_(all) {}

  /// The strategy from now on: its time windows, if it has some.
  void use(StrategyPtr strategy) { strategy_ = std::move(strategy); }

  void born(const SSTable& file, Micros now_us, std::string_view why, std::span<const std::int64_t> parents);
  void level_changed(std::int64_t id, int level) { living_.at(id).level = level; }
  void died(std::int64_t id, Micros now_us, std::string_view why, Seconds gc_grace_s);
  void sampled(const BlockReport& report);
  const Lifeline& living(std::int64_t id) const { return living_.at(id); }
  std::optional<Seconds> window_s(const SSTable& file) const;
  /// Of the time windows that are used now.
  std::optional<Seconds> window_length_s() const { return strategy_->window_length_s(); }

  /// All that are kept, by id.
  std::vector<Lifeline> finish(std::span<const AliveFile> alive, Seconds gc_grace_s);

 private:
  bool all_ = false;
  std::int64_t samples_ = 0;
  StrategyPtr strategy_{};
  using Living = std::unordered_map<std::int64_t, Lifeline>;
  /// A line of its own, in the place of one that nobody keeps if there is one.
  Lifeline& enter(std::int64_t id);

  Living living_{};  // looked up only
  std::vector<Living::node_type> spare_{};
  std::vector<Lifeline> kept_{};
};

}  // namespace windrow
