#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace windrow {

/// Some of the replica sets of a ring: a bit each. All masks of a ring are equally long.
class SetMask {
 public:
  explicit SetMask(std::size_t sets) : words_(sets / word_bits + 1, 0) {}
  void add(std::size_t set) { words_[set / word_bits] |= std::uint64_t{1} << (set % word_bits); }
  bool holds(std::size_t set) const { return (words_[set / word_bits] >> (set % word_bits) & 1) != 0; }
  bool none() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  /// True if every one of these is also of the other.
  bool within(const SetMask& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }
  SetMask operator&(const SetMask& other) const {
    SetMask both = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) both.words_[i] &= other.words_[i];
    return both;
  }
  SetMask operator|(const SetMask& other) const {
    SetMask any = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) any.words_[i] |= other.words_[i];
    return any;
  }
  SetMask without(const SetMask& other) const {
    SetMask rest = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] &= ~other.words_[i];
    return rest;
  }
  friend auto operator<=>(const SetMask&, const SetMask&) = default;

 private:
  static constexpr std::size_t word_bits = 64;
  std::vector<std::uint64_t> words_;
};

using SharedSets = std::shared_ptr<const SetMask>;

}  // namespace windrow
