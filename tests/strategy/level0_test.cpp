#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "sim/stats/java_hash.h"
#include "sim/strategy/leveled_level0.h"
#include "sim/strategy/size_tiered.h"
#include "tests/strategy/random_table.h"

namespace windrow {
namespace {

using test::RandomFile;
using test::RandomTable;

/// Leveled, and all in level 0; many of them meet.
std::vector<RandomFile> many_in_level0() {
  std::vector<RandomFile> files;
  const auto count = *rc::gen::inRange(0, 90);
  const bool wide = *rc::gen::arbitrary<bool>();
  for (int i = 0; i < count; ++i) {
    RandomFile file = *test::random_file();
    file.level = 0;
    file.status = 0;
    if (wide) std::tie(file.first_percent, file.width_percent) = std::pair(0, 100);
    if (*rc::gen::inRange(0, 3) > 0) file.newest_min = file.newest_min * 100 + i;
    file.compacting = file.compacting && *rc::gen::inRange(0, 4) == 0;
    files.push_back(file);
  }
  return files;
}

std::vector<SSTableView> level0_of(const RandomTable& table) {
  std::vector<SSTableView> files;
  for (const SSTableView& file : table.files()) files.push_back(table.live().at(file.id));
  return files;
}

bool meet(const SSTableView& a, const SSTableView& b) {
  const auto [first, last] = a.estimates->token_span();
  const auto [other_first, other_last] = b.estimates->token_span();
  return first <= other_last && other_first <= last;
}

/// LeveledManifest.getCandidatesFor as it is written: from the oldest on, each free file with all that it meets, none
/// of which meets the span of what compacts; of more than `most` the oldest, equal ones in the order of a hash set.
std::vector<std::int64_t> plain_candidates(std::vector<SSTableView> files, std::size_t most) {
  std::ranges::sort(files, {}, [](const SSTableView& file) { return std::tuple(file.max_timestamp_us, file.id); });
  std::vector<SSTableView> compacting;
  std::ranges::copy_if(files, std::back_inserter(compacting), &SSTableView::compacting);
  Token busy_first = max_token;
  Token busy_last = min_token;
  for (const SSTableView& file : compacting) {
    busy_first = std::min(busy_first, file.estimates->token_span().first);
    busy_last = std::max(busy_last, file.estimates->token_span().second);
  }
  std::set<std::int64_t> seen;
  std::vector<SSTableView> candidates;
  for (const SSTableView& file : files) {
    const bool taken = std::ranges::find(candidates, file.id, &SSTableView::id) != candidates.end();
    const auto meets_it = [&](const SSTableView& other) { return meet(other, file); };
    if (taken || file.compacting || std::ranges::any_of(compacting, meets_it)) continue;
    for (const SSTableView& other : files) {
      if (other.id != file.id && (seen.contains(other.id) || !meet(other, file))) continue;
      seen.insert(other.id);
      const auto [first, last] = other.estimates->token_span();
      const bool busy = !compacting.empty() && first <= busy_last && busy_first <= last;
      if (!busy && std::ranges::find(candidates, other.id, &SSTableView::id) == candidates.end())
        candidates.push_back(other);
    }
    if (candidates.size() <= most) continue;
    candidates = in_hash_order(candidates, [](const SSTableView& each) { return each.hash; });
    std::ranges::stable_sort(candidates, {}, &SSTableView::max_timestamp_us);
    candidates.resize(most);
    break;
  }
  std::vector<std::int64_t> ids;
  for (const SSTableView& file : candidates) ids.push_back(file.id);
  return ids.size() < 2 ? std::vector<std::int64_t>() : ids;
}

TEST_CASE("what of a long level 0 compacts is found in its orders as by the plain rule") {
  CHECK(rc::check([] {
    const LeveledOptions options;
    const RandomTable table(options, many_in_level0());
    const auto& order = table.view(0, 0).own().order<LevelOrder>();
    const int most = *rc::gen::element(2, 4, 32);
    constexpr Bytes never_enough = Bytes{1} << 60;  // for level 1
    std::vector<std::int64_t> ids;
    for (const LevelOrder::Place& place : level0_candidates(order, most, never_enough)) ids.push_back(place.id);
    RC_CLASSIFY(std::ssize(ids) == most, "most");
    RC_ASSERT(ids == plain_candidates(level0_of(table), static_cast<std::size_t>(most)));
  }));
}

TEST_CASE("tiers of a long level 0 are found in its orders as in a list that is sorted anew") {
  CHECK(rc::check([] {
    LeveledOptions options;
    options.size_tiered.common.max_threshold = *rc::gen::element(4, 8, 32);
    const RandomTable table(options, many_in_level0());
    const auto& order = table.view(0, 0).own().order<LevelOrder>();
    std::vector<FilePlace> sorted;
    std::vector<SSTableView> files = level0_of(table);
    const int capacity = hash_capacity(files.size());
    for (const SSTableView& file : files) {
      if (!file.compacting) sorted.push_back({file.data_bytes, hash_place(file.hash, capacity), &file});
    }
    std::ranges::sort(sorted, {}, [](const FilePlace& p) { return std::tuple(p.key, p.tie, p.file->id); });
    const SizeTier tier = most_interesting_tier(sorted, options.size_tiered);
    std::vector<std::int64_t> ids;
    for (std::size_t i = tier.begin; i < tier.end; ++i) ids.push_back(sorted[i].file->id);
    RC_CLASSIFY(!ids.empty(), "some");
    RC_ASSERT(ids == size_tiered_in_level0(order.level0_by_size(), options.size_tiered));
  }));
}

}  // namespace
}  // namespace windrow
