#pragma once

#include <cstdint>
#include <vector>

#include "sim/stats/murmur3.h"

namespace windrow {

/// BloomCalculations: bits per key and hash count of a chance (storage rule 1.14).
struct BloomSpec {
  int bits_per_key = 10;
  int hashes = 5;
};
BloomSpec bloom_spec(double fp_chance);  // fp_chance < 1

/// The engine's filter, bit for bit (rule 3.7a). `keys`: what the writer was sized for.
class BloomFilter {
 public:
  BloomFilter(std::int64_t keys, BloomSpec spec);
  void add(const Murmur3Hash& key);
  bool might_contain(const Murmur3Hash& key) const;

 private:
  std::vector<std::uint64_t> words_;
  std::int64_t capacity_bits_ = 0;
  int hashes_ = 0;
};

/// Bytes of Filter.db: 8 + 8 * ceil((keys * bits + 20) / 64).
std::int64_t bloom_filter_file_bytes(std::int64_t keys, BloomSpec spec);

}  // namespace windrow
