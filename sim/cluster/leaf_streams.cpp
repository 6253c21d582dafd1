#include "sim/cluster/leaf_streams.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/power.h"
#include "sim/replica/merkle.h"
#include "sim/stats/ring_share.h"

namespace windrow {

namespace {

using NodePair = std::pair<int, int>;
/// Of a writer, a bucket.
using BucketKey = std::pair<int, std::int64_t>;

std::map<NodePair, std::vector<const Difference*>> by_pair(std::span<const Difference> differences) {
  std::map<NodePair, std::vector<const Difference*>> pairs;
  for (const Difference& difference : differences) pairs[{difference.one, difference.other}].push_back(&difference);
  return pairs;
}

/// Calls `each(file)` for every file that the step looks at.
template <typename Each>
void each_file(const TableReplicas& replicas, int node, const RepairScope& scope, const Each& each) {
  for (const auto& [id, file] : replicas.store(node).sstables()) {
    if (replicas.is_of_session(node, id, scope.session)) each(*file);
  }
}

/// Share of the ring that the node holds.
double coverage(const TableReplicas& replicas, int node) {
  const auto ranges = replicas.ring().local_ranges(node);
  return ranges ? ranges->coverage() : 1;
}

/// Keys that a node's validation takes each range to hold.
std::vector<std::int64_t> estimated_keys(const TableReplicas& replicas, int node, const HashedTrees& trees,
                                         const RepairScope& scope) {
  std::vector<std::int64_t> keys(trees.ranges.size(), 0);
  const std::vector<TokenInterval> wanted = normalized(trees.ranges);
  std::vector<double> shares;  // of what the node holds
  const double held = trees.by_token ? 1 : coverage(replicas, node);
  for (const TokenRange& range : trees.ranges) shares.push_back(ring_share(range.left, range.right) / held);
  each_file(replicas, node, scope, [&](const SSTable& file) {
    if (trees.by_token) {
      const auto [first, last] = file.token_span();
      if (!any_meets(wanted, {first, last})) return;
      const std::span<const std::int64_t> estimated = file.estimated_keys_of_each(trees.ranges);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] += estimated[i];
      return;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto expected = static_cast<double>(file.extremes().partitions) * shares[i];
      keys[i] += std::max<std::int64_t>(1, static_cast<std::int64_t>(expected));
    }
  });
  return keys;
}

/// Partitions in which two replicas differ, by bucket.
std::map<BucketKey, SlotSet> differing_slots(const ContentSpace& space, std::span<const Difference* const> differences,
                                             const RepairScope& scope) {
  std::map<BucketKey, SlotSet> found;
  const Cohort in_scope{.from = 0, .to = INT64_MAX, .sets = scope.sets};
  for (const Difference* difference : differences) {
    const std::vector<Cohort> rows =
        scope.sets ? rows_within(difference->rows, std::span(&in_scope, 1)) : difference->rows;
    for (const Cohort& part : rows) {
      const Writer& writer = space.writer_of(part);
      space.each_part(part, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
        Cohort inside = part;
        inside.from = first;
        inside.to = last;
        SlotSet& slots = found[{writer.index, bucket}];
        slots.resize(static_cast<std::size_t>(writer.slots(bucket)));
        space.presence(std::span(&inside, 1), writer.index, bucket).each_slot([&](std::int64_t slot) {
          slots[static_cast<std::size_t>(slot)] = true;
        });
      });
    }
  }
  return found;
}

/// What of two replicas' trees the rest works with.
struct SharedTrees {
  std::vector<TokenRange> ranges{};  // that both hold
  std::vector<int> depths{};         // at which their trees meet: the shallower one's
};

SharedTrees shared_trees(const HashedTrees& trees, const NodePair& pair) {
  SharedTrees shared;
  const std::vector<int>& mine = trees.depths.at(pair.first);
  const std::vector<int>& theirs = trees.depths.at(pair.second);
  for (std::size_t i = 0; i < trees.ranges.size(); ++i) {
    if (mine[i] < 0 || theirs[i] < 0) continue;
    shared.ranges.push_back(trees.ranges[i]);
    shared.depths.push_back(std::min(mine[i], theirs[i]));
  }
  return shared;
}

