#include "sim/stats/bloom_filter.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr int most_bits = 20;

// The table of BloomCalculations holds (1 - e^(-k/b))^k for b bits and k hashes, to three significant digits.
using ChanceTable = std::array<std::array<double, most_bits + 1>, most_bits + 1>;  // by bits and hashes, from 1 on

ChanceTable make_chances() {
  ChanceTable table{};
  for (int bits = 1; bits <= most_bits; ++bits) {
    for (int hashes = 1; hashes <= most_bits; ++hashes) {
      const double exact = std::pow(1.0 - std::exp(-static_cast<double>(hashes) / bits), hashes);
      const double unit = std::pow(10.0, std::floor(std::log10(exact)) - 2.0);
      table[static_cast<std::size_t>(bits)][static_cast<std::size_t>(hashes)] = std::round(exact / unit) * unit;
    }
  }
  return table;
}

double chance(int bits, int hashes) {
  static const ChanceTable table = make_chances();
  return table[static_cast<std::size_t>(bits)][static_cast<std::size_t>(hashes)];
}

int best_hashes(int bits) {
  int best = 1;
  for (int hashes = 2; hashes <= most_bits; ++hashes) {
    if (chance(bits, hashes) < chance(bits, best)) best = hashes;
  }
  return best;
}

std::int64_t word_count(std::int64_t keys, BloomSpec spec) { return (keys * spec.bits_per_key + 19) / 64 + 1; }

}  // namespace

// BloomCalculations.computeBloomSpec(maxBucketsPerElement, maxFalsePosProb), Cassandra 5.0.
BloomSpec bloom_spec(double fp_chance) {
  // The engine passes these two numbers in the other order than it declares them: one bit per key, two hashes.
  if (fp_chance >= chance(2, 1)) return {.bits_per_key = 1, .hashes = 2};
  SIM_CHECK(fp_chance >= chance(most_bits, best_hashes(most_bits)), "no filter reaches so small a chance");
  int bits = 2;
  while (chance(bits, best_hashes(bits)) > fp_chance) ++bits;
  int hashes = best_hashes(bits);
  while (hashes > 1 && chance(bits, hashes - 1) <= fp_chance) --hashes;
  return {.bits_per_key = bits, .hashes = hashes};
}

BloomFilter::BloomFilter(std::int64_t keys, BloomSpec spec)
    : words_(static_cast<std::size_t>(word_count(keys, spec))),
      capacity_bits_(64 * word_count(keys, spec)),
      hashes_(spec.hashes) {}

namespace {

// Calls `use` with each bit of the key: |(h2 + i * h1) rem capacity|, the sum wrapping as in Java.
template <typename Use>
bool for_each_bit(const Murmur3Hash& key, int hashes, std::int64_t capacity, Use use) {
  auto sum = static_cast<std::uint64_t>(key.h2);
  for (int i = 0; i < hashes; ++i, sum += static_cast<std::uint64_t>(key.h1)) {
    if (!use(static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(sum) % capacity)))) return false;
  }
  return true;
}

}  // namespace

void BloomFilter::add(const Murmur3Hash& key) {
  for_each_bit(key, hashes_, capacity_bits_, [this](std::uint64_t bit) {
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    return true;
  });
}

bool BloomFilter::might_contain(const Murmur3Hash& key) const {
  return for_each_bit(key, hashes_, capacity_bits_,
                      [this](std::uint64_t bit) { return ((words_[bit / 64] >> (bit % 64)) & 1) != 0; });
}

std::int64_t bloom_filter_file_bytes(std::int64_t keys, BloomSpec spec) { return 8 + 8 * word_count(keys, spec); }

}  // namespace windrow
