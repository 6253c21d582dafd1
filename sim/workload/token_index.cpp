#include "sim/workload/token_index.h"

#include <algorithm>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/stats/key_sketch.h"
#include "sim/stats/murmur3.h"

namespace windrow {

std::int64_t TokenIndex::Bucket::up_to(Token token) const {
  return std::ranges::upper_bound(in_order, token, {}, [this](std::int32_t slot) { return of(slot); }) -
         in_order.begin();
}

const TokenIndex::Bucket& TokenIndex::of(const Writer& writer, std::int64_t bucket_number) {
  const auto [place, added] = buckets_.try_emplace({writer.index, bucket_number});
  Bucket& bucket = place->second;
  if (!added) return bucket;
  const std::int64_t slots = writer.slots(bucket_number);
  bucket.by_slot.reserve(static_cast<std::size_t>(slots));
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    bucket.by_slot.push_back(murmur3_token(writer.key(slot, bucket_number)));
  }
  std::vector<std::pair<Token, std::int32_t>> sorted;
  sorted.reserve(bucket.by_slot.size());
  for (const Token token : bucket.by_slot) sorted.emplace_back(token, static_cast<std::int32_t>(sorted.size()));
  std::ranges::sort(sorted);
  bucket.in_order.reserve(sorted.size());
  for (const auto& [token, slot] : sorted) bucket.in_order.push_back(slot);
  return bucket;
}

std::span<const std::int32_t> TokenIndex::slots_between(const Writer& writer, std::int64_t bucket_number, Token first,
                                                        Token last) {
  const Bucket& bucket = of(writer, bucket_number);
  const auto token_of = [&](std::int32_t slot) { return bucket.of(slot); };
  const auto begin = std::ranges::lower_bound(bucket.in_order, first, {}, token_of);
  const auto end = std::ranges::upper_bound(begin, bucket.in_order.end(), last, {}, token_of);
  return {begin, end};
}

std::span<const std::uint64_t> TokenIndex::sketch_hashes(const Writer& writer, std::int64_t bucket_number) {
  const auto [place, added] = sketch_hashes_.try_emplace({writer.index, bucket_number});
  std::vector<std::uint64_t>& hashes = place->second;
  if (!added) return hashes;
  const std::int64_t slots = writer.slots(bucket_number);
  hashes.reserve(static_cast<std::size_t>(slots));
  for (std::int64_t slot = 0; slot < slots; ++slot) hashes.push_back(murmur2(writer.key(slot, bucket_number)));
  return hashes;
}

const TokenIndex::Lengths& TokenIndex::lengths(const Writer& writer, std::int64_t bucket_number) {
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
    lengths.before.reserve(static_cast<std::size_t>(slots) + 1);
    lengths.before.push_back(0);
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      const std::string key = writer.slots_differ()
                                  ? writer.keys->key(slot % writer.entities, label, slot / writer.entities)
                                  : writer.key(slot, bucket_number);
      lengths.before.push_back(lengths.before.back() + static_cast<Bytes>(key.size()));
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
