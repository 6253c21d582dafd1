#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/writer.h"

namespace windrow {

/// The tokens of a writer's partitions, hashed once per bucket and only when a rule asks for them.
class TokenIndex {
 public:
  struct Bucket {
    std::vector<Token> by_slot{};
    std::vector<std::int32_t> in_order{};  // slots by token

    Token of(std::int32_t slot) const { return by_slot[static_cast<std::size_t>(slot)]; }
    /// Tokens that are not above this one.
    std::int64_t up_to(Token token) const;
  };
  /// Stays where it is until the index forgets.
  const Bucket& of(const Writer& writer, std::int64_t bucket_number);
  /// The slots whose tokens lie in [first, last], by token.
  std::span<const std::int32_t> slots_between(const Writer& writer, std::int64_t bucket_number, Token first,
                                              Token last);

  /// murmur2 (sim/stats/key_sketch.h) of a bucket's keys, by slot: each key is made once, however many files hold it.
  std::span<const std::uint64_t> sketch_hashes(const Writer& writer, std::int64_t bucket_number);

  /// Key lengths of a bucket's partitions: of one slot, of slots [first, last) together, of all.
  int key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t slot);
  Bytes key_bytes(const Writer& writer, std::int64_t bucket_number, std::int64_t first, std::int64_t last);
  Bytes all_key_bytes(const Writer& writer, std::int64_t bucket_number);

  /// Gives the memory back: who asks again waits again.
  void forget() {
    buckets_.clear();
    sketch_hashes_.clear();
    lengths_.clear();
  }

 private:
  struct Lengths {
    std::vector<Bytes> before{};  // of all slots below; one more than slots
  };
  const Lengths& lengths(const Writer& writer, std::int64_t bucket_number);

  std::map<std::pair<int, std::int64_t>, Bucket> buckets_{};
  std::map<std::pair<int, std::int64_t>, std::vector<std::uint64_t>> sketch_hashes_{};
  std::map<std::pair<int, std::int64_t>, Lengths> lengths_{};
};

}  // namespace windrow
