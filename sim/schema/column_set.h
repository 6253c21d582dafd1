#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace windrow {

/// Some of a table's regular columns, by their place among all of them: 0 to most - 1.
class ColumnSet {
 public:
  static constexpr int most = 256;

  constexpr ColumnSet() = default;
  /// Of the first 64 columns those that have a bit.
  constexpr explicit ColumnSet(std::uint64_t bits) : words_{bits} {}

  constexpr void add(int column) { words_[word(column)] |= std::uint64_t{1} << (column % word_bits); }
  constexpr bool empty() const { return *this == ColumnSet(); }
  constexpr int count() const {
    int columns = words_[0] == 0 ? 0 : std::popcount(words_[0]);
    if ((words_[1] | words_[2] | words_[3]) == 0) return columns;  // of most tables
    for (std::size_t w = 1; w < words_.size(); ++w) columns += std::popcount(words_[w]);
    return columns;
  }
  /// How many of the columns are before this one.
  constexpr int place(int column) const {
    const std::uint64_t below = (std::uint64_t{1} << (column % word_bits)) - 1;
    int before = std::popcount(words_[word(column)] & below);
    for (std::size_t w = 0; w < word(column); ++w) before += std::popcount(words_[w]);
    return before;
  }
  /// In ascending order.
  template <typename Visit>
  constexpr void each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(static_cast<int>(w) * word_bits + std::countr_zero(rest));
    }
  }

  constexpr ColumnSet& operator|=(const ColumnSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  friend constexpr ColumnSet operator&(ColumnSet a, const ColumnSet& b) {
    for (std::size_t w = 0; w < a.words_.size(); ++w) a.words_[w] &= b.words_[w];
    return a;
  }
  friend constexpr bool operator==(const ColumnSet& a, const ColumnSet& b) {
    std::uint64_t different = 0;
    for (std::size_t w = 0; w < a.words_.size(); ++w) different |= a.words_[w] ^ b.words_[w];
    return different == 0;
  }

 private:
  static constexpr int word_bits = 64;
  static constexpr std::size_t word(int column) { return static_cast<std::size_t>(column) / word_bits; }

  std::array<std::uint64_t, most / word_bits> words_{};
};

}  // namespace windrow
