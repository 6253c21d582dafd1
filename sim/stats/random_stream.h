#pragma once

#include <cstdint>
#include <string_view>

namespace windrow {

/// Whole numbers drawn from a scenario's seed. Every consumer has a stream of its own name, so that a new one moves no
/// other. SplitMix64, whose first state is the seed mixed with the FNV-1a hash of the name.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name) : state_(seed) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    state_ = next() ^ hash;
  }

  /// Uniform over all 64 bits.
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace windrow
