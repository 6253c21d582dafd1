#include "sim/strategy/leveled_level0.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "sim/stats/java_hash.h"
#include "sim/strategy/size_tiered.h"

namespace windrow {
namespace {

using Place = LevelOrder::Place;
using Places = std::vector<Place>;

bool meets(const Place& a, Token first, Token last) { return a.first <= last && a.last >= first; }

struct Span {
  Token first = max_token;
  Token last = min_token;
};

Span hull(const Places& files) {
  Span span;
  for (const Place& place : files) {
    span.first = std::min(span.first, place.first);
    span.last = std::max(span.last, place.last);
  }
  return span;
}

/// Keeps the `count` files that were written first; equal ones in the order of a hash set.
void keep_oldest(Places& files, int count) {
  Places ordered = in_hash_order(files, [](const Place& place) { return place.file->hash; });
  std::ranges::stable_sort(ordered, {}, [](const Place& place) { return place.file->max_timestamp_us; });
  ordered.resize(static_cast<std::size_t>(count));
  files = std::move(ordered);
}

/// Of more than `max_threshold` files that meet the oldest one that is free, and nothing busy, those that were written
/// first; nothing where they are fewer, or where equal times leave it to the order of a hash set.
std::optional<Places> oldest_of_many(const LevelOrder::ByAge& by_age, const Place& oldest,
                                     const std::optional<Span>& busy, int max_threshold) {
  Places found;
  Micros last_us = INT64_MIN;
  for (const auto& [written_us, file] : by_age) {
    if (!meets(file, oldest.first, oldest.last) || (busy && meets(file, busy->first, busy->last))) continue;
    if (written_us == last_us) return std::nullopt;
    if (std::ssize(found) == max_threshold) return found;
    last_us = written_us;
    found.push_back(file);
  }
  return std::nullopt;
}

/// The free files of level 0 that may compact together, at most `max_threshold`.
Places free_level0(const LevelOrder::ByAge& level0, const Places& compacting, int max_threshold) {
  const auto is_free = [&](const LevelOrder::Aged& aged) {
    const Place& file = aged.place;
    return !file.file->compacting &&
           std::ranges::none_of(compacting, [&](const Place& other) { return meets(other, file.first, file.last); });
  };
  const auto oldest = std::find_if(level0.begin(), level0.end(), is_free);
  if (oldest == level0.end()) return {};
  const std::optional<Span> busy = compacting.empty() ? std::nullopt : std::optional(hull(compacting));
  if (std::optional<Places> many = oldest_of_many(level0, oldest->place, busy, max_threshold)) return *many;
  Places by_age;
  by_age.reserve(level0.size());
  for (const LevelOrder::Aged& aged : level0) by_age.push_back(aged.place);
  std::vector<bool> remains(by_age.size(), true);
  std::vector<bool> taken(by_age.size(), false);
  Places candidates;
  for (std::size_t i = 0; i < by_age.size(); ++i) {
    const Place& file = by_age[i];
    if (taken[i] || file.file->compacting) continue;
    const auto meets_file = [&](const Place& other) { return meets(other, file.first, file.last); };
    if (std::ranges::any_of(compacting, meets_file)) continue;
    for (std::size_t j = 0; j < by_age.size(); ++j) {
      if (j != i && !(remains[j] && meets_file(by_age[j]))) continue;
      remains[j] = false;
      if (taken[j] || (busy && meets(by_age[j], busy->first, busy->last))) continue;
      taken[j] = true;
      candidates.push_back(by_age[j]);
    }
    if (std::ssize(candidates) > max_threshold) {
      keep_oldest(candidates, max_threshold);
      break;
    }
  }
  return candidates;
}

}  // namespace

Places level0_candidates(const LevelOrder& order, int max_threshold, Bytes sstable_bytes) {
  if (order.level(0).size() == order.compacting_level0().size()) return {};
  const Places compacting(order.compacting_level0().begin(), order.compacting_level0().end());
  if (std::ranges::any_of(compacting, [&](const Place& place) { return order.meets_all_of_level0(place); })) return {};
  Places candidates = free_level0(order.level0_by_age(), compacting, max_threshold);
  const Bytes bytes = std::transform_reduce(candidates.begin(), candidates.end(), Bytes{0}, std::plus<>{},
                                            [](const Place& place) { return place.file->data_bytes; });
  if (bytes > sstable_bytes) {
    const Span span = hull(candidates);
    const auto level1 = order.meeting(1, span.first, span.last);
    if (std::ranges::any_of(level1, [](const Place& place) { return place.file->compacting; })) return {};
    if (std::ranges::any_of(compacting, [&](const Place& place) { return meets(place, span.first, span.last); })) {
      return {};
    }
    candidates.insert(candidates.end(), level1.begin(), level1.end());
  }
  if (candidates.size() < 2) return {};
  return candidates;
}

std::vector<std::int64_t> size_tiered_in_level0(InOrder<FilePlace> by_size, const SizeTieredOptions& options) {
  const SizeTier tier = most_interesting_tier(by_size, options);
  return ids_of(by_size, tier.begin, tier.end);
}

}  // namespace windrow
