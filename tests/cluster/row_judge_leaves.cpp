#include <algorithm>

#include "sim/replica/merkle.h"
#include "tests/cluster/row_judge.h"

namespace windrow_test {

using namespace windrow;

// What repairs hash, and which partitions they stream with what differs, row by row.

namespace {

/// Keys that a validation takes a file to hold in a range: 128 for each of its partitions 0, 128, 256, … inside.
std::int64_t keys_of(const std::vector<Token>& file, const TokenRange& range) {
  std::int64_t keys = 0;
  for (std::size_t sample = 0; sample < file.size(); sample += 128) keys += contains(range, file[sample]) ? 128 : 0;
  return std::max<std::int64_t>(1, keys);
}

}  // namespace

const RowJudge::FilesHashed* RowJudge::files_hashed(int node, Micros now_us) const {
  const Snapshot* latest = nullptr;
  for (const Snapshot& snapshot : snapshots_) {
    if (snapshot.node != node || snapshot.last) continue;
    const bool before = snapshot.at_us < now_us || (snapshot.at_us == now_us && !snapshot.late);
    const bool flushed_for_it = snapshot.at_us == now_us && snapshot.asked_for;
    if (before || flushed_for_it) latest = &snapshot;
  }
  return latest == nullptr ? nullptr : &latest->files;
}

std::vector<int> RowJudge::tree_depths(int node, const std::vector<TokenRange>& ranges, Micros now_us) const {
  const FilesHashed* files = files_hashed(node, now_us);
  std::vector<int> depths;
  for (const TokenRange& range : ranges) {
    const bool holds = !replicas_ || std::ranges::count(replicas_->set(replicas_->set_of(range.right)), node) > 0;
    std::int64_t keys = 0;
    for (std::size_t i = 0; files != nullptr && i < files->size(); ++i) keys += keys_of(*(*files)[i], range);
    depths.push_back(holds ? tree_depth(keys) : -1);
  }
  return depths;
}

void RowJudge::hash(Micros now_us) {
  // With only_purge_repaired_tombstones a validation forgets nothing: it compacts no repaired file.
  const Seconds gc_before_s = spares_unrepaired_ ? INT64_MIN / 2 : now_us / us_per_s - gc_grace_s_;
  std::vector<TokenRange> ranges;
  for (std::size_t range = 0; walk_ && range < walk_->ranges(); ++range)
    ranges.push_back({walk_->begin_of(range), walk_->end_of(range)});
  if (ranges.empty()) ranges.push_back({min_token, min_token});
  std::vector<std::vector<int>> depths;
  for (int node = 0; node < nodes_; ++node) depths.push_back(tree_depths(node, ranges, now_us));
  // What a leaf has of each row, by node: nothing, the row, its delete.
  std::vector<std::vector<int>> hashed;
  for (const Bits& held : held_) {
    std::vector<int>& of_node = hashed.emplace_back();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Row& row = rows_[r];
      const bool dead = row.ttl_s > 0 && row.written_us / us_per_s + row.ttl_s < gc_before_s;
      const bool deleted = (held[r] & tombstone) != 0;
      const bool forgotten = deleted && *row.deleted_us / us_per_s < gc_before_s;
      of_node.push_back(deleted ? (forgotten ? 0 : 2) : (held[r] & present) != 0 && !dead ? 1 : 0);
    }
  }
  goes_.clear();
  for (int a = 0; a < nodes_; ++a) {
    for (int b = a + 1; b < nodes_; ++b) {
      std::vector<TokenRange> leaves;
      std::vector<bool> differs(rows_.size());
      for (const Row& row : rows_) {
        if (!row.owners[static_cast<std::size_t>(a)] || !row.owners[static_cast<std::size_t>(b)]) continue;
        const auto r = static_cast<std::size_t>(&row - rows_.data());
        if (hashed[static_cast<std::size_t>(a)][r] == hashed[static_cast<std::size_t>(b)][r]) continue;
        differs[r] = true;
        const auto range =
            std::ranges::find_if(ranges, [&](const TokenRange& one) { return contains(one, row.token); });
        const auto place = static_cast<std::size_t>(range - ranges.begin());
        const int depth =
            std::min(depths[static_cast<std::size_t>(a)][place], depths[static_cast<std::size_t>(b)][place]);
        leaves.push_back(leaf_of(*range, depth, row.token));
      }
      const std::vector<TokenInterval> tokens = normalized(leaves);
      if (scenario_.exact_leaves == 0) {
        goes_.push_back(std::move(differs));
        continue;
      }
      std::vector<bool>& goes = goes_.emplace_back(rows_.size());
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        goes[r] = row.owners[static_cast<std::size_t>(a)] && row.owners[static_cast<std::size_t>(b)] &&
                  any_contains(tokens, row.token);
      }
    }
  }
}

}  // namespace windrow_test
