#include "sim/workload/slot_bits.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace windrow {

SlotBits::SlotBits(const std::vector<char>& slots)
    : slots_(static_cast<std::int64_t>(slots.size())), words_(slots.size() / word_bits + 1, 0) {
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot] != 0) words_[slot / word_bits] |= std::uint64_t{1} << (slot % word_bits);
  }
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (word % block_words == 0) before_.push_back(static_cast<std::int32_t>(count_));
    count_ += std::popcount(words_[word]);
  }
}

std::int64_t SlotBits::rank(std::int64_t x) const {
  const std::size_t end = static_cast<std::size_t>(x) / word_bits;
  const std::size_t block = end / block_words;
  std::int64_t count = before_[block];
  for (std::size_t word = block * block_words; word < end; ++word) count += std::popcount(words_[word]);
  const std::uint64_t below = (std::uint64_t{1} << (static_cast<std::size_t>(x) % word_bits)) - 1;
  return count + std::popcount(words_[end] & below);
}

std::int64_t SlotBits::slot(std::int64_t i) const {
  SIM_CHECK(i >= 0 && i < count_, "a slot that is there");
  const auto after = std::ranges::upper_bound(before_, static_cast<std::int32_t>(i));
  const auto block = static_cast<std::size_t>(after - before_.begin()) - 1;
  std::int64_t left = i - before_[block];
  std::size_t word = block * block_words;
  for (; left >= std::popcount(words_[word]); ++word) left -= std::popcount(words_[word]);
  std::uint64_t bits = words_[word];
  for (; left > 0; --left) bits &= bits - 1;
  return static_cast<std::int64_t>(word * word_bits) + std::countr_zero(bits);
}

}  // namespace windrow
