#include "sim/content/purge_limits.h"

#include <algorithm>

#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

/// Adds the partitions of a bucket that a source holds one by one: a deletion or a static row alone is there, too.
void add_held_one_by_one(const Writer& writer, std::int64_t bucket, const OverlapSource& source, Presence& held) {
  if (!source.content->keyed || source.content->keyed->empty()) return;
  if (!source.keyed_places) {
    source.keyed_places.emplace();
    for (const KeyedPartition& partition : *source.content->keyed)
      source.keyed_places->emplace_back(partition.writer, partition.bucket, partition.slot);
    std::ranges::sort(*source.keyed_places);
  }
  const OverlapSource::Place from{writer.index, bucket, 0};
  for (auto place = std::ranges::lower_bound(*source.keyed_places, from); place != source.keyed_places->end();
       ++place) {
    if (std::get<0>(*place) != writer.index || std::get<1>(*place) != bucket) return;
    held.add(std::get<2>(*place));
  }
}

}  // namespace

std::pair<Token, Token> tokens_of(std::span<const Cohort> cohorts) {
  std::pair<Token, Token> tokens{max_token, min_token};
  for (const Cohort& cohort : cohorts) {
    tokens.first = std::min(tokens.first, cohort.first_token);
    tokens.second = std::max(tokens.second, cohort.last_token);
  }
  return tokens;
}

FirstSources::FirstSources(const ContentSpace& space, const std::vector<OverlapSource>& sources,
                           std::span<const BucketsOfSource> buckets, const Writer& writer, std::int64_t bucket,
                           std::pair<Token, Token> tokens)
    : space_(space), sources_(sources), buckets_(buckets), writer_(writer), bucket_(bucket), tokens_(tokens) {}

/// Adds those between the tokens that nobody has yet and that a source's bloom filter lets through although they are
/// not in it, or all of its interval where it has no filter.
void FirstSources::add_false_positives(const OverlapSource& source, Presence& held) const {
  if (held.all() || (source.filter == nullptr && !source.any_key)) return;
  TokenIndex* const own = space_.own_tokens();
  if (own == nullptr) return held.add_all();
  const std::vector<Token>& tokens = own->of(writer_, bucket_).by_slot();
  for (std::int64_t slot = 0; slot < std::ssize(tokens); ++slot) {
    const Token token = tokens[static_cast<std::size_t>(slot)];
    if (token < std::max(source.first_token, tokens_.first) || token > std::min(source.last_token, tokens_.second))
      continue;
    if (!first_.empty() && first_[static_cast<std::size_t>(slot)] != nobody) continue;
    if (held.holds(slot)) continue;
    if (source.any_key || source.filter->might_contain(murmur3(writer_.key(slot, bucket_)))) held.add(slot);
  }
}

Presence FirstSources::held_by(const OverlapSource& source) const {
  Presence held = space_.presence(source.content->cohorts, writer_.index, bucket_);
  add_held_one_by_one(writer_, bucket_, source, held);
  add_false_positives(source, held);
  return held;
}

void FirstSources::list_slots() {
  open_ = writer_.slots(bucket_);
  first_.assign(static_cast<std::size_t>(open_), nobody);
}

void FirstSources::look_at(std::size_t blocking) {
  for (; looked_at_ < blocking && of_all_ == nobody && (first_.empty() || open_ > 0); ++looked_at_) {
    if (bucket_ < buckets_[looked_at_].first || bucket_ > buckets_[looked_at_].last) continue;
    const OverlapSource& source = sources_[looked_at_];
    const bool apart = source.last_token < tokens_.first || source.first_token > tokens_.second;
    if (apart && space_.own_tokens() != nullptr) continue;
    const Presence held = held_by(source);
    if (held.none()) continue;
    const auto number = static_cast<std::int32_t>(looked_at_);
    if (held.all() && first_.empty()) {
      of_all_ = number;
      continue;
    }
    if (first_.empty()) list_slots();
    SlotSet slots(first_.size());
    held.each_slot([&](std::int64_t slot) {
      std::int32_t& first = first_[static_cast<std::size_t>(slot)];
      if (first != nobody) return;
      first = number;
      slots.set(static_cast<std::size_t>(slot));
      --open_;
    });
    if (slots.any()) groups_.push_back({looked_at_, std::make_shared<const SlotSet>(std::move(slots))});
  }
}

std::span<const FirstSources::Group> FirstSources::groups(std::size_t blocking) const {
  const auto end = std::ranges::lower_bound(groups_, blocking, {}, &Group::source);
  return {groups_.begin(), end};
}

SlotSet FirstSources::nobodys(std::span<const Group> groups) const {
  SlotSet slots(first_.size());
  for (const Group& group : groups) slots |= *group.slots;
  return slots.flip();
}

/// Nothing: all of them.
std::optional<SlotSet> FirstSources::admitted(const Cohort& cohort) const {
  TokenIndex* const own = space_.own_tokens();
  if (own == nullptr || !cohort.cut_by_tokens()) return cohort.slots ? std::optional(*cohort.slots) : std::nullopt;
  SlotSet slots(first_.size());
  for (const std::int32_t slot : own->slots_between(writer_, bucket_, cohort.first_token, cohort.last_token))
    slots.set(static_cast<std::size_t>(slot));
  if (cohort.slots) slots &= *cohort.slots;
  return slots;
}

