#pragma once

#include <cstdint>
#include <initializer_list>

namespace windrow::witness {

/// SplitMix64: the same numbers everywhere.
class Dice {
 public:
  // The seed is mixed first: else neighbours would draw the same numbers, one step apart.
  explicit Dice(std::uint64_t seed) : state_(mixed(seed + golden)) {}

  std::uint64_t next() { return mixed(state_ += golden); }
  /// From `low` to `high`, both inclusive.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool percent(int share) { return between(0, 99) < share; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + between(0, static_cast<std::int64_t>(choices.size()) - 1));
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 0;
};

}  // namespace windrow::witness
