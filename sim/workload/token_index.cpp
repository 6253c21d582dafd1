#include "sim/workload/token_index.h"

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/arithmetic.h"
#include "sim/stats/key_sketch.h"
#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

/// To write keys takes much longer than to hash them: where only the bytes that name a bucket have to be changed, the
/// keys of the bucket before are kept, if they are not too many.
bool keeps_keys(const Writer& writer) {
  constexpr std::int64_t most_slots = 100'000;
  return writer.node == nullptr && writer.turn < 0 && !writer.bucket.single() && writer.keys->constant_length() > 0 &&
         writer.most_slots() <= most_slots;
}

}  // namespace

void TokenIndex::Bucket::add(Token token) {
  by_slot_.push_back(token);
  span_ = {std::min(span_.first, token), std::max(span_.second, token)};
}

const std::vector<std::int32_t>& TokenIndex::Bucket::in_order() const {
  if (!in_order_.empty()) return in_order_;
  std::vector<std::pair<Token, std::int32_t>> sorted;
  sorted.reserve(by_slot_.size());
  for (const Token token : by_slot_) sorted.emplace_back(token, static_cast<std::int32_t>(sorted.size()));
  using Place = std::pair<Token, std::int32_t>;
  // As unsigned numbers, whose differences it can tell: those of tokens are up to 2^64.
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  boost::sort::spreadsort::integer_sort(
      sorted.begin(), sorted.end(),
      [](const Place& place, unsigned bits) { return (static_cast<std::uint64_t>(place.first) ^ sign) >> bits; },
      std::less<Place>());
  in_order_.reserve(sorted.size());
  for (const auto& [token, slot] : sorted) in_order_.push_back(slot);
  return in_order_;
}

std::int64_t TokenIndex::Bucket::up_to(Token token) const {
  const std::vector<std::int32_t>& slots = in_order();
  return std::ranges::upper_bound(slots, token, {}, [this](std::int32_t slot) { return of(slot); }) - slots.begin();
}

const TokenIndex::Bucket& TokenIndex::of(const Writer& writer, std::int64_t bucket_number) {
  std::unique_ptr<Bucket>& known = buckets_.at(writer.index, bucket_number);
  if (known) return *known;
  known = std::make_unique<Bucket>();
  Bucket& bucket = *known;
  const std::int64_t slots = writer.slots(bucket_number);
  bucket.reserve(slots);
  slots_held_ += slots;
  if (!keeps_keys(writer)) {
    for (std::int64_t slot = 0; slot < slots; ++slot) bucket.add(murmur3_token(writer.key(slot, bucket_number)));
    return bucket;
  }
  if (written_for_ != writer.index) {
    written_.emplace(*writer.keys, writer.entities, writer.shards);
    written_for_ = writer.index;
  }
  written_->each(writer.bucket.label(bucket_number), [&](std::string_view key) { bucket.add(murmur3_token(key)); });
  return bucket;
}

std::span<const std::int32_t> TokenIndex::slots_between(const Writer& writer, std::int64_t bucket_number, Token first,
                                                        Token last) {
  const Bucket& bucket = of(writer, bucket_number);
  const auto token_of = [&](std::int32_t slot) { return bucket.of(slot); };
  const std::vector<std::int32_t>& slots = bucket.in_order();
  const auto begin = std::ranges::lower_bound(slots, first, {}, token_of);
  const auto end = std::ranges::upper_bound(begin, slots.end(), last, {}, token_of);
  return {begin, end};
}

std::span<const std::uint64_t> TokenIndex::sketch_hashes(const Writer& writer, std::int64_t bucket_number) {
  std::unique_ptr<std::vector<std::uint64_t>>& known = sketch_hashes_.at(writer.index, bucket_number);
  if (known) return *known;
  known = std::make_unique<std::vector<std::uint64_t>>();
  std::vector<std::uint64_t>& hashes = *known;
  const std::int64_t slots = writer.slots(bucket_number);
  hashes.reserve(static_cast<std::size_t>(slots));
  for (std::int64_t slot = 0; slot < slots; ++slot) hashes.push_back(murmur2(writer.key(slot, bucket_number)));
  return hashes;
}

const TokenIndex::Lengths& TokenIndex::lengths(const Writer& writer, std::int64_t bucket_number) {
  std::unique_ptr<const Lengths*>& known = lengths_of_bucket_.at(writer.index, bucket_number);
  if (!known) known = std::make_unique<const Lengths*>(&lengths_from(writer, bucket_number));
  return **known;
}

const TokenIndex::Lengths& TokenIndex::lengths_from(const Writer& writer, std::int64_t bucket_number) {
  // A bucket's label is as long in every key: buckets whose first keys are equally long have equal lengths throughout.
  const auto first_key = static_cast<std::int64_t>(
      writer.slots_differ() ? writer.keys->key(0, writer.bucket.label(bucket_number), 0).size()
                            : writer.key(0, bucket_number).size());
  const auto [place, added] = lengths_.try_emplace({writer.index, first_key});
  Lengths& lengths = place->second;
  if (added) {
    // Of every partition of the cluster: a node has the mean length.
    const std::int64_t label = writer.bucket.label(bucket_number);
    const std::int64_t slots = writer.most_slots();
    const auto place_of = [&](std::int64_t slot) {
      if (writer.slots_differ()) return NodeSlots::Place{slot % writer.entities, slot / writer.entities};
      return writer.place_of(slot, bucket_number);
    };
    const NodeSlots::Place first = place_of(0);
    const std::optional<int> varying = writer.keys->varying_length(first.entity, first.shard);
    const Bytes fixed = varying ? first_key - *varying : 0;
    lengths.before.reserve(static_cast<std::size_t>(slots) + 1);
    lengths.before.push_back(0);
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      const auto [entity, shard] = place_of(slot);
      const Bytes bytes = varying ? fixed + *writer.keys->varying_length(entity, shard)
                                  : static_cast<Bytes>(writer.keys->key(entity, label, shard).size());
      lengths.before.push_back(lengths.before.back() + bytes);
    }
  }
  return lengths;
}

int TokenIndex::key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t slot) {
  return static_cast<int>(key_bytes(writer, bucket_number, slot, slot + 1));
}

Bytes TokenIndex::key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t first, std::int64_t last) {
  if (const int constant = writer.keys->constant_length()) return constant * (last - first);
  const std::vector<Bytes>& before = lengths(writer, bucket_number).before;
  if (writer.slots_differ()) {
    const Bytes all = before.back();
    return mul_div_floor(all, last, writer.most_slots()) - mul_div_floor(all, first, writer.most_slots());
  }
  return before[static_cast<std::size_t>(last)] - before[static_cast<std::size_t>(first)];
}

Bytes TokenIndex::all_key_bytes(const Writer& writer, std::int64_t bucket_number) {
  return key_bytes(writer, bucket_number, 0, writer.slots(bucket_number));
}

}  // namespace windrow
