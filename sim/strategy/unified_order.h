#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/overlap_sets.h"
#include "sim/strategy/sorted_places.h"
#include "sim/strategy/strategy_order.h"

namespace windrow {

/// Scaling of one level (rule 9.2).
struct UnifiedScaling {
  int parameter = 2;
  int fanout = 4;
  int threshold = 4;
};
UnifiedScaling scaling_of_level(const UnifiedOptions& options, std::size_t level);

/// Share of the ring that a file covers of the node's ranges, as it was when the file was written or, where that is not
/// stored in it, as it is now; and its size over that (rule 9.3).
double token_coverage(const SSTableView& file);
double density(const SSTableView& file);

/// Files that are not compacting, by level of density (UnifiedCompactionStrategy.formLevels, rule 9.5). A change
/// touches one level, and only the levels touched are looked at again.
class UnifiedOrder final : public StrategyOrder {
 public:
  struct Member {
    Token first = 0;
    Token last = 0;
    std::int64_t id = 0;
    const SSTableView* file = nullptr;

    friend bool operator<(const Member& a, const Member& b) {
      return a.first != b.first ? a.first < b.first : a.id < b.id;
    }
  };
  struct Level {
    UnifiedScaling scaling{};
    double max_density = 0;
    SortedWhenLooked<Member> members{};  // by first token, then id
    std::int64_t overlap = -1;           // of the largest overlap set; -1: no file
    std::vector<OverlapSet> sets{};      // below the threshold none, as buckets
    std::vector<OverlapBucket> buckets{};
    std::int64_t tasks = 0;  // that its buckets count for: sum of bucket overlap / threshold
    bool outdated = false;   // what overlaps, and what follows from it
  };

  explicit UnifiedOrder(const UnifiedOptions& options) : options_(options) {}

  void add(const SSTableView& file) override;
  void remove(const SSTableView& file) override;

  /// Levels from 0 to the last one that ever held a file, for this flush size and coverage.
  std::span<const Level> levels(Bytes flush_size_bytes, double local_coverage) const;

 private:
  std::size_t level_of(double density) const;
  void divide(Bytes flush_size_bytes, double local_coverage) const;
  void place(const Member& member) const;

  UnifiedOptions options_;
  // Which files there are is the state; how they divide into levels depends on what a call says, and is only
  // remembered.
  mutable std::vector<Level> levels_{};
  mutable Bytes flush_size_bytes_ = 0;
  mutable double local_coverage_ = 1;
};

/// First and last tokens of its members.
std::vector<std::pair<Token, Token>> spans_of(const UnifiedOrder::Level& level);

/// Upper density of level 0, from which each level's follows.
double first_max_density(const UnifiedOptions& options, Bytes flush_size_bytes, double local_coverage);

}  // namespace windrow
