#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/file_table.h"
#include "sim/strategy/holder.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// The live SSTables of one table by strategy instance, in the orders that its strategy needs, kept up to date by every
/// change (rules 0.2, 10.1): no strategy sorts or groups what has not changed.
class LiveSet {
 public:
  LiveSet();
  LiveSet(const LiveSet&) = delete;
  LiveSet& operator=(const LiveSet&) = delete;
  LiveSet(LiveSet&&) = default;
  LiveSet& operator=(LiveSet&&) = default;
  ~LiveSet() = default;

  /// The orders of this strategy from now on, for every file there is: at CREATE and with every new strategy instance
  /// (ALTER of the compaction map).
  void use(const CompactionOptions& options);
  const Strategy& strategy() const { return *strategy_; }
  /// The repaired instance is there from now on, with files or without: a table that may be repaired has one from the
  /// start, whose timers move with each ask.
  void follow_repairs();

  /// A flush: new readers come first, in the order given (Helpers.replace, rule 0.2), that is in writer order. The set
  /// owns copies; pointers to them stay valid until removal.
  void add(std::span<const SSTableView> files);
  void remove(std::span<const std::int64_t> ids);
  /// The commit of a compaction: `removed` leave, then `added` come first; several outputs in hash order (rule 0.2a,
  /// see hash_order in sim/stats/java_hash.h).
  void replace(std::span<const std::int64_t> removed, std::span<const SSTableView> added);
  void set_compacting(std::span<const std::int64_t> ids, bool compacting);
  void set_level(std::int64_t id, int level);
  /// CompactionStrategyManager.mutateRepaired: the files change their instance, and nothing else but what
  /// LevelOrder::level_for says of their level.
  void set_repair_status(std::span<const std::int64_t> ids, const RepairStatus& status);

  std::size_t size() const { return files_.size(); }
  std::size_t compacting_count() const { return compacting_; }
  const SSTableView& at(std::int64_t id) const;
  bool contains(std::int64_t id) const { return files_.find(id) != nullptr; }
  /// Live-set order: newest first.
  std::vector<const SSTableView*> in_live_order() const;

  /// One for each instance: of pending repairs in the order in which these got their first file, repaired, unrepaired.
  std::span<const std::unique_ptr<Holder>> holders() const { return holders_; }
  const Holder& unrepaired() const { return *holders_.back(); }
  const Holder* find_holder(const HolderKey& key) const;

  /// Calls `use(file)` for all files, in no stated order.
  template <typename Use>
  void each_file(const Use& use) const {
    for (const auto& holder : holders_) {
      for (const FilePlace& place : holder->oldest_first()) use(*place.file);
    }
  }
  /// Calls `use(file, its first token, its last)` for the files that meet [first, last], in no stated order, until it
  /// returns false.
  template <typename Use>
  void each_meeting(Token first, Token last, const Use& use) const {
    for (const auto& holder : holders_) {
      if (!holder->each_meeting(first, last, use)) return;
    }
  }
  /// As Holder::each_meeting_that_may_block, of all instances.
  template <typename Use>
  void each_meeting_that_may_block(Token first, Token last, Seconds gc_before_s, Micros newest_us,
                                   const Use& use) const {
    for (const auto& holder : holders_) holder->each_meeting_that_may_block(first, last, gc_before_s, newest_us, use);
  }
  /// True if files lie in levels.
  bool by_levels() const { return unrepaired().has_levels(); }
  /// How often files left: what was impossible because of a file stays so while this number stands.
  std::int64_t removals() const { return removals_; }

 private:
  SSTableView& find(std::int64_t id);
  /// Made if there is none.
  Holder& holder_of(const SSTableView& file);
  void take_out(std::int64_t id);
  void drop_empty_sessions();

  FileTable files_;
  std::vector<std::unique_ptr<Holder>> holders_;  // unrepaired is always the last
  std::shared_ptr<const Strategy> strategy_;
  bool follows_repairs_ = false;
  std::size_t compacting_ = 0;
  std::int64_t next_rank_ = 1;
  std::int64_t removals_ = 0;
};

}  // namespace windrow
