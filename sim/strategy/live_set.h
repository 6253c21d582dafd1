#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/expiry_order.h"
#include "sim/strategy/file_order.h"
#include "sim/strategy/file_store.h"
#include "sim/strategy/level_order.h"
#include "sim/strategy/sstable_view.h"
#include "sim/strategy/tombstone_watch.h"
#include "sim/strategy/unified_order.h"
#include "sim/strategy/window_order.h"

namespace windrow {

/// The live SSTables of one table in the orders its strategy needs, kept up to date by every change (rule 0.2):
/// no strategy sorts or groups what has not changed.
class LiveSet {
 public:
  LiveSet() = default;
  LiveSet(const LiveSet&) = delete;
  LiveSet& operator=(const LiveSet&) = delete;
  LiveSet(LiveSet&&) = default;
  LiveSet& operator=(LiveSet&&) = default;
  ~LiveSet() = default;

  /// The orders of this strategy from now on, for every file there is: at CREATE and with every new strategy instance
  /// (ALTER of the compaction map). Must have been called with the options that next_task is asked with.
  void use(const CompactionOptions& options);

  /// A flush: new readers come first, in the order given (rule 0.2), that is in writer order. The set owns copies;
  /// pointers to them stay valid until removal.
  void add(std::span<const SSTableView> files);
  void remove(std::span<const std::int64_t> ids);
  /// The commit of a compaction: `removed` leave, then `added` come first; several outputs in hash order (rule 0.2a,
  /// see hash_order in sim/stats/java_hash.h).
  void replace(std::span<const std::int64_t> removed, std::span<const SSTableView> added);
  void set_compacting(std::span<const std::int64_t> ids, bool compacting);
  void set_level(std::int64_t id, int level);

  std::size_t size() const { return files_.size(); }
  std::size_t compacting_count() const { return compacting_; }
  const SSTableView& at(std::int64_t id) const;
  bool contains(std::int64_t id) const { return files_.find(id) != nullptr; }
  /// Live-set order: newest first.
  std::vector<const SSTableView*> in_live_order() const;
  /// The same order backwards, without a copy; the keys are live ranks.
  const FilePlaces& oldest_first() const { return by_rank_; }
  /// Calls `use(file, its first token, its last)` for the files that meet [first, last], in no stated order, until it
  /// returns false.
  template <typename Use>
  void each_meeting(Token first, Token last, const Use& use) const {
    if (levels_) {
      levels_->each_meeting(first, last, use);
      return;
    }
    for (const FilePlace& place : by_rank_) {
      const auto [file_first, file_last] = place.file->estimates->token_span();
      if (file_first <= last && file_last >= first && !use(*place.file, file_first, file_last)) return;
    }
  }
  /// How often files left: what was impossible because of a file stays so while this number stands.
  std::int64_t removals() const { return removals_; }

  // Orders of the strategy in use; asking for one that it has not is a broken invariant.
  const FileOrder& idle_by_size() const;  // size-tiered: data bytes, ties in live-set order
  const WindowOrder& windows() const;     // time window
  const LevelOrder& levels() const;       // leveled
  const UnifiedOrder& densities() const;  // unified
  const ExpiryOrder& expiry() const;      // time window, unified
  bool has_expiry() const { return expiry_.has_value(); }
  /// Null if the strategy does no tombstone compactions (rules 7.9, 9.11).
  const TombstoneWatch* watch() const { return watch_ ? &*watch_ : nullptr; }

 private:
  void enter_orders(SSTableView& file);
  void leave_orders(const SSTableView& file);
  SSTableView& find(std::int64_t id);

  FileStore files_;
  FilePlaces by_rank_;
  std::size_t compacting_ = 0;
  std::int64_t next_rank_ = 1;
  std::int64_t removals_ = 0;
  std::optional<FileOrder> idle_by_size_;
  std::optional<WindowOrder> windows_;
  std::optional<LevelOrder> levels_;
  std::optional<UnifiedOrder> densities_;
  std::optional<ExpiryOrder> expiry_;
  std::optional<TombstoneWatch> watch_;
};

}  // namespace windrow
