#pragma once

#include <cstddef>
#include <functional>

namespace windrow {

/// Does work 0 to count - 1, in any order, at once or one after the other; returns when all is done. What the work
/// finds may not depend on which it was.
using AtOnce = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

/// One after the other, on the thread that asks.
inline void in_turn(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace windrow
