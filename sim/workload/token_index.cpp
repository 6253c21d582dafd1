#include "sim/workload/token_index.h"

#include <algorithm>
#include <numeric>

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
  bucket.by_slot.reserve(static_cast<std::size_t>(writer.slots()));
  for (std::int64_t slot = 0; slot < writer.slots(); ++slot) {
    bucket.by_slot.push_back(murmur3_token(writer.key(slot, bucket_number)));
  }
  bucket.in_order.resize(bucket.by_slot.size());
  std::iota(bucket.in_order.begin(), bucket.in_order.end(), 0);
  std::ranges::sort(bucket.in_order, {}, [&](std::int32_t slot) { return std::pair(bucket.of(slot), slot); });
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

const TokenIndex::Lengths& TokenIndex::lengths(const Writer& writer, std::int64_t bucket_number) {
  // A bucket's label is as long in every key: buckets whose first keys are equally long have equal lengths throughout.
  const auto first_key = static_cast<std::int64_t>(writer.key(0, bucket_number).size());
  const auto [place, added] = lengths_.try_emplace({writer.index, first_key});
  Lengths& lengths = place->second;
  if (added) {
    lengths.before.reserve(static_cast<std::size_t>(writer.slots()) + 1);
    lengths.before.push_back(0);
    for (std::int64_t slot = 0; slot < writer.slots(); ++slot) {
      lengths.before.push_back(lengths.before.back() + static_cast<Bytes>(writer.key(slot, bucket_number).size()));
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
  return before[static_cast<std::size_t>(last)] - before[static_cast<std::size_t>(first)];
}

Bytes TokenIndex::all_key_bytes(const Writer& writer, std::int64_t bucket_number) {
  return key_bytes(writer, bucket_number, 0, writer.slots());
}

}  // namespace windrow