/// The partitions that go along, each by its token.
class LeavesByToken {
 public:
  LeavesByToken(const ContentSpace& space, TokenIndex& tokens, const SharedTrees& trees,
                const std::map<BucketKey, SlotSet>& differing)
      : space_(space), tokens_(tokens) {
    const auto& writers = space.workload().writers();
    std::vector<TokenRange> leaves;
    for (const auto& [key, slots] : differing) {
      const TokenIndex::Bucket& bucket = tokens.of(writers[static_cast<std::size_t>(key.first)], key.second);
      for (auto slot = slots.find_first(); slot != SlotSet::npos; slot = slots.find_next(slot)) {
        const Token token = bucket.by_slot()[slot];
        const auto range =
            std::ranges::find_if(trees.ranges, [&](const TokenRange& one) { return contains(one, token); });
        if (range == trees.ranges.end()) continue;
        const auto place = static_cast<std::size_t>(range - trees.ranges.begin());
        leaves.push_back(leaf_of(*range, trees.depths[place], token));
      }
    }
    leaves_ = normalized(leaves);
  }

  /// Rows of a cohort, in the cluster's numbers, whose partitions go along.
  std::vector<Cohort> rows(const Cohort& cohort) {
    std::vector<Cohort> found;
    space_.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      const SlotSet& along = slots(space_.writer_of(cohort), bucket);
      if (along.empty()) return;
      Cohort part = cohort;
      part.from = first;
      part.to = last;
      const std::vector<Token>& token_of = tokens_.of(space_.writer_of(cohort), bucket).by_slot();
      const auto holds = [&](std::size_t slot) {
        return cohort.first_token <= token_of[slot] && token_of[slot] <= cohort.last_token &&
               (!cohort.slots || (*cohort.slots)[slot]);
      };
      SlotSet both = along;
      for (std::size_t slot = 0; slot < both.size(); ++slot) both[slot] = both[slot] && holds(slot);
      // Partitions that are named one by one are cut by nothing else, so that none is named by two cohorts.
      part.first_token = min_token;
      part.last_token = max_token;
      part.slots = both.all() ? nullptr : std::make_shared<const SlotSet>(std::move(both));
      if (space_.any(part)) found.push_back(std::move(part));
    });
    return found;
  }

 private:
  /// Those of a bucket; empty: none.
  const SlotSet& slots(const Writer& writer, std::int64_t bucket) {
    const auto [place, added] = along_.try_emplace({writer.index, bucket});
    if (!added) return place->second;
    SlotSet along(static_cast<std::size_t>(writer.slots(bucket)));
    bool any = false;
    for (const TokenInterval& leaf : leaves_) {
      for (const std::int32_t slot : tokens_.slots_between(writer, bucket, leaf.first, leaf.last)) {
        along[static_cast<std::size_t>(slot)] = true;
        any = true;
      }
    }
    if (any) place->second = std::move(along);
    return place->second;
  }

  const ContentSpace& space_;
  TokenIndex& tokens_;
  std::vector<TokenInterval> leaves_{};
  std::map<BucketKey, SlotSet> along_{};
};

/// The share of a bucket's partitions that go along: those that differ, and of the others as many as are to be expected
/// in one of so many leaves with them.
class ExpectedLeaves {
 public:
  ExpectedLeaves(const ContentSpace& space, const SharedTrees& trees, const std::map<BucketKey, SlotSet>& differing)
      : space_(space) {
    for (const TokenRange& range : trees.ranges) share_ += ring_share(range.left, range.right);
    std::int64_t all = 0;
    for (const auto& [key, slots] : differing) all += differing_[key] = static_cast<std::int64_t>(slots.count());
    for (std::size_t i = 0; i < trees.ranges.size(); ++i) {
      const double of_range = ring_share(trees.ranges[i].left, trees.ranges[i].right) / share_;
      const auto leaves = static_cast<double>(std::int64_t{1} << trees.depths[i]);
      const double differ = static_cast<double>(all) * of_range;
      const auto whole = static_cast<std::int64_t>(differ);
      const double none = whole_power(1 - 1 / leaves, whole) * (1 - (differ - static_cast<double>(whole)) / leaves);
      neighbours_ += of_range * (1 - none);
    }
  }

