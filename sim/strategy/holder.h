#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <typeinfo>

#include "sim/base/check.h"
#include "sim/schema/compaction_options.h"
#include "sim/strategy/expiry_order.h"
#include "sim/strategy/file_order.h"
#include "sim/strategy/level_order.h"
#include "sim/strategy/repair_status.h"
#include "sim/strategy/sstable_view.h"
#include "sim/strategy/strategy_order.h"
#include "sim/strategy/tombstone_watch.h"

namespace windrow {

class Strategy;

/// The files of one strategy instance in the orders its strategy needs (AbstractStrategyHolder and the file sets of
/// AbstractCompactionStrategy, Cassandra 5.0.9). A file is told of before its `compacting` changes.
class Holder {
 public:
  Holder(const HolderKey& key, const Strategy& strategy);

  const HolderKey& key() const { return key_; }
  bool repaired() const { return key_.kind == HolderKey::Kind::repaired; }
  /// True if all compactions of these files purge nothing (rule 3.5).
  bool never_purges(const CommonCompactionOptions& options) const {
    return options.only_purge_repaired_tombstones && !repaired();
  }

  void add(SSTableView& file);  // LCS may set its level to 0
  void remove(const SSTableView& file);
  void left_table(std::int64_t id);     // of this instance or another
  void taken(const SSTableView& file);  // begins to compact
  void freed(const SSTableView& file);
  void set_level(SSTableView& file, int level);

  std::size_t size() const { return by_rank_.size(); }
  /// Live-set order backwards; the keys are live ranks.
  const FilePlaces& oldest_first() const { return by_rank_; }
  /// Calls `use(file, its first token, its last)` for the files that meet [first, last], in no stated order, until it
  /// returns false; false then.
  template <typename Use>
  bool each_meeting(Token first, Token last, const Use& use) const {
    if (levels_) return levels_->each_meeting(first, last, use);
    for (const FilePlace& place : by_rank_) {
      const auto [file_first, file_last] = place.file->estimates->token_span();
      if (file_first <= last && file_last >= first && !use(*place.file, file_first, file_last)) return false;
    }
    return true;
  }

  /// Calls `use(file, its first token, its last)` for those files that meet [first, last], in no stated order, that
  /// have something from `newest_us` or before and something that lives at `gc_before_s`; and for others.
  template <typename Use>
  void each_meeting_that_may_block(Token first, Token last, Seconds gc_before_s, Micros newest_us,
                                   const Use& use) const {
    if (levels_) return levels_->each_meeting_that_may_block(first, last, gc_before_s, newest_us, use);
    each_meeting(first, last, [&](const SSTableView& file, Token file_first, Token file_last) {
      use(file, file_first, file_last);
      return true;
    });
  }

  /// The order of the strategy in use; asking for another is a broken invariant.
  template <typename Order>
  const Order& order() const {
    const StrategyOrder* const kept = order_.get();
    SIM_CHECK(kept != nullptr && typeid(*kept) == typeid(Order),
              "the live set was told to use a strategy with this order");
    return static_cast<const Order&>(*kept);
  }
  /// Time window, unified.
  const ExpiryOrder& expiry() const {
    SIM_CHECK(expiry_, "the live set was told to use a strategy that drops expired files");
    return *expiry_;
  }
  bool has_expiry() const { return expiry_.has_value(); }
  bool has_levels() const { return levels_ != nullptr; }
  /// Null if the strategy does no tombstone compactions (rules 7.9, 9.11).
  const TombstoneWatch* watch() const { return watch_ ? &*watch_ : nullptr; }

 private:
  HolderKey key_;
  FilePlaces by_rank_;
  std::unique_ptr<StrategyOrder> order_;
  LevelOrder* levels_ = nullptr;  // the same, if it is one: what overlaps is found faster
  std::optional<ExpiryOrder> expiry_;
  std::optional<TombstoneWatch> watch_;
};

}  // namespace windrow
