#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/bucket_keys.h"
#include "sim/workload/by_bucket.h"
#include "sim/workload/writer.h"

namespace windrow {

/// The tokens of a writer's partitions, hashed once per bucket and only when a rule asks for them.
class TokenIndex {
 public:
  class Bucket {
   public:
    Token of(std::int32_t slot) const { return by_slot_[static_cast<std::size_t>(slot)]; }
    const std::vector<Token>& by_slot() const { return by_slot_; }
    /// The least and the greatest.
    std::pair<Token, Token> span() const { return span_; }
    /// Slots by token: sorted when somebody asks.
    const std::vector<std::int32_t>& in_order() const;
    /// Tokens that are not above this one.
    std::int64_t up_to(Token token) const;

   private:
    friend class TokenIndex;
    void reserve(std::int64_t slots) { by_slot_.reserve(static_cast<std::size_t>(slots)); }
    void add(Token token);

    std::vector<Token> by_slot_{};
    std::pair<Token, Token> span_{max_token, min_token};
    mutable std::vector<std::int32_t> in_order_{};
  };
  /// Stays where it is until the index forgets.
  const Bucket& of(const Writer& writer, std::int64_t bucket_number);
  /// Null unless somebody has asked for the bucket.
  const Bucket* known(const Writer& writer, std::int64_t bucket_number) const {
    return buckets_.known(writer.index, bucket_number);
  }
  /// The slots whose tokens lie in [first, last], by token.
  std::span<const std::int32_t> slots_between(const Writer& writer, std::int64_t bucket_number, Token first,
                                              Token last);

  /// murmur2 (sim/stats/key_sketch.h) of a bucket's keys, by slot: each key is made once, however many files hold it.
  std::span<const std::uint64_t> sketch_hashes(const Writer& writer, std::int64_t bucket_number);

  /// Key lengths of a bucket's partitions: of one slot, of slots [first, last) together, of all.
  int key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t slot);
  Bytes key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t first, std::int64_t last);
  Bytes all_key_bytes(const Writer& writer, std::int64_t bucket_number);

  /// Partitions whose tokens it holds.
  std::int64_t slots_held() const { return slots_held_; }
  /// Gives the memory back: who asks again waits again.
  void forget() {
    buckets_.clear();
    sketch_hashes_.clear();
    lengths_.clear();
    lengths_of_bucket_.clear();
    slots_held_ = 0;
    written_.reset();
    written_for_ = -1;
  }

 private:
  struct Lengths {
    std::vector<Bytes> before{};  // of all slots below; one more than slots
  };
  const Lengths& lengths(const Writer& writer, std::int64_t bucket_number);
  const Lengths& lengths_from(const Writer& writer, std::int64_t bucket_number);

  ByBucket<Bucket> buckets_{};
  std::optional<BucketKeys> written_{};  // keys of the bucket that was hashed last
  int written_for_ = -1;                 // whose
  std::int64_t slots_held_ = 0;
  ByBucket<std::vector<std::uint64_t>> sketch_hashes_{};
  std::map<std::pair<int, std::int64_t>, Lengths> lengths_{};  // by writer, and length of a bucket's first key
  ByBucket<const Lengths*> lengths_of_bucket_{};
};

}  // namespace windrow
