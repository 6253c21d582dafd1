#include "sim/content/slots_in_turn.h"

#include <algorithm>
#include <bit>
#include <boost/iterator/function_output_iterator.hpp>
#include <iterator>

namespace windrow {

namespace {

/// How many of slots [first, last) are in the set.
std::int64_t count_between(const SlotSet& set, std::int64_t first, std::int64_t last) {
  using Word = SlotSet::block_type;
  constexpr std::int64_t bits = SlotSet::bits_per_block;
  std::int64_t count = 0;
  std::int64_t begin = 0;  // of the word
  const auto add = [&](Word word) {
    if (begin + bits > first && begin < last && word != 0) {
      if (begin < first) word &= ~Word{0} << (first - begin);
      if (begin + bits > last) word &= (Word{1} << (last - begin)) - 1;
      count += std::popcount(word);
    }
    begin += bits;
  };
  boost::to_block_range(set, boost::make_function_output_iterator(add));
  return count;
}

}  // namespace

std::int64_t count_in_turn(const SlotSet& set, std::int64_t first, std::int64_t many) {
  const std::int64_t slots = std::ssize(set);
  std::int64_t count = many < slots ? 0 : many / slots * static_cast<std::int64_t>(set.count());
  const std::int64_t end = first + many % slots;
  count += count_between(set, first, std::min(end, slots));
  if (end > slots) count += count_between(set, 0, end - slots);
  return count;
}

}  // namespace windrow