  /// Of a node that holds so much of the ring, in its own numbers.
  Rows rows(const ContentSpace& own, const Cohort& cohort, double coverage) const {
    double sum = 0;
    own.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      Cohort part = cohort;
      part.from = first;
      part.to = last;
      sum += static_cast<double>(own.rows(part)) * share_ / coverage * share_of(own.writer_of(cohort).index, bucket);
    });
    return static_cast<Rows>(sum);
  }

 private:
  double share_of(int writer, std::int64_t bucket) const {
    const auto slots = static_cast<double>(space_.workload().writers()[static_cast<std::size_t>(writer)].slots(bucket));
    const auto differing = differing_.find({writer, bucket});
    const double both = std::max(1.0, slots * share_);
    const double differ = differing == differing_.end() ? 0 : static_cast<double>(differing->second);
    return std::min(1.0, differ / both + std::max(0.0, 1 - differ / both) * neighbours_);
  }

  const ContentSpace& space_;
  double share_ = 0;       // of the ring, that both hold
  double neighbours_ = 0;  // of partitions that do not differ
  std::map<BucketKey, std::int64_t> differing_{};
};

}  // namespace

HashedTrees hashed_trees(const TableReplicas& replicas, std::vector<TokenRange> ranges,
                         std::span<const Difference> differences, const RepairScope& scope, Bytes memory,
                         std::int64_t most_copied, std::int64_t most_looked_at) {
  HashedTrees trees{.ranges = std::move(ranges)};
  std::map<int, std::int64_t> partitions;
  std::int64_t looked_at = 0;
  for (const auto& [pair, differ] : by_pair(differences)) {
    for (const int node : {pair.first, pair.second}) {
      if (!partitions.contains(node)) {
        std::int64_t& count = partitions[node];
        each_file(replicas, node, scope, [&](const SSTable& file) { count += file.extremes().partitions; });
      }
      looked_at += partitions.at(node);
    }
  }
  trees.by_token = looked_at <= most_looked_at && replicas.space().own_tokens() != nullptr;
  trees.arrive_whole = trees.by_token && looked_at <= most_copied;
  for (const auto& [node, count] : partitions) {
    const std::vector<std::int64_t> keys = estimated_keys(replicas, node, trees, scope);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
      all += replicas.ring().holds(node, trees.ranges[i].right) ? keys[i] : 0;
    std::vector<int>& depths = trees.depths[node];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!replicas.ring().holds(node, trees.ranges[i].right)) {
        depths.push_back(-1);
        continue;
      }
      const Bytes bytes = all == 0 ? 0 : mul_div_floor(memory, keys[i], all);
      depths.push_back(keys[i] == 0 ? 0 : std::min(tree_depth(keys[i]), tree_depth_within(bytes)));
    }
  }
  return trees;
}

std::vector<LeafStream> leaf_streams(const TableReplicas& replicas, const HashedTrees& trees,
                                     std::span<const Difference> differences, const RepairScope& scope,
                                     TokenIndex& tokens) {
  constexpr std::int64_t most_kept = 1'000'000;
  if (tokens.slots_held() > most_kept) tokens.forget();
  std::vector<LeafStream> all;
  for (const auto& [pair, differ] : by_pair(differences)) {
    const SharedTrees shared = shared_trees(trees, pair);
    const std::map<BucketKey, SlotSet> differing = differing_slots(replicas.space(), differ, scope);
    if (differing.empty()) continue;
    std::optional<LeavesByToken> by_token;
    std::optional<ExpectedLeaves> expected;
    if (trees.by_token) {
      by_token.emplace(replicas.space(), tokens, shared, differing);
    } else {
      expected.emplace(replicas.space(), shared, differing);
    }
    for (const NodePair& both : {pair, NodePair{pair.second, pair.first}}) {
      const int from = both.first;
      LeafStream& stream = all.emplace_back(LeafStream{.from = from, .to = both.second});
      stream.sum.expected = !trees.by_token;
      stream.sum.arrives_whole = trees.arrive_whole;
      const double held = by_token ? 1 : coverage(replicas, from);
      each_file(replicas, from, scope, [&](const SSTable& file) {
        Rows rows = 0;
        std::vector<Cohort> along;
        for (const Cohort& cohort : file.content().cohorts) {
          if (expected) rows += expected->rows(replicas.store(from).space(), cohort, held);
          if (!by_token) continue;
          for (const Cohort& part : replicas.to_cluster(from, {cohort})) {
            for (Cohort& sent : by_token->rows(part)) {
              rows += replicas.space().rows(sent);
              if (trees.arrive_whole) along.push_back(std::move(sent));
            }
          }
        }
        if (rows == 0) return;
        if (trees.arrive_whole) stream.files.push_back(stream_of(replicas, both, file, std::move(along), scope));
        stream.sum.rows += rows;
        stream.sum.bytes += mul_div_floor(file.identity().data_bytes, rows, std::max(rows, file.counted_rows()));
        ++stream.sum.sstables;
      });
    }
  }
  return all;
}

}  // namespace windrow