void FirstSources::divide(const SlotSet& admitted, std::size_t blocking, std::vector<PurgeLimit>& limits) const {
  const auto add = [&](const SlotSet& slots, Micros below_us) {
    if (slots.intersects(admitted))
      limits.push_back({.below_us = below_us, .slots = std::make_shared<const SlotSet>(slots & admitted)});
  };
  const std::span<const Group> before = groups(blocking);
  for (const Group& group : before) add(*group.slots, sources_[group.source].min_timestamp_us);
  add(nobodys(before), no_timestamp);
}

void FirstSources::divide_one_by_one(const SlotSet& admitted, std::size_t blocking,
                                     std::vector<PurgeLimit>& limits) const {
  std::vector<std::shared_ptr<SlotSet>> sets(blocking + 1);  // by source; the last: of nobody
  for (auto slot = admitted.find_first(); slot != SlotSet::npos; slot = admitted.find_next(slot)) {
    std::shared_ptr<SlotSet>& set = sets[std::min(static_cast<std::size_t>(first_[slot]), blocking)];
    if (!set) set = std::make_shared<SlotSet>(first_.size());
    set->set(slot);
  }
  for (std::size_t source = 0; source <= blocking; ++source) {
    if (sets[source])
      limits.push_back({.below_us = source < blocking ? sources_[source].min_timestamp_us : no_timestamp,
                        .slots = std::move(sets[source])});
  }
}

std::vector<PurgeLimit> FirstSources::limits(const Cohort& cohort, std::size_t blocking) {
  look_at(blocking);
  if (first_.empty()) {
    const bool blocked = static_cast<std::size_t>(of_all_) < blocking;
    return {{.below_us = blocked ? sources_[static_cast<std::size_t>(of_all_)].min_timestamp_us : no_timestamp,
             .slots = cohort.slots}};
  }
  std::vector<PurgeLimit> limits;
  if (const std::optional<SlotSet> some = admitted(cohort)) {
    const bool few_groups = groups_.size() * some->num_blocks() <= first_.size();
    few_groups ? divide(*some, blocking, limits) : divide_one_by_one(*some, blocking, limits);
  } else {
    const std::span<const Group> before = groups(blocking);
    for (const Group& group : before)
      limits.push_back({.below_us = sources_[group.source].min_timestamp_us, .slots = group.slots});
    if (SlotSet rest = nobodys(before); rest.any())
      limits.push_back({.below_us = no_timestamp, .slots = std::make_shared<const SlotSet>(std::move(rest))});
  }
  if (limits.empty()) return {{.below_us = no_timestamp, .slots = cohort.slots}};
  if (limits.size() == 1) limits.front().slots = cohort.slots;
  return limits;
}

PurgeLimits::PurgeLimits(const ContentSpace& space, const std::vector<OverlapSource>& sources,
                         std::pair<Token, Token> tokens)
    : space_(space), sources_(sources), tokens_(tokens) {}

/// Every bucket for sources that have a filter, or let every key through, or have rows that are held one by one.
std::span<const BucketsOfSource> PurgeLimits::buckets_of(const Writer& writer) {
  const auto [known, is_new] = buckets_of_.try_emplace(writer.index);
  if (!is_new) return known->second;
  std::vector<BucketsOfSource>& buckets = known->second;
  buckets.reserve(sources_.size());
  for (const OverlapSource& source : sources_) {
    BucketsOfSource& of = buckets.emplace_back();
    if (source.filter != nullptr || source.any_key || source.content->keyed || writer.bucket.single()) {
      of = {INT64_MIN, INT64_MAX};
      continue;
    }
    for (const Cohort& cohort : source.content->cohorts) {
      if (space_.writer_of(cohort).index != writer.index || cohort.from >= cohort.to) continue;
      const auto [first, last] = space_.buckets(cohort);
      of = {std::min(of.first, first), std::max(of.last, last)};
    }
  }
  return buckets;
}

FirstSources& PurgeLimits::first_sources(const Writer& writer, std::int64_t bucket) {
  if (listed_slots_ > most_listed) {
    by_bucket_.clear();
    listed_slots_ = 0;
  }
  const auto [known, is_new] =
      by_bucket_.try_emplace({writer.index, bucket}, space_, sources_, buckets_of(writer), writer, bucket, tokens_);
  if (is_new) listed_slots_ += writer.slots(bucket);
  return known->second;
}

const std::vector<PurgeLimit>& PurgeLimits::of(const Cohort& cohort, std::int64_t bucket, Micros newest_us) {
  const auto after = std::ranges::upper_bound(sources_, newest_us, {}, &OverlapSource::min_timestamp_us);
  const auto blocking = static_cast<std::size_t>(after - sources_.begin());
  const Writer& writer = space_.writer_of(cohort);
  if (!cohort.whole()) return of_part_ = first_sources(writer, bucket).limits(cohort, blocking);
  const auto [known, is_new] = of_whole_.try_emplace({writer.index, bucket, blocking});
  if (is_new) known->second = first_sources(writer, bucket).limits(cohort, blocking);
  return known->second;
}

}  // namespace windrow
