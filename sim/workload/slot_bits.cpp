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
  for (const std::uint64_t word : words_) {
    before_.push_back(static_cast<std::int32_t>(count_));
    count_ += std::popcount(word);
  }
}

std::int64_t SlotBits::rank(std::int64_t x) const {
  const std::size_t end = static_cast<std::size_t>(x) / word_bits;
  const std::uint64_t below = (std::uint64_t{1} << (static_cast<std::size_t>(x) % word_bits)) - 1;
  return before_[end] + std::popcount(words_[end] & below);
}

std::int64_t SlotBits::slot(std::int64_t i) const {
  SIM_CHECK(i >= 0 && i < count_, "a slot that is there");
  const auto after = std::ranges::upper_bound(before_, static_cast<std::int32_t>(i));
  const auto word = static_cast<std::size_t>(after - before_.begin()) - 1;
  std::uint64_t bits = words_[word];
  for (std::int64_t left = i - before_[word]; left > 0; --left) bits &= bits - 1;
  return static_cast<std::int64_t>(word * word_bits) + std::countr_zero(bits);
}

}  // namespace windrow
